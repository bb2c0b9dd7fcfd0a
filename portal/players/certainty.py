"""Boxes beside a player's overview that say how certain the rating is, on lists with deviations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from portal.charts.intervals import HEIGHT, WIDTH, draw_intervals
from ratings.queries.players.breakdowns import Opponent
from ratings.queries.players.careers import Career
from ratings.queries.players.deviation_forecasts import forecast_deviation
from ratings.queries.players.players import Facts
from ratings.queries.players.rivals import find_rival


def certainty_context(career: Career, facts: Facts, opponents: Sequence[Opponent]) -> dict[str, Any] | None:
    """Return the context of templates/players/certainty.html; None without a rating and its deviation.

    `opponents` are the player's, most games first.
    """
    rating_list = career.rating_list
    if facts.rating is None or facts.deviation is None:
        return None
    today = timezone.localdate()
    return {
        "picture": draw_intervals(facts.rating, facts.deviation, rating_list.decimals),
        "width": WIDTH,
        "height": HEIGHT,
        "twice": 2 * facts.deviation,
        "forecast": forecast_deviation(career, facts, today),
        "rival": find_rival(career, facts, opponents, today),
        "is_own": rating_list.deviation_source == rating_list,
    }
