"""Inputs of a list, loaded as the values that the rating engine reads."""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from django.db.models import Max, Min, Q, QuerySet

from ratings import models
from ratings.batches import in_batches
from ratings.laboratory.conversion import convert_given_rating, has_other_scale
from ratings.queries.players.outside_ids import read_ids_for_history
from ratings.queries.runs.states import known_state
from ratings.queries.runs.tables import read_tables_by_key, results_text, table_values
from ratings.queries.runs.values import guest_value, player_values, strip_table_id
from ratings.queries.snapshots import read_snapshot
from ratings.systems.ages import birth_year_of, is_under_21
from ratings.systems.replay import closing_days
from ratings.systems.table_batches import build_table
from ratings.systems.values import Adjustment, Decision, History, Table


@dataclass(frozen=True)
class LoadedHistory:
    """A list's history, and the primary keys of its players by public id.

    In `history`, players have their public id; tables, adjustments and decisions have their primary key as text.
    """

    history: History
    pks: Mapping[str, int]


def tables_of(
    rating_list: models.RatingList, since: dt.date | None = None, until: dt.date | None = None
) -> QuerySet[models.Table]:
    """Return the tables of a list's accepted events, optionally only those whose last day is in a range.

    A list that is continued by another rates the tables before the other one's first day; the other one, the rest.
    """
    source = rating_list.source
    tables = models.Table.objects.filter(event__lists=source, event__state=models.Event.State.ACCEPTED)
    if source.begins_on is not None:
        tables = tables.filter(last_day__gte=source.begins_on)
    if source.successor is not None:
        tables = tables.filter(last_day__lt=source.successor.begins_on)
    if since is not None:
        tables = tables.filter(last_day__gte=since)
    return tables if until is None else tables.filter(last_day__lte=until)


def load_history(rating_list: models.RatingList, since: dt.date | None = None) -> LoadedHistory:
    """Return all inputs of a list whose step is on or after `since` (None: all), with tables in their total order."""
    pks = [int(table.id) for table in tables_in_order(rating_list, since)]
    tables = list(chain.from_iterable(map(_read_in_order, in_batches(pks))))
    players, player_pks = player_values(rating_list)
    guests = {id: guest_value(players[id.partition("~")[0]], id) for t in tables for id in t.players if "~" in id}
    adjustments, decisions = load_adjustments_and_decisions(rating_list, since)
    history = History(
        rating_list.system,
        players | guests,
        tuple(tables),
        adjustments,
        decisions,
        rating_list.options,
        span_of(rating_list, since),
        rating_list.parsed_option_changes,
    )
    return LoadedHistory(history, player_pks)


def _read_in_order(pks: Sequence[int]) -> list[Table]:
    """Return tables with their games by primary key, in the order given."""
    by_pk = read_tables_by_key(pks)
    return [build_table(by_pk[pk]) for pk in pks]


def load_adjustments_and_decisions(
    rating_list: models.RatingList, since: dt.date | None = None
) -> tuple[tuple[Adjustment, ...], tuple[Decision, ...]]:
    """Return the adjustments and decisions of a list from a day on, in their total order."""
    return load_adjustments(rating_list, since), load_decisions(rating_list, since)


RECORD_FIELDS = ("date", "player__public_id", "before", "reason", "pk")
"""Fields that adjustments and decisions have in common."""


def load_adjustments(rating_list: models.RatingList, since: dt.date | None = None) -> tuple[Adjustment, ...]:
    """Return the adjustments of a list from a day on, in their total order.

    A comparison list takes over the ratings and shifts from the adjustments of the list it is compared to.
    """
    rows = _select_in_force(rating_list.source.adjustments.all(), rating_list, since, "set", "shift")
    adjustments = [
        Adjustment(day, player, before and str(before), state, shift, reason, str(pk))
        for day, player, before, reason, pk, state, shift in rows
    ]
    if rating_list.comparison_to_id:
        adjustments = list(_select_ratings(adjustments, rating_list))
    # entries of a day are ordered by their content, and by the time of saving only if they differ in their table alone
    adjustments.sort(
        key=lambda a: (a.date, a.player or "", json.dumps(a.set, sort_keys=True), a.shift or 0, a.reason, int(a.id))
    )
    return tuple(adjustments)


def load_decisions(rating_list: models.RatingList, since: dt.date | None = None) -> tuple[Decision, ...]:
    """Return the decisions of a list from a day on, in their total order; a comparison list takes over none."""
    rows = _select_in_force(rating_list.decisions.all(), rating_list, since, "grade", "ruling")
    decisions = [
        Decision(day, player, grade, ruling, before and str(before), reason, str(pk))
        for day, player, before, reason, pk, grade, ruling in rows
    ]
    decisions.sort(key=lambda d: (d.date, d.player, d.ruling, d.grade, d.reason, int(d.id)))
    return tuple(decisions)


def _select_in_force(
    records: QuerySet[Any], rating_list: models.RatingList, since: dt.date | None, *fields: str
) -> QuerySet[Any, tuple[Any, ...]]:
    """Return the RECORD_FIELDS and other fields of adjustments or decisions from a day on, in no order.

    One that takes effect before a table counts only with it.
    """
    from_day = {} if since is None else {"date__gte": since}
    # few have a table; with the first condition, PostgreSQL finds them by an index
    with_table = records.filter(before__isnull=False, before__in=tables_of(rating_list, since)).order_by()
    alone = records.filter(before__isnull=True, **from_day).order_by()
    names = (*RECORD_FIELDS, *fields)
    # one query with OR would use no index
    return with_table.values_list(*names).union(alone.values_list(*names), all=True)


def count_adjustments_before(rating_list: models.RatingList, day: dt.date) -> int | None:
    """Return the number of a list's adjustments before a day, which come first in their order.

    Return None where that takes as long as loading them all: if a table decides whether one counts, or in a comparison
    list, which takes over a part of them.
    """
    if rating_list.comparison_to_id or rating_list.adjustments.filter(before__isnull=False).exists():
        return None
    return rating_list.adjustments.filter(date__lt=day).count()


def tables_in_order(rating_list: models.RatingList, since: dt.date | None) -> list[Table]:
    """Return the list's tables from a day on in their total order, without players and games."""
    counted = tables_of(rating_list, since)
    fields = ("last_day", "first_day", "position", "event__name", "name", "pk", "rated")
    rows = sorted(counted.values_list(*fields))
    counts = Counter(row[:-2] for row in rows)
    tied = [row[-2] for row in rows if counts[row[:-2]] > 1]
    results = (
        {int(table.id): results_text(table) for table in table_values(counted.filter(pk__in=tied))} if tied else {}
    )
    if tied:
        rows.sort(key=lambda row: (*row[:-2], results.get(row[-2], "")))
    return [Table(str(pk), first, (), (), end_date=last, rated=rated) for last, first, *_, pk, rated in rows]


def _select_ratings(adjustments: Iterable[Adjustment], comparison: models.RatingList) -> Iterable[Adjustment]:
    """Yield the parts of adjustments that a comparison list takes over: set ratings, in its own points, and shifts.

    A list whose ratings have another scale takes over none.
    """
    own, system = comparison.source.rating_system, comparison.rating_system
    if has_other_scale(own, system):
        return
    for adjustment in adjustments:
        rating = (adjustment.set or {}).get("rating")
        if rating is not None:
            yield replace(adjustment, set={"rating": convert_given_rating(rating, own, system)})
        elif adjustment.shift is not None:
            yield adjustment


def span_of(rating_list: models.RatingList, since: dt.date | None) -> tuple[dt.date, dt.date] | None:
    """Return the first day (not before `since`) and the last day of the list's tables; None without tables."""
    days = tables_of(rating_list).aggregate(first=Min("last_day"), last=Max("last_day"), named=Max("list_day"))
    if days["first"] is None:
        return None
    last = rating_list.rating_system.rating.last_day_of_span(days["last"], days["named"])
    return max(days["first"], since or days["first"]), last


def _find_published_birth_years(*, all_players: bool) -> frozenset[str]:
    """Return the public ids of the players who publish when they were born, or of all players."""
    published = Q() if all_players else Q(birth_public=True, shown=models.NameVisibility.FULL)
    return frozenset(models.Player.objects.filter(published).values_list("public_id", flat=True))


def _find_k_of_juniors(
    rating_list: models.RatingList, history: History, birth_years: Mapping[str, int]
) -> dict[str, Mapping[int, int]]:
    """Return the K that players had as juniors, by player and year; `birth_years` are those of these players."""
    if not birth_years or not (lists := closing_days(rating_list.rating_system, history)):
        return {}
    states: dict[str, list[tuple[dt.date, Any]]] = {id: [] for id in birth_years}
    changes = rating_list.changes.filter(player__public_id__in=birth_years).order_by("day", "place")
    for id, day, state in changes.values_list("player__public_id", "day", "state"):
        if (known := known_state(rating_list, state)) is not None:
            states[id].append((day, known))
    find = rating_list.rating_system.rating.find_k_of_junior
    return {id: k for id, year in birth_years.items() if (k := find(year, states[id], lists[-1]))}


@read_snapshot()
def export_history(rating_list: models.RatingList, *, true_names: bool = False) -> History:
    """Return the inputs of a list for export: only players that occur, and tables named t1, t2 … in rating order.

    Birth dates are not exported: where the system asks for them, each table lists the players under 21. Birth years are
    exported where the system asks for them, of players who publish theirs; of others, the K that they had as juniors,
    so that the file gives the list's own ratings. Names are the public ones, and ids in other registries are those of
    players shown by full name. A file that the federation writes for its own use (`true_names`) has all names and ids,
    and these birth years.
    """
    history = load_history(rating_list).history
    needed = rating_list.rating_system.rating.required_values
    asks_birth_date = "birth_date" in needed
    with_years = _find_published_birth_years(all_players=true_names) if "birth_year" in needed else frozenset()
    names = {table.id: f"t{number}" for number, table in enumerate(history.tables, 1)}

    def rename(player: str) -> str:
        public_id, tilde, table = player.partition("~")
        return f"{public_id}~{names[table]}" if tilde else player

    entries: list[Adjustment | Decision] = [*history.adjustments, *history.decisions]
    occurring = {id for table in history.tables for id in table.players} | {entry.player for entry in entries}
    tables = tuple(
        replace(
            table,
            id=names[table.id],
            players=tuple(map(rename, table.players)),
            fixed={rename(id): rating for id, rating in table.fixed.items()},
            under_21=frozenset(
                rename(id) for id in table.players if asks_birth_date and is_under_21(history.players[id], table)
            ),
            games=tuple(replace(g, a=rename(g.a), b=g.b and rename(g.b)) for g in table.games),
        )
        for table in history.tables
    )
    hidden = {
        id: year
        for id, player in history.players.items()
        if "birth_year" in needed and id in occurring - with_years and (year := birth_year_of(player)) is not None
    }
    k_of_juniors = _find_k_of_juniors(rating_list, history, hidden)
    outside_ids = read_ids_for_history(true_names=true_names)
    full_names = {player.public_id: player.name for player in models.Player.objects.all()} if true_names else {}
    return replace(
        history,
        players={
            rename(id): replace(
                p,
                id=rename(id),
                name=full_names.get(strip_table_id(id), p.name),
                birth_date=None,
                birth_year=birth_year_of(p) if strip_table_id(id) in with_years else None,
                k=k_of_juniors.get(id, {}),
                outside_ids=outside_ids.get(id, ()),
            )
            for id, p in history.players.items()
            if id in occurring
        },
        tables=tables,
        adjustments=tuple(replace(a, before=names.get(a.before or "")) for a in history.adjustments),
        decisions=tuple(replace(d, before=names.get(d.before or "")) for d in history.decisions),
        span=None,
    )
