"""Thinking time of a game of go in minutes, with what its overtime adds."""

from __future__ import annotations

from collections.abc import Mapping

CANADIAN_MOVES, BYO_YOMI_MOVES, INCREMENT_MOVES = 60, 45, 120
"""Moves of overtime that count as thinking time."""


def adjusted_minutes(minutes: float, overtime: Mapping[str, float] | None) -> float:
    """Return the thinking time in minutes, with the time that overtime adds.

    `overtime` is that of a results table: moves with their seconds (one move is byo-yomi, more are Canadian overtime)
    or an increment in seconds. Sources: annex 1, 5 of the Belgian Go Federation's page; European Go Federation's page
    on its rating system.
    """
    if not overtime:
        return minutes
    if "increment" in overtime:
        return minutes + INCREMENT_MOVES * overtime["increment"] / 60
    moves = CANADIAN_MOVES / overtime["moves"] if overtime["moves"] > 1 else BYO_YOMI_MOVES
    return minutes + moves * overtime["seconds"] / 60
