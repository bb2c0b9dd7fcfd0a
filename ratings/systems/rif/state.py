"""Both systems of the Renju International Federation: what a player carries from table to table, and list days."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .openings import Check, checked, each, integer, number, one_of
from .values import Opening
from .words import Words as _

ABSENCE_YEARS = 5  # #9: after these without a rated table a rating is no longer published
LIST_DAYS = ((4, 30), (8, 31), (12, 31))  # #2: month and day

Dated = tuple[dt.date, int]
"""(list day, the rating on the lists up to it)."""

Result = tuple[float, float]
"""(opponent's rating, score)."""


def is_day(value: Any) -> bool:
    try:
        return isinstance(value, str) and len(value) == 10 and bool(dt.date.fromisoformat(value))
    except ValueError:
        return False


KEYS_1995: Mapping[str, Check] = {
    "rating": integer,
    "official": one_of(False, True),
    "pending": integer,
    "previous": each(is_day, integer),
    "last_played": is_day,
}
KEYS_1997: Mapping[str, Check] = {
    "rating": integer,
    "established": one_of(False, True),
    "results": each(number, one_of(0, 0.5, 1)),
    "last_played": is_day,
}


@dataclass(frozen=True, slots=True)
class State1995:
    """No rating: new. `pending` are contributions that wait for the next list day, `previous` ratings of earlier
    lists, oldest first, for a table that began before the last of them was replaced.
    """

    rating: int | None = None
    official: bool = False
    pending: int = 0
    previous: tuple[Dated, ...] = ()
    last_played: dt.date | None = None

    def rating_on(self, day: dt.date) -> int | None:
        """The official rating in force on a day, that of the last list before it."""
        listed = list_day_before(day)
        return next((rating for until, rating in self.previous if until >= listed), self.rating)


@dataclass(frozen=True, slots=True)
class State1997:
    """A rating means established; before that, `results` of all games with established players."""

    rating: int | None = None
    results: tuple[Result, ...] = ()
    last_played: dt.date | None = None


def next_list_day(day: dt.date) -> dt.date:
    """The first list day on or after a day."""
    later = (dt.date(day.year, month, last) for month, last in LIST_DAYS)
    return next(list_day for list_day in later if list_day >= day)


def list_day_before(day: dt.date) -> dt.date:
    """The last list day before a day; its list is in force on that day."""
    earlier = (dt.date(day.year, month, last) for month, last in reversed(LIST_DAYS))
    return next((list_day for list_day in earlier if list_day < day), dt.date(day.year - 1, *LIST_DAYS[-1]))


def present(last_played: dt.date | None, on: dt.date | None) -> bool:
    """#9: whether a player is still published on a day; unknown days do not count against him."""
    if last_played is None or on is None:
        return True
    try:
        absent_from = last_played.replace(year=last_played.year + ABSENCE_YEARS)
    except ValueError:  # 29 February
        absent_from = dt.date(last_played.year + ABSENCE_YEARS, 3, 1)
    return on < absent_from


def absent_since(on: dt.date) -> dt.date:
    """#9: who played last on this day or before is not published any more on a day."""
    try:
        return on.replace(year=on.year - ABSENCE_YEARS)
    except ValueError:  # 29 February
        return dt.date(on.year - ABSENCE_YEARS, 2, 28)


def read_1995(opening: Opening) -> State1995:
    checked(opening, KEYS_1995)
    rating, pending = opening.get("rating"), opening.get("pending") or 0
    official = opening.get("official", True)
    if rating is None and (pending or opening.get("previous")):
        raise ValueError(_("pending or previous without a rating"))
    if pending and not official:
        raise ValueError(_("pending is for official players; others carry their rating along"))
    previous = tuple(sorted((dt.date.fromisoformat(day), listed) for day, listed in opening.get("previous") or ()))
    return State1995(rating, rating is not None and official is not False, pending, previous, _day(opening))


def write_1995(state: State1995) -> Opening:
    given = {
        "rating": state.rating,
        "official": None if state.rating is None else state.official,
        "pending": state.pending or None,
        "previous": [[day.isoformat(), rating] for day, rating in state.previous] or None,
        "last_played": state.last_played and state.last_played.isoformat(),
    }
    return {key: value for key, value in given.items() if value is not None}


def read_1997(opening: Opening) -> State1997:
    checked(opening, KEYS_1997)
    rating, results = opening.get("rating"), tuple((r, s) for r, s in opening.get("results") or ())
    established = opening.get("established")
    if established is None:
        established = not results
    if rating is not None and not established:
        raise ValueError(_("a provisional player has results, not a rating"))
    if rating is None and opening.get("established"):
        raise ValueError(_("established without a rating"))
    if rating is not None and results:
        raise ValueError(_("results are for a provisional player"))
    return State1997(rating, results, _day(opening))


def write_1997(state: State1997) -> Opening:
    given = {
        "rating": state.rating,
        "established": True if state.rating is not None else None,
        "results": [list(result) for result in state.results] or None,
        "last_played": state.last_played and state.last_played.isoformat(),
    }
    return {key: value for key, value in given.items() if value is not None}


def _day(opening: Opening) -> dt.date | None:
    given = opening.get("last_played")
    return None if given is None else dt.date.fromisoformat(given)
