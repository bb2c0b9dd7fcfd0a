"""Proposed rules of a list as their pages show them: the published ones, and the effects on players."""

from __future__ import annotations

import datetime as dt
import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from django.db.models import F, FloatField, QuerySet
from django.db.models.functions import Abs

from ratings.models import RatingList, RuleEffect, RuleProposal
from ratings.queries.lists.lists import published_standings
from ratings.queries.players.names import by_public_name

WIDTHS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500)
"""Widths of the histogram's bars in rating points; the narrowest that needs at most MOST_BARS is chosen."""
MOST_BARS = 15


def published_proposals(rating_list: RatingList) -> QuerySet[RuleProposal]:
    """Return the published proposals of a list, the latest first."""
    proposals = RuleProposal.objects.filter(list=rating_list).exclude(state=RuleProposal.State.DRAFT)
    return proposals.order_by("-published_at")


def effects_on_active(proposal: RuleProposal, today: dt.date) -> QuerySet[RuleEffect]:
    """Return the effects on the players who are on the list's public page, the highest rating first."""
    shown = published_standings(proposal.list, today).order_by().values("player")
    effects = RuleEffect.objects.filter(proposal=proposal, player__in=shown).select_related("player")
    return effects.order_by("-present", *by_public_name("player__"))


def biggest_first(effects: QuerySet[RuleEffect]) -> QuerySet[RuleEffect]:
    """Return effects with the largest difference first, up or down."""
    size = Abs(F("rating") - F("present"), output_field=FloatField())
    return effects.order_by(size.desc(), *by_public_name("player__"))


@dataclass(frozen=True)
class Bar:
    """Number of players whose difference, in rating points, is from `low` until before `low + width`."""

    low: float
    width: int
    players: int


@dataclass(frozen=True)
class Spread:
    """Differences of all players: their number, the median of their sizes in rating points, and a histogram.

    The bars reach from the lowest to the highest difference, and hold 0.
    """

    players: int
    typical: float
    bars: Sequence[Bar]


def measure_spread(effects: QuerySet[RuleEffect]) -> Spread | None:
    """Return the spread of the differences; None without players."""
    changes = [after - before for before, after in effects.order_by().values_list("present", "rating")]
    if not changes:
        return None
    least, most = min(0, *changes), max(0, *changes)
    width = next((one for one in WIDTHS if (most - least) / one + 1 <= MOST_BARS), WIDTHS[-1])
    numbers = range(math.floor(least / width + 0.5), math.floor(most / width + 0.5) + 1)
    lows = [width * (number - 0.5) for number in numbers]
    counts = [0] * len(lows)
    for change in changes:
        counts[bisect_right(lows, change) - 1] += 1
    bars = [Bar(low, width, count) for low, count in zip(lows, counts, strict=True)]
    return Spread(len(changes), median(map(abs, changes)), bars)
