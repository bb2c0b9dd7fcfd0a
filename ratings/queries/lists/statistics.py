"""Statistics of a list: its players, its games by year, the drift of its ratings, and the accuracy of its forecasts.

For a large list they take many seconds, so they are computed outside of requests
(domain/lists/statistics.py). They contain no names of players.
"""

from __future__ import annotations

import datetime as dt
import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from statistics import fmean
from typing import Any

import numpy as np
from django.db.models import BooleanField, Count, ExpressionWrapper, F, Q, QuerySet, Sum
from django.db.models.functions import ExtractYear

from ratings.laboratory.accuracy import calibration, measure_accuracy
from ratings.laboratory.games import Flags, Ids, Numbers
from ratings.models import Correction, ListStatistics, RatingList, Standing
from ratings.queries.events.forecasts import (
    ExpectedScores,
    GameColumns,
    expected_scores,
    played_games,
)
from ratings.queries.lists.activity import active_standings
from ratings.queries.lists.change_columns import (
    ChangeColumns,
    YearEnds,
    map_days_to_years,
    read_changes,
    read_year_ends,
)
from ratings.queries.lists.health import measure_favourites, measure_health
from ratings.queries.lists.rule_points import sum_rule_points
from ratings.systems.values import FEW_GAMES, PROVISIONAL_CATEGORIES, UNRATED_CATEGORIES

Figures = dict[str, Any]
VERSION = 3
"""Version of the figures; raise it with their form, so that stored figures of an earlier one are computed anew."""
WIDTHS = (5, 10, 20, 25, 50, 100, 200, 250, 500)
MOST_CLASSES = 30
BEST = 10  # players whose mean rating is a country's strength


def statistics_of(rating_list: RatingList, today: dt.date, previous: Mapping[str, Any] | None = None) -> Figures:
    """Return all statistics of a list, as plain JSON; `previous` are those of an earlier time, whose parts are kept."""
    games, changes, table_years = played_games(rating_list), read_changes(rating_list), _read_table_years(rating_list)
    year = _map_tables_to_years(games.table, table_years)
    rated = year > 0  # games that no run has rated yet do not count
    expectations = expected_scores(rating_list, games)
    used = expectations.known & rated
    ends = read_year_ends(rating_list, changes, today)
    rule_points = sum_rule_points(rating_list, (previous or {}).get("rule_points", {}))
    return {
        "version": VERSION,
        "day": today.isoformat(),
        "tables": len(table_years),
        "games": int(rated.sum()),
        **_summarize_players(rating_list, today),
        "years": _summarize_years(games, year, changes, table_years),
        "drift": list(_compute_drift(ends)),
        "forecasts": _summarize_forecasts(games, expectations, year),
        "calibration": [asdict(bin_) for bin_ in calibration(expectations.expected[used], games.score[used])],
        "rule_points": rule_points,
        "health": {
            **measure_health(changes, ends, rule_points, today),
            **_count_shares(rating_list, today),
            "corrections": _sum_corrections(rating_list),
            "favourites": measure_favourites(expectations.expected[used], games.score[used]),
        },
    }


def stored_statistics() -> QuerySet[ListStatistics]:
    """Return the stored statistics of lists, as far as they have the present form."""
    return ListStatistics.objects.filter(figures__version=VERSION)


def _count_shares(rating_list: RatingList, today: dt.date) -> Figures:
    """Return the number of players on the list, and of those who are provisional or have not played for a year."""
    shown = Standing.objects.filter(list=rating_list, published=True, rating__isnull=False)
    by_category = rating_list.rating_system.rating.marks_provisional
    newcomers = Q(category__in=PROVISIONAL_CATEGORIES) if by_category else Q(games__lt=FEW_GAMES)
    a_year_ago = Q(last_played__lt=today - dt.timedelta(365)) | Q(last_played=None)
    return dict(
        shown.aggregate(
            shown=Count("pk"),
            provisional=Count("pk", filter=Q(category__in=UNRATED_CATEGORIES) | newcomers),
            away=Count("pk", filter=a_year_ago),
        )
    )


def _sum_corrections(rating_list: RatingList) -> list[Figures]:
    """Return by how many points corrections without a new game moved ratings, by the year of the rating run."""
    moved = Correction.objects.filter(run__list=rating_list, before__isnull=False, after__isnull=False).order_by()
    by_year = moved.annotate(year=ExtractYear("run__ended_at")).values("year").order_by("year")
    sums = by_year.annotate(points=Sum(F("after") - F("before")), players=Count("pk"))
    return [{"year": line["year"], "points": line["points"], "players": line["players"]} for line in sums]


def _read_table_years(rating_list: RatingList) -> dict[int, int]:
    """Return the year of each table with games that were rated on the list."""
    with_games = rating_list.changes.filter(games__gt=0, table__isnull=False)
    rated = rating_list.rated_tables.filter(table__in=with_games.values("table")).order_by()
    return {table: day.year for table, day in rated.values_list("table", "day")}


def _map_tables_to_years(tables: Ids, years: dict[int, int]) -> Ids:
    """Return the year of each table, 0 for a table that is not rated yet."""
    distinct, inverse = np.unique(tables, return_inverse=True)
    return np.array([years.get(table, 0) for table in distinct.tolist()], dtype=np.int64)[inverse]


def _summarize_players(rating_list: RatingList, today: dt.date) -> Figures:
    """Return figures about the published players of today, and the ratings of the active ones."""
    published = Standing.objects.filter(list=rating_list, published=True, rating__isnull=False).order_by()
    is_active = ExpressionWrapper(active_standings(rating_list, today), BooleanField())
    rows = list(published.values_list("rating", "grade", "player__country", is_active))
    active = [row for row in rows if row[-1]]
    ratings = np.array([rating for rating, *_ in active], dtype=np.float64)
    order = list(reversed(rating_list.rating_system.grading.grades)) if rating_list.has_grades else []
    all_grades, active_grades = (Counter(grade for _, grade, *_ in group) for group in (rows, active))
    grades = [{"grade": grade, "active": active_grades[grade], "all": all_grades[grade]} for grade in order]
    without = {"active": active_grades[""], "all": all_grades[""]} if order else None
    return {
        "shown": len(rows),
        "active": len(active),
        "grades": _trim_unused_grades(grades),
        "without_grade": without,
        "ratings": spread(ratings),
        "lowest": {"rating": float(ratings.min()), "players": int((ratings == ratings.min()).sum())}
        if len(ratings)
        else None,
        "classes": classes(ratings),
        "countries": _summarize_countries(rows, active),
    }


def _summarize_countries(rows: list[Any], active: list[Any]) -> list[Figures]:
    """Return the number of players and of active players of each country, and the mean rating of its best active ones.

    Countries are ordered by the number of active players, most first, then by code.
    """
    players = Counter(country for *_, country, _ in rows if country)
    ratings: dict[str, list[float]] = defaultdict(list)
    for rating, _, country, _ in active:
        ratings[country].append(rating)
    lines = []
    for code, number in players.items():
        best = heapq.nlargest(BEST, ratings[code])
        top = fmean(best) if best else None
        lines.append({"country": code, "players": number, "active": len(ratings[code]), "best": len(best), "top": top})
    return sorted(lines, key=lambda line: (-line["active"], line["country"]))


def _trim_unused_grades(grades: list[Figures]) -> list[Figures]:
    """Return the grades from the highest to the lowest that is held by any player."""
    held = [n for n, line in enumerate(grades) if line["all"]]
    return grades[held[0] : held[-1] + 1] if held else []


def spread(ratings: Numbers) -> Figures | None:
    """Return the mean, median and quartiles of ratings, interpolated linearly between two ratings; None without any."""
    if not len(ratings):
        return None
    low, median, high = np.percentile(ratings, (25, 50, 75)).tolist()
    return {"players": len(ratings), "mean": float(ratings.mean()), "low": low, "median": median, "high": high}


def classes(ratings: Numbers) -> list[Figures]:
    """Return the number of ratings in classes between round numbers, in no more classes than a chart can show."""
    if not len(ratings):
        return []
    low, high = float(ratings.min()), float(ratings.max())
    width = next((w for w in WIDTHS if (high - low) / w < MOST_CLASSES - 1), WIDTHS[-1])
    first = int(low // width)
    counts = np.bincount((ratings // width).astype(np.int64) - first)
    return [
        {"lower": (first + n) * width, "upper": (first + n + 1) * width, "players": count}
        for n, count in enumerate(counts.tolist())
    ]


def _summarize_years(
    games: GameColumns, year: Ids, changes: ChangeColumns, table_years: dict[int, int]
) -> list[Figures]:
    """Return the tables, games, players and newcomers of each year, with the shares of handicap games and of draws."""
    unequal = np.array([bool(kind.handicap or kind.stones) for kind in games.kinds], dtype=np.bool_)
    handicap = unequal[games.kind] if len(games.kind) else np.zeros(0, dtype=np.bool_)
    tables = np.array(list(table_years.values()), dtype=np.int64)
    players, newcomers = _count_players_by_year(changes)
    if not len(tables):
        return []
    lines = []
    for current in range(int(tables.min()), int(tables.max()) + 1):
        in_year = year == current
        number = int(in_year.sum())
        lines.append(
            {
                "year": current,
                "tables": int((tables == current).sum()),
                "games": number,
                "players": players.get(current, 0),
                "newcomers": newcomers.get(current, 0),
                "handicap": float(handicap[in_year].mean()) if number else None,
                "draws": float((games.score[in_year] == 0.5).mean()) if number else None,
            }
        )
    return lines


def _count_players_by_year(changes: ChangeColumns) -> tuple[dict[int, int], dict[int, int]]:
    """Return the number of players with rated games in each year, and the number of newcomers among them.

    Newcomers have their first rated game in the year. Players who were imported with a rating, or given one before, are
    not newcomers.
    """
    years = map_days_to_years(changes.day)
    played = changes.games > 0
    factor = int(changes.player.max(initial=0)) + 1
    pairs = np.unique(years[played] * factor + changes.player[played])
    first = np.unique(changes.player, return_index=True)[1]
    came_rated = changes.without_table[first]  # players are numbered in the order of their first changes
    debut = np.full(factor, 9999, dtype=np.int64)
    np.minimum.at(debut, changes.player[played], years[played])
    new = debut[: len(first)][~came_rated & (debut[: len(first)] < 9999)] if len(first) else debut[:0]
    return _count_values(pairs // factor), _count_values(new)


def _count_values(values: Ids) -> dict[int, int]:
    distinct, counts = np.unique(values, return_counts=True)
    return dict(zip(distinct.tolist(), counts.tolist(), strict=True))


def _compute_drift(ends: YearEnds) -> Iterable[Figures]:
    """Yield the spread of the active players' ratings at the end of each year; for the present year, today."""
    for row, year in enumerate(ends.years):
        figures = spread(ends.rating[row][ends.active[row]])
        if figures is not None:
            yield {"year": year, **figures}


def _summarize_forecasts(games: GameColumns, expectations: ExpectedScores, year: Ids) -> Figures:
    """Return the accuracy of forecasts: of all games, of games between established players, of others, and by year."""

    def summarize(games_in_group: Flags) -> Figures | None:
        used = games_in_group & expectations.known & (year > 0)
        accuracy = measure_accuracy(expectations.expected[used], games.score[used])
        return None if accuracy is None else asdict(accuracy)

    all_games = np.ones(len(year), dtype=np.bool_)
    by_year = [(current, summarize(year == current)) for current in np.unique(year[year > 0]).tolist()]
    return {
        "all": summarize(all_games),
        "established": summarize(~expectations.provisional),
        "provisional": summarize(expectations.provisional),
        "years": [{"year": current, **figures} for current, figures in by_year if figures is not None],
    }
