"""What a list expected of games it had not seen, by the ratings before their tables, and how well that came true."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ratings import models
from ratings.models import Change, RatingList
from ratings.systems.values import Game

from .history import tables_of

Numbers = NDArray[np.float64]
Ids = NDArray[np.int64]
Flags = NDArray[np.bool_]

MOST_CERTAIN = 1e-6  # a forecast counts as no surer than this, so that one upset does not weigh without end
NOT_YET_RATED = ("unrated", "ungraded", "new")
PROVISIONAL = ("provisional", "unofficial")
AT_A_TIME = 20_000
CERTAINTY_95 = 1.959964
"""The normal distribution's 97.5th percentile: an interval of two sides that holds 95 of 100."""


@dataclass(frozen=True)
class Games:
    """Games over the board between two players, as columns; `score` is of `a`, `kind` the place in `kinds`."""

    table: Ids
    a: Ids
    b: Ids
    score: Numbers
    kind: Ids
    kinds: Sequence[Game]
    """What a system looks at besides ratings: handicap, stones, colour, online …"""


@dataclass(frozen=True)
class Foreseen:
    """Of each game what was expected of `a` (not a number where the list could not tell), and whether a rating was
    provisional.
    """

    expected: Numbers
    provisional: Flags

    @property
    def known(self) -> Flags:
        return ~np.isnan(self.expected)


@dataclass(frozen=True)
class Forecast:
    """How well a list foresaw games: mean log loss and mean Brier score; the lower, the better."""

    games: int
    log_loss: float
    brier: float


@dataclass(frozen=True)
class Bin:
    """Games in which the stronger side was expected to score within two bounds: what it was expected to score on
    average, what it scored, and the interval that holds its true share.
    """

    lower: float
    upper: float
    games: int
    expected: float
    score: float
    low: float
    high: float


def played_games(rating_list: RatingList) -> Games:
    """All games that a list rates."""
    counted = models.Game.objects.filter(
        table__in=tables_of(rating_list), table__rated=True, played=True, b__isnull=False
    )
    fields = ("handicap", "giver", "stones", "black", "board", "online", "correspondence")
    kinds: dict[tuple[object, ...], int] = {}
    tables, firsts, seconds, scores, kind_of = array("q"), array("q"), array("q"), array("d"), array("q")
    rows = counted.order_by().values_list("table", "a__player", "b__player", "score", *fields)
    for table, a, b, score, *kind in rows.iterator(chunk_size=AT_A_TIME):
        tables.append(table)
        firsts.append(a)
        seconds.append(b or 0)
        scores.append(score)
        kind_of.append(kinds.setdefault(tuple(kind), len(kinds)))
    alike = [Game(None, "a", "b", None, True, *kind) for kind in kinds]  # type: ignore[arg-type] # in the fields' order
    table_of, a_of, b_of, kinds_of = (
        np.frombuffer(column, dtype=np.int64) for column in (tables, firsts, seconds, kind_of)
    )
    return Games(table_of, a_of, b_of, np.frombuffer(scores, dtype=np.float64), kinds_of, alike)


def foreseen(rating_list: RatingList, games: Games) -> Foreseen:
    """What a list expected of games by the ratings before their tables."""
    seats, before, provisional = _ratings_before(rating_list)
    found_a, found_b = (_found(seats, games.table, player) for player in (games.a, games.b))
    both = np.flatnonzero((found_a >= 0) & (found_b >= 0))
    predict, kinds = rating_list.rating_system.predict, games.kinds
    ratings = zip(
        before[found_a[both]].tolist(), before[found_b[both]].tolist(), games.kind[both].tolist(), strict=True
    )
    told = [predict(own, opponent, kinds[kind], "a") for own, opponent, kind in ratings]
    expected = np.full(len(games.table), np.nan)
    expected[both] = np.array(told, dtype=np.float64)  # None becomes not a number
    uncertain = np.zeros(len(games.table), dtype=np.bool_)
    uncertain[both] = provisional[found_a[both]] | provisional[found_b[both]]
    return Foreseen(expected, uncertain)


Seats = tuple[Ids, int]
"""Table and player as one number, in order; and by how much a table counts in it."""


def _ratings_before(rating_list: RatingList) -> tuple[Seats, Numbers, Flags]:
    """Everybody who came rated to a table, with his rating, and whether it was provisional."""
    changes = Change.objects.filter(list=rating_list, table__isnull=False, before__isnull=False)
    changes = changes.exclude(category__in=NOT_YET_RATED).order_by()
    tables, players, before, provisional = array("q"), array("q"), array("d"), array("b")
    rows = changes.values_list("table", "player", "before", "category")
    for table, player, rating, category in rows.iterator(chunk_size=AT_A_TIME):
        tables.append(table or 0)
        players.append(player)
        before.append(rating or 0)
        provisional.append(category in PROVISIONAL)
    of_player = np.frombuffer(players, dtype=np.int64)
    factor = int(of_player.max(initial=0)) + 1
    seats = np.frombuffer(tables, dtype=np.int64) * factor + of_player
    order = np.argsort(seats)
    flags = np.frombuffer(provisional, dtype=np.bool_)
    return (seats[order], factor), np.frombuffer(before, dtype=np.float64)[order], flags[order]


def _found(seats: Seats, table: Ids, player: Ids) -> Ids:
    """The places of players at tables among the seats; -1 for those who are not there."""
    known, factor = seats
    if not len(known):
        return np.full(len(table), -1, dtype=np.int64)
    wanted = table * factor + player
    place = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return np.where((known[place] == wanted) & (player < factor), place, -1)


def forecast(expected: Numbers, score: Numbers) -> Forecast | None:
    """Log loss: the mean of -log of what was given to the result, a draw half a win and half a loss. Brier score: the
    mean square of expected less score (Brier 1950, "Verification of forecasts expressed in terms of probability",
    Monthly Weather Review 78:1-3; he sums over win and loss, which is twice this).
    """
    if not len(expected):
        return None
    sure = np.clip(expected, MOST_CERTAIN, 1 - MOST_CERTAIN)
    losses = -score * np.log(sure) - (1 - score) * np.log(1 - sure)
    return Forecast(len(expected), float(losses.mean()), float(((expected - score) ** 2).mean()))


def calibration(expected: Numbers, score: Numbers) -> list[Bin]:
    """Ten bins of what was expected of the stronger side, from an even game to a sure win; empty ones are left out.

    Each game counts once, from the side that was expected to win: which side comes first may hang on the result. In a
    game without a stronger side both views are taken, so that it scores a half.
    """
    favoured = np.maximum(expected, 1 - expected)
    scored = np.where(expected == 0.5, 0.5, np.where(expected > 0.5, score, 1 - score))
    number = np.minimum((favoured * 20 - 10 + 1e-9).astype(np.int64), 9)
    bins = []
    for n in np.unique(number).tolist():
        inside = number == n
        games, mean = int(inside.sum()), float(scored[inside].mean())
        bounds = wilson(mean, games)
        bins.append(Bin(0.5 + n / 20, 0.55 + n / 20, games, float(favoured[inside].mean()), mean, *bounds))
    return bins


def wilson(share: float, of: int, z: float = CERTAINTY_95) -> tuple[float, float]:
    """The score interval of a share among so many (Wilson 1927, "Probable inference, the law of succession, and
    statistical inference", Journal of the American Statistical Association 22:209-212).

    It is made for wins and losses; draws vary less, so of them it is rather too wide.
    """
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return max(0.0, middle - half), min(1.0, middle + half)
