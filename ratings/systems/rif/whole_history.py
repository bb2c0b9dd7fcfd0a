"""Whole-History Rating: all ratings of all players on all their days, fitted at once.

Every player has a rating on every day on which a table of theirs ended. The fit finds the ratings that make the
results and the drift from day to day most probable together. Sources: R. Coulom, "Whole-History Rating" (2008), and
the rules of the Renju International Federation of 2021 (renju.net/qsystem).

The internal scale is natural: 1 is 400 / ln 10 rating points, and 0 is the rating that virtual opponents have.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Indices = NDArray[np.int64]

SCALE = 400 / math.log(10)
"""Rating points for one unit of the internal scale."""
CONVERGENCE_TOLERANCE = 1e-6 / SCALE
"""The fit ends when a step moves nobody by more: 1e-6 rating points."""
HALVING_LIMIT = 0.2 / SCALE
"""A step that moves somebody by more and does not raise the probability is halved: 0.2 rating points."""
MAX_STEPS = 50
PRECISION, COARSE_PRECISION = 1e-10, 1e-4
"""Relative residual of the equations that are solved for a step, near the end and before."""
COARSE_LIMIT = 1 / SCALE
"""The end is near once a step moves nobody by more: 1 rating point."""
ADDED_TO_OWN_BLOCK = 0.001
"""Added to the second derivatives for the deviation only, as the federation's program does."""
DAYS = 1 << 22
"""More than the number of any day; variables are numbered by segment x DAYS + day."""


@dataclass(frozen=True, slots=True)
class Prior:
    """Knowledge about a player at the beginning of a segment of their career, beside the games.

    With `day`, the rating on that day is about `mean` with the standard deviation `spread`. Without it, the player has
    drawn virtual games against a player of rating 0 on the first day.
    """

    day: int | None = None
    mean: float = 0.0
    spread: float = 1.0


@dataclass(frozen=True, slots=True)
class GameColumns:
    """Games as columns: the segments of both sides, the day, the score of the first side, and a constant.

    A segment of -1 on the second side is an outsider, whose rating on the internal scale stands in `constant`.
    """

    a: Indices
    b: Indices
    day: Indices
    score: Floats
    constant: Floats


@dataclass(frozen=True, slots=True)
class Fit:
    """The fitted ratings: one variable for each segment and day, ordered by both.

    `x` are the ratings on the internal scale. `first` and `last` are the variables with which each segment begins and
    ends, -1 for a segment without any. `uncertainty` is the standard deviation of each segment's last rating. `a` and
    `b` are the variables of both sides of each game (-1 for an outsider), `expected` the score expected of side a.
    """

    segment: Indices
    day: Indices
    x: Floats
    first: Indices
    last: Indices
    uncertainty: Floats
    a: Indices
    b: Indices
    expected: Floats
    steps: int
    settled: bool


def _add_up(numbers: Indices, values: Floats, count: int) -> Floats:
    """Return the sums of values by number, for the numbers from 0 to `count` - 1."""
    return np.asarray(np.bincount(numbers, values, count), dtype=np.float64)


class _Pattern:
    """Places of the values of a square sparse matrix; values of one place are added in the order of SciPy's `tocsr`."""

    def __init__(self, rows: Indices, columns: Indices, size: int) -> None:
        from scipy.sparse import csr_array  # noqa: PLC0415 - slow to load

        by_row = np.argsort(rows, kind="stable")
        ends = np.cumsum(np.bincount(rows, minlength=size))
        matrix = csr_array((by_row, columns[by_row], np.concatenate([[0], ends])), shape=(size, size))
        matrix.sort_indices()
        self.order: Indices = matrix.data
        rows, sorted_columns = rows[self.order], matrix.indices
        is_first = np.ones(len(rows), dtype=bool)
        is_first[1:] = (rows[1:] != rows[:-1]) | (sorted_columns[1:] != sorted_columns[:-1])
        self.place = np.cumsum(is_first) - 1
        self.columns = sorted_columns[is_first]
        self.ends = np.concatenate([[0], np.cumsum(np.bincount(rows[is_first], minlength=size))]).astype(np.int32)
        self.size = size

    def fill(self, values: Floats) -> Any:
        """Return the matrix (a `csr_array`) with these values, in the order of the rows and columns given."""
        from scipy.sparse import csr_array  # noqa: PLC0415 - slow to load

        sums = _add_up(self.place, values[self.order], len(self.columns))
        return csr_array((sums, self.columns, self.ends), shape=(self.size, self.size))


class _Model:
    """The probability of ratings, with its first and second derivatives."""

    def __init__(self, games: GameColumns, priors: list[Prior], drift: float, virtual_games: int) -> None:
        """Prepare the variables; `drift` is the variance of a rating's drift in a day, on the internal scale."""
        self.games, self.virtual_games = games, virtual_games
        with_day = [(number, prior) for number, prior in enumerate(priors) if prior.day is not None]
        begun = np.array([number * DAYS + (prior.day or 0) for number, prior in with_day], dtype=np.int64)
        inside = games.b >= 0
        keys = np.concatenate([games.a * DAYS + games.day, (games.b * DAYS + games.day)[inside], begun])
        variables, index = np.unique(keys, return_inverse=True)
        self.count, played = len(variables), len(games.a)
        self.segment, self.day = variables // DAYS, variables % DAYS
        self.a = index[:played]
        self.b = np.full(played, -1, dtype=np.int64)
        self.b[inside] = index[played : len(index) - len(begun)]
        self.inside = inside
        numbers = np.arange(len(priors))
        self.first = np.searchsorted(self.segment, numbers)
        self.last = np.searchsorted(self.segment, numbers, side="right") - 1
        empty = self.last < self.first
        self.first[empty] = self.last[empty] = -1
        drawn = np.array([prior.day is None for prior in priors], dtype=bool) & ~empty
        self.virtual = self.first[drawn]
        self.known = index[len(index) - len(begun) :]
        self.mean = np.array([prior.mean for _, prior in with_day])
        self.precision = np.array([1 / prior.spread**2 for _, prior in with_day])
        same = self.segment[1:] == self.segment[:-1]
        apart = np.where(same, self.day[1:] - self.day[:-1], 1)
        self.link = np.where(same, 1 / (drift * apart), 0.0)

    @cached_property
    def pattern(self) -> _Pattern:
        """Places of the values of the sparse matrix, which are the same for every step of the fit."""
        a, b, at = self.a[self.inside], self.b[self.inside], np.arange(self.count)
        rows = np.concatenate([at, at[:-1], at[1:], a, b])
        columns = np.concatenate([at, at[1:], at[:-1], b, a])
        return _Pattern(rows, columns, self.count)

    def differences(self, x: Floats) -> Floats:
        """Return the rating difference of each game, from side a."""
        opponents = np.where(self.inside, x[self.b], self.games.constant)
        return np.asarray(x[self.a] - opponents)

    def probability(self, x: Floats) -> float:
        """Return the logarithm of the probability of ratings, but for a constant."""
        by = self.differences(x)
        virtual = x[self.virtual]
        total = np.sum(self.games.score * by - np.logaddexp(0, by))
        total += self.virtual_games * np.sum(virtual / 2 - np.logaddexp(0, virtual))
        total -= np.sum(self.precision * (x[self.known] - self.mean) ** 2) / 2
        total -= np.sum(self.link * np.diff(x) ** 2) / 2
        return float(total)

    def expected(self, x: Floats) -> Floats:
        """Return the expected score of side a in each game."""
        return np.asarray(1 / (1 + np.exp(-self.differences(x))))

    def slope(self, x: Floats, expected: Floats) -> Floats:
        """Return the first derivatives of the probability."""
        surprise = self.games.score - expected
        slope = _add_up(self.a, surprise, self.count)
        slope -= _add_up(self.b[self.inside], surprise[self.inside], self.count)
        slope[self.virtual] += self.virtual_games * (0.5 - 1 / (1 + np.exp(-x[self.virtual])))
        slope[self.known] -= self.precision * (x[self.known] - self.mean)
        pull = self.link * np.diff(x)
        slope[:-1] += pull
        slope[1:] -= pull
        return slope

    def own_block(self, x: Floats, expected: Floats) -> Floats:
        """Return minus the second derivatives within each segment, as the two diagonals of a banded matrix."""
        weight = expected * (1 - expected)
        diagonal = _add_up(self.a, weight, self.count)
        diagonal += _add_up(self.b[self.inside], weight[self.inside], self.count)
        virtual = 1 / (1 + np.exp(-x[self.virtual]))
        diagonal[self.virtual] += self.virtual_games * virtual * (1 - virtual)
        diagonal[self.known] += self.precision
        diagonal[:-1] += self.link
        diagonal[1:] += self.link
        return np.vstack([diagonal, np.append(-self.link, 0.0)])

    def solve(self, block: Floats, expected: Floats, slope: Floats, precision: float) -> Floats:
        """Return the step of Newton's method: conjugate gradients, with each segment's own block as preconditioner."""
        from scipy.linalg import cholesky_banded  # noqa: PLC0415 - slow to load
        from scipy.linalg.lapack import dpbtrs  # noqa: PLC0415 - slow to load
        from scipy.sparse.linalg import LinearOperator, cg  # noqa: PLC0415 - slow to load

        weight = (expected * (1 - expected))[self.inside]
        matrix = self.pattern.fill(np.concatenate([block[0], -self.link, -self.link, -weight, -weight]))
        factor = cholesky_banded(block, lower=True)
        inverse = LinearOperator(
            (self.count, self.count),
            matvec=lambda right: dpbtrs(factor, right, lower=True)[0],  # as `cho_solve_banded`, without its checks
            dtype=np.float64,
        )
        step, _failed = cg(matrix, slope, rtol=precision, atol=0.0, M=inverse)
        return np.asarray(step)

    def last_uncertainty(self, block: Floats) -> Floats:
        """Return the standard deviation of each segment's last rating, the opponents' ratings held as if known."""
        from scipy.linalg import cholesky_banded  # noqa: PLC0415 - slow to load

        block = block.copy()
        block[0] += ADDED_TO_OWN_BLOCK
        pivots = cholesky_banded(block, lower=True)[0]
        return np.where(self.last >= 0, 1 / pivots[self.last], np.nan)


def fit_ratings(games: GameColumns, priors: list[Prior], drift: float, virtual_games: int) -> Fit:
    """Fit the ratings of all segments on all their days, by Newton's method on the whole system.

    `priors` belong to the segments by number. `drift` is the variance of the drift in a day, on the internal scale;
    `virtual_games` the number of virtual draws on the first day of a segment. The result does not depend on a start:
    there is exactly one maximum.
    """
    model = _Model(games, priors, drift, virtual_games)
    x, steps, settled = _find_maximum(model)
    expected = model.expected(x)
    uncertainty = model.last_uncertainty(model.own_block(x, expected)) if model.count else np.zeros(len(priors))
    return Fit(
        model.segment,
        model.day,
        x,
        model.first,
        model.last,
        uncertainty,
        model.a,
        model.b,
        expected,
        steps,
        settled,
    )


def _find_maximum(model: _Model) -> tuple[Floats, int, bool]:
    """Return the most probable ratings, the number of steps to them, and True if the last step was small enough."""
    x = np.zeros(model.count)
    steps, settled, precision = 0, model.count == 0, COARSE_PRECISION
    present: float | None = None
    while not settled and steps < MAX_STEPS:
        steps += 1
        expected = model.expected(x)
        step = model.solve(model.own_block(x, expected), expected, model.slope(x, expected), precision)
        moved = float(np.abs(step).max())
        step, present = _halve_step(model, x, step, present)
        x = x + step
        settled = moved <= CONVERGENCE_TOLERANCE and precision == PRECISION
        precision = PRECISION if moved <= COARSE_LIMIT else COARSE_PRECISION
    return x, steps, settled


def _halve_step(model: _Model, x: Floats, step: Floats, present: float | None) -> tuple[Floats, float | None]:
    """Halve a step until it raises the probability or is at most `HALVING_LIMIT`; return it with the probability there.

    `present` is the probability of `x`. Both probabilities are None where they have not been computed.
    """
    while np.abs(step).max() > HALVING_LIMIT:
        present = model.probability(x) if present is None else present
        reached = model.probability(x + step)
        if reached > present:
            return step, reached
        step = step / 2
    return step, None
