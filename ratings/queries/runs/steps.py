"""Steps stored by earlier runs, with which a run compares its own."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from ratings.models import RatingList

from .rows import AwardRow, ChangeRow, TableRow

Key = tuple[dt.date, int]
"""The day of a step and its position within the day."""


@dataclass
class StoredStep:
    """The stored rows of one step, with their ids.

    `table` is set if the step is a table; `changes` and `awards` are by the player's database id.
    """

    table: tuple[int, TableRow] | None = None
    changes: dict[int, tuple[int, ChangeRow]] = field(default_factory=dict)
    awards: dict[int, list[tuple[int, AwardRow]]] = field(default_factory=lambda: defaultdict(list))


def read_steps(rating_list: RatingList, **among: Any) -> dict[Key, StoredStep]:
    """Return the stored steps of a list that satisfy a filter of days or tables."""
    steps: dict[Key, StoredStep] = defaultdict(StoredStep)
    for pk, *values in rating_list.rated_tables.filter(**among).order_by().values_list("pk", *TableRow._fields):
        table = TableRow._make(values)
        steps[table.day, table.place].table = pk, table
    for pk, *values in rating_list.changes.filter(**among).order_by().values_list("pk", *ChangeRow._fields):
        change = ChangeRow._make(values)
        steps[change.day, change.place].changes[change.player_id] = pk, change
    for pk, *values in rating_list.awards.filter(**among).order_by("pk").values_list("pk", *AwardRow._fields):
        award = AwardRow._make(values)
        steps[award.day, award.place].awards[award.player_id].append((pk, award))
    return dict(steps)


def stored_changes(rating_list: RatingList, tables: Collection[int]) -> dict[int, dict[int, tuple[int, ChangeRow]]]:
    """Return the stored changes in some tables, with their ids, by table and by the player's database id."""
    changes: dict[int, dict[int, tuple[int, ChangeRow]]] = defaultdict(dict)
    if tables:
        rows = rating_list.changes.filter(table__in=tables).order_by()
        for pk, *values in rows.values_list("pk", *ChangeRow._fields):
            change = ChangeRow._make(values)
            changes[change.table_id or 0][change.player_id] = pk, change
    return dict(changes)
