"""States of players in both systems of the Renju International Federation, and list days."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from ratings.systems.rif.messages import RifMessage
from ratings.systems.state_checks import Check, allowed_values, check_state, is_day, is_integer, is_number, list_of_rows
from ratings.systems.values import StateJson

ABSENCE_YEARS = 5  # #9: years without a rated table after which a rating is no longer published
LIST_DAYS = ((4, 30), (8, 31), (12, 31))  # #2: month and day

Dated = tuple[dt.date, int]
"""Pair (list day, rating on the lists up to it)."""

Result = tuple[float, float]
"""Pair (opponent's rating, score)."""


KEYS_1995: Mapping[str, Check] = {
    "rating": is_integer,
    "official": allowed_values(False, True),
    "pending": is_integer,
    "previous": list_of_rows(is_day, is_integer),
    "last_played": is_day,
}
KEYS_1997: Mapping[str, Check] = {
    "rating": is_integer,
    "established": allowed_values(False, True),
    "results": list_of_rows(is_number, allowed_values(0, 0.5, 1)),
    "last_played": is_day,
}


@dataclass(frozen=True, slots=True)
class State1995:
    """State of a player, new without a rating.

    `pending` are contributions that wait for the next list day; `previous` are the ratings of earlier lists, oldest
    first, for a table that began before the last of them was replaced.
    """

    rating: int | None = None
    official: bool = False
    pending: int = 0
    previous: tuple[Dated, ...] = ()
    last_played: dt.date | None = None

    def rating_on(self, day: dt.date) -> int | None:
        """Return the official rating in force on a day: that of the last list before it."""
        listed = list_day_before(day)
        return next((rating for until, rating in self.previous if until >= listed), self.rating)


@dataclass(frozen=True, slots=True)
class State1997:
    """State of a player, established with a rating; before that, `results` are all games with established players."""

    rating: int | None = None
    results: tuple[Result, ...] = ()
    last_played: dt.date | None = None


def next_list_day(day: dt.date) -> dt.date:
    """Return the first list day on or after a day."""
    later = (dt.date(day.year, month, last) for month, last in LIST_DAYS)
    return next(list_day for list_day in later if list_day >= day)


def list_day_before(day: dt.date) -> dt.date:
    """Return the last list day before a day; its list is in force on that day."""
    earlier = (dt.date(day.year, month, last) for month, last in reversed(LIST_DAYS))
    return next((list_day for list_day in earlier if list_day < day), dt.date(day.year - 1, *LIST_DAYS[-1]))


def get_last_day(last_played: dt.date | None, last_day: dt.date) -> dt.date:
    """Return the last day on which a player played, after a table that ended on `last_day`; tables may arrive late."""
    return max(last_day, last_played or last_day)


def is_published(last_played: dt.date | None, on: dt.date | None) -> bool:
    """Return True if a player is still published on a day; unknown days do not count as absence (#9)."""
    return last_played is None or on is None or last_played > absent_since(on)


def absent_since(on: dt.date) -> dt.date:
    """Return the cutoff day of absence: lists of `on` omit players whose last game is on or before it (#9)."""
    try:
        return on.replace(year=on.year - ABSENCE_YEARS)
    except ValueError:  # 29 February
        return dt.date(on.year - ABSENCE_YEARS, 2, 28)


def read_1995(opening: StateJson) -> State1995:
    check_state(opening, KEYS_1995)
    rating, pending = opening.get("rating"), opening.get("pending") or 0
    official = opening.get("official", True)
    if rating is None and (pending or opening.get("previous")):
        raise ValueError(RifMessage.PENDING_WITHOUT_RATING())
    if pending and not official:
        raise ValueError(RifMessage.PENDING_NOT_OFFICIAL())
    previous = tuple(sorted((dt.date.fromisoformat(day), listed) for day, listed in opening.get("previous") or ()))
    return State1995(
        rating, rating is not None and official is not False, pending, previous, _read_last_played(opening)
    )


def write_1995(state: State1995) -> StateJson:
    values = {
        "rating": state.rating,
        "official": None if state.rating is None else state.official,
        "pending": state.pending or None,
        "previous": [[day.isoformat(), rating] for day, rating in state.previous] or None,
        "last_played": state.last_played and state.last_played.isoformat(),
    }
    return {key: value for key, value in values.items() if value is not None}


def read_1997(opening: StateJson) -> State1997:
    check_state(opening, KEYS_1997)
    rating, results = opening.get("rating"), tuple((r, s) for r, s in opening.get("results") or ())
    established = opening.get("established")
    if established is None:
        established = not results
    if rating is not None and not established:
        raise ValueError(RifMessage.PROVISIONAL_WITH_RATING())
    if rating is None and opening.get("established"):
        raise ValueError(RifMessage.ESTABLISHED_WITHOUT_RATING())
    if rating is not None and results:
        raise ValueError(RifMessage.RESULTS_NOT_PROVISIONAL())
    return State1997(rating, results, _read_last_played(opening))


def write_1997(state: State1997) -> StateJson:
    values = {
        "rating": state.rating,
        "established": True if state.rating is not None else None,
        "results": [list(result) for result in state.results] or None,
        "last_played": state.last_played and state.last_played.isoformat(),
    }
    return {key: value for key, value in values.items() if value is not None}


def _read_last_played(opening: StateJson) -> dt.date | None:
    day = opening.get("last_played")
    return None if day is None else dt.date.fromisoformat(day)
