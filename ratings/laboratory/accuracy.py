"""Accuracy of expected scores: log loss, Brier score and calibration."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .games import Numbers

MIN_PROBABILITY = 1e-6  # forecasts are limited to this distance from 0 and 1, so that one upset has a limited weight
CERTAINTY_95 = 1.959964
"""The normal distribution's 97.5th percentile, for a two-sided interval of 95 %."""


@dataclass(frozen=True)
class Accuracy:
    """The accuracy of a list's expected scores: mean log loss and mean Brier score; lower is better.

    `half` is half the width of the log loss's interval of 95 %, by the spread of the games; None for a single game.
    """

    games: int
    log_loss: float
    brier: float
    half: float | None


@dataclass(frozen=True)
class Bin:
    """Games in which the expected score of the stronger side lies between two bounds.

    `expected` is its mean expected score, `score` its mean score, `low` and `high` the interval of its true score.
    """

    lower: float
    upper: float
    games: int
    expected: float
    score: float
    low: float
    high: float


def measure_accuracy(expected: Numbers, score: Numbers) -> Accuracy | None:
    """Return the log loss and the Brier score of expected scores; None without games.

    Log loss is the mean of -log of the probability given to the result, a draw being half a win and half a loss. The
    Brier score is the mean square of expected less score (Brier 1950, "Verification of forecasts expressed in terms of
    probability", Monthly Weather Review 78:1-3; Brier sums over win and loss, which is twice this).
    """
    if not len(expected):
        return None
    losses = compute_log_losses(expected, score)
    half = CERTAINTY_95 * float(losses.std(ddof=1)) / math.sqrt(len(losses)) if len(losses) > 1 else None
    return Accuracy(len(expected), float(losses.mean()), float(((expected - score) ** 2).mean()), half)


def compute_log_losses(expected: Numbers, score: Numbers) -> Numbers:
    """Return the log loss of each game: -log of the probability given to its result."""
    clipped = np.clip(expected, MIN_PROBABILITY, 1 - MIN_PROBABILITY)
    losses: Numbers = -score * np.log(clipped) - (1 - score) * np.log(1 - clipped)
    return losses


def calibration(expected: Numbers, score: Numbers) -> list[Bin]:
    """Return ten bins of the stronger side's expected score, from 0.5 to 1; empty bins are omitted.

    Each game counts once, from the side that was expected to win, as the order of the sides may depend on the result.
    A game without a stronger side counts from both sides, so its score is a half.
    """
    favoured = np.maximum(expected, 1 - expected)
    scored = np.where(expected == 0.5, 0.5, np.where(expected > 0.5, score, 1 - score))
    number = np.minimum((favoured * 20 - 10 + 1e-9).astype(np.int64), 9)
    bins = []
    for n in np.unique(number).tolist():
        inside = number == n
        games, mean = int(inside.sum()), float(scored[inside].mean())
        bounds = wilson_interval(mean, games)
        bins.append(Bin(0.5 + n / 20, 0.55 + n / 20, games, float(favoured[inside].mean()), mean, *bounds))
    return bins


def wilson_interval(share: float, games: int, z: float = CERTAINTY_95) -> tuple[float, float]:
    """Return the Wilson score interval of a share among `games` games, for the normal quantile `z`.

    Source: Wilson 1927, "Probable inference, the law of succession, and statistical inference", Journal of the American
    Statistical Association 22:209-212. It is made for wins and losses; draws vary less, so for them the interval is
    rather too wide.
    """
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    # without min and max, rounding puts a bound of the shares 0 and 1 on their wrong side, which no chart can draw
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))
