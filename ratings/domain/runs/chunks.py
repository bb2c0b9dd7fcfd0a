"""A list's steps in bits of some days, so that a run holds no more than one of them in memory; and what changed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from ratings.models import RatingList
from ratings.queries.steps import Key
from ratings.systems import values
from ratings.systems.replay import Input

CHUNK = 1000  # tables that are all rated together; of those that may be left alone only a tenth
LEFT_ALONE = 10


@dataclass
class Chunk:
    """Steps of some days in a row; `last` is None behind which nothing comes any more."""

    first: dt.date
    last: dt.date | None
    steps: dict[Key, Input]

    @property
    def tables(self) -> dict[Key, int]:
        return {key: int(cause.id) for key, cause in self.steps.items() if isinstance(cause, values.Table)}

    @property
    def has_other_causes(self) -> bool:
        return len(self.tables) < len(self.steps)


def chunks(steps: Mapping[Key, Input], since: dt.date, changed: Collection[Key]) -> Iterator[Chunk]:
    """All days from the first on in bits of some tables; the last one goes on to where the stored ones end."""
    first, gathered, weight = since, dict[Key, Input](), 0
    days = sorted({key[0] for key in steps})
    by_day: dict[dt.date, dict[Key, Input]] = {day: {} for day in days}
    for key, cause in steps.items():
        by_day[key[0]][key] = cause
    for day in days:
        gathered |= by_day[day]
        for key, cause in by_day[day].items():
            if isinstance(cause, values.Table):
                weight += 1 if key in changed else LEFT_ALONE
        if weight >= CHUNK and day != days[-1]:
            yield Chunk(first, day, gathered)
            first, gathered, weight = day + dt.timedelta(days=1), {}, 0
    yield Chunk(first, None, gathered)


def changed_keys(rating_list: RatingList, steps: Mapping[Key, Input], since: dt.date, *, whole: bool) -> set[Key]:
    """Keys at which something other than the stored table, or a marked one, is to be rated."""
    stored = rating_list.rated_tables.filter(day__gte=since).order_by()
    rated = {
        (day, place): (table, stale)
        for day, place, table, stale in stored.values_list("day", "place", "table", "stale")
    }
    keys = set()
    for key, cause in steps.items():
        if isinstance(cause, values.Table) and (whole or rated.get(key) != (int(cause.id), False)):
            keys.add(key)
    # an adjustment, a decision or a closing day that is no more
    outside = rating_list.changes.filter(table__isnull=True, day__gte=since).order_by()
    for key in outside.values_list("day", "place").distinct():
        if isinstance(steps.get(key), values.Table | None):
            keys.add(key)
    return keys | {key for key in rated if not isinstance(steps.get(key), values.Table)}
