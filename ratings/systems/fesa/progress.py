"""What is missing to the next grade of both FESA editions (2016 rule 10, 2000 rule 12)."""

from __future__ import annotations

from .fesa_grades import ESTABLISHED_FROM, PROVISIONAL_FROM, Climb, Scale
from .grades import Grade
from .progress import Progress, Way


def progress(scale: Scale, climb: Climb, games: int) -> Progress:
    """From a player's place on the scale and his rated games so far; each way as the next game would be tested."""
    if climb.waiting is not None:
        return Progress(None, waiting=scale.name_of(climb.waiting))
    if climb.grade + 1 >= len(scale.grades):
        return Progress(None)
    following = scale.grades[climb.grade + 1]
    first = max(0, PROVISIONAL_FROM - 1 - games)
    if games + 1 >= ESTABLISHED_FROM:
        ways = _established(following, climb)
    elif climb.grade + 2 < len(scale.grades):
        ways = (Way(scale.grades[climb.grade + 2].upper_bound),)
    else:
        ways = ()  # the highest grade is never won as provisional
    return Progress(following.name, ways, games_first=first, needs_approval=following.needs_approval)


def _established(grade: Grade, climb: Climb) -> tuple[Way, ...]:
    ways = [Way(grade.upper_bound)]
    if grade.midpoint_games is not None:
        ways.append(Way(grade.midpoint, grade.midpoint_games, climb.mp_run))
    if grade.lower_bound_games is not None:
        lb_games, above = climb.lb_run
        ways.append(Way(grade.lower_bound, grade.lower_bound_games, lb_games, grade.midpoint, above))
    return tuple(ways)
