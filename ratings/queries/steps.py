"""What earlier runs stored, step by step, as a run needs it to compare with."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field

from ratings.models import Award, Change, Entry, RatedTable, RatingList

Key = tuple[dt.date, int]
"""A step's day and its place within it."""


@dataclass
class Stored:
    """What is stored of one step: the table's own record if it is one, and changes by the player's database id."""

    table: RatedTable | None = None
    changes: dict[int, Change] = field(default_factory=dict)
    awards: dict[int, list[Award]] = field(default_factory=lambda: defaultdict(list))


def stored_steps(rating_list: RatingList, first: dt.date, last: dt.date | None) -> dict[Key, Stored]:
    """All steps stored from a day to another (None: to the end)."""
    days = {"day__gte": first} if last is None else {"day__gte": first, "day__lte": last}
    steps: dict[Key, Stored] = defaultdict(Stored)
    for rated in rating_list.rated_tables.filter(**days):
        steps[rated.day, rated.place].table = rated
    for change in rating_list.changes.filter(**days):
        steps[change.day, change.place].changes[change.player_id] = change
    for award in rating_list.awards.filter(**days).order_by("pk"):
        steps[award.day, award.place].awards[award.player_id].append(award)
    return dict(steps)


def seats_of(tables: Collection[int]) -> dict[int, list[str]]:
    """The players of tables by public id; who gave a simultaneous bears his table's id behind it, as in its value."""
    seats: dict[int, list[str]] = defaultdict(list)
    entries = Entry.objects.filter(table__in=tables).order_by("table", "number")
    for table, public_id, is_guest in entries.values_list("table", "player__public_id", "guest"):
        seats[table].append(f"{public_id}~{table}" if is_guest else public_id)
    return seats
