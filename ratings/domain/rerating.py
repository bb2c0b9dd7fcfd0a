"""Re-rating: what was derived from a list's inputs from a day on is thrown away and made again."""

from __future__ import annotations

import datetime as dt
import logging
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Max, Min, Q
from django.db.models.functions import Coalesce, Least

from ratings.models import Award, Change, Event, Player, RatedTable, RatingList, Standing
from ratings.queries.history import load_history
from ratings.queries.states import latest_changes, states_before
from ratings.systems import values
from ratings.systems.protocol import System
from ratings.systems.replay import Step, opening_state, replay

from .wake import wake

logger = logging.getLogger(__name__)
BATCH = 500


@dataclass(frozen=True)
class Run:
    """What a run did: from which day, how many tables, how many changes it wrote."""

    since: dt.date
    tables: int
    changes: int


def mark_out_of_date(lists: Iterable[RatingList], day: dt.date | None) -> None:
    """Write that lists are out of date from a day on (None: no rated day is touched), and wake the worker.

    What is compared to them goes with them.
    """
    if day is None:
        return
    ids = [rating_list.pk for rating_list in lists]
    concerned = RatingList.objects.filter(Q(pk__in=ids) | Q(comparison_to__in=ids))
    for rating_list in concerned.order_by("pk"):  # everybody locks in the same order
        earliest = Least(Coalesce("out_of_date_from", day), day)
        RatingList.objects.filter(pk=rating_list.pk).update(out_of_date_from=earliest)
        wake("ratings.rerate", rating_list.pk)


def mark_event(event: Event, *also: RatingList) -> None:
    """The same for all lists of an event (and those it was taken from), from its earliest table on."""
    first = event.tables.aggregate(first=Min("last_day"))["first"]
    mark_out_of_date({*event.lists.all(), *also}, first)


def mark_player(rating_list: RatingList, player: Player) -> None:
    """What the list knows of a player changed: it is out of date from his first table or adjustment on."""
    of_list = player.entries.filter(table__event__lists=rating_list.source)
    first_table = of_list.aggregate(first=Min("table__last_day"))
    first_change = rating_list.changes.filter(player=player).aggregate(first=Min("day"))
    days = [day for day in (first_table["first"], first_change["first"]) if day]
    mark_out_of_date([rating_list], min(days, default=None))


@transaction.atomic
def rerate(list_id: int) -> Run | None:
    """Rate a list again from the day it is out of date from; None where it is up to date (or gone).

    The lock on the list's row admits one run at a time, and makes whoever changes an input meanwhile wait.
    """
    rating_list = RatingList.objects.select_for_update().filter(pk=list_id).first()
    if rating_list is None or rating_list.out_of_date_from is None:
        return None
    since = _first_step(rating_list, rating_list.out_of_date_from)
    loaded = load_history(rating_list, since)
    system = rating_list.rating_system
    stored = states_before(rating_list, since)
    states = {
        id: system.read(stored[id], fixed=True) if id in stored else opening_state(system, player)
        for id, player in loaded.history.players.items()
    }
    run = _Writer(rating_list, system, loaded.history, loaded.pks)
    for model in (Award, Change, RatedTable):
        model.objects.filter(list=rating_list, day__gte=since).delete()
    for step in replay(system, loaded.history, states):
        run.add(step, states)
    run.write()
    _rewrite_standings(rating_list, system, loaded.history.players, loaded.pks)
    RatingList.objects.filter(pk=rating_list.pk).update(out_of_date_from=None, problem="")
    logger.info("list %s rated from %s: %d tables", rating_list.slug, since, len(loaded.history.tables))
    return Run(since, len(loaded.history.tables), len(run.changes))


def _first_step(rating_list: RatingList, out_of_date_from: dt.date) -> dt.date:
    """From where a run begins: closing days after the last table before it may come or go with the tables after it."""
    last = rating_list.rated_tables.filter(day__lt=out_of_date_from).aggregate(last=Max("day"))["last"]
    return out_of_date_from if last is None else min(out_of_date_from, last + dt.timedelta(days=1))


class _Writer:
    """Collects the derived rows of a run."""

    def __init__(
        self, rating_list: RatingList, system: System[Any], history: values.History, pks: Mapping[str, int]
    ) -> None:
        self.list, self.system, self.history, self.pks = rating_list, system, history, pks
        self.graded = rating_list.graded
        self.changes: list[Change] = []
        self.awards: list[Award] = []
        self.tables: list[RatedTable] = []

    def add(self, step: Step, states: dict[str, Any]) -> None:
        cause = step.cause
        at: dict[str, Any] = {"list": self.list, "day": step.day, "place": step.place}
        table_id = int(cause.id) if isinstance(cause, values.Table) else None
        if table_id is not None:
            result = step.result
            warnings = [self._named(warning, result.rows) for warning in result.warnings]
            self.tables.append(
                RatedTable(table_id=table_id, rounds=result.rounds, settled=result.settled, warnings=warnings, **at)
            )
        at |= {"table_id": table_id}
        for result_row in step.result.rows:
            row = result_row if self.graded else result_row.without_grades()
            if row.player not in self.pks:
                continue  # a guest: nothing is stored of him
            self.changes.append(self._change(row, states[row.player], at, cause))
            self.awards += [
                Award(player_id=self.pks[row.player], grade=award.grade, how=award.how, game=award.game,
                      needs_approval=award.needs_approval, last_of_step=award is row.awards[-1], **at)
                for award in row.awards
            ]  # fmt: skip

    def _named(self, text: str, rows: Iterable[values.Row]) -> str:
        """A warning with the players' names in place of their ids."""
        for row in rows:
            text = text.replace(row.player, self.history.players[row.player].name)
        return text

    def _change(self, row: values.Row, state: Any, at: dict[str, Any], cause: object) -> Change:
        standing = self.system.standing(state, self.history.players[row.player])
        return Change(
            player_id=self.pks[row.player],
            adjustment_id=int(cause.id) if isinstance(cause, values.Adjustment) else None,
            decision_id=int(cause.id) if isinstance(cause, values.Decision) else None,
            category=row.category,
            category_after=row.category_after,
            before=row.before,
            after=row.after,
            change=row.change,
            games=row.games,
            games_after=row.games_after,
            performance=row.performance,
            grade_before=row.grade_before or "",
            grade=row.grade or "",
            published=standing.published,
            hidden=standing.hidden,
            note=row.note,
            state=dict(self.system.write(state)),
            **at,
        )

    def write(self) -> None:
        RatedTable.objects.bulk_create(self.tables, BATCH)
        Change.objects.bulk_create(self.changes, BATCH)
        Award.objects.bulk_create(self.awards, BATCH)


def _rewrite_standings(
    rating_list: RatingList, system: System[Any], players: Mapping[str, values.Player], pks: Mapping[str, int]
) -> None:
    """The current list from the last change of every player, and his last one with games."""
    by_pk = {pk: id for id, pk in pks.items()}
    grades = {name: index for index, name in enumerate(system.grades)} if rating_list.graded else {}
    played: dict[int, tuple[dt.date, float | None]] = {}
    counted: Counter[int] = Counter()
    with_games = rating_list.changes.filter(games__gt=0).order_by("day", "place")
    for pk, day, change, games in with_games.values_list("player", "day", "change", "games"):
        played[pk] = (day, change)
        counted[pk] += games
    today = _last_day(rating_list)
    standings = []
    for pk, state in latest_changes(rating_list).values_list("player", "state"):
        standing = system.standing(system.read(state, fixed=True), players[by_pk[pk]], today)
        last_played, last_change = played.get(pk, (None, None))
        standings.append(
            Standing(
                list=rating_list,
                player_id=pk,
                rating=standing.rating,
                games=standing.games if system.counts_games else counted[pk],
                grade=(grades and standing.grade) or "",
                grade_index=grades.get(standing.grade or "", -1),
                waiting=(grades and standing.waiting) or "",
                category=standing.category,
                published=standing.published,
                last_played=last_played,
                last_change=last_change,
            )
        )
    rating_list.standings.all().delete()
    Standing.objects.bulk_create(standings, BATCH)


def _last_day(rating_list: RatingList) -> dt.date | None:
    """The day of a list's last step, on which its current list stands."""
    tables = rating_list.rated_tables.aggregate(last=Max("day"))["last"]
    changes = rating_list.changes.aggregate(last=Max("day"))["last"]
    return max((day for day in (tables, changes) if day), default=None)


def rerate_or_tell(list_id: int) -> None:
    """Rate a list; what stops it is logged and shown to the officers, and leaves the list as it was."""
    try:
        rerate(list_id)
    except Exception as error:
        logger.exception("list %s could not be rated", list_id)
        RatingList.objects.filter(pk=list_id).update(problem=f"{type(error).__name__}: {error}")


def sweep() -> None:
    """Rate every list that has pending work; so whatever a lost message left behind is finished."""
    for list_id in RatingList.objects.filter(out_of_date_from__isnull=False).values_list("pk", flat=True):
        rerate_or_tell(list_id)
