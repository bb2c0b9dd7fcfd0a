"""Progress of a player to the next grade, and the effect of hypothetical results."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ratings.models import Player, RatedTable, RatingList
from ratings.queries.events.explained_games import TableStart
from ratings.queries.players.careers import Career
from ratings.queries.runs.states import known_state, state_at
from ratings.queries.runs.values import load_players
from ratings.systems import values
from ratings.systems.progress import Progress
from ratings.systems.replay import opening_state
from ratings.systems.simulation import (
    NO_CONDITIONS,
    Conditions,
    GameConditions,
    simulate_next_list,
    simulate_results,
)
from ratings.systems.values import Row, RowExplanation, Standing


@dataclass(frozen=True)
class Simulation:
    """The effect of hypothetical games: the row, its explanation, and the standing and progress after it."""

    row: Row
    explained: RowExplanation
    standing: Standing
    progress: Progress | None
    counts_on: dt.date | None = None
    """Closing day that adds the points; None if the games move the rating at once."""
    next_list: tuple[dt.date, Row] | None = None
    """Day of the list that adds the points, with the player's row on it; None if the games move the rating at once."""

    def without_grades(self) -> Simulation:
        """Return the result for a player whose grade is not known."""
        return replace(self, row=self.row.without_grades(), standing=replace(self.standing, grade=None), progress=None)


def progress_of(career: Career) -> Progress | None:
    """Return the progress now or on the career's day; None on a list without grades or if the state is not known."""
    rating_list = career.rating_list
    if not rating_list.has_grades:
        return None
    if career.on is None:
        state = known_state(rating_list, career.last_state)
    else:
        state = state_at(career.player, rating_list, career.on)
    return None if state is None else rating_list.rating_system.grading.progress(state)


def simulate(
    player: Player,
    rating_list: RatingList,
    results: Sequence[tuple[float, float]],
    on: dt.date,
    games: Sequence[GameConditions] = (),
) -> Simulation | None:
    """Return the effect of hypothetical games on a player, after all games they have played.

    `results` are pairs of the opponent's rating, in rating points, and the score, `games` their conditions (none: even
    games). Return None if the player's state is not known. Raise ValueError if the rules do not cover such games.
    """
    state = state_at(player, rating_list)
    if state is None:
        return None
    value = load_players(rating_list, [player.public_id])[player.public_id]
    return _simulate_known(rating_list, value, state, results, on, Conditions(games))


def simulate_before(
    rated: RatedTable,
    start: TableStart,
    results: Sequence[tuple[float, float]],
    games: Sequence[GameConditions] = (),
) -> Simulation:
    """Return the effect of other games in place of those of a rated table; the arguments are those of `simulate`."""
    conditions = Conditions(games, start.table)
    return _simulate_known(rated.list, start.player, start.state, results, rated.day, conditions)


def _simulate_known(
    rating_list: RatingList,
    value: values.Player,
    state: Any,
    results: Sequence[tuple[float, float]],
    on: dt.date,
    conditions: Conditions,
) -> Simulation:
    """Return the effect of games on a known player, about whom pages don't say what is unknown."""
    simulated = _simulate(rating_list, value, state, results, on, conditions)
    assumptions = rating_list.rating_system_on(on).presentation.assumptions.values()
    return replace(simulated, explained=simulated.explained.without_notes(assumptions))


def simulate_new_player(
    rating_list: RatingList, opening: Mapping[str, Any] | None, results: Sequence[tuple[float, float]], on: dt.date
) -> Simulation:
    """Return the effect of hypothetical games on a player with only an opening state (None: unrated)."""
    value = values.Player("anybody", opening=opening)
    return _simulate(rating_list, value, opening_state(rating_list.rating_system, value), results, on)


def _simulate(
    rating_list: RatingList,
    value: values.Player,
    state: Any,
    results: Sequence[tuple[float, float]],
    on: dt.date,
    conditions: Conditions = NO_CONDITIONS,
) -> Simulation:
    system = rating_list.rating_system_on(on)
    row, after = simulate_results(system.rating, value, state, results, on, conditions)
    next_list = simulate_next_list(system.rating, value, (state, after), results, on, conditions)
    explained = system.presentation.explained(row, fixed_opponents=True) if row.terms else RowExplanation((), ())
    standing = system.rating.standing(after, value)
    list_day = conditions.table.list_day if conditions.table else None
    counts_on = system.rating.counting_day(on, list_day) if row.change and row.before == row.after else None
    if not rating_list.has_grades:
        return Simulation(row.without_grades(), explained, standing, None, counts_on, next_list)
    return Simulation(row, explained, standing, system.grading.progress(after), counts_on, next_list)
