"""State of a player in both FESA editions, and its JSON form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ratings.systems.arithmetic import Numbers
from ratings.systems.compiling import compiled
from ratings.systems.fesa.messages import FesaMessage
from ratings.systems.messages import RatingMessage
from ratings.systems.state_checks import (
    Check,
    allowed_values,
    check_state,
    integer_between,
    is_number,
    list_of_entries,
    list_of_rows,
)
from ratings.systems.values import StateJson

from .game import BONUS_GAMES
from .grades import CATEGORIES, PROVISIONAL_FROM, SCALE_2000, SCALE_2016, GradeState, Run, Scale, get_category

Past = tuple[float, ...]
"""Earlier game (opponent's rating used, score), in the first edition with the weight of the game as a third number."""


def opening_keys(scale: Scale, past: Check) -> dict[str, Check]:
    return {
        "rating": integer_between(1),
        "games": integer_between(0),
        "past": past,
        "bonus_games": integer_between(0, BONUS_GAMES),
        "grade": allowed_values(*scale.names),
        "lb_run": list_of_entries(integer_between(0), allowed_values(False, True)),
        "mp_run": integer_between(0),
        "waiting": allowed_values(*scale.names),
    }


KEYS_2016 = opening_keys(SCALE_2016, list_of_rows(is_number, allowed_values(0, 0.5, 1)))
KEYS_2000 = opening_keys(SCALE_2000, list_of_rows(is_number, allowed_values(0, 0.5, 1), is_number))


@compiled
def is_unrated(past_scores: Numbers, games: int) -> bool:
    """Return True if a player without a lasting rating is unrated in a table with `games` games of theirs (rule 3).

    `past_scores` are the scores of all their games before it: none, all lost, all won, or too few games.
    """
    points, past_games = sum(past_scores), len(past_scores)
    return points in (0, past_games) or past_games + games < PROVISIONAL_FROM


@dataclass(frozen=True, slots=True)
class FesaState:
    """State of a player: `past` while unrated, `games` (not None) from then on; the switch is one-way."""

    rating: int | None = None
    past: tuple[Past, ...] = ()
    games: int | None = None
    bonus_games: int = 0
    grade_state: GradeState = field(default_factory=GradeState)

    @property
    def total_games(self) -> int:
        return len(self.past) if self.games is None else self.games

    def unrated_with(self, games: int) -> bool:
        """Return True if the player is unrated in a table in which they have `games` games (rule 3)."""
        return self.games is None and is_unrated([result[1] for result in self.past], games)

    @property
    def category(self) -> str:
        return CATEGORIES[get_category(self.unrated_with(0), self.total_games)]


def read_state(opening: StateJson, keys: Mapping[str, Check], scale: Scale, *, fixed: bool = False) -> FesaState:
    check_state(opening, keys)
    rating, games = opening.get("rating"), opening.get("games")
    past = tuple(tuple(result) for result in opening.get("past") or ())
    if rating is None and (games is not None or past):
        raise ValueError(RatingMessage.GAMES_WITHOUT_RATING())
    if not fixed and rating is not None and games is None and not past:
        raise ValueError(FesaMessage.RATING_WITHOUT_GAMES())
    if games is not None and past:
        raise ValueError(FesaMessage.GAMES_AND_PAST())
    lb_games, lb_above = opening.get("lb_run") or (0, False)
    return FesaState(
        rating,
        past,
        games,
        opening.get("bonus_games") or 0,
        GradeState(
            scale.index_of(opening.get("grade")),
            Run(lb_games, lb_above),
            opening.get("mp_run") or 0,
            scale.index_of(opening.get("waiting")),
        ),
    )


def write_state(state: FesaState, scale: Scale) -> StateJson:
    opening: dict[str, Any] = {}
    if state.rating is not None:
        opening["rating"] = state.rating
        if state.past:
            opening["past"] = [list(result) for result in state.past]
        elif state.games is not None:
            opening["games"] = state.games
    optional_values = {
        "bonus_games": state.bonus_games,
        "grade": scale.name_of(state.grade_state.grade),
        "lb_run": [state.grade_state.lb_run.games, state.grade_state.lb_run.above]
        if state.grade_state.lb_run.games
        else None,
        "mp_run": state.grade_state.mp_run,
        "waiting": scale.name_of(state.grade_state.waiting),
    }
    return opening | {key: value for key, value in optional_values.items() if value}
