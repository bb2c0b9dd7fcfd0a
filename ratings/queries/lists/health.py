"""Health of a list: whether its ratings keep their meaning over the years, in figures without names of players.

- The panel is a fixed group: players with rated games in each of several years, whose mean rating should not move.
- Points held are what the active players have won since their first published rating. In a year they change by the
  changes of ratings, by cause, and by players who leave with what they had won or come back with it.
- Newcomers are compared two years after their first rating with that rating.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np

from ratings.laboratory.accuracy import CERTAINTY_95, compute_log_losses
from ratings.laboratory.games import Flags, Ids, Numbers
from ratings.models import RatingList

from .change_columns import ChangeColumns, map_days_to_years

Figures = dict[str, Any]
LONGEST_PANEL, SMALLEST_PANEL = 10, 5
"""Years of a panel at most, and players at least."""
LATER = dt.timedelta(days=730)
"""Time after the first rating at which a newcomer's rating is compared with it."""
MOST_POINTS = 400
"""Newcomers whose two ratings are kept for the figure, the latest ones."""


@dataclass(frozen=True)
class YearEnds:
    """The ratings of all players (columns) at the end of each year (rows); NaN for a player who is not on the list.

    `entry` is the first published rating of each player, or the one after the last return to the list, `active` is True
    for players who had played lately enough.
    """

    years: list[int]
    rating: Numbers
    entry: Numbers
    active: Flags


def measure_health(
    rating_list: RatingList, changes: ChangeColumns, rule_points: Mapping[str, Any], today: dt.date
) -> Figures:
    """Return the figures of a list's health that follow from its changes, as plain JSON.

    `rule_points` are those of `sum_rule_points`.
    """
    shown = np.where(changes.published, changes.rating, np.nan)
    before, entries = _compare_with_previous(changes, shown)
    ends = _read_year_ends(rating_list, changes, shown, entries, today)
    return {
        "panel": _follow_panel(changes, ends),
        "points": list(_account_points(changes, shown - before, ends, rule_points)),
        "newcomers": _compare_newcomers(changes, shown, today),
    }


def _compare_with_previous(changes: ChangeColumns, shown: Numbers) -> tuple[Numbers, Numbers]:
    """Return each player's published rating before each change, and the rating with which he entered the list last."""
    before, entry = np.full(len(shown), np.nan), np.full(len(shown), np.nan)
    last, entered = np.full(changes.players, np.nan), np.full(changes.players, np.nan)
    for index, (player, rating) in enumerate(zip(changes.player.tolist(), shown.tolist(), strict=True)):
        before[index] = last[player]
        if math.isnan(last[player]):
            entered[player] = rating
        entry[index], last[player] = entered[player], rating
    return before, entry


def _read_year_ends(
    rating_list: RatingList, changes: ChangeColumns, shown: Numbers, entries: Numbers, today: dt.date
) -> YearEnds:
    if not len(changes.day):
        return YearEnds([], np.zeros((0, 0)), np.zeros((0, 0)), np.zeros((0, 0), dtype=np.bool_))
    years = list(range(dt.date.fromordinal(int(changes.day[0])).year, today.year + 1))
    rating, entry = (np.full((len(years), changes.players), np.nan) for _ in range(2))
    active = np.zeros((len(years), changes.players), dtype=np.bool_)
    played, done = np.zeros(changes.players, dtype=np.int64), 0
    for row, year in enumerate(years):
        end = min(dt.date(year, 12, 31), today)
        until = int(np.searchsorted(changes.day, end.toordinal(), side="right"))
        if row:
            rating[row], entry[row] = rating[row - 1], entry[row - 1]
        new = slice(done, until)  # where a player has more than one change, the last one is assigned last
        rating[row][changes.player[new]], entry[row][changes.player[new]] = shown[new], entries[new]
        with_games = changes.games[new] > 0
        played[changes.player[new][with_games]] = changes.day[new][with_games]
        active[row] = ~np.isnan(rating[row]) & (played >= rating_list.active_since(end).toordinal())
        done = until
    return YearEnds(years, rating, entry, active)


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


def _account_points(
    changes: ChangeColumns, deltas: Numbers, ends: YearEnds, rule_points: Mapping[str, Any]
) -> Iterator[Figures]:
    """Yield for each year the points that came in and went out, by cause, and the points held at its end.

    The causes sum to the change of the points held. In years whose rule points are not known yet they are among the
    points of the games, and `separated` is False.
    """
    year_of = map_days_to_years(changes.day)
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


def _compare_newcomers(changes: ChangeColumns, shown: Numbers, today: dt.date) -> Figures:
    """Return the first ratings of newcomers and their ratings two years later, with the mean gain by year of entry.

    Newcomers got their first published rating by games, at least two years ago, and played again in those two years.
    """
    order = np.argsort(changes.player, kind="stable")
    starts = np.searchsorted(changes.player[order], np.arange(changes.players + 1))
    pairs = []
    for start, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        own = order[start:end]
        pair = None if changes.without_table[own[0]] else _find_pair(changes, shown, own, today)
        if pair is not None:
            pairs.append(pair)
    return _summarize_newcomers(sorted(pairs))


def _find_pair(changes: ChangeColumns, shown: Numbers, own: Ids, today: dt.date) -> tuple[int, float, float] | None:
    """Return the day of a player's first rating, the rating, and the one two years later; `own` are his changes."""
    rated = own[~np.isnan(shown[own])]
    if not len(rated):
        return None
    day = int(changes.day[rated[0]])
    later = rated[1:][changes.day[rated[1:]] <= day + LATER.days]
    if day > (today - LATER).toordinal() or not (changes.games[later] > 0).any():
        return None
    return day, float(shown[rated[0]]), float(shown[later[-1]])


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


def measure_predictions(expected: Numbers, score: Numbers, year: Ids) -> Figures:
    """Return what favourites were expected to score and scored, and the log loss of each year with its interval."""
    favourite = np.maximum(expected, 1 - expected)
    scored = np.where(expected >= 0.5, score, 1 - score)
    uneven = expected != 0.5
    losses = compute_log_losses(expected, score)
    return {
        "games": len(expected),
        "uneven": int(uneven.sum()),
        "expected": float(favourite[uneven].mean()) if uneven.any() else None,
        "scored": float(scored[uneven].mean()) if uneven.any() else None,
        "years": [_summarize_losses(losses[year == one], one) for one in np.unique(year).tolist()],
    }


def _summarize_losses(losses: Numbers, year: int) -> Figures:
    """Return the mean log loss of a year with its interval of 95 %, by the spread of the games' losses."""
    mean, half = float(losses.mean()), None
    if len(losses) > 1:
        half = CERTAINTY_95 * float(losses.std(ddof=1)) / math.sqrt(len(losses))
    return {"year": year, "games": len(losses), "log_loss": mean, "half": half}
