"""Health of a list: whether its ratings keep their meaning over the years, in figures without names of players.

- The panel is a fixed group: players with rated games in each of several years, whose mean rating should not move.
- Points held are what the active players have won since their first published rating. In a year they change by the
  changes of ratings, by cause, and by players who leave with what they had won or come back with it.
- Newcomers are compared two years after their first rating with that rating.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from statistics import fmean
from typing import Any

import numpy as np

from ratings.laboratory.games import Ids, Numbers

from .change_columns import ChangeColumns, YearEnds, map_days_to_years

Figures = dict[str, Any]
LONGEST_PANEL, SMALLEST_PANEL = 10, 5
"""Years of a panel at most, and players at least."""
LATER = dt.timedelta(days=730)
"""Time after the first rating at which a newcomer's rating is compared with it."""
CAUSES = ("newcomers", "established", "bonus", "floor", "rule", "adjustments", "left")
"""Causes by which points come in and go out, in the order in which they are shown."""
MOST_POINTS = 400
"""Newcomers whose two ratings are kept for the figure, the latest ones."""


def measure_health(changes: ChangeColumns, ends: YearEnds, rule_points: Mapping[str, Any], today: dt.date) -> Figures:
    """Return the figures of a list's health that follow from its changes, as plain JSON.

    `ends` are those of `read_year_ends`, `rule_points` those of `sum_rule_points`.
    """
    return {
        "panel": _follow_panel(changes, ends),
        "points": list(_account_points(changes, ends, rule_points)),
        "newcomers": _compare_newcomers(changes, today),
    }


def _follow_panel(changes: ChangeColumns, ends: YearEnds) -> Figures | None:
    """Return the mean rating of a panel at the end of each year: of as many of the last years as give a panel.

    Panel players have rated games in each of the years and are on the list at the end of each.
    """
    plays = np.zeros((len(ends.years), changes.players), dtype=np.bool_)
    with_games = changes.games > 0
    if len(ends.years):
        rows = map_days_to_years(changes.day[with_games]) - ends.years[0]
        inside = rows < len(ends.years)
        plays[rows[inside], changes.player[with_games][inside]] = True
    for length in range(min(LONGEST_PANEL, len(ends.years)), 1, -1):
        panel = (plays[-length:] & ~np.isnan(ends.rating[-length:])).all(axis=0)
        if panel.sum() >= SMALLEST_PANEL:
            means = ends.rating[-length:, panel].mean(axis=1).tolist()
            years = [{"year": year, "mean": mean} for year, mean in zip(ends.years[-length:], means, strict=True)]
            return {"players": int(panel.sum()), "years": years}
    return None


def _account_points(changes: ChangeColumns, ends: YearEnds, rule_points: Mapping[str, Any]) -> Iterator[Figures]:
    """Yield for each year the points that came in and went out, by cause, and the points held at its end.

    The causes sum to the change of the points held. In years whose rule points are not known yet they are among the
    points of the games, and `separated` is False.
    """
    year_of = map_days_to_years(changes.day)
    deltas = changes.rating - changes.before
    known, held_before = ~np.isnan(deltas), 0.0
    for row, year in enumerate(ends.years):
        now = known & (year_of == year)
        by_games = now & ~changes.adjusted
        held = float((ends.rating[row] - ends.entry[row])[ends.active[row]].sum())
        points = rule_points.get(str(year), {}).get("points", {})
        rules = {kind: sum(points.get(kind, (0.0, 0.0))) for kind in ("bonus", "floor", "rule")}
        of_established, of_new = (sum(both[new] for both in points.values()) for new in (0, 1))
        causes = {
            "newcomers": float(deltas[by_games & changes.provisional].sum()) - of_new,
            "established": float(deltas[by_games & ~changes.provisional].sum()) - of_established,
            **rules,
            "adjustments": float(deltas[now & changes.adjusted].sum()),
        }
        left = held - held_before - sum(causes.values())
        yield {
            "year": year,
            "players": int(ends.active[row].sum()),
            "separated": bool(points) or not by_games.any(),
            **causes,
            "left": left,
            "held": held,
        }
        held_before = held


def _compare_newcomers(changes: ChangeColumns, today: dt.date) -> Figures:
    """Return the first ratings of newcomers and their ratings two years later, with the mean gain by year of entry.

    Newcomers got their first published rating by games, at least two years ago, and played again in those two years.
    """
    order = np.argsort(changes.player, kind="stable")
    starts = np.searchsorted(changes.player[order], np.arange(changes.players + 1))
    pairs = []
    for start, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        own = order[start:end]
        pair = None if changes.without_table[own[0]] else _find_pair(changes, own, today)
        if pair is not None:
            pairs.append(pair)
    return _summarize_newcomers(sorted(pairs))


def _find_pair(changes: ChangeColumns, own: Ids, today: dt.date) -> tuple[int, float, float] | None:
    """Return the day of a player's first rating, the rating, and the one two years later; `own` are his changes."""
    rated = own[~np.isnan(changes.rating[own])]
    if not len(rated):
        return None
    day = int(changes.day[rated[0]])
    later = rated[1:][changes.day[rated[1:]] <= day + LATER.days]
    if day > (today - LATER).toordinal() or not (changes.games[later] > 0).any():
        return None
    return day, float(changes.rating[rated[0]]), float(changes.rating[later[-1]])


def _summarize_newcomers(pairs: list[tuple[int, float, float]]) -> Figures:
    by_year: dict[int, list[float]] = {}
    for day, first, later in pairs:
        by_year.setdefault(dt.date.fromordinal(day).year, []).append(later - first)
    gains = [later - first for _day, first, later in pairs]
    return {
        "players": len(pairs),
        "gain": fmean(gains) if gains else None,
        "years": [{"year": year, "players": len(own), "gain": fmean(own)} for year, own in by_year.items()],
        "points": [[first, later] for _day, first, later in pairs[-MOST_POINTS:]],
    }


def measure_favourites(expected: Numbers, score: Numbers) -> Figures:
    """Return the number of games with a favourite, and what favourites were expected to score and scored on average."""
    uneven = expected != 0.5
    favourite = np.maximum(expected, 1 - expected)[uneven]
    scored = np.where(expected >= 0.5, score, 1 - score)[uneven]
    return {
        "games": len(favourite),
        "expected": float(favourite.mean()) if len(favourite) else None,
        "scored": float(scored.mean()) if len(favourite) else None,
    }
