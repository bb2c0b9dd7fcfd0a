"""Figures of a candidate's list and of its panel: rank correlation, spread, drift, winners, losers and grades."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ratings.systems import get_system
from ratings.systems.values import History, Standing

from .conversion import convert_points
from .correlation import correlate_ranks
from .predictions import Prediction

MOST_MOVED = 20


@dataclass(frozen=True)
class Move:
    """A player's rating on the list of the present rules and on that of a candidate, in rating points."""

    player: str
    present: float
    rating: float

    @property
    def change(self) -> float:
        return self.rating - self.present


@dataclass(frozen=True)
class ListFigures:
    """Figures of a candidate's last list, compared with the list of the present rules.

    `rank_correlation` is that of the players on both lists (Spearman). Gains and losses are in points of the present
    system; there are none if the candidate's ratings have another scale. `spread` is the standard deviation of the
    ratings, `drift` the mean change of the panel's ratings in a year, both in rating points.
    `grades_won` and `grades_lost` count players whose grade would be higher or lower; None for other grades.
    """

    players: int
    rank_correlation: float | None
    spread: float | None
    panel: int
    drift: float | None
    gains: tuple[Move, ...]
    losses: tuple[Move, ...]
    grades_won: int | None
    grades_lost: int | None


def find_panel(history: History) -> frozenset[str]:
    """Return the players with a rated game in every year from the history's first to its last table.

    Histories of a single year have no panel.
    """
    by_year: dict[int, set[str]] = {}
    for table in history.tables:
        if table.rated:
            players = by_year.setdefault(table.last_day.year, set())
            players.update(id for game in table.games if game.played and game.b for id in (game.a, game.b))
    if len(by_year) < 2:
        return frozenset()
    years = range(min(by_year), max(by_year) + 1)
    everybody = set.intersection(*(by_year.get(year, set()) for year in years))
    return frozenset(id for id in everybody if not history.players[id].fixed)


def compare_lists(present: Prediction, candidate: Prediction) -> ListFigures:
    """Return the figures of a candidate's last list, compared with the list of the present rules."""
    before, after = _published_ratings(present.standings), _published_ratings(candidate.standings)
    common = [id for id in before if id in after]
    own, system = (get_system(one.candidate.system, one.candidate.options) for one in (present, candidate))
    converted = {id: convert_points(after[id], system, own) for id in common}
    moves = [Move(id, before[id], rating) for id, rating in converted.items() if rating is not None]
    moves.sort(key=lambda move: (move.change, move.player))
    panel, drift = _measure_drift(candidate.panel)
    won, lost = _count_grades(present, candidate)
    return ListFigures(
        len(after),
        correlate_ranks([before[id] for id in common], [after[id] for id in common]),
        float(np.std(list(after.values()))) if after else None,
        panel,
        drift,
        tuple(move for move in reversed(moves[-MOST_MOVED:]) if move.change > 0),
        tuple(move for move in moves[:MOST_MOVED] if move.change < 0),
        won,
        lost,
    )


def _published_ratings(standings: Mapping[str, Standing]) -> dict[str, float]:
    return {
        id: standing.rating
        for id, standing in standings.items()
        if standing.published and not standing.hidden and standing.rating is not None
    }


def _measure_drift(panel: Mapping[int, Mapping[str, float]]) -> tuple[int, float | None]:
    """Return the number of players rated at the end of every year, and their mean change in a year."""
    if len(panel) < 2:
        return 0, None
    first, last = min(panel), max(panel)
    always = set.intersection(*(set(ratings) for ratings in panel.values()))
    if not always:
        return 0, None
    return len(always), float(np.mean([panel[last][id] - panel[first][id] for id in always])) / (last - first)


def _count_grades(present: Prediction, candidate: Prediction) -> tuple[int | None, int | None]:
    grades, others = (
        get_system(prediction.candidate.system, prediction.candidate.options).grading.grades
        for prediction in (present, candidate)
    )
    if not grades or tuple(grades) != tuple(others):
        return None, None
    place = {grade: number for number, grade in enumerate(grades)}
    differences = [
        place.get(standing.grade or "", -1) - place.get(present.standings[id].grade or "", -1)
        for id, standing in candidate.standings.items()
        if id in present.standings
    ]
    return sum(difference > 0 for difference in differences), sum(difference < 0 for difference in differences)
