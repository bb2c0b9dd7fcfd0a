"""What a player lacks to his next grade, and what imagined results would do to him."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from ratings.models import Player, RatingList
from ratings.systems.progress import Progress
from ratings.systems.values import Explained, Row, Standing
from ratings.systems.what_if import what_if

from .states import present_state
from .values import load_players


@dataclass(frozen=True)
class Imagined:
    """The row that imagined games would give, how its number is made, and standing and progress after it."""

    row: Row
    explained: Explained
    standing: Standing
    progress: Progress | None


def progress_of(player: Player, rating_list: RatingList) -> Progress | None:
    """One query; None on a list without grades, or where his state is not known."""
    if not rating_list.graded:
        return None
    state = present_state(player, rating_list)
    return None if state is None else rating_list.rating_system.progress(state)


def imagine(
    player: Player, rating_list: RatingList, results: Sequence[tuple[float, float]], on: dt.date
) -> Imagined | None:
    """Games against opponents of these ratings, with their scores, after everything that he has played.

    None where his state is not known. ValueError: the rules do not reach so far.
    """
    state = present_state(player, rating_list)
    if state is None:
        return None
    system = rating_list.rating_system
    value = load_players(rating_list, [player.public_id])[player.public_id]
    row, after = what_if(system, value, state, results, on)
    explained = system.explained(row) if row.terms else Explained((), ())
    standing = system.standing(after, value)
    if not rating_list.graded:
        return Imagined(row.without_grades(), explained, standing, None)
    return Imagined(row, explained, standing, system.progress(after))
