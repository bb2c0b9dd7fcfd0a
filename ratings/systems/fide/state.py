"""State of a player in fide-2024, and its JSON form."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from ratings.systems.state_checks import (
    allowed_values,
    check_state,
    integer_between,
    is_day,
    is_integer,
    list_of_entries,
    list_of_rows,
)
from ratings.systems.values import StateJson

from . import tables

Dated = tuple[dt.date, int | None]
"""Pair (list day, rating); None is no rating."""


class PendingTable(NamedTuple):
    """Rated games of a table that wait for their list, or collect for a first rating.

    `rating` is the player's own at the start of the table, None without one; `games` are pairs of the opponent's rating
    and the score.
    """

    list_day: dt.date
    start: dt.date
    rating: int | None
    games: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class FideState:
    """State of a player on one list.

    `previous` holds the rating on the lists up to and including a list day; after the last one `rating` holds. `games`
    are those counted towards 30. `listed_games` are those rated on `last_list`, the last list with any. `standard`
    holds the standard rating from a list day on, for lists of rapid and blitz.
    """

    rating: int | None = None
    games: int = 0
    ever_2300: bool = False
    ever_2400: bool = False
    previous: tuple[Dated, ...] = ()
    results: tuple[PendingTable, ...] = ()
    began: bool = False
    last_list: dt.date | None = None
    listed_games: int = 0
    standard: tuple[Dated, ...] = ()

    def rating_on(self, day: dt.date) -> int | None:
        """Return the rating of the list in force on a day."""
        in_force = tables.first_of_month(day)
        return next((rating for until, rating in self.previous if until >= in_force), self.rating)


def _is_rating(value: Any) -> bool:
    return value is None or is_integer(value)


def _is_entry(value: Any) -> bool:
    is_game = list_of_rows(is_integer, allowed_values(0, 0.5, 1))
    return list_of_entries(is_day, is_day, _is_rating, is_game)(value)


CHECKS = {
    "rating": integer_between(1, 5000),
    "games": integer_between(0),
    "ever_2300": allowed_values(False, True),
    "ever_2400": allowed_values(False, True),
    "previous": list_of_rows(is_day, _is_rating),
    "results": lambda value: isinstance(value, list | tuple) and all(_is_entry(entry) for entry in value),
    "began": allowed_values(False, True),
    "last_list": is_day,
    "listed_games": integer_between(0),
    "standard": list_of_rows(is_day, _is_rating),
}


def read_state(opening: StateJson) -> FideState:
    """Return the state from its JSON; raise ValueError for an unknown key or an invalid value.

    A rating alone brings 30 games with it; whether the player was ever 2300 or 2400 follows from the ratings named.
    """
    given = {key: value for key, value in opening.items() if value is not None}
    check_state(given, CHECKS)
    rating, last = given.get("rating"), given.get("last_list")
    previous = _read_dated(given.get("previous", ()))
    highest = max((listed for listed in (rating, *(listed for _day, listed in previous)) if listed), default=0)
    games = given.get("games", 0 if rating is None else tables.NEW_GAMES)
    results = tuple(
        PendingTable(
            dt.date.fromisoformat(list_day),
            dt.date.fromisoformat(start),
            own,
            tuple((opponent, score) for opponent, score in played),
        )
        for list_day, start, own, played in given.get("results", ())
    )
    return FideState(
        rating,
        games,
        given.get("ever_2300", highest >= tables.JUNIOR_BELOW),
        given.get("ever_2400", highest >= tables.MASTER),
        previous,
        results,
        given.get("began", bool(rating is not None or games or results)),
        None if last is None else dt.date.fromisoformat(last),
        given.get("listed_games", 0),
        _read_dated(given.get("standard", ())),
    )


def _read_dated(rows: Iterable[Any]) -> tuple[Dated, ...]:
    return tuple(sorted(((dt.date.fromisoformat(day), rating) for day, rating in rows), key=lambda row: row[0]))


def write_state(state: FideState) -> StateJson:
    """Return the state as JSON without empty values; the inverse of `read_state`."""
    values = {
        "rating": state.rating,
        "games": state.games if state.rating is not None or state.games else None,
        "ever_2300": state.ever_2300 or None,
        "ever_2400": state.ever_2400 or None,
        "previous": [[day.isoformat(), rating] for day, rating in state.previous] or None,
        "results": [
            [entry.list_day.isoformat(), entry.start.isoformat(), entry.rating, [list(game) for game in entry.games]]
            for entry in state.results
        ]
        or None,
        "began": state.began or None,
        "last_list": state.last_list and state.last_list.isoformat(),
        "listed_games": state.listed_games or None,
        "standard": [[day.isoformat(), rating] for day, rating in state.standard] or None,
    }
    return {key: value for key, value in values.items() if value is not None}
