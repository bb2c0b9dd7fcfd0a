"""Division of a list's steps into chunks of some days, so that a run holds only one chunk in memory.

Also finds which steps have changed.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ratings.models import RatingList
from ratings.queries.runs.steps import Key
from ratings.systems import values
from ratings.systems.replay import Input

CHUNK_WEIGHT = 1000  # weight of a chunk: the number of changed tables, or 10 times the number of unchanged ones
UNCHANGED_WEIGHT = 10  # weight of an unchanged table


@dataclass
class Chunk:
    """Steps of some consecutive days; `last` is None for the last chunk."""

    first: dt.date
    last: dt.date | None
    steps: dict[Key, Input]

    @property
    def tables(self) -> dict[Key, int]:
        return {key: int(cause.id) for key, cause in self.steps.items() if isinstance(cause, values.Table)}

    def select_days(self, days: Sequence[dt.date]) -> Sequence[dt.date]:
        """Return those of some days, given in order, that the chunk covers."""
        end = len(days) if self.last is None else bisect_right(days, self.last)
        return days[bisect_left(days, self.first) : end]

    @property
    def affects_all_players(self) -> bool:
        return any(map(affects_all_players, self.steps.values()))

    @property
    def has_other_causes(self) -> bool:
        return len(self.tables) < len(self.steps)


def affects_all_players(cause: Input) -> bool:
    """Return True if a step may change any player's state: a closing day, or a shift of the whole list."""
    return isinstance(cause, values.Closing) or (isinstance(cause, values.Adjustment) and cause.player is None)


def split_into_chunks(
    steps: Mapping[Key, Input], since: dt.date, changed: Collection[Key], first_days: Sequence[dt.date] = ()
) -> Iterator[Chunk]:
    """Yield all steps from the first day on in chunks of some tables; the last chunk has no end.

    The last chunk also covers stored steps after the last day. With each of `first_days` a new chunk begins.
    """
    first, chunk_steps, weight = since, dict[Key, Input](), 0
    days = sorted({key[0] for key in steps})
    by_day: dict[dt.date, dict[Key, Input]] = {day: {} for day in days}
    for key, cause in steps.items():
        by_day[key[0]][key] = cause
    for day in days:
        begun = max((start for start in first_days if start <= day), default=since)
        if begun > first:
            yield Chunk(first, begun - dt.timedelta(days=1), chunk_steps)
            first, chunk_steps, weight = begun, {}, 0
        chunk_steps |= by_day[day]
        for key, cause in by_day[day].items():
            if isinstance(cause, values.Table):
                weight += 1 if key in changed else UNCHANGED_WEIGHT
        if weight >= CHUNK_WEIGHT and day != days[-1]:
            yield Chunk(first, day, chunk_steps)
            first, chunk_steps, weight = day + dt.timedelta(days=1), {}, 0
    yield Chunk(first, None, chunk_steps)


class ChangedSteps(NamedTuple):
    """Keys of the steps that a run rates even if no state differs, and the tables that were not rated before (`new`).

    `marked` are the tables that are new or marked to be rated again, `moved` those stored on another day.
    """

    keys: set[Key]
    new: set[int]
    marked: set[int]
    moved: set[int]


def list_new_steps(steps: Mapping[Key, Input]) -> ChangedSteps:
    """Return the steps of a list of which nothing is stored: all tables are new."""
    tables = {key: int(cause.id) for key, cause in steps.items() if isinstance(cause, values.Table)}
    return ChangedSteps(set(tables), set(tables.values()), set(tables.values()), set())


def find_changed_steps(
    rating_list: RatingList, steps: Mapping[Key, Input], since: dt.date, *, whole: bool
) -> ChangedSteps:
    """Return the steps that differ from the stored ones, or whose table is marked to be rated again.

    `whole`: return the keys of all tables as well.
    """
    stored = rating_list.rated_tables.filter(day__gte=since).order_by()
    rated = {
        (day, place): (table, needs_rating)
        for day, place, table, needs_rating in stored.values_list("day", "place", "table", "needs_rating")
    }
    unmarked = {table for table, stale in rated.values() if not stale}
    days = {int(cause.id): day for (day, _), cause in steps.items() if isinstance(cause, values.Table)}
    moved = {table for (day, _), (table, _) in rated.items() if days.get(table, day) != day}
    keys = set()
    for key, cause in steps.items():
        if isinstance(cause, values.Table) and (whole or rated.get(key) != (int(cause.id), False)):
            keys.add(key)
    # removed adjustments, decisions and closing days
    other_changes = rating_list.changes.filter(table__isnull=True, day__gte=since).order_by()
    for key in other_changes.values_list("day", "place").distinct():
        if isinstance(steps.get(key), values.Table | None):
            keys.add(key)
    keys |= {key for key in rated if not isinstance(steps.get(key), values.Table)}
    return ChangedSteps(keys, days.keys() - {table for table, _ in rated.values()}, days.keys() - unmarked, moved)
