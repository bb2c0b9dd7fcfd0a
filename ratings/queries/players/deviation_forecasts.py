"""Forecasts of a player's deviation after more games and after a year without games, by the list's present options."""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass

from pydantic import TypeAdapter

from ratings.queries.lists.list_cache import cached, version_of
from ratings.queries.runs.states import known_state

from .careers import Career
from .players import Facts

GAMES = (10, 30)
"""Numbers of games after which a deviation is forecast."""
YEAR = dt.timedelta(days=365)
ROUNDING = 100
"""Rating points to which the rating of the imagined opponents is rounded."""
DRAW = 0.5


@dataclass(frozen=True)
class DeviationForecast:
    """Deviations of a rating in rating points: after each of GAMES, in its order, and after a year without games.

    `opponents` is the rating of the imagined opponents on the list of the deviations, against whom half of the points
    are won. Up to the deviation `established`, the list counts a rating as established; None if it has no such limit.
    """

    opponents: float
    after_games: list[float]
    after_year: float
    established: float | None

    @property
    def by_games(self) -> list[tuple[int, float]]:
        """The numbers of games with the deviations after them."""
        return list(zip(GAMES, self.after_games, strict=True))


FORECAST = TypeAdapter(DeviationForecast | None)


def forecast_deviation(career: Career, facts: Facts, today: dt.date) -> DeviationForecast | None:
    """Return the forecast for a player who is on the list today; None for others, and on lists without deviations."""
    rating_list, source = career.rating_list, career.rating_list.deviation_source
    if source is None or career.on is not None or not facts.listed or facts.deviation is None:
        return None
    return cached(
        rating_list,
        f"forecast:{career.player.pk}",
        lambda: _compute_forecast(career if source == rating_list else Career(career.player, source), today),
        FORECAST,
        detail=f"{today}:{version_of(source)}",
    )


def _compute_forecast(career: Career, today: dt.date) -> DeviationForecast | None:
    rules, state = career.rating_list.rating_system.rating, known_state(career.rating_list, career.last_state)
    if state is None or career.all_steps[-1].hidden or career.all_steps[-1].after is None:
        return None
    since = _find_last_setting(career)
    day = max(today, since + dt.timedelta(days=1))  # closing days of present games may still come
    opponents = ROUNDING * math.floor(career.all_steps[-1].after / ROUNDING + 0.5)
    counted = rules.counting_day(day) or day
    after_games = [rules.forecast_deviation(state, since, counted, [(opponents, DRAW)] * games) for games in GAMES]
    after_year = rules.forecast_deviation(state, since, day + YEAR)
    known = [deviation for deviation in after_games if deviation is not None]
    if after_year is None or len(known) < len(GAMES):
        return None
    return DeviationForecast(opponents, known, after_year, rules.established_deviation)


def _find_last_setting(career: Career) -> dt.date:
    """Return the day of the last step in which the system, on a closing day, or an officer set the rating."""
    settings = (step.day for step in reversed(career.all_steps) if step.is_closing or step.adjustment)
    return next(settings, career.all_steps[-1].day)
