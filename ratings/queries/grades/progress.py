"""What a player lacks to his next grade, and what imagined results would do to him."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ratings.models import Player, RatingList
from ratings.systems import values
from ratings.systems.progress import Progress
from ratings.systems.replay import opening_state
from ratings.systems.values import Explained, Row, Standing
from ratings.systems.what_if import what_if

from .careers import Career
from .states import known_state, state_at
from .values import load_players


@dataclass(frozen=True)
class Imagined:
    """The row that imagined games would give, how its number is made, and standing and progress after it."""

    row: Row
    explained: Explained
    standing: Standing
    progress: Progress | None


def progress_of(career: Career) -> Progress | None:
    """Now or at the end of a day; None on a list without grades, or where his state is not known."""
    rating_list = career.rating_list
    if not rating_list.graded:
        return None
    if career.on is None:
        state = known_state(rating_list, career.last_state)
    else:
        state = state_at(career.player, rating_list, career.on)
    return None if state is None else rating_list.rating_system.progress(state)


def imagine(
    player: Player, rating_list: RatingList, results: Sequence[tuple[float, float]], on: dt.date
) -> Imagined | None:
    """Games against opponents of these ratings, with their scores, after everything that he has played.

    None where his state is not known. ValueError: the rules do not reach so far.
    """
    state = state_at(player, rating_list)
    if state is None:
        return None
    value = load_players(rating_list, [player.public_id])[player.public_id]
    return _imagined(rating_list, value, state, results, on)


def imagine_anybody(
    rating_list: RatingList, opening: Mapping[str, Any] | None, results: Sequence[tuple[float, float]], on: dt.date
) -> Imagined:
    """The same for somebody of whom only an opening state is known (None: he is unrated)."""
    value = values.Player("anybody", opening=opening)
    return _imagined(rating_list, value, opening_state(rating_list.rating_system, value), results, on)


def _imagined(
    rating_list: RatingList, value: values.Player, state: Any, results: Sequence[tuple[float, float]], on: dt.date
) -> Imagined:
    system = rating_list.rating_system
    row, after = what_if(system, value, state, results, on)
    explained = system.explained(row) if row.terms else Explained((), ())
    standing = system.standing(after, value)
    if not rating_list.graded:
        return Imagined(row.without_grades(), explained, standing, None)
    return Imagined(row, explained, standing, system.progress(after))
