"""Bootstrap intervals of means over games, by resampling whole events.

Games of one event depend on each other, so events are drawn, not games (Efron and Tibshirani 1993, "An Introduction to
the Bootstrap", chapter 8). Figures of several candidates are computed from the same draws, which pairs them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .games import Flags, Ids, Numbers

RESAMPLES = 2000
MIN_EVENTS = 20
"""Number of events below which an interval is too narrow to be trusted, so there is none."""
SEED = 20260301
"""Start of the random numbers; one seed makes every result reproducible."""
WEIGHTS_AT_ONCE = 4_000_000


@dataclass(frozen=True)
class Interval:
    """Interval of 95 % (percentiles 2.5 and 97.5 of the resamples)."""

    low: float
    high: float

    @property
    def holds_zero(self) -> bool:
        return self.low <= 0 <= self.high


@dataclass(frozen=True)
class Resampled:
    """Means of several figures over all games, and over the games of each resample.

    `mean` has one value per figure, `means` one row per resample and one column per figure. `events` is the number of
    events that have a game.
    """

    events: int
    games: int
    mean: Numbers
    means: NDArray[np.float64]

    def interval(self, figure: int) -> Interval | None:
        """Return the interval of a figure's mean; None if there are too few events."""
        return self._interval_of(self.means[:, figure])

    def difference_interval(self, figure: int, other: int) -> Interval | None:
        """Return the interval of a figure's mean less another one's; None if there are too few events."""
        return self._interval_of(self.means[:, figure] - self.means[:, other])

    def _interval_of(self, values: Numbers) -> Interval | None:
        if self.events < MIN_EVENTS:
            return None
        low, high = np.percentile(values, [2.5, 97.5])
        return Interval(float(low), float(high))


def resample_means(
    figures: Numbers, event: Ids, used: Flags, resamples: int = RESAMPLES, seed: int = SEED
) -> Resampled:
    """Return the means of figures over the used games, and their means in resamples of whole events.

    `figures` has one row per figure and one column per game; `event` numbers the event of each game.
    """
    _, number = np.unique(event[used], return_inverse=True)
    events, games = int(number.max(initial=-1)) + 1, int(used.sum())
    chosen = figures[:, used]
    if not games:
        return Resampled(0, 0, np.full(len(figures), np.nan), np.full((resamples, len(figures)), np.nan))
    sums = np.stack([np.bincount(number, row, events) for row in chosen], axis=1)
    counts = np.bincount(number, minlength=events).astype(np.float64)
    means = np.concatenate([weights @ sums / (weights @ counts)[:, None] for weights in _draw(events, resamples, seed)])
    return Resampled(events, games, chosen.mean(axis=1), means)


def _draw(events: int, resamples: int, seed: int) -> Iterator[Numbers]:
    """Yield blocks of rows that tell how often each event is drawn in a resample."""
    random = np.random.default_rng(seed)
    block = max(1, WEIGHTS_AT_ONCE // events)
    for first in range(0, resamples, block):
        rows = min(block, resamples - first)
        drawn = random.integers(0, events, (rows, events)) + np.arange(rows)[:, None] * events
        yield np.bincount(drawn.ravel(), minlength=rows * events).reshape(rows, events).astype(np.float64)
