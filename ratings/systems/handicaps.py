"""Handicaps as results files and the history format write them; what they are worth is a matter of each system."""

from __future__ import annotations

from .compiling import compiled

SHOGI_HANDICAPS = ("s", "l", "b", "r", "rl", "2p", "4p", "5p", "6p")
"""Codes of the handicaps of shogi, smallest first."""
MAX_STONES = 9
"""Largest usual handicap of go, in stones; readers warn of more."""


@compiled
def handicap_of_stones(stones: int) -> float:
    """Return the handicap in stones, minus half a stone because Black gives no komi; 0 for an even game."""
    return stones - 0.5 if stones else 0.0
