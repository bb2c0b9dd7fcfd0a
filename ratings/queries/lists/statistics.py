"""Figures about a whole list: its players, its games year by year, how ratings drift, and how well they predict.

Of a large list this takes many seconds, so it is done outside of requests (domain/statistics.py). Nothing in it names
anybody.
"""

from __future__ import annotations

import datetime as dt
import heapq
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

import numpy as np

from ratings.models import RatingList, Standing

from .forecasts import AT_A_TIME, Flags, Foreseen, Games, Ids, Numbers, calibration, forecast, foreseen, played_games

Figures = dict[str, Any]
WIDTHS = (5, 10, 20, 25, 50, 100, 200, 250, 500)
MOST_CLASSES = 30
BEST = 10  # players whose mean is a country's strength


@dataclass(frozen=True)
class Changes:
    """A list's changes in their order, as columns; `day` is a date's ordinal, `player` a number from 0."""

    player: Ids
    day: Ids
    rating: Numbers
    published: Flags
    games: Ids
    given: Flags
    """No table's."""


def statistics_of(rating_list: RatingList, today: dt.date) -> Figures:
    """All figures, as plain JSON."""
    games, changes, table_years = played_games(rating_list), _changes(rating_list), _table_years(rating_list)
    year = _years_of(games.table, table_years)
    rated = year > 0  # what a run has not reached yet counts nowhere
    told = foreseen(rating_list, games)
    return {
        "day": today.isoformat(),
        "tables": len(table_years),
        "games": int(rated.sum()),
        **_players(rating_list, today),
        "years": _by_year(games, year, changes, table_years),
        "drift": list(_drift(rating_list, changes, today)),
        "forecasts": _forecasts(games, told, year),
        "calibration": [asdict(one) for one in calibration(told.expected[told.known & rated],
                                                          games.score[told.known & rated])],
    }  # fmt: skip


def _changes(rating_list: RatingList) -> Changes:
    fields = ("player", "day", "after", "published", "games", "table")
    columns = [array(kind) for kind in "qqdbqb"]
    numbers: dict[int, int] = {}
    rows = rating_list.changes.order_by("day", "place").values_list(*fields)
    for player, day, after, published, games, table in rows.iterator(chunk_size=AT_A_TIME):
        number = numbers.setdefault(player, len(numbers))
        rating = float("nan") if after is None else after
        row = (number, day.toordinal(), rating, published, games, table is None)
        for column, value in zip(columns, row, strict=True):
            column.append(value)
    kinds = (np.int64, np.int64, np.float64, np.bool_, np.int64, np.bool_)
    return Changes(*(np.frombuffer(column, dtype=kind) for column, kind in zip(columns, kinds, strict=True)))


def _table_years(rating_list: RatingList) -> dict[int, int]:
    """The year of each table of which games were rated on the list."""
    counted = rating_list.changes.filter(games__gt=0, table__isnull=False)
    rated = rating_list.rated_tables.filter(table__in=counted.values("table")).order_by()
    return {table: day.year for table, day in rated.values_list("table", "day")}


def _years_of(tables: Ids, years: dict[int, int]) -> Ids:
    """The year of each table; 0 for one that is not rated yet."""
    several, place = np.unique(tables, return_inverse=True)
    return np.array([years.get(table, 0) for table in several.tolist()], dtype=np.int64)[place]


def _players(rating_list: RatingList, today: dt.date) -> Figures:
    """Whom the list shows today, and how strong the active ones are."""
    shown = Standing.objects.filter(list=rating_list, published=True, rating__isnull=False).order_by()
    rows = list(shown.values_list("rating", "grade", "player__country", "last_played"))
    since = rating_list.active_since(today)
    active = [row for row in rows if row[-1] is not None and row[-1] >= since]
    ratings = np.array([rating for rating, *_ in active], dtype=np.float64)
    order = list(reversed(rating_list.rating_system.grades)) if rating_list.graded else []
    held, of_active = (Counter(grade for _, grade, *_ in some) for some in (rows, active))
    grades = [{"grade": grade, "active": of_active[grade], "all": held[grade]} for grade in order]
    without = {"active": of_active[""], "all": held[""]} if order else None
    return {
        "shown": len(rows),
        "active": len(active),
        "grades": _without_ends(grades),
        "without_grade": without,
        "ratings": spread(ratings),
        "classes": classes(ratings),
        "countries": _countries(rows, active),
    }


def _countries(rows: list[Any], active: list[Any]) -> list[Figures]:
    """Each country's players, the active ones, and the mean of the best of these; by that number, then by code."""
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


def _without_ends(grades: list[Figures]) -> list[Figures]:
    """Grades from the highest to the lowest that anybody holds."""
    held = [n for n, line in enumerate(grades) if line["all"]]
    return grades[held[0] : held[-1] + 1] if held else []


def spread(ratings: Numbers) -> Figures | None:
    """Mean, median and quartiles (between two ratings in proportion)."""
    if not len(ratings):
        return None
    low, median, high = np.percentile(ratings, (25, 50, 75)).tolist()
    return {"players": len(ratings), "mean": float(ratings.mean()), "low": low, "median": median, "high": high}


def classes(ratings: Numbers) -> list[Figures]:
    """How many ratings lie from one round number to the next, in no more classes than a chart can show."""
    if not len(ratings):
        return []
    low, high = float(ratings.min()), float(ratings.max())
    width = next((w for w in WIDTHS if (high - low) / w < MOST_CLASSES - 1), WIDTHS[-1])
    first = int(low // width)
    counts = np.bincount((ratings // width).astype(np.int64) - first)
    return [{"lower": (first + n) * width, "upper": (first + n + 1) * width, "players": count}
            for n, count in enumerate(counts.tolist())]  # fmt: skip


def _by_year(games: Games, year: Ids, changes: Changes, table_years: dict[int, int]) -> list[Figures]:
    """Tables, games, players and newcomers of each year, with the shares of handicap games and of draws."""
    unequal = np.array([bool(kind.handicap or kind.stones) for kind in games.kinds], dtype=np.bool_)
    handicap = unequal[games.kind] if len(games.kind) else np.zeros(0, dtype=np.bool_)
    tables = np.array(list(table_years.values()), dtype=np.int64)
    players, newcomers = _active_in(changes)
    if not len(tables):
        return []
    lines = []
    for one in range(int(tables.min()), int(tables.max()) + 1):
        of_year = year == one
        number = int(of_year.sum())
        lines.append({
            "year": one,
            "tables": int((tables == one).sum()),
            "games": number,
            "players": players.get(one, 0),
            "newcomers": newcomers.get(one, 0),
            "handicap": float(handicap[of_year].mean()) if number else None,
            "draws": float((games.score[of_year] == 0.5).mean()) if number else None,
        })  # fmt: skip
    return lines


def _active_in(changes: Changes) -> tuple[dict[int, int], dict[int, int]]:
    """How many played rated games in a year, and how many for the first time; who was taken over with a rating, or
    given one before, is no newcomer.
    """
    years = _year_of_day(changes.day)
    played = changes.games > 0
    factor = int(changes.player.max(initial=0)) + 1
    pairs = np.unique(years[played] * factor + changes.player[played])
    first = np.unique(changes.player, return_index=True)[1]
    came_rated = changes.given[first]  # players are numbered as they come
    debut = np.full(factor, 9999, dtype=np.int64)
    np.minimum.at(debut, changes.player[played], years[played])
    new = debut[: len(first)][~came_rated & (debut[: len(first)] < 9999)] if len(first) else debut[:0]
    return _counted(pairs // factor), _counted(new)


def _counted(values: Ids) -> dict[int, int]:
    several, counts = np.unique(values, return_counts=True)
    return dict(zip(several.tolist(), counts.tolist(), strict=True))


def _year_of_day(days: Ids) -> Ids:
    several, place = np.unique(days, return_inverse=True)
    return np.array([dt.date.fromordinal(day).year for day in several.tolist()], dtype=np.int64)[place]


def _drift(rating_list: RatingList, changes: Changes, today: dt.date) -> Iterable[Figures]:
    """How strong the active players were at the end of each year: by everybody's last change until then, of those
    whom the list showed and who had played within its years; for the present year by now.
    """
    if not len(changes.day):
        return
    players = int(changes.player.max()) + 1
    rating, played = np.full(players, np.nan), np.zeros(players, dtype=np.int64)
    shown, done = np.zeros(players, dtype=np.bool_), 0
    for year in range(dt.date.fromordinal(int(changes.day[0])).year, today.year + 1):
        end = min(dt.date(year, 12, 31), today)
        until = int(np.searchsorted(changes.day, end.toordinal(), side="right"))
        some = slice(done, until)
        # of several changes of a player the last is kept
        rating[changes.player[some]] = changes.rating[some]
        shown[changes.player[some]] = changes.published[some]
        with_games = changes.games[some] > 0
        played[changes.player[some][with_games]] = changes.day[some][with_games]
        done = until
        active = shown & ~np.isnan(rating) & (played >= rating_list.active_since(end).toordinal())
        found = spread(rating[active])
        if found is not None:
            yield {"year": year, **found}


def _forecasts(games: Games, told: Foreseen, year: Ids) -> Figures:
    """How well results were foreseen: of all games, of those between established players and others, by year."""

    def of(chosen: Flags) -> Figures | None:
        some = chosen & told.known & (year > 0)
        found = forecast(told.expected[some], games.score[some])
        return None if found is None else asdict(found)

    everything = np.ones(len(year), dtype=np.bool_)
    by_year = [(one, of(year == one)) for one in np.unique(year[year > 0]).tolist()]
    return {
        "all": of(everything),
        "established": of(~told.provisional),
        "provisional": of(told.provisional),
        "years": [{"year": one, **found} for one, found in by_year if found is not None],
    }
