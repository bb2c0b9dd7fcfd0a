"""Both FESA editions: the state a player carries from table to table, and its JSON form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .fesa_games import BONUS_GAMES
from .fesa_grades import PROVISIONAL_FROM, SCALE_2000, SCALE_2016, Climb, Run, Scale, shown_category
from .openings import Check, checked, each, number, one_of, row, whole
from .values import Opening
from .words import Words as _

Past = tuple[float, ...]
"""(opponent's rating used, score), in the first edition with the weight of the game as a third number."""


def opening_keys(scale: Scale, past: Check) -> dict[str, Check]:
    return {
        "rating": whole(1),
        "games": whole(0),
        "past": past,
        "bonus_games": whole(0, BONUS_GAMES),
        "grade": one_of(*scale.names),
        "lb_run": row(whole(0), one_of(False, True)),
        "mp_run": whole(0),
        "waiting": one_of(*scale.names),
    }


KEYS_2016 = opening_keys(SCALE_2016, each(number, one_of(0, 0.5, 1)))
KEYS_2000 = opening_keys(SCALE_2000, each(number, one_of(0, 0.5, 1), number))


@dataclass(frozen=True, slots=True)
class FesaState:
    """`past` while unrated, `games` (not None) from then on; the switch is one-way."""

    rating: int | None = None
    past: tuple[Past, ...] = ()
    games: int | None = None
    bonus_games: int = 0
    climb: Climb = field(default_factory=Climb)

    @property
    def total_games(self) -> int:
        return len(self.past) if self.games is None else self.games

    def unrated_with(self, games: int) -> bool:
        """(3) Whether he is unrated in a table in which he has so many games."""
        if self.games is not None:
            return False
        points = sum(result[1] for result in self.past)
        return points in (0, len(self.past)) or len(self.past) + games < PROVISIONAL_FROM

    @property
    def category(self) -> str:
        return shown_category(self.unrated_with(0), self.total_games)


def read_state(opening: Opening, keys: Mapping[str, Check], scale: Scale, *, fixed: bool = False) -> FesaState:
    checked(opening, keys)
    rating, games = opening.get("rating"), opening.get("games")
    past = tuple(tuple(result) for result in opening.get("past") or ())
    if rating is None and (games is not None or past):
        raise ValueError(_("games without a rating"))
    if not fixed and rating is not None and games is None and not past:
        raise ValueError(_("a rating needs games or past"))
    if games is not None and past:
        raise ValueError(_("games and past exclude each other"))
    lb_games, lb_above = opening.get("lb_run") or (0, False)
    waiting = opening.get("waiting")
    return FesaState(
        rating,
        past,
        games,
        opening.get("bonus_games") or 0,
        Climb(
            scale.index_of(opening.get("grade")),
            Run(lb_games, lb_above),
            opening.get("mp_run") or 0,
            None if waiting is None else scale.index_of(waiting),
        ),
    )


def write_state(state: FesaState, scale: Scale) -> Opening:
    opening: dict[str, Any] = {}
    if state.rating is not None:
        opening["rating"] = state.rating
        if state.past:
            opening["past"] = [list(result) for result in state.past]
        elif state.games is not None:
            opening["games"] = state.games
    given = {
        "bonus_games": state.bonus_games,
        "grade": scale.name_of(state.climb.grade),
        "lb_run": [state.climb.lb_run.games, state.climb.lb_run.above] if state.climb.lb_run.games else None,
        "mp_run": state.climb.mp_run,
        "waiting": scale.name_of(state.climb.waiting),
    }
    return opening | {key: value for key, value in given.items() if value}
