"""Games of results tables as records of an array, which take a tenth of the time of values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .values import Game, Table

Records = NDArray[np.void]
"""Array of records, with the names of a dtype as their fields."""
NO_NUMBER, NO_TEXT = -1, b"-"
"""Missing values in records; that of floats is NaN."""

GAME = np.dtype(
    [
        ("round", "i8"),
        ("a", "i8"),
        ("b", "i8"),
        ("score", "f8"),
        ("played", "?"),
        ("handicap", "S2"),
        ("giver", "S1"),
        ("stones", "i8"),
        ("black", "S1"),
        ("board", "i8"),
        ("online", "?"),
        ("correspondence", "?"),
        ("kind", "S9"),
        ("table", "i8"),
    ]
)
"""Record of a game, with the fields of `Game`; `a` and `b` are places in the players of its `table` (primary key)."""
FIELDS = (GAME.names or ())[:-1]
"""Fields of `Game`, in their order."""
NO_DETAILS = {"handicap": NO_TEXT, "giver": NO_TEXT, "stones": 0, "black": NO_TEXT, "board": 19, "kind": b""}
"""Details of nearly all games."""


@dataclass(frozen=True, slots=True)
class TableWithGames:
    """A results table and its games as records of `GAME`; `table` itself may have been read without them."""

    table: Table
    games: Records

    @staticmethod
    def of(table: Table) -> TableWithGames:
        """Return a table that contains its games."""
        places: dict[str | None, int] = {id: n for n, id in enumerate(table.players)} | {None: NO_NUMBER}
        rows = []
        for game in table.games:
            values = {name: getattr(game, name) for name in FIELDS} | {"a": places[game.a], "b": places[game.b]}
            rows.append((*(_encode(value, name) for name, value in values.items()), NO_NUMBER))
        return TableWithGames(table, np.array(rows, dtype=GAME))

    def list_pairs(self) -> list[tuple[str, str]]:
        """Return the two players of each played game."""
        players, played = self.table.players, self.games[self.games["played"]]
        return [(players[a], players[b]) for a, b in played[["a", "b"]].tolist()]

    def list_games(self) -> list[Game]:
        """Return the games as values."""
        players: tuple[Any, ...] = (*self.table.players, None)  # place -1 is the last one
        games = []
        for row in self.games.tolist():
            round_, _a, _b, score, *details = map(_decode, row[:-1])
            games.append(Game(round_, players[row[1]], players[row[2]], score, *details))
        return games


RAW_GAME = np.dtype((np.void, GAME.itemsize))
"""A record as bytes: copying it takes a tenth of the time of copying its fields."""


def _decode(value: Any) -> Any:
    """Return a value of a record; whole numbers as ints, as systems that calculate with ints need them."""
    if isinstance(value, bytes):
        return None if value == NO_TEXT else value.decode()
    if isinstance(value, float):
        return None if math.isnan(value) else as_int(value)
    return None if value == NO_NUMBER else value


def _encode(value: Any, name: str) -> Any:
    if value is None:
        return {"S": NO_TEXT, "i": NO_NUMBER, "f": math.nan}[GAME[name].kind]
    return value.encode() if isinstance(value, str) else value


def as_int(number: float) -> float:
    """Return a whole number as an int, as systems that calculate with ints and exports need it."""
    return int(number) if number == int(number) else number


def find_games_without_details(games: Records) -> NDArray[np.bool_]:
    """Return True for each played game of a round without handicap and other details."""
    plain: NDArray[np.bool_] = games["played"] & (games["round"] >= 0) & ~games["online"] & ~games["correspondence"]
    for name, value in NO_DETAILS.items():
        plain &= games[name] == value
    return plain


def join_games(tables: Sequence[TableWithGames]) -> Records:
    """Return the games of all tables, one table after the other."""
    if not tables:
        return np.empty(0, GAME)
    return np.concatenate([read.games.view(RAW_GAME) for read in tables]).view(GAME)
