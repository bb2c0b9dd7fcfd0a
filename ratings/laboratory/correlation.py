"""Spearman's rank correlation of two lists."""

from __future__ import annotations

from collections.abc import Sequence


def correlate_ranks(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Return Spearman's rank correlation of the ratings of the same players on two lists, in the same order.

    Equal ratings have their mean rank. None for fewer than three players, or if all ratings of a list are equal.
    """
    from scipy.stats import spearmanr  # noqa: PLC0415 - takes a second to load, and few pages need it

    if len(one) < 3 or len(set(one)) == 1 or len(set(other)) == 1:
        return None
    return float(spearmanr(one, other).statistic)
