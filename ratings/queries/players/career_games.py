"""Games of a player on a list, from the player's side, with the ratings before them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import OuterRef, QuerySet, Subquery, Value
from pydantic import TypeAdapter

from ratings import models
from ratings.formats.parsed import Cell
from ratings.models import Change, Entry, Event, Player, RatingList
from ratings.queries.lists.deviations import deviation_reader
from ratings.systems.values import Game, invert_score

if TYPE_CHECKING:
    from .careers import Point


class GameRow(NamedTuple):
    """A game from the player's side, or a round without a game (`opponent` is None).

    `own` and `theirs` are the ratings of the player and of the opponent before the game.
    """

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
    """True if games of the player in this table were rated."""
    deviations: tuple[float, float] | None = None
    """Deviations of both ratings before the game, own first; None in systems without deviations."""
    kind: str = ""
    """Kind of a game that is not rated, a `GameKind`."""

    @property
    def event(self) -> Event:
        """The event with its name and public id only."""
        return Event(public_id=self.event_id, name=self.event_name)

    @property
    def counted_rating(self) -> float | None:
        """The opponent's rating in a rated game; None in other games, and against opponents without a rating."""
        return self.theirs if self.rated else None

    @property
    def cell(self) -> Cell:
        """The result, colour and handicap in the federations' notation."""
        return Cell(0, self.points, self.handicap, self.gave, self.stones, self.black)

    @property
    def value(self) -> Game:
        """The game as the rating rules read it, with the player as `a`."""
        result = self.points, self.handicap, self.gave, self.stones, self.black
        return _make_value(result, self.round, self.board)


@lru_cache(maxsize=1000)  # thousands of games have few different values
def _make_value(result: tuple[float, str | None, bool, int, bool | None], round_: int, board: int) -> Game:
    return Cell(0, *result).to_game(round_, board)


GAMES = TypeAdapter(list[GameRow])
FIELDS = ("score", "played", "handicap", "giver", "stones", "black", "board", "kind")
SIDES = ("a", "b"), ("b", "a")
"""The side of a player in a game, and the side of the opponent."""


class PlayedTable(NamedTuple):
    """A table in which a player has a seat; tables are sorted by day."""

    last_day: dt.date
    first_day: dt.date
    position: int
    pk: int
    event_id: str
    event_name: str


def read_games(
    player: Player, rating_list: RatingList, steps: Mapping[int | None, Point], rival: Player | None = None
) -> list[GameRow]:
    """Return a player's games, newest first, in two queries; `steps` are the player's steps by table.

    With a `rival` they are the games between the two.
    """
    tables = {table.pk: table for table in sorted(_read_tables(player, rating_list, rival))}
    if not tables:
        return []
    place = {pk: number for number, pk in enumerate(tables)}
    first, second = (_query_side(player, rating_list, *sides, rival) for sides in SIDES)
    rows = [row for row in first.union(second, all=True) if row[0] in tables]
    rows.sort(key=lambda row: (place[row[0]], row[1]), reverse=True)
    games = [_make_game_row(row, tables[row[0]], steps.get(row[0])) for row in rows]
    return _add_deviations_before(games, player, rating_list) if rating_list.deviation_source == rating_list else games


def _read_tables(player: Player, rating_list: RatingList, rival: Player | None) -> Iterator[PlayedTable]:
    """Yield a player's tables in the events that a list rates, and in which a `rival` also has a seat.

    They are read apart from the games, because joined to each game they take as long as the rest of its row.
    """
    seats = Entry.objects.filter(
        player=player, table__event__lists=rating_list.source, table__event__state=Event.State.ACCEPTED
    )
    seats = seats if rival is None else seats.filter(table__entries__player=rival)
    yield from map(PlayedTable._make, seats.order_by().values_list(
        "table__last_day", "table__first_day", "table__position", "table", "table__event__public_id",
        "table__event__name",
    ))  # fmt: skip


def _add_deviations_before(games: Sequence[GameRow], player: Player, rating_list: RatingList) -> list[GameRow]:
    """Return games with both players' deviations before their tables, from the states of all steps in one query."""
    read = deviation_reader(rating_list)
    players = {player.pk, *(game.opponent for game in games if game.opponent is not None)}
    tables = {game.table for game in games}
    rows = rating_list.changes.filter(player__in=players, hidden=False).order_by("day", "place")
    last: dict[int, str] = {}
    before: dict[tuple[int, int], float] = {}
    for pk, table, day, state in rows.values_list("player", "table", "day", "state").iterator(chunk_size=5000):
        if table in tables and pk in last:
            deviation = read(last[pk], day)
            if deviation is not None:
                before[table, pk] = deviation
        last[pk] = state
    with_deviations = []
    for game in games:
        own, theirs = before.get((game.table, player.pk)), before.get((game.table, game.opponent or 0))
        both = None if own is None or theirs is None else (own, theirs)
        with_deviations.append(game._replace(deviations=both))
    return with_deviations


def read_scores(player: Player) -> Iterator[tuple[int, float]]:
    """Yield the table and the points of each played game of a player, on all lists, without opponents and ratings."""
    first, second = (
        _filter_side(player, side).filter(played=True).values_list("table", "score", "kind", Value(side))
        for side, _other in SIDES
    )
    for table, score, kind, side in first.union(second, all=True):
        yield table, score if side == "a" else invert_score(score, kind)


def sum_points(scores: Iterable[tuple[int, float]]) -> dict[int, tuple[float, int]]:
    """Return the sum of the points and the number of games by table."""
    points: dict[int, tuple[float, int]] = {}
    for table, score in scores:
        scored, played = points.get(table, (0.0, 0))
        points[table] = scored + score, played + 1
    return points


def _filter_side(player: Player, side: str) -> QuerySet[models.Game]:
    """Return the games that a player has on one side, in no order."""
    return models.Game.objects.filter(**{f"{side}__player": player}).order_by()


def _query_side(
    player: Player, rating_list: RatingList, side: str, other: str, rival: Player | None
) -> QuerySet[Any, tuple[Any, ...]]:
    games = _filter_side(player, side)
    games = games if rival is None else games.filter(**{f"{other}__player": rival})
    changes = Change.objects.filter(list=rating_list, table=OuterRef("table"), hidden=False)
    theirs = changes.filter(player=OuterRef(f"{other}__player")).order_by().values("before")
    return games.annotate(theirs=Subquery(theirs), side=Value(side)).values_list(
        "table", "round", "pk", "side", f"{other}__player", "theirs", *FIELDS
    )


def _make_game_row(row: tuple[Any, ...], table: PlayedTable, step: Point | None) -> GameRow:
    _, round_, pk, side, opponent, theirs, score, played, handicap, giver, stones, black, board, kind = row
    points, is_black = score if side == "a" else invert_score(score, kind), None if black is None else black == side
    gave = handicap is not None and giver == side
    return GameRow(
        pk, table.last_day, table.pk, table.event_id, table.event_name, round_, opponent, points, played, handicap,
        gave, stones, is_black, board, step and step.before, theirs, bool(step and step.games), kind=kind,
    )  # fmt: skip
