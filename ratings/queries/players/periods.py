"""Rating periods of a player, on lists whose own system has deviations.

A period ends on a closing day and holds the player's tables that were rated on it; without closing days each table is
a period. Where a run stores nothing for a player without games, their deviation at the end of the period is read from
the state before it.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.utils import timezone
from pydantic import TypeAdapter

from ratings.models import RatingList
from ratings.queries.lists.deviations import deviation_reader
from ratings.queries.lists.history import span_of
from ratings.queries.lists.list_cache import cached
from ratings.systems.rating_rules import RatingRules

from .careers import Career, Point


class QuietDay(NamedTuple):
    """Closing day on which a run stored no change of the player, with the rating and deviation in rating points."""

    day: dt.date
    rating: float
    deviation: float | None


QUIET_DAYS = TypeAdapter(list[QuietDay])


@dataclass(frozen=True)
class Period:
    """Rating period of a player up to a closing day, or a step of an officer (`other`) between two periods.

    `begun` is the closing day of the first of several periods without games that stand in one row. `points` and
    `games` are those of all tables, `opponents` the mean rating of the opponents in rated games.
    """

    day: dt.date
    begun: dt.date
    tables: Sequence[Point] = ()
    rated: Point | None = None
    """Step that rated the period: the closing day or the table itself. None without one, and while tables wait."""
    rating: float | None = None
    deviation: float | None = None
    other: Point | None = None
    is_month: bool = False
    """True for a calendar month, False for the time since the list day before."""
    points: float = 0
    games: int = 0
    opponents: float | None = None

    @property
    def is_quiet(self) -> bool:
        """True for a period in which the player had no table."""
        return not self.tables and self.other is None


def has_closing_days(rating_list: RatingList) -> bool:
    """Return True for a list whose ratings move on closing days only."""
    return rating_list.rating_system.rating.counting_day(timezone.localdate()) is not None


def list_periods(career: Career) -> list[Period]:
    """Return a player's periods and the steps of officers between them, newest first, without scores.

    Successive periods for which runs stored nothing are one row. Return an empty list for a system without deviations.
    """
    return list(_join_quiet(list_single_periods(career)))[::-1]


def list_single_periods(career: Career) -> list[Period]:
    """Return the rows of `list_periods`, oldest first, with one row for each closing day."""
    rules = career.rating_list.rating_system.rating
    if not rules.has_deviations:
        return []
    tables: dict[dt.date, list[Point]] = defaultdict(list)
    closings: dict[dt.date, Point] = {}
    rows = []
    for step in career.steps:
        day = rules.counting_day(step.day) if step.table else None
        if step.is_closing:
            closings[step.day] = step
        elif day is not None:
            tables[day].append(step)
        else:
            row = Period(step.day, step.day, rating=step.after, deviation=step.deviation)
            rows.append(replace(row, tables=[step], rated=step) if step.table else replace(row, other=step))
    quiet = {row.day: row for row in read_quiet_days(career)}
    rows += [
        _make_period(career, day, tables.get(day, ()), closings.get(day), quiet.get(day))
        for day in tables.keys() | closings.keys() | quiet.keys()
    ]
    return sorted(rows, key=lambda row: (row.day, row.other is None))


def is_month(rules: RatingRules[Any], day: dt.date) -> bool:
    """Return True if the period that ends on a closing day is a calendar month."""
    first = day.replace(day=1)
    return rules.counting_day(first) == day != rules.counting_day(first - dt.timedelta(days=1))


def _make_period(
    career: Career, day: dt.date, tables: Sequence[Point], closing: Point | None, quiet: QuietDay | None
) -> Period:
    last: Point | QuietDay | None = closing or quiet or (tables[-1] if tables else None)
    rating = last.after if isinstance(last, Point) else last and last.rating
    monthly = is_month(career.rating_list.rating_system.rating, day)
    return Period(day, day, tables, closing, rating, last and last.deviation, is_month=monthly)


def _join_quiet(periods: Sequence[Period]) -> Iterator[Period]:
    """Yield periods with those joined in one that have no tables and no stored change."""
    waiting: Period | None = None
    for period in periods:
        if period.is_quiet and period.rated is None:
            waiting = replace(period, begun=period.begun if waiting is None else waiting.begun)
            continue
        if waiting is not None:
            yield waiting
        waiting = None
        yield period
    if waiting is not None:
        yield waiting


def with_score(career: Career, period: Period) -> Period:
    """Return a period with its score over the board and the mean rating of the opponents in rated games."""
    scores = [career.points.get(step.table or 0, (0.0, 0)) for step in period.tables]
    games = [game for step in period.tables for game in career.games_by_table[step.table]]
    ratings = [rating for game in games if (rating := game.counted_rating) is not None]
    return replace(
        period,
        points=sum(points for points, _games in scores),
        games=sum(count for _points, count in scores),
        opponents=sum(ratings) / len(ratings) if ratings else None,
    )


def read_quiet_days(career: Career) -> list[QuietDay]:
    """Return the list's closing days since a player's first rating on which a run stored no change of the player.

    They end with the career's day, and with the last closing day of the list.
    """
    if not has_closing_days(career.rating_list):
        return []
    name = f"quiet days:{career.player.pk}"
    days = cached(career.rating_list, name, lambda: _find_quiet_days(career), QUIET_DAYS)
    last = career.on or timezone.localdate()
    return [row for row in days if row.day <= last]


def _find_quiet_days(career: Career) -> list[QuietDay]:
    rating_list = career.rating_list
    changes = rating_list.changes.filter(player=career.player, hidden=False, after__isnull=False)
    rows = list(changes.order_by("day", "place").values_list("day", "after", "state"))
    span = span_of(rating_list, None)
    if not rows or span is None:
        return []
    read, days = deviation_reader(rating_list), [row[0] for row in rows]
    closed = {step.day for step in career.all_steps if step.is_closing}
    quiet = []
    for day in rating_list.rating_system.rating.closing_days(max(rows[0][0], span[0]), span[1]):
        if day not in closed:
            _day, rating, state = rows[bisect_right(days, day) - 1]
            assert rating is not None
            quiet.append(QuietDay(day, rating, read(state, day)))
    return quiet
