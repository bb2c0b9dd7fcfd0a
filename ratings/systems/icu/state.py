"""State of a player in the Irish system, and its JSON form."""

from __future__ import annotations

from dataclasses import dataclass

from ratings.systems.icu.messages import IcuMessage
from ratings.systems.messages import RatingMessage
from ratings.systems.state_checks import check_state, integer_between, is_integer
from ratings.systems.values import StateJson

GRADED_FROM = 20  # number of games; the default of prov_limit
KEYS = {"rating": is_integer, "games": integer_between(0)}


@dataclass(frozen=True, slots=True)
class IcuState:
    """State of a player, ungraded without a rating.

    Games are counted up to the event in which the player becomes graded.
    """

    rating: int | None = None
    games: int = 0


def read_state(opening: StateJson, *, fixed: bool = False) -> IcuState:
    """Return the state from its JSON; raise ValueError if it is invalid."""
    check_state(opening, KEYS)
    rating, games = opening.get("rating"), opening.get("games") or 0
    if rating is None and games:
        raise ValueError(RatingMessage.GAMES_WITHOUT_RATING())
    if rating is not None and not games and not fixed:
        raise ValueError(IcuMessage.RATING_WITHOUT_GAMES())
    return IcuState(rating, games)


def write_state(state: IcuState) -> StateJson:
    values = {"rating": state.rating, "games": state.games or None}
    return {key: value for key, value in values.items() if value is not None}
