"""Compiled loops of fesa-2000: the rules of event_2000.py in the loops of kernel.py."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ratings.systems.compiling import compiled
from ratings.systems.table_arrays import Flags

from .event_2000 import bonus_games_after, damping, rate_rated, rate_unrated
from .kernel import rate_tables
from .kernel_arrays import Players, RatedGames, Results, Seats, get_past


@compiled
def rate_round(seats: Seats, players: Players, moving: Flags) -> None:
    """Rate each player with games by the newest ratings of the others, as `Seat2000.compute_rating` does."""
    for seat, player in enumerate(seats.players):
        low, high = seats.starts[seat], seats.starts[seat + 1]
        if low == high:
            continue
        for i in range(low, high):
            opponent = seats.opponents[i]
            seats.used[i], seats.weights[i] = seats.estimates[opponent], damping(seats.games_after[opponent])
        used, scores, weights = seats.used[low:high], seats.scores[low:high], seats.weights[low:high]
        if seats.unrated[seat]:
            past = get_past(players, player)
            rating = rate_unrated(past.ratings, past.scores, past.weights, used, scores, weights)
        else:
            rating = rate_rated(seats.before[seat], seats.games_after[seat], used, scores, weights)
        moving[seat] = rating != seats.estimates[seat]
        seats.estimates[seat] = rating


@compiled
def rate_tables_2000(
    grades: NDArray[np.void], games: RatedGames, players: Players, results: Results, most_rounds: int
) -> int:
    """Rate all tables and return the number of awards."""
    return rate_tables(rate_round, bonus_games_after, grades, games, players, results, most_rounds)
