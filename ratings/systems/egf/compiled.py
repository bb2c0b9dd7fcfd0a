"""Rating of many tables of egf-2021 at once: players and tables as arrays, and the results as columns."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ratings.systems.canonical_json import write_number
from ratings.systems.compiling import load_compiled
from ratings.systems.egf.messages import EgfMessage
from ratings.systems.go_arrays import (
    SeatRatings,
    allocate_seats,
    find_tables,
    list_ratings,
    select_columns,
    to_floats,
)
from ratings.systems.messages import RatingMessage
from ratings.systems.state_arrays import StateRows
from ratings.systems.table_arrays import Floats, RatedArrays, TableArrays
from ratings.systems.values import Player, Table

from . import tables
from .kernel import TOO_FAST_WEIGHT, ListRules, Players, Results, rate_tables
from .notes import make_idle_note, make_warnings
from .state import STATE_FORM, EgfState
from .time_classes import get_time_class, get_weight


def rate_arrays(
    settings: Mapping[str, Any],
    columns: TableArrays,
    players: Mapping[str, Player],
    states: StateRows[EgfState],
) -> RatedArrays[EgfState]:
    """Rate several tables at once, as `EgfRating.rate` does; numba must be installed."""
    kernel = load_compiled(rate_tables)
    assert kernel is not None
    max_stones = int(settings["max_stones"])
    arrays = _make_player_arrays([players[id] for id in columns.players], states)
    seats, results = allocate_seats(columns), _allocate_results(columns)
    rules = ListRules(settings["bonus"] == "on", max_stones)
    kernel(select_columns(columns), _make_weights(settings, columns.tables), rules, arrays, seats, results)
    ratings = list_ratings(columns, players, seats)
    return RatedArrays(
        **ratings,
        grade_before=[""] * len(columns.seated),
        grade=[""] * len(columns.seated),
        notes=_make_notes(columns, players, seats, results),
        states=["{}" if rating is None else f'{{"rating":{write_number(rating)}}}' for rating in ratings["after"]],
        last=StateRows(STATE_FORM, columns.players, arrays.ratings[:, np.newaxis]),
        warnings=_collect_warnings(columns, seats, results, max_stones),
    )


def _make_player_arrays(players: Sequence[Player], states: StateRows[EgfState]) -> Players:
    priors = [tables.rating_of_rank(player.prior_grade) if player.prior_grade else None for player in players]
    return Players(states.rows[:, 0].copy(), to_floats(priors))


def _allocate_results(columns: TableArrays) -> Results:
    seats, games = len(columns.seated), len(columns.records)
    played, reasons = np.zeros((2, seats), dtype=np.int64)
    return Results(np.zeros(seats), played, reasons, np.zeros(games, dtype=np.int64))


def _make_weights(settings: Mapping[str, Any], of_tables: Sequence[Table]) -> Floats:
    """Return the weights of games at the board and of games on the internet, by table."""

    def weight(table: Table, *, online: bool) -> float:
        time_class = get_time_class(settings, table, online=online)
        return get_weight(settings, time_class) if time_class else TOO_FAST_WEIGHT

    rows = [(weight(table, online=False), weight(table, online=True)) for table in of_tables]
    return np.array(rows, dtype=np.float64).reshape(-1, 2)


def _make_notes(columns: TableArrays, players: Mapping[str, Player], seats: SeatRatings, results: Results) -> list[str]:
    """Return the note on each seat."""
    notes = list[str]()
    arrays = (columns.seated, seats.rated, seats.before, seats.starts, results.reasons)
    for player, rated, before, start, reason in zip(*(array.tolist() for array in arrays), strict=True):
        if rated:
            rank = players[columns.players[player]].prior_grade
            notes.append(EgfMessage.DECLARED_RANK(rank=rank) if math.isnan(before) else "")
        else:
            notes.append(make_idle_note(reason, has_rating=not math.isnan(start)) or RatingMessage.NO_RATED_GAME())
    return notes


def _collect_warnings(
    columns: TableArrays, seats: SeatRatings, results: Results, max_stones: int
) -> dict[int, tuple[str, ...]]:
    """Return the warnings by table."""
    without_rank, excluded = np.isnan(seats.starts) & (results.played > 0), results.exclusions > 0
    warnings: dict[int, tuple[str, ...]] = {}
    for n in {*find_tables(columns.seats, without_rank), *find_tables(columns.games, excluded)}:
        reasons = results.exclusions[columns.games[n] : columns.games[n + 1]]
        unranked = [seat for seat in range(columns.seats[n], columns.seats[n + 1]) if without_rank[seat]]
        ids = [columns.players[columns.seated[seat]] for seat in unranked]
        warnings[n] = tuple(make_warnings(reasons[reasons > 0].tolist(), ids, max_stones))
    return warnings
