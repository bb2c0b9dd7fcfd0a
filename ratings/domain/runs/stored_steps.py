"""Reading of the stored steps with which a run compares its own."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping

from ratings.models import RatingList
from ratings.queries.runs.steps import Key, StoredStep, read_steps
from ratings.systems import values

from .chunks import Chunk


class StoredSteps:
    """Stored steps of a chunk's days, of which only those are read that a run rates again, or that have changed.

    `whole`: read all, so that also rows are found that belong to no step.
    """

    def __init__(self, rating_list: RatingList, *, whole: bool) -> None:
        self._list, self._whole = rating_list, whole
        self._first = dt.date.min
        self._days: Collection[dt.date] | None = ()  # days of which all steps are read; None for all days of the chunk
        self._steps: dict[Key, StoredStep] = {}

    def start_chunk(self, chunk: Chunk, changed_days: Collection[dt.date]) -> Mapping[Key, StoredStep]:
        """Read and return the steps of the days with changed steps or with other steps than tables.

        On a changed day the steps may have other places than the stored ones. All days are read if a step of the chunk
        may change the state of any player.
        """
        self._first = chunk.first
        if self._whole or chunk.affects_all_players:
            last = {} if chunk.last is None else {"day__lte": chunk.last}
            self._days, self._steps = None, read_steps(self._list, day__gte=chunk.first, **last)
        else:
            others = {day for (day, _), cause in chunk.steps.items() if not isinstance(cause, values.Table)}
            self._days = others.union(changed_days)
            self._steps = read_steps(self._list, day__in=self._days) if self._days else {}
        return self._steps

    def has_all(self, day: dt.date) -> bool:
        """Return True if all steps of a day have been read."""
        return self._days is None or day in self._days

    def get(self, key: Key) -> StoredStep:
        """Return the step at a position; an empty one if none is stored there or it has not been read."""
        return self._steps.get(key, StoredStep())

    def read(self, tables: Mapping[Key, int], following: Mapping[Key, int]) -> Mapping[Key, StoredStep]:
        """Read and return the steps of tables, given by key, that have not been read yet.

        The steps of `following`, which may be needed next, are read with them.
        """
        missing = {key: table for key, table in tables.items() if not (self.has_all(key[0]) or key in self._steps)}
        if not missing:
            return {}
        missing |= {key: pk for key, pk in following.items() if not (self.has_all(key[0]) or key in self._steps)}
        days = {day for day, _ in missing}  # awards have no index by table
        steps = read_steps(self._list, table__in=missing.values(), day__in=days)
        self._steps |= steps
        return steps

    def find_position_of_states(self, key: Key) -> Key:
        """Return the position before which the stored states are those before a step that is going to be rated.

        It is the start of the day if all its steps have been read, because the stored ones may have other places.
        Players with steps between the two positions have states in memory.
        """
        if self._days is None:
            return self._first, 0
        return (key[0], 0) if self.has_all(key[0]) else key
