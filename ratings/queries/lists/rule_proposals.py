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

from ratings.models import Player, RatingList, RuleEffect, RuleProposal
from ratings.queries.lists.lists import published_standings
from ratings.queries.players.names import by_public_name
from ratings.queries.site.search import player_filter, search

MOST_FOUND = 5
"""Number of players that a search for the own rating finds at most."""
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


def find_effects(proposal: RuleProposal, text: str, today: dt.date) -> list[RuleEffect]:
    """Return the effects on the first players on the list's public page who have this name or this public id."""
    return list(effects_on_active(proposal, today).filter(player_filter(text, "player__"))[:MOST_FOUND])


def find_similar(proposal: RuleProposal, text: str, today: dt.date) -> list[Player]:
    """Return players of the list's public page whose names, shown in full, are like a text, most similar first."""
    keys = [key for _kind, key in search(text, today, kinds=["players"]).similar]
    effects = effects_on_active(proposal, today).filter(player__in=keys)
    players = {effect.player_id: effect.player for effect in effects}
    return [players[key] for key in keys if key in players][:MOST_FOUND]


@dataclass(frozen=True)
class Bar:
    """Number of players whose difference, in rating points, is from `low` until before `low + width`."""

    low: float
    width: int
    players: int


@dataclass(frozen=True)
class DayChange:
    """Effects of proposed rules on the day itself: players whose rating changes, and those who leave the list.

    `changed` counts ratings that look different with the decimals of the list; `largest` is the largest difference, in
    rating points.
    """

    changed: int
    largest: float
    left: int


@dataclass(frozen=True)
class Spread:
    """Differences of all players: their number, the median of their sizes in rating points, and a histogram.

    The bars reach from the lowest to the highest difference, and hold 0. `day` has the effects on the day itself; None
    where they were not computed.
    """

    players: int
    typical: float
    bars: Sequence[Bar]
    day: DayChange | None


def measure_spread(proposal: RuleProposal, effects: QuerySet[RuleEffect]) -> Spread | None:
    """Return the spread of the differences that a proposal makes; None without players."""
    rows = list(effects.order_by().values_list("present", "on_day", "rating"))
    if not rows:
        return None
    changes = [after - before for before, _on_day, after in rows]
    knows_day = bool(proposal.figures and proposal.figures.get("on_day"))
    day = _measure_day([row[:2] for row in rows], proposal.list.decimals) if knows_day else None
    return Spread(len(changes), median(map(abs, changes)), _count_bars(changes), day)


def _measure_day(rows: Sequence[tuple[float, float | None]], decimals: int) -> DayChange:
    ratings = [(round(before, decimals), round(on_day, decimals)) for before, on_day in rows if on_day is not None]
    sizes = [abs(on_day - before) for before, on_day in ratings if on_day != before]
    return DayChange(len(sizes), max(sizes, default=0.0), len(rows) - len(ratings))


def _count_bars(changes: Sequence[float]) -> list[Bar]:
    least, most = min(0, *changes), max(0, *changes)
    width = next((one for one in WIDTHS if (most - least) / one + 1 <= MOST_BARS), WIDTHS[-1])
    numbers = range(math.floor(least / width + 0.5), math.floor(most / width + 0.5) + 1)
    lows = [width * (number - 0.5) for number in numbers]
    counts = [0] * len(lows)
    for change in changes:
        counts[bisect_right(lows, change) - 1] += 1
    return [Bar(low, width, count) for low, count in zip(lows, counts, strict=True)]
