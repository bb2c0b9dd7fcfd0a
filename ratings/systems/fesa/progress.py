"""Progress to the next grade in both FESA editions (2016 rule 10, 2000 rule 12)."""

from __future__ import annotations

from ratings.systems.grades import Grade
from ratings.systems.progress import Progress, Way

from .grades import ESTABLISHED_FROM, NO_GRADE, PROVISIONAL_FROM, GradeState, Scale, provisional_bound


def progress(scale: Scale, climb: GradeState, games: int) -> Progress:
    """Return the progress of a player with `games` rated games; each way is tested as the next game would be."""
    if climb.waiting != NO_GRADE:
        return Progress(None, waiting=scale.name_of(climb.waiting))
    if climb.grade + 1 >= len(scale.grades):
        return Progress(None)
    next_grade = scale.grades[climb.grade + 1]
    games_first = PROVISIONAL_FROM - games if games + 1 < PROVISIONAL_FROM else 0
    if games + 1 >= ESTABLISHED_FROM:
        ways = _list_established_ways(next_grade, climb)
    else:
        bound = provisional_bound(scale.grades, climb.grade + 1)
        ways = (Way(bound),) if bound else ()
    return Progress(next_grade.name, ways, games_first=games_first, needs_approval=next_grade.needs_approval)


def _list_established_ways(grade: Grade, climb: GradeState) -> tuple[Way, ...]:
    ways = [Way(grade.upper_bound)]
    if grade.midpoint_games is not None:
        ways.append(Way(grade.midpoint, grade.midpoint_games, climb.mp_run))
    if grade.lower_bound_games is not None:
        lb_games, above = climb.lb_run
        ways.append(Way(grade.lower_bound, grade.lower_bound_games, lb_games, grade.midpoint, above))
    return tuple(ways)
