"""Rating of many tables of a FESA edition at once: players and tables as arrays, and the results as columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ratings.systems.compiling import load_compiled
from ratings.systems.game_records import NO_TEXT
from ratings.systems.messages import RatingMessage
from ratings.systems.state_arrays import StateRows
from ratings.systems.table_arrays import Integers, RatedArrays, TableArrays, mask_unknown
from ratings.systems.values import Award, Player

from .grades import CATEGORIES, SCALE_2000, SCALE_2016, Scale, make_award
from .kernel_2000 import rate_tables_2000
from .kernel_2016 import rate_tables_2016
from .kernel_arrays import GRADE, NONE, RATING, WIDTH, Players, RatedGames, Results
from .seats import MANY_GAMES, MAX_ROUNDS, handicaps_warning, many_games_warning, unsettled_warning
from .state import FesaState
from .state_rows import STATE_FORM, PastResults, allocate_past, write_states
from .tables import HANDICAPS

NEVER = 1 << 40
"""Number of games for a way that a grade does not have."""
GRADE_FIELDS = [
    ("lower_bound", "i8"),
    ("midpoint", "i8"),
    ("upper_bound", "i8"),
    ("lower_bound_games", "i8"),
    ("midpoint_games", "i8"),
    ("needs_approval", "?"),
]
PRIOR_RESULTS = 2
"""Number of results that a prior grade adds to a player's past."""


@dataclass(frozen=True, slots=True)
class CompiledEdition:
    """Compiled loops of an edition, and how it differs from the other edition around them."""

    rate_tables: Callable[..., int]
    scale: Scale
    rates_handicaps: bool
    weighted: bool
    """True if past results have a weight."""


EDITION_2016 = CompiledEdition(rate_tables_2016, SCALE_2016, rates_handicaps=True, weighted=False)
EDITION_2000 = CompiledEdition(rate_tables_2000, SCALE_2000, rates_handicaps=False, weighted=True)


def rate_arrays(
    edition: CompiledEdition, columns: TableArrays, players: Mapping[str, Player], states: StateRows[FesaState]
) -> RatedArrays[FesaState]:
    """Rate several tables at once, as `FesaRating.rate` does; numba must be installed."""
    rate_tables = load_compiled(edition.rate_tables)
    assert rate_tables is not None
    scale, games = edition.scale, _select_games(edition, columns)
    arrays = _make_player_arrays(scale, games, [players[id] for id in columns.players], states)
    grades = _make_grade_records(scale)
    results = _allocate_results(games, len(grades))
    count = rate_tables(grades, games, arrays, results, MAX_ROUNDS)
    past_results = PastResults(arrays, weighted=edition.weighted)
    unlisted = np.array([players[id].unlisted for id in columns.players], dtype=np.bool_)[columns.seated]
    played, total, category, category_after, before, grade_before = results.rows.T
    after, performances, idle = results.after[:, RATING], results.performances, played == 0
    names = (*scale.names, "")  # index -1, no grade, is the last entry
    return RatedArrays(
        [CATEGORIES[code] for code in np.where(idle, category_after, category).tolist()],
        [CATEGORIES[code] for code in category_after.tolist()],
        mask_unknown(before, before > 0),
        mask_unknown(after, after > 0),
        mask_unknown(after - before, (after > 0) & (before > 0)),
        played.tolist(),
        total.tolist(),
        mask_unknown(performances, performances != NONE),
        [names[grade] for grade in grade_before.tolist()],
        [names[grade] for grade in results.after[:, GRADE].tolist()],
        ((after > 0) & ~unlisted).tolist(),
        unlisted.tolist(),
        [RatingMessage.NO_RATED_GAME() if is_idle else "" for is_idle in idle.tolist()],
        list(write_states(results.after, columns.seated, past_results, scale)),
        StateRows(STATE_FORM, columns.players, arrays.states, past_results.get_all(arrays.states)),
        results.rounds.tolist(),
        [not results.moving[first:end].any() for first, end in pairwise(columns.seats)],
        _collect_awards(scale, results.awards[:count].tolist()),
        _collect_warnings(columns, games, played, results.moving),
    )


def _select_games(edition: CompiledEdition, columns: TableArrays) -> RatedGames:
    """Return the games that the edition rates."""
    a, b, scores, a_gives = columns.a, columns.b, columns.scores, columns.a_gives
    starts, handicaps = columns.games, columns.handicaps
    if not edition.rates_handicaps:
        rated = handicaps == NO_TEXT
        starts = np.concatenate(([0], np.cumsum(rated)))[columns.games]
        a, b, scores, a_gives, handicaps = a[rated], b[rated], scores[rated], a_gives[rated], handicaps[rated]
    kinds, of_games = np.unique(handicaps, return_inverse=True)
    values = np.array([0.0 if kind == NO_TEXT else HANDICAPS[kind.decode()] for kind in kinds.tolist()])[of_games]
    return RatedGames(columns.seats, columns.seated, starts, a, b, scores, values, a_gives)


def _make_player_arrays(
    scale: Scale, games: RatedGames, players: Sequence[Player], states: StateRows[FesaState]
) -> Players:
    """Return the players as arrays, with room in each past for their games of these tables."""
    grades = (player.prior_grade for player in players)
    priors = np.array([scale.midpoint_of(grade) if grade else 0 for grade in grades], dtype=np.float64)
    seat_games = np.bincount(np.concatenate((games.a, games.b)), minlength=len(games.seated))
    played = np.bincount(games.seated, weights=seat_games, minlength=len(players)).astype(np.int64)
    return Players(states.rows.copy(), priors, *allocate_past(states, played + PRIOR_RESULTS))


def _allocate_results(games: RatedGames, grades: int) -> Results:
    seats, tables = len(games.seated), len(games.seats) - 1
    rows, after = np.empty((seats, 6), dtype=np.int64), np.empty((seats, WIDTH), dtype=np.int64)
    awards, rounds = np.empty((seats * grades, 4), dtype=np.int64), np.empty(tables, dtype=np.int64)
    return Results(rows, np.empty(seats), after, awards, rounds, np.empty(seats, dtype=np.bool_))


@cache
def _make_grade_records(scale: Scale) -> NDArray[np.void]:
    return np.array(
        [
            (
                grade.lower_bound,
                grade.midpoint,
                grade.upper_bound,
                grade.lower_bound_games or NEVER,
                grade.midpoint_games or NEVER,
                grade.needs_approval,
            )
            for grade in scale.grades
        ],
        dtype=GRADE_FIELDS,
    )


def _collect_awards(scale: Scale, rows: list[list[int]]) -> dict[int, tuple[Award, ...]]:
    award_of = cache(partial(make_award, scale))  # a long run has many equal awards, which share one object
    awards: dict[int, tuple[Award, ...]] = {}
    for seat, grade, way, game in rows:
        awards[seat] = (*awards.get(seat, ()), award_of(grade, way, game))
    return awards


def _collect_warnings(
    columns: TableArrays, games: RatedGames, played: Integers, moving: NDArray[np.bool_]
) -> dict[int, tuple[str, ...]]:
    """Return the warnings by table, in the order of `FesaRating.rate`."""
    warnings: dict[int, list[str]] = {}
    ignored = np.diff(columns.games) - np.diff(games.games)
    for table in np.flatnonzero(ignored).tolist():
        warnings.setdefault(table, []).append(handicaps_warning(int(ignored[table])))
    table_of = np.searchsorted(columns.seats, np.arange(len(columns.seated)), side="right") - 1
    for seat in np.flatnonzero(played > MANY_GAMES).tolist():
        id = columns.players[columns.seated[seat]]
        warnings.setdefault(int(table_of[seat]), []).append(many_games_warning(id, int(played[seat])))
    for table in set(table_of[moving].tolist()):
        seats = [n for n in range(columns.seats[table], columns.seats[table + 1]) if moving[n]]
        warnings.setdefault(table, []).append(unsettled_warning([columns.players[columns.seated[n]] for n in seats]))
    return {table: tuple(lines) for table, lines in warnings.items()}
