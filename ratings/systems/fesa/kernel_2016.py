"""Compiled loops of fesa-2016: the rules of event_2016.py and game.py in the loops of kernel.py."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ratings.systems.compiling import compiled
from ratings.systems.table_arrays import Flags

from .event_2016 import opponent_rating, rate_rated, rate_unrated
from .game import bonus_games_after
from .kernel import rate_tables
from .kernel_arrays import Players, RatedGames, Results, Seats, get_past


@compiled
def rate_round(seats: Seats, players: Players, moving: Flags) -> None:
    """Rate each player with games by the newest ratings of the others, as `Seat2016.compute_rating` does."""
    for seat, player in enumerate(seats.players):
        low, high = seats.starts[seat], seats.starts[seat + 1]
        if low == high:
            continue
        unrated, before, estimate = seats.unrated[seat], seats.before[seat], seats.estimates[seat]
        for i in range(low, high):
            opponent = seats.estimates[seats.opponents[i]]
            seats.used[i] = opponent_rating(unrated, before, estimate, opponent, seats.handicaps[i], seats.gives[i])
        used, scores = seats.used[low:high], seats.scores[low:high]
        if unrated:
            past = get_past(players, player)
            rating = rate_unrated(past.ratings, past.scores, used, scores)
        else:
            rating = rate_rated(before, seats.bonus[seat], used, scores)
        moving[seat] = rating != estimate
        seats.estimates[seat] = rating


@compiled
def rate_tables_2016(
    grades: NDArray[np.void], games: RatedGames, players: Players, results: Results, most_rounds: int
) -> int:
    """Rate all tables and return the number of awards."""
    return rate_tables(rate_round, bonus_games_after, grades, games, players, results, most_rounds)
