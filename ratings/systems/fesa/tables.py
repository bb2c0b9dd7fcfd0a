"""Published tables of the FESA rules in their published form, except the grades."""

from __future__ import annotations

from ratings.systems.compiling import compiled

# Rule 1: lowest rating of the band, k; below the last band k is LOWEST_K
K_TABLE = ((2240, 16), (1920, 20), (1560, 24), (1280, 28), (1040, 32), (720, 36))
LOWEST_K = 40

# Rule 12: values in grades
HANDICAPS = {"s": 0.2, "l": 0.6, "b": 1.5, "r": 2.1, "rl": 2.7, "2p": 3.6, "4p": 5.0, "5p": 6.5, "6p": 8.0}


@compiled
def k_factor(rating: float) -> int:
    """Return the K factor at a rating in points (rule 1)."""
    for lowest, k in K_TABLE:
        if rating >= lowest:
            return k
    return LOWEST_K
