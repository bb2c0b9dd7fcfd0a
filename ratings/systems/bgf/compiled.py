"""Rating of many tables of bgf at once: players and tables as arrays, and the results as columns."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any

import numpy as np

from ratings.systems.bgf.messages import BgfMessage
from ratings.systems.canonical_json import write_number
from ratings.systems.compiling import load_compiled
from ratings.systems.go_arrays import (
    SeatRatings,
    allocate_seats,
    find_tables,
    list_ratings,
    select_columns,
    to_floats,
)
from ratings.systems.handicaps import MAX_STONES
from ratings.systems.messages import RatingMessage
from ratings.systems.state_arrays import StateRows
from ratings.systems.table_arrays import RatedArrays, TableArrays
from ratings.systems.values import Award, Player, Table

from . import tables
from .game import BONUS_KINDS, Conditions
from .grading import displayed_grade, get_award_way, make_awards
from .kernel import Players, Results, Tables, rate_tables
from .notes import make_idle_note, make_warnings
from .state import STATE_FORM, BgfState


def rate_arrays(
    settings: Mapping[str, Any],
    columns: TableArrays,
    players: Mapping[str, Player],
    states: StateRows[BgfState],
) -> RatedArrays[BgfState]:
    """Rate several tables at once, as `BgfRating.rate` does; numba must be installed."""
    kernel = load_compiled(rate_tables)
    assert kernel is not None
    rounds = columns.rounds if settings["within"] == "round" else np.zeros(len(columns.records), dtype=np.int64)
    arrays = _make_player_arrays([players[id] for id in columns.players], states)
    of_tables, seats, results = _make_conditions(settings, columns.tables), allocate_seats(columns), _allocate(columns)
    kernel(select_columns(columns), rounds, of_tables, arrays, seats, results)
    label = cache(partial(displayed_grade, top_label=settings["top_label"]))
    ratings = list_ratings(columns, players, seats)
    after, grades = ratings["after"], results.grades.tolist()
    before = list(zip(ratings["before"], results.grades_before.tolist(), strict=True))
    return RatedArrays(
        **ratings,
        grade_before=["" if rating is None else label(grade) for rating, grade in before],
        grade=["" if rating is None else label(grade) for rating, grade in zip(after, grades, strict=True)],
        notes=_make_notes(columns, players, of_tables, seats),
        states=list(map(_write_state, after, grades)),
        last=StateRows(STATE_FORM, columns.players, np.column_stack((arrays.ratings, arrays.grades))),
        awards=_collect_awards(label, seats, results),
        warnings=_collect_warnings(columns, seats, results),
    )


def _make_player_arrays(players: Sequence[Player], states: StateRows[BgfState]) -> Players:
    grades = [tables.grade_number(player.prior_grade) if player.prior_grade else None for player in players]
    return Players(
        states.rows[:, 0].copy(),
        states.rows[:, 1].astype(np.int64),
        to_floats([None if grade is None else tables.entry_rating(grade) for grade in grades]),
        np.array([grade or 0 for grade in grades], dtype=np.int64),
    )


def _make_conditions(settings: Mapping[str, Any], of_tables: Sequence[Table]) -> Tables:
    conditions = [Conditions.from_table(table, settings) for table in of_tables]
    return Tables(
        np.array([on.place for on in conditions], dtype=np.float64),
        np.array([on.time for on in conditions], dtype=np.float64),
        np.array([on.squared for on in conditions], dtype=np.bool_),
        np.array([on.fixed_boards for on in conditions], dtype=np.bool_),
        np.array([tables.too_fast(table.minutes, table.overtime) for table in of_tables], dtype=np.bool_),
        BONUS_KINDS.index(settings["bonus"]),
    )


def _allocate(columns: TableArrays) -> Results:
    seats = len(columns.seated)
    ratings, changes = np.zeros((2, seats))
    return Results(
        ratings, changes, *np.zeros((3, seats), dtype=np.int64), *np.zeros((2, len(columns.tables)), dtype=np.int64)
    )


def _write_state(rating: float | None, grade: int) -> str:
    """Return a state as `state_json.state_to_json` writes it."""
    return "{}" if rating is None else f'{{"grade":"{tables.grade_name(grade)}","rating":{write_number(rating)}}}'


def _make_notes(
    columns: TableArrays, players: Mapping[str, Player], of_tables: Tables, seats: SeatRatings
) -> list[str]:
    """Return the note on each seat."""
    notes = list[str]()
    too_fast = np.repeat(of_tables.too_fast, np.diff(columns.seats))
    arrays = (columns.seated, seats.rated, seats.before, seats.starts, too_fast)
    for player, rated, before, start, is_too_fast in zip(*(array.tolist() for array in arrays), strict=True):
        if rated:
            rank = players[columns.players[player]].prior_grade
            notes.append(BgfMessage.DECLARED_RANK(prior_grade=rank) if math.isnan(before) else "")
        else:
            note = make_idle_note(has_rating=not math.isnan(start), too_fast=is_too_fast)
            notes.append(note or RatingMessage.NO_RATED_GAME())
    return notes


def _collect_awards(label: Callable[[int], str], seats: SeatRatings, results: Results) -> dict[int, tuple[Award, ...]]:
    """Return the awards by seat; `label` returns the grade that is shown for a grade's number."""
    awards: dict[int, tuple[Award, ...]] = {}
    for seat in np.flatnonzero((seats.rated > 0) & (results.grades != results.grades_before)).tolist():
        before, grade = int(results.grades_before[seat]), int(results.grades[seat])
        if made := make_awards(label(before), label(grade), get_award_way(before, grade)):
            awards[seat] = made
    return awards


def _collect_warnings(columns: TableArrays, seats: SeatRatings, results: Results) -> dict[int, tuple[str, ...]]:
    """Return the warnings by table."""
    without_rank, many_stones = np.isnan(seats.starts) & (results.played > 0), columns.stones > MAX_STONES
    by_count = np.flatnonzero((results.unrated_boards > 0) | (results.too_fast > 0)).tolist()
    warnings: dict[int, tuple[str, ...]] = {}
    for n in {*by_count, *find_tables(columns.seats, without_rank), *find_tables(columns.games, many_stones)}:
        unranked = [seat for seat in range(columns.seats[n], columns.seats[n + 1]) if without_rank[seat]]
        warnings[n] = tuple(
            make_warnings(
                [columns.players[columns.seated[seat]] for seat in unranked],
                too_fast=results.too_fast[n] > 0,
                unrated_boards=int(results.unrated_boards[n]),
                many_stones=int(many_stones[columns.games[n] : columns.games[n + 1]].sum()),
            )
        )
    return warnings
