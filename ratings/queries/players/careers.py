"""A player's history on a list: every step, every game, and what they add up to.

Both are read whole once and kept under the list's version (ids only, no names), so that a page of a player with
thousands of games costs what another one costs.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import Case, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from ratings import models
from ratings.formats.parsed import Cell
from ratings.models import Change, Event, Player, RatingList
from ratings.models.derived import is_carried
from ratings.systems.values import Game

from .kept import kept


class Point(NamedTuple):
    """A step of a player's history and where it left him. `what` is the event, or what else moved the rating."""

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
    adjustment: int | None
    source: str | None
    decision: int | None
    published: bool
    hidden: bool
    """None of its numbers may be shown: they are not here."""

    @property
    def event(self) -> Event | None:
        """With name and address only."""
        return Event(public_id=self.event_id, name=self.what) if self.event_id else None

    @property
    def is_carried(self) -> bool:
        """Whether its points count later only, on one of the system's closing days."""
        return is_carried(self.table, self.before, self.after, self.change)

    @property
    def closing(self) -> bool:
        """Whether the system itself moved the rating, on one of its closing days."""
        return not (self.table or self.adjustment or self.decision)


class GameRow(NamedTuple):
    """A game from the player's side, or a round without one (`opponent` is None); ratings are those before it."""

    pk: int
    day: dt.date
    table: int
    event_id: str
    event_name: str
    round: int
    opponent: int | None
    points: float
    played: bool
    handicap: str | None
    gave: bool
    stones: int
    black: bool | None
    board: int
    own: float | None
    theirs: float | None
    rated: bool
    """The rules rated games of his in this table."""

    @property
    def event(self) -> Event:
        """With name and address only."""
        return Event(public_id=self.event_id, name=self.event_name)

    @property
    def cell(self) -> Cell:
        """Result, colour and handicap in the federations' notation."""
        return Cell(0, self.points, self.handicap, self.gave, self.stones, self.black)

    @property
    def value(self) -> Game:
        """With the player as `a`, for the rules."""
        return self.cell.game(self.round, self.board)


@dataclass(frozen=True)
class Career:
    """The steps of a player on a list, oldest first, and his games, newest first."""

    player: Player
    rating_list: RatingList
    on: dt.date | None = None
    """Nothing after this day; None: until now. Ratings of a past day are as they are computed today."""

    @cached_property
    def _steps(self) -> tuple[list[Point], str | None]:
        return kept(self.rating_list, f"steps:{self.player.pk}", lambda: _line(self.player, self.rating_list))

    @property
    def all_points(self) -> list[Point]:
        return self._steps[0]

    @property
    def last_state(self) -> str | None:
        """After all of his steps, as it is stored."""
        return self._steps[1]

    @cached_property
    def line(self) -> list[Point]:
        return self.all_points if self.on is None else [point for point in self.all_points if point.day <= self.on]

    @cached_property
    def all_games(self) -> list[GameRow]:
        def read() -> list[GameRow]:
            return _games(self.player, self.rating_list, {point.table: point for point in self.all_points})

        return kept(self.rating_list, f"games:{self.player.pk}", read)

    @cached_property
    def games(self) -> list[GameRow]:
        return self.all_games if self.on is None else [game for game in self.all_games if game.day <= self.on]

    @cached_property
    def games_by_table(self) -> Mapping[int | None, list[GameRow]]:
        """Those that were played."""
        by_table: dict[int | None, list[GameRow]] = defaultdict(list)
        for game in self.games:
            if game.played:
                by_table[game.table].append(game)
        return by_table

    @property
    def points(self) -> dict[int, tuple[float, int]]:
        """What he scored over the board in each table, and in how many games."""
        return kept(self.rating_list, f"points:{self.player.pk}", lambda: _points(self.all_games))

    @cached_property
    def rated(self) -> list[Point]:
        return [point for point in self.line if point.after is not None]

    @property
    def listed(self) -> list[Point]:
        """Those after which he stood on the list."""
        return [point for point in self.rated if point.published]

    @property
    def peak(self) -> Point | None:
        """The first day of the highest rating that he stood on the list with."""
        return max(self.listed, key=lambda point: (point.after, -point.day.toordinal()), default=None)

    @property
    def gain(self) -> Point | None:
        """The table of the biggest gain."""
        gains = [point for point in self.line if point.table and (point.change or 0) > 0]
        return max(gains, key=lambda point: (point.change, point.day), default=None)

    @property
    def loss(self) -> Point | None:
        losses = [point for point in self.line if point.table and (point.change or 0) < 0]
        return min(losses, key=lambda point: (point.change, -point.day.toordinal()), default=None)

    def closed_by(self, closing: Point) -> list[Point]:
        """The tables whose contributions one of the system's closing days added."""
        before = [point for point in self.line if point[:2] < closing[:2]]
        since = max((i for i, point in enumerate(before, 1) if point.closing), default=0)
        return [point for point in before[since:] if point.is_carried]


def _line(player: Player, rating_list: RatingList) -> tuple[list[Point], str | None]:
    """His steps, and the state after the last: of all of them it would be megabytes."""
    changes = rating_list.changes.filter(player=player).order_by("day", "place")
    is_last = Q(pk=Subquery(changes.reverse().values("pk")[:1]))
    told = changes.annotate(what=Coalesce("table__event__name", "note"), last_state=Case(When(is_last, then="state")))
    rows = told.values_list(
        "day", "place", "table", "what", "table__event__public_id", "before", "after", "change", "games", "games_after",
        "performance", "grade", "category_after", "adjustment", "adjustment__source", "decision", "published", "hidden",
        "last_state",
    )  # fmt: skip
    several = list(rows)
    return [_point(row[:-1]) for row in several], several[-1][-1] if several else None


def _point(row: tuple[Any, ...]) -> Point:
    point = Point._make(row)
    if point.hidden:
        return point._replace(before=None, after=None, change=None, performance=None)
    return point if point.before is not None else point._replace(change=None)  # some rules give a newcomer one


def _games(player: Player, rating_list: RatingList, steps: Mapping[int | None, Point]) -> list[GameRow]:
    """Those in which he is the first player and the others, in one query; `steps` are his by their tables."""
    first, second = (_side(player, rating_list, *sides) for sides in (("a", "b"), ("b", "a")))
    rows = sorted(first.union(second, all=True), key=lambda row: row[:5], reverse=True)
    return [_game(row, steps.get(row[3])) for row in rows]


def _points(games: Iterable[GameRow]) -> dict[int, tuple[float, int]]:
    points: dict[int, tuple[float, int]] = defaultdict(lambda: (0.0, 0))
    for game in games:
        if game.played:
            scored, played = points[game.table]
            points[game.table] = scored + game.points, played + 1
    return dict(points)


FIELDS = ("score", "played", "handicap", "giver", "stones", "black", "board")


def _side(player: Player, rating_list: RatingList, side: str, other: str) -> QuerySet[Any, tuple[Any, ...]]:
    table = f"{side}__table"  # from his seat to its table: from each game it takes a database twice as long
    of_list = {f"{table}__event__lists": rating_list.source, f"{table}__event__state": Event.State.ACCEPTED}
    games = models.Game.objects.filter(**{f"{side}__player": player}, **of_list)
    changes = Change.objects.filter(list=rating_list, table=OuterRef("table"), hidden=False)
    theirs = changes.filter(player=OuterRef(f"{other}__player")).order_by().values("before")
    return games.annotate(theirs=Subquery(theirs), side=Value(side)).order_by().values_list(
        f"{table}__last_day", f"{table}__first_day", f"{table}__position", "table", "round", "pk",
        f"{table}__event__public_id", f"{table}__event__name", "side", f"{other}__player", "theirs", *FIELDS,
    )  # fmt: skip


def _game(row: tuple[Any, ...], step: Point | None) -> GameRow:
    day, _, _, table, round_, pk, event_id, event_name, side, opponent, theirs = row[:11]
    score, played, handicap, giver, stones, black, board = row[11:]
    points, is_black = score if side == "a" else 1 - score, None if black is None else black == side
    gave = handicap is not None and giver == side
    return GameRow(
        pk, day, table, event_id, event_name, round_, opponent, points, played, handicap, gave, stones, is_black, board,
        step and step.before, theirs, bool(step and step.games),
    )  # fmt: skip
