"""State of a player in rif-2021, its JSON form, and the list days."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from ratings.systems.canonical_json import write_number
from ratings.systems.rif.messages import RifMessage
from ratings.systems.state_checks import check_state, integer_between, is_day, number_between
from ratings.systems.values import StateJson

OPENING_DEVIATION, OPENING_GAMES = 100.0, 10
"""Deviation in rating points and rated games of a player whose opening names only a rating."""
LAST_DAYS = {
    "monthly": tuple(range(1, 13)),
    "quarterly": (3, 6, 9, 12),
    "yearly": (12,),
}
"""Months on whose last day a list is made, by the option `lists`."""


@dataclass(frozen=True, slots=True)
class State2021:
    """State of a player: the last list's rating and deviation, all rated games, and those since the last list."""

    rating: float | None = None
    deviation: float | None = None
    games: int = 0
    since_list: int = 0
    last_played: dt.date | None = None

    @property
    def listed_games(self) -> int:
        """Rated games up to the last list, which determine the category."""
        return self.games - self.since_list


CHECKS = {
    "rating": number_between(-2000, 6000),
    "deviation": number_between(0, 1000),
    "games": integer_between(0),
    "since_list": integer_between(0),
    "last_played": is_day,
}


def read_state(opening: StateJson, *, fixed: bool) -> State2021:
    """Return the state from its JSON; raise ValueError if it is invalid.

    Without `fixed`, a rating brings a deviation and games with it, and nothing stands without a rating.
    """
    given = {key: value for key, value in opening.items() if value is not None}
    check_state(given, CHECKS)
    if "deviation" in given:
        check_state({"deviation": given["deviation"]}, {"deviation": lambda value: value > 0})
    rating, deviation, games = given.get("rating"), given.get("deviation"), given.get("games")
    if rating is None and not fixed:
        for key in given:
            raise ValueError(RifMessage.NEEDS_RATING(key=key))
        return State2021()
    if rating is not None:
        games = OPENING_GAMES if games is None else games
        deviation = OPENING_DEVIATION if deviation is None and not fixed else deviation
    last = given.get("last_played")
    return State2021(
        rating, deviation, games or 0, given.get("since_list", 0), None if last is None else dt.date.fromisoformat(last)
    )


def write_state(state: State2021) -> StateJson:
    """Return the state as JSON without empty values; the inverse of `read_state` for stored states."""
    values = {
        "rating": state.rating,
        "deviation": state.deviation,
        "games": state.games or (None if state.rating is None else 0),
        "since_list": state.since_list or None,
        "last_played": state.last_played and state.last_played.isoformat(),
    }
    return {key: value for key, value in values.items() if value is not None}


def write_state_as_text(state: State2021) -> str:
    """Return the canonical JSON of `write_state`, in a quarter of the time: a list day has one for each player."""
    games = state.games or (None if state.rating is None else 0)
    parts = (
        "" if state.deviation is None else f'"deviation":{write_number(state.deviation)}',
        "" if games is None else f'"games":{games}',
        "" if state.last_played is None else f'"last_played":"{state.last_played}"',
        "" if state.rating is None else f'"rating":{write_number(state.rating)}',
        f'"since_list":{state.since_list}' if state.since_list else "",
    )
    return f"{{{','.join(filter(None, parts))}}}"


def next_list_day(day: dt.date, lists: str) -> dt.date:
    """Return the first list day on or after a day; `lists` is monthly, quarterly or yearly."""
    month = next(month for month in LAST_DAYS[lists] if month >= day.month)
    return dt.date(day.year + month // 12, month % 12 + 1, 1) - dt.timedelta(days=1)
