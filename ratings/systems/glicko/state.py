"""State of a player in glicko-2, and its JSON form."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ratings.systems.glicko.messages import GlickoMessage
from ratings.systems.state_checks import check_state, integer_between, is_day, is_number, list_of_rows, number_between
from ratings.systems.values import StateJson


class WaitingGame(NamedTuple):
    """Game of a month that is not closed yet: last day of its table, the opponent's values, and the score."""

    day: dt.date
    rating: float
    deviation: float
    score: float


@dataclass(frozen=True, slots=True)
class GlickoState:
    """State of a player.

    `deviation` is the one after the last period, not grown since; None for an outsider who has none of their own.
    `last_played` is the last day of the last rated table, in months that of the last closed month.
    """

    rating: float | None = None
    deviation: float | None = None
    volatility: float = 0.0
    games: int = 0
    last_played: dt.date | None = None
    waiting: tuple[WaitingGame, ...] = ()


CHECKS = {
    "rating": number_between(-3000, 6000),
    "deviation": number_between(0, 500),
    "volatility": number_between(0.001, 1),
    "games": integer_between(0),
    "last_played": is_day,
    "waiting": list_of_rows(is_day, is_number, number_between(0, 500), number_between(0, 1)),
}


def read_state(opening: StateJson, settings: Mapping[str, Any], *, fixed: bool) -> GlickoState:
    """Return the state from its JSON; values that are not given are a newcomer's, or with `fixed` left open.

    Raise ValueError for an unknown key, an invalid value, or a value without a rating.
    """
    given = {key: value for key, value in opening.items() if value is not None}
    check_state(given, CHECKS)
    if "rating" not in given:
        for key in given:
            raise ValueError(GlickoMessage.NEEDS_RATING(key=key))
        return GlickoState()
    if not fixed and "deviation" in given:
        check_state({"deviation": given["deviation"]}, {"deviation": lambda value: value > 0})
    last = given.get("last_played")
    return GlickoState(
        given["rating"],
        given.get("deviation", None if fixed else settings["initial_deviation"]),
        given.get("volatility", settings["initial_volatility"]),
        given.get("games", 0),
        None if last is None else dt.date.fromisoformat(last),
        tuple(WaitingGame(dt.date.fromisoformat(day), *values) for day, *values in given.get("waiting", ())),
    )


def write_state(state: GlickoState) -> StateJson:
    """Return the state as JSON; the inverse of `read_state`."""
    if state.rating is None:
        return {}
    values = {
        "rating": state.rating,
        "deviation": state.deviation,
        "volatility": state.volatility,
        "games": state.games,
        "last_played": state.last_played and state.last_played.isoformat(),
        "waiting": [[game.day.isoformat(), *game[1:]] for game in state.waiting] or None,
    }
    return {key: value for key, value in values.items() if value is not None}
