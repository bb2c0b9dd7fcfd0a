"""A list's inputs as the values that the engine rates."""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from django.db.models import Max, Min, Q, QuerySet

from ratings import models
from ratings.systems.icu import is_under_21
from ratings.systems.values import Adjustment, Decision, History, Table

from .values import guest, named, player_values, results_text, table_values


@dataclass(frozen=True)
class Loaded:
    """`history` with players by public id, tables and the rest by their database id as text."""

    history: History
    pks: Mapping[str, int]


def tables_of(
    rating_list: models.RatingList, since: dt.date | None = None, until: dt.date | None = None
) -> QuerySet[models.Table]:
    """The tables that count for a list: those of its accepted events (from a day, to a day)."""
    tables = models.Table.objects.filter(event__lists=rating_list.source, event__state=models.Event.State.ACCEPTED)
    if since is not None:
        tables = tables.filter(last_day__gte=since)
    return tables if until is None else tables.filter(last_day__lte=until)


def load_history(rating_list: models.RatingList, since: dt.date | None = None) -> Loaded:
    """All inputs of a list whose step lies on or after `since`, tables in their total order."""
    by_id = {table.id: table for table in table_values(tables_of(rating_list, since))}
    tables = [by_id[table.id] for table in tables_in_order(rating_list, since)]
    players, pks = player_values(rating_list)
    guests = {id: guest(players[id.partition("~")[0]], id) for t in tables for id in t.players if "~" in id}
    adjustments, decisions = load_outside(rating_list, since)
    history = History(
        rating_list.system,
        players | guests,
        tuple(tables),
        adjustments,
        decisions,
        rating_list.options,
        span_of(rating_list, since),
    )
    return Loaded(history, pks)


def load_outside(
    rating_list: models.RatingList, since: dt.date | None = None
) -> tuple[tuple[Adjustment, ...], tuple[Decision, ...]]:
    """What people laid down for a list from a day on; a comparison takes over its list's ratings and no decisions."""
    counted = tables_of(rating_list, since)
    # what stands before a table goes with it: where the table does not count, neither does that
    in_force = Q(before__in=counted) | Q(before__isnull=True, **({} if since is None else {"date__gte": since}))
    adjustments = [
        Adjustment(a.date, _public_id(a.player), _before(a), a.set, a.shift, a.reason, str(a.pk))
        for a in rating_list.source.adjustments.filter(in_force).select_related("player")
    ]
    decisions = [
        Decision(d.date, d.player.public_id, d.grade, d.ruling, _before(d), d.reason, str(d.pk))
        for d in rating_list.decisions.filter(in_force).select_related("player")
    ]
    if rating_list.comparison_to_id:
        adjustments = list(_ratings_only(adjustments, rating_list.rating_system.decimals))
    # what people entered orders steps of one day, never the time of saving
    adjustments.sort(key=lambda a: (a.date, a.player or "", json.dumps(a.set, sort_keys=True), a.shift or 0, a.reason))
    decisions.sort(key=lambda d: (d.date, d.player, d.ruling, d.grade, d.reason))
    return tuple(adjustments), tuple(decisions)


def tables_in_order(rating_list: models.RatingList, since: dt.date | None) -> list[Table]:
    """The list's tables from a day on in their total order, without players and games."""
    counted = tables_of(rating_list, since)
    fields = ("last_day", "first_day", "position", "event__name", "name", "pk", "rated")
    rows = sorted(counted.values_list(*fields))
    alike = Counter(row[:-2] for row in rows)
    tied = [row[-2] for row in rows if alike[row[:-2]] > 1]
    results = (
        {int(table.id): results_text(table) for table in table_values(counted.filter(pk__in=tied))} if tied else {}
    )
    if tied:
        rows.sort(key=lambda row: (*row[:-2], results.get(row[-2], "")))
    return [Table(str(pk), first, (), (), end_date=last, rated=rated) for last, first, *_, pk, rated in rows]


def _ratings_only(adjustments: Iterable[Adjustment], decimals: int) -> Iterable[Adjustment]:
    """What a comparison takes over: given ratings and shifts, in whole points where its system has no others."""
    for given in adjustments:
        rating = (given.set or {}).get("rating")
        if rating is not None:
            yield replace(given, set={"rating": rating if decimals else round(rating)})
        elif given.shift is not None:
            yield given


def span_of(rating_list: models.RatingList, since: dt.date | None) -> tuple[dt.date, dt.date] | None:
    """From which day (or since) to which the list's tables go."""
    days = tables_of(rating_list).aggregate(first=Min("last_day"), last=Max("last_day"))
    if days["first"] is None:
        return None
    return max(days["first"], since or days["first"]), days["last"]


def _public_id(player: models.Player | None) -> str | None:
    return None if player is None else player.public_id


def _before(given: models.Adjustment | models.Decision) -> str | None:
    return None if given.before_id is None else str(given.before_id)


def export_history(rating_list: models.RatingList, *, true_names: bool = False) -> History:
    """The inputs of a list to be written: only players that occur, tables named t1, t2 … in rating order.

    Birth dates stay here: where the system asks for them, each table says who was under 21. Names are those that the
    public may see, unless the federation writes the file for itself.
    """
    history = load_history(rating_list).history
    asked = "birth_date" in rating_list.rating_system.asks
    names = {table.id: f"t{number}" for number, table in enumerate(history.tables, 1)}

    def renamed(player: str) -> str:
        public_id, tilde, table = player.partition("~")
        return f"{public_id}~{names[table]}" if tilde else player

    outside: list[Adjustment | Decision] = [*history.adjustments, *history.decisions]
    seen = {id for table in history.tables for id in table.players} | {given.player for given in outside}
    tables = tuple(
        replace(
            table,
            id=names[table.id],
            players=tuple(map(renamed, table.players)),
            fixed={renamed(id): rating for id, rating in table.fixed.items()},
            under_21=frozenset(
                renamed(id) for id in table.players if asked and is_under_21(history.players[id], table)
            ),
            games=tuple(replace(g, a=renamed(g.a), b=g.b and renamed(g.b)) for g in table.games),
        )
        for table in history.tables
    )
    true = {player.public_id: player.name for player in models.Player.objects.all()} if true_names else {}
    return replace(
        history,
        players={
            renamed(id): replace(p, id=renamed(id), name=true.get(named(id), p.name), birth_date=None)
            for id, p in history.players.items()
            if id in seen
        },
        tables=tables,
        adjustments=tuple(replace(a, before=names.get(a.before or "")) for a in history.adjustments),
        decisions=tuple(replace(d, before=names.get(d.before or "")) for d in history.decisions),
        span=None,
    )
