"""Previews of what a change would do to ratings and grades.

The change is made, computed by the same engine, and rolled back.
"""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db import transaction

from ratings.formats.problems import SubmissionProblem
from ratings.models import Player, RatingList, Standing
from ratings.queries.lists.history import tables_of
from ratings.systems.messages import message_of
from ratings.systems.values import AwardHow

from .computing import RunMode, compute
from .marking import collect_marked_lists
from .outcome import ProgressCallback, UnratableError

TABLES_PER_REQUEST = 100
"""Maximum number of tables that a page may rate during a request: about half a second."""
TIMEOUT_SECONDS = 10.0
"""Maximum duration of a preview in seconds, during which the changed rows stay locked."""


class TooLongError(Exception):
    """Error for a preview that takes too long."""


@dataclass(frozen=True)
class StandingChange:
    """A player's rating and grades before and after a change; a rating is None if the player is not on the list."""

    player: Player
    before: float | None
    after: float | None
    grade_before: str
    grade: str
    waiting_before: str = ""
    waiting: str = ""

    @property
    def change(self) -> float | None:
        return None if self.before is None or self.after is None else self.after - self.before


class Result(NamedTuple):
    """A player's result in a table: ratings and performance in rating points, and the number of rated games.

    `table` and `player` are primary keys.
    """

    table: int | None
    player: int
    before: float | None
    after: float | None
    games: int
    performance: float | None


@dataclass(frozen=True)
class Preview:
    """Effect of a change on one list: the number of tables rated for it, and the players who would move."""

    rating_list: RatingList
    tables: int
    moved: list[StandingChange]
    problem: str = ""
    held: Sequence[tuple[Player, str]] = ()
    """Players with announced grades that stay although the results that earned them are removed."""
    results: Sequence[Result] = ()
    """The changes that each rated table would give its players."""
    since: dt.date | None = None
    """The day from which the list would be rated again."""
    postponed: bool = False
    """True if the list was not computed, because there are too many tables from that day on (`tables`)."""

    @property
    def waiting(self) -> list[StandingChange]:
        """Players whose grade that waits for approval would change."""
        return [moved for moved in self.moved if moved.waiting_before != moved.waiting]

    @property
    def grades(self) -> list[StandingChange]:
        """Players whose grade would change."""
        return [moved for moved in self.moved if moved.grade_before != moved.grade]


def preview(
    change: Callable[[], object], *, rated: Iterable[RatingList] = (), tables_at_most: int | None = None
) -> list[Preview]:
    """Return the effect of a change on every list that it puts out of date; the change is rolled back.

    `rated` are lists that the change itself rates again. `tables_at_most`: do not compute the lists if more tables
    than that follow the first changed days. Nobody changes the inputs of these lists meanwhile, because the change has
    locked their rows to mark them.
    """
    deadline = _Deadline(TIMEOUT_SECONDS)
    with transaction.atomic():
        before = {rating_list: _read_lines(rating_list) for rating_list in rated}
        with collect_marked_lists() as pks:
            change()
        outdated = RatingList.objects.filter(pk__in=pks, out_of_date_from__isnull=False)  # some may be rated already
        marked = list(outdated.select_related("comparison_to").order_by("pk"))
        tables = {rating_list: tables_of(rating_list, rating_list.out_of_date_from).count() for rating_list in marked}
        if tables_at_most is not None and sum(tables.values()) > tables_at_most:
            previews = [
                Preview(rating_list, count, [], since=rating_list.out_of_date_from, postponed=True)
                for rating_list, count in tables.items()
            ]
        else:
            few = sum(tables.values()) <= TABLES_PER_REQUEST
            previews = [_compute_preview(rating_list, deadline.check, compiled=not few) for rating_list in tables]
        marked_pks = {each.rating_list.pk for each in previews}
        previews += [
            _compare_standings(rating_list, lines)
            for rating_list, lines in before.items()
            if rating_list.pk not in marked_pks
        ]
        transaction.set_rollback(True)
    return previews


Line = tuple[float | None, str, str]
"""Rating, grade and the grade that waits for approval."""


def _read_lines(rating_list: RatingList) -> dict[int, Line]:
    rows = rating_list.standings.order_by().values_list("player", "rating", "grade", "waiting")
    return {pk: (rating, grade, waiting) for pk, rating, grade, waiting in rows}


def _compare_standings(rating_list: RatingList, before: Mapping[int, Line]) -> Preview:
    """Return the preview of a list that was rated again, from its standings before and after."""
    after = _read_lines(rating_list)
    empty: Line = (None, "", "")
    changed = [pk for pk in {**before, **after} if before.get(pk, empty) != after.get(pk, empty)]
    players = Player.objects.in_bulk(changed)
    moved = []
    for pk in changed:
        rating_before, grade_before, waiting_before = before.get(pk, empty)
        rating, grade, waiting = after.get(pk, empty)
        moved.append(StandingChange(players[pk], rating_before, rating, grade_before, grade, waiting_before, waiting))
    moved.sort(key=_biggest_first)
    fields = ("table", "player", "before", "after", "games", "performance")
    rows = rating_list.changes.filter(player__in=changed, games__gt=0).order_by().values_list(*fields)
    return Preview(rating_list, 0, moved, results=[Result(*row) for row in rows])


def _biggest_first(line: StandingChange) -> tuple[float, str]:
    return -abs(line.change or 0), line.player.name


class _Deadline:
    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds

    def check(self, _done: int, _visited: int) -> None:
        """Raise TooLongError after the deadline."""
        if time.monotonic() > self.end:
            raise TooLongError


def _compute_preview(rating_list: RatingList, report: ProgressCallback, *, compiled: bool) -> Preview:
    since = rating_list.out_of_date_from or dt.date.min
    try:
        outcome = compute(rating_list, since, report, RunMode(compiled=compiled))
    except UnratableError as error:
        return Preview(rating_list, 0, [], message_of(error), since=since)
    except TooLongError:
        return Preview(rating_list, 0, [], SubmissionProblem.PREVIEW_TOO_LONG(), since=since)
    system = rating_list.rating_system
    players = Player.objects.in_bulk(outcome.states)
    standings = {line.player_id: line for line in Standing.objects.filter(list=rating_list, player__in=outcome.states)}
    moved = []
    for pk, state in outcome.states.items():
        now = standings.get(pk)
        then = None if state is None else system.rating.standing(state, outcome.players[pk])
        grade = (then.grade or "") if then and rating_list.has_grades else ""
        before, after = now.rating if now else None, then.rating if then else None
        waiting_after = (then.waiting or "") if then and rating_list.has_grades else ""
        line = StandingChange(
            players[pk], before, after, now.grade if now else "", grade, now.waiting if now else "", waiting_after
        )
        if (line.before, line.grade_before, line.waiting_before) != (line.after, line.grade, line.waiting):
            moved.append(line)
    moved.sort(key=_biggest_first)
    held = [(players[award.player_id], award.grade) for award in outcome.awards if award.how == AwardHow.KEPT]
    results = [
        Result(row.table_id, row.player_id, row.before, row.after, row.games, row.performance)
        for row in outcome.list_changes()
        if row.table_id and row.games
    ]
    return Preview(rating_list, outcome.visited, moved, held=held, results=results, since=since)
