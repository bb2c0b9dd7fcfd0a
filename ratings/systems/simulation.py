"""Simulation of results: one imagined table against opponents with fixed ratings."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .protocol import System
from .values import Game, Player, Row, Table


def simulate_results(
    system: System[Any], player: Player, state: Any, results: Sequence[tuple[float, float]], on: dt.date
) -> tuple[Row, Any]:
    """Return the player's row and their state after an imagined table.

    `results` are pairs of (opponent's rating in rating points, score 0, 0.5 or 1). Raise ValueError if the rules do
    not cover such a table.
    """
    opponents = {f"opponent {n}": rating for n, (rating, _) in enumerate(results, 1)}
    games = tuple(Game(round_, player.id, f"opponent {round_}", score) for round_, (_, score) in enumerate(results, 1))
    table = Table("imagined", on, (player.id, *opponents), games, fixed=opponents)
    players = {player.id: replace(player, fixed=False)} | {
        id: Player(id, fixed=True, opening={"rating": rating}) for id, rating in opponents.items()
    }
    states = {player.id: state} | {
        id: system.rating.read({"rating": rating}, fixed=True) for id, rating in opponents.items()
    }
    rated = system.rating.rate(table, players, states)
    (row,) = (row for row in rated.rows if row.player == player.id)
    return row, rated.states.get(player.id, state)
