"""A player's history on a list: every step, every game, and the totals.

Steps and games are read once as a whole and cached under the list's version (ids only, no names), so that a page of a
player with thousands of games takes no longer than any other.
"""

from __future__ import annotations

import datetime as dt
import sys
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import Case, OuterRef, Q, Subquery, TextField, When
from django.db.models.functions import Coalesce
from pydantic import TypeAdapter

from ratings.models import Adjustment, Event, Player, RatingList
from ratings.models.runs.derived import is_carried_over
from ratings.queries.grades.awards import with_case
from ratings.queries.lists.deviations import deviation_reader
from ratings.queries.lists.list_cache import cached, version_of
from ratings.systems.messages import decode_message
from ratings.systems.values import UNRATED_CATEGORIES

from .career_games import GAMES, GameRow, read_games, read_scores, sum_points


class Point(NamedTuple):
    """A step of a player's history, with the rating before and after it.

    `what` is the name of the event, or else the note that says why the rating moved.
    """

    day: dt.date
    place: int
    table: int | None
    what: str
    event_id: str | None
    before: float | None
    after: float | None
    change: float | None
    games: int
    games_after: int | None
    performance: float | None
    grade: str
    category: str
    category_before: str
    """Category in which the step was rated; `category` is the one after the step."""
    adjustment: int | None
    source: str | None
    decision: int | None
    published: bool
    hidden: bool
    """True if the ratings of the step must not be displayed; they are None then."""
    deviation: float | None = None
    """Deviation of the rating after the step, in rating points; None on lists without deviations."""

    @property
    def event(self) -> Event | None:
        """The event with its name and public id only; None for a step without an event."""
        return Event(public_id=self.event_id, name=self.what) if self.event_id else None

    @property
    def is_carried_over(self) -> bool:
        """Return True if the points of the table only count later, on one of the system's closing days."""
        return is_carried_over(self.table, self.before, self.after, self.change)

    @property
    def is_closing(self) -> bool:
        """Return True if the system itself moved the rating, on one of its closing days."""
        return not (self.table or self.adjustment or self.decision)

    @property
    def has_rating(self) -> bool:
        """Return True if the player has a rating after the step."""
        return self.after is not None


STEPS = TypeAdapter(tuple[list[Point], str | None])
POINTS = TypeAdapter(dict[int, tuple[float, int]])


@dataclass(frozen=True)
class Career:
    """The steps of a player on a list, oldest first, and their games, newest first."""

    player: Player
    rating_list: RatingList
    on: dt.date | None = None
    """The last day included; None: until now. Ratings of a past day are as they are computed today."""

    @cached_property
    def _steps(self) -> tuple[list[Point], str | None]:
        source = self.rating_list.deviation_source
        steps, last_state = cached(
            self.rating_list,
            f"steps:{self.player.pk}",
            lambda: _read_steps(self.player, self.rating_list),
            STEPS,
            detail=version_of(source) if source else "",
        )
        return [_decode_note(point) for point in steps], last_state

    @property
    def all_steps(self) -> list[Point]:
        return self._steps[0]

    @property
    def last_state(self) -> str | None:
        """The player's state after all steps, as it is stored; None without steps."""
        return self._steps[1]

    @cached_property
    def steps(self) -> list[Point]:
        return self.all_steps if self.on is None else [point for point in self.all_steps if point.day <= self.on]

    @cached_property
    def all_games(self) -> list[GameRow]:
        def read_all() -> list[GameRow]:
            return read_games(self.player, self.rating_list, {point.table: point for point in self.all_steps})

        return cached(self.rating_list, f"games:{self.player.pk}", read_all, GAMES)

    @cached_property
    def games(self) -> list[GameRow]:
        return self.all_games if self.on is None else [game for game in self.all_games if game.day <= self.on]

    @cached_property
    def games_by_table(self) -> Mapping[int | None, list[GameRow]]:
        """The played games by the primary key of their table."""
        by_table: dict[int | None, list[GameRow]] = defaultdict(list)
        for game in self.games:
            if game.played:
                by_table[game.table].append(game)
        return by_table

    @cached_property
    def points(self) -> dict[int, tuple[float, int]]:
        """The points scored over the board in each table, and the number of games in which they were scored.

        Tables that the list does not rate may be among them.
        """
        return cached(self.rating_list, f"points:{self.player.pk}", self._sum_points, POINTS)

    def _sum_points(self) -> dict[int, tuple[float, int]]:
        if "all_games" in vars(self):
            return sum_points((game.table, game.points) for game in self.all_games if game.played)
        return sum_points(read_scores(self.player))

    def games_against(self, rival: Player) -> list[GameRow]:
        """Return the played games against another player, newest first, without reading the other games."""
        steps = {point.table: point for point in self.all_steps}
        games = read_games(self.player, self.rating_list, steps, rival)
        return [game for game in games if game.played and (self.on is None or game.day <= self.on)]

    @cached_property
    def awards(self) -> list[Any]:
        """All grades won, with their `state` and `case`, newest first."""
        won = with_case(self.rating_list.awards.filter(player=self.player))
        won = won.select_related("table__event").order_by("-day", "-place", "-pk")
        return list(won if self.on is None else won.filter(day__lte=self.on))

    @cached_property
    def rated(self) -> list[Point]:
        return [point for point in self.steps if point.after is not None]

    @property
    def listed(self) -> list[Point]:
        """The steps with a rating after which the player was on the list."""
        return [point for point in self.rated if point.published]

    @property
    def peak(self) -> Point | None:
        """The step with the highest rating while the player was on the list; the first of equal ones."""
        return max(self.listed, key=lambda point: (point.after, -point.day.toordinal()), default=None)

    @property
    def gain(self) -> Point | None:
        """The table with the biggest rating gain; the first ratings of an unrated player do not count."""
        gains = [point for point in self.settled_steps if (point.change or 0) > 0]
        return max(gains, key=lambda point: (point.change, point.day), default=None)

    @property
    def loss(self) -> Point | None:
        losses = [point for point in self.settled_steps if (point.change or 0) < 0]
        return min(losses, key=lambda point: (point.change, -point.day.toordinal()), default=None)

    @property
    def settled_steps(self) -> list[Point]:
        """The steps of tables to which the player came with a settled rating."""
        return [point for point in self.steps if point.table and point.category_before not in UNRATED_CATEGORIES]

    def closed_by(self, closing: Point) -> list[Point]:
        """Return the steps of tables whose contributions were added on one of the system's closing days."""
        before = [point for point in self.steps if point[:2] < closing[:2]]
        since = max((i for i, point in enumerate(before, 1) if point.is_closing), default=0)
        return [point for point in before[since:] if point.is_carried_over]


def _read_steps(player: Player, rating_list: RatingList) -> tuple[list[Point], str | None]:
    """Return a player's steps with notes as stored, and the state after the last one.

    The other states are not read: together they would be megabytes.
    """
    changes = rating_list.changes.filter(player=player).order_by("day", "place")
    is_last = Q(pk=Subquery(changes.reverse().values("pk")[:1]))
    # joined, all adjustments of the list would be read for a player with a thousand steps, few of which have one
    adjustments = Adjustment.objects.filter(pk=OuterRef("adjustment")).order_by()
    annotated = changes.annotate(
        source=Subquery(adjustments.values("source")),
        what=Coalesce("table__event__name", "note", output_field=TextField()),
        last_state=Case(When(is_last, then="state")),
    )
    values = annotated.values_list(
        "day", "place", "table", "what", "table__event__public_id", "before", "after", "change", "games", "games_after",
        "performance", "grade", "category_after", "category", "adjustment", "source", "decision",
        "published", "hidden", "last_state",
    )  # fmt: skip
    rows = list(values)
    points = [_make_point(row[:-1]) for row in rows]
    source = rating_list.deviation_source
    if source is not None:
        points = _add_deviations(points, player, source, is_comparison=source.pk != rating_list.pk)
    return points, rows[-1][-1] if rows else None


def _add_deviations(points: Iterable[Point], player: Player, source: RatingList, *, is_comparison: bool) -> list[Point]:
    """Return the steps with the deviations of the list `source`: the same list, or a comparison to it.

    On a comparison the places of a day differ, so a step has the deviation at the end of its day.
    """
    read, own = deviation_reader(source), source.changes.filter(player=player, hidden=False).order_by("day", "place")
    stored = [((day, place), state) for day, place, state in own.values_list("day", "place", "state")]
    keys, with_deviations = [key for key, _state in stored], []
    for point in points:
        found = bisect_right(keys, (point.day, sys.maxsize if is_comparison else point.place))
        deviation = read(stored[found - 1][1], point.day) if found and point.after is not None else None
        with_deviations.append(point._replace(deviation=deviation))
    return with_deviations


def _make_point(row: tuple[Any, ...]) -> Point:
    point = Point(*row)
    if point.hidden:
        return point._replace(before=None, after=None, change=None, performance=None)
    return point if point.before is not None else point._replace(change=None)  # some systems give a newcomer a change


def _decode_note(point: Point) -> Point:
    """Return a step with its note as a message; the cache holds the stored text, as a message is not JSON."""
    return point if point.table is not None else point._replace(what=decode_message(point.what))
