"""Rating of many tables of rif-1997 at once: players and tables as arrays, and the results as columns."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from functools import cache
from operator import attrgetter

import numpy as np

from ratings.systems.canonical_json import write_number
from ratings.systems.compiling import load_compiled
from ratings.systems.rif.messages import RifMessage
from ratings.systems.state_arrays import StateForm, StateRows
from ratings.systems.table_arrays import Flags, Integers, RatedArrays, TableArrays, mask_unknown
from ratings.systems.values import Category, Player

from .event_1995 import ODDS
from .kernel_1997 import CountedGames, Players, Results, rate_tables
from .state import Result, State1997


def rate_arrays(
    columns: TableArrays,
    reasons: Sequence[str],
    players: Mapping[str, Player],
    states: StateRows[State1997],
) -> RatedArrays[State1997]:
    """Rate several tables at once, as `Rating1997.rate` does; numba must be installed.

    `reasons` are those why no game of a table is rated, empty where games are.
    """
    kernel = load_compiled(rate_tables)
    assert kernel is not None
    games, seats = _select_games(columns, reasons), len(columns.seated)
    arrays, results = _make_player_arrays(games, states), _allocate(seats)
    kernel(games, arrays, results, ODDS)
    unlisted = np.array([players[id].unlisted for id in columns.players], dtype=np.bool_)[columns.seated]
    displayed, rated = results.established_after & ~unlisted, results.rated > 0
    both = results.established_before & results.established_after
    past = _PastResults(arrays)
    return RatedArrays(
        _list_categories(results.established_before, results.past_before),
        _list_categories(results.established_after, results.past_after),
        mask_unknown(results.before, results.established_before),
        mask_unknown(results.after, results.established_after),
        mask_unknown(results.after - results.before, both),
        results.rated.tolist(),
        [None if is_rated else 0 for is_rated in rated.tolist()],  # standings of this system count no games
        mask_unknown(results.performances, rated),
        [""] * seats,
        [""] * seats,
        displayed.tolist(),
        (~displayed).tolist(),
        _make_notes(columns, reasons, rated),
        _write_states(columns, results, past),
        _collect_states(columns, arrays, past),
        [1] * len(columns.tables),
        [True] * len(columns.tables),
        warnings={n: (reason,) for n, reason in enumerate(reasons) if reason},
    )


def _select_games(columns: TableArrays, reasons: Sequence[str]) -> CountedGames:
    """Return the games that were played over the board in tables that are rated (#4)."""
    is_rated = np.repeat([not reason for reason in reasons], np.diff(columns.games))
    counted = is_rated & ~columns.online & ~columns.correspondence
    starts = np.concatenate(([0], np.cumsum(counted)))[columns.games]
    days = np.array([table.last_day.toordinal() for table in columns.tables], dtype=np.int64)
    a, b, scores = columns.a[counted], columns.b[counted], columns.scores[counted]
    return CountedGames(columns.seats, columns.seated, starts, a, b, scores, days)


def _make_player_arrays(games: CountedGames, states: StateRows[State1997]) -> Players:
    """Return the players as arrays, with room in each past for their games of these tables."""
    seat_games = np.bincount(np.concatenate((games.a, games.b)), minlength=len(games.seated))
    played = np.bincount(games.seated, weights=seat_games, minlength=len(states)).astype(np.int64)
    counts = np.array([len(states.past.get(n, ())) for n in range(len(states))], dtype=np.int64)
    starts = np.concatenate(([0], np.cumsum(counts + played)))
    ratings, scores = np.zeros((2, starts[-1]))
    for player, results in states.past.items():
        for n, (rating, score) in enumerate(results, int(starts[player])):
            ratings[n], scores[n] = rating, score
    rated, established, last_played = np.ascontiguousarray(states.rows.T)
    return Players(
        rated,
        established > 0,
        last_played,
        starts[:-1],
        counts,
        ratings,
        scores,
    )


def _allocate(seats: int) -> Results:
    def integers() -> Integers:
        return np.zeros(seats, dtype=np.int64)

    def flags() -> Flags:
        return np.zeros(seats, dtype=np.bool_)

    states = (integers(), flags(), integers(), integers(), flags(), integers())
    return Results(integers(), np.zeros(seats), *states, integers())


class _PastResults:
    """Results of players who are not established, as in their states.

    They only grow until a player is established, so their beginning are those after earlier tables.
    """

    def __init__(self, players: Players) -> None:
        self.starts = players.past_starts.tolist()
        self.results: list[Result] = list(zip(players.past_ratings.tolist(), players.past_scores.tolist(), strict=True))

    def get(self, player: int, count: int) -> list[Result]:
        """Return the first `count` results of a player, given by index."""
        start = self.starts[player]
        return self.results[start : start + count]


def _list_categories(established: Flags, past: Integers) -> list[str]:
    unrated = [Category.PROVISIONAL if count else Category.UNRATED for count in past.tolist()]
    return [
        Category.ESTABLISHED if is_rated else other
        for is_rated, other in zip(established.tolist(), unrated, strict=True)
    ]


def _make_notes(columns: TableArrays, reasons: Sequence[str], rated: Flags) -> list[str]:
    """Return the note on each seat."""
    of_seats = np.repeat(np.arange(len(reasons)), np.diff(columns.seats)).tolist()
    return [
        "" if is_rated else reasons[table] or RifMessage.NO_COUNTING_GAME()
        for table, is_rated in zip(of_seats, rated.tolist(), strict=True)
    ]


def _write_states(columns: TableArrays, results: Results, past: _PastResults) -> list[str]:
    """Return the state of every seat as `state_json.state_to_json` writes it."""
    write_day = cache(lambda day: f'"last_played":"{dt.date.fromordinal(day)}"' if day else "")
    arrays = (columns.seated, results.established_after, results.after, results.past_after, results.last_played)
    texts = list[str]()
    for player, established, rating, count, day in zip(*(array.tolist() for array in arrays), strict=True):
        pairs = (
            ",".join([f"[{write_number(r)},{write_number(s)}]" for r, s in past.get(player, count)]) if count else ""
        )
        parts = (
            '"established":true' if established else "",
            write_day(day),
            f'"rating":{rating}' if established else "",
            f'"results":[{pairs}]' if count else "",
        )
        texts.append(f"{{{','.join(filter(None, parts))}}}")
    return texts


def _collect_states(columns: TableArrays, players: Players, past: _PastResults) -> StateRows[State1997]:
    rows = np.column_stack((players.ratings, players.established, players.last_played))
    counts = players.past_counts
    results = {n: past.get(n, int(counts[n])) for n in np.flatnonzero(counts).tolist()}
    return StateRows(STATE_FORM, columns.players, rows, results)


def _state_to_row(state: State1997) -> tuple[int, int, int]:
    day = state.last_played
    return state.rating or 0, state.rating is not None, day.toordinal() if day else 0


def _state_from_row(row: Sequence[int], past: Sequence[Result]) -> State1997:
    rating, established, day = row
    return State1997(rating if established else None, tuple(past), dt.date.fromordinal(day) if day else None)


STATE_FORM = StateForm[State1997](np.int64, 3, _state_to_row, _state_from_row, attrgetter("results"))
"""Form of states in arrays: rating (0 for none), whether the player is established, and the last day (0 for none)."""
