"""Steps stored by earlier runs, with which a run compares its own, and the seats of tables to rate."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from django.db.models import QuerySet

from ratings.models import Entry, Game, RatingList, Table
from ratings.systems.table_arrays import TableArrays

from .rows import AwardRow, ChangeRow, TableRow

MAX_TABLES_BY_ID = 50  # at most so many tables are named one by one in a query
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


def stored_steps(rating_list: RatingList, first: dt.date, last: dt.date | None) -> dict[Key, StoredStep]:
    """Return all stored steps from a first to a last day, inclusive (None: to the end)."""
    days = {"day__gte": first} if last is None else {"day__gte": first, "day__lte": last}
    steps: dict[Key, StoredStep] = defaultdict(StoredStep)
    for pk, *values in rating_list.rated_tables.filter(**days).order_by().values_list("pk", *TableRow._fields):
        table = TableRow._make(values)
        steps[table.day, table.place].table = pk, table
    for pk, *values in rating_list.changes.filter(**days).order_by().values_list("pk", *ChangeRow._fields):
        change = ChangeRow._make(values)
        steps[change.day, change.place].changes[change.player_id] = pk, change
    for pk, *values in rating_list.awards.filter(**days).order_by("pk").values_list("pk", *AwardRow._fields):
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


class Seat(NamedTuple):
    """A player at a table. The id of a guest, who gave a simultaneous, ends with the table's id, as in its value."""

    entry: int
    id: str
    player: int
    is_regular: bool
    """True unless the player is a guest or an outsider of this table."""


def seats_of(tables: QuerySet[Table]) -> dict[int, list[Seat]]:
    """Return the seats of tables, by table id, in order of their numbers."""
    seats: dict[int, list[Seat]] = defaultdict(list)
    entries = Entry.objects.filter(table__in=tables).order_by("table", "number")
    for entry, table, id, player, guest, fixed in entries.values_list(
        "pk", "table", "player__public_id", "player", "guest", "fixed_rating"
    ):
        seats[table].append(Seat(entry, f"{id}~{table}" if guest else id, player, not guest and fixed is None))
    return seats


def load_columns(tables: Sequence[int], seats: Mapping[int, Sequence[Seat]], among: QuerySet[Table]) -> TableArrays:
    """Load tables, given by id in rating order, as columns; `among` are all tables of their days."""
    players: dict[str, int] = {}
    seated: list[int] = []
    starts, seat_index = [0], {}
    for table in tables:
        for seat in seats[table]:
            seat_index[seat.entry] = len(seated)
            seated.append(players.setdefault(seat.id, len(players)))
        starts.append(len(seated))
    order = {table: n for n, table in enumerate(tables)}
    played = Game.objects.filter(
        table__in=among if len(tables) > MAX_TABLES_BY_ID else list(tables), played=True
    ).order_by()
    games = list(played.values_list("table", "round", "a", "b", "score", "handicap", "giver"))
    of_table, rounds, a, b, scores, handicaps, givers = zip(*games, strict=True) if games else ((),) * 7
    table_of = np.array([order.get(table, -1) for table in of_table], dtype=np.int64)
    first = np.array([seat_index.get(entry, 0) for entry in a], dtype=np.int64)
    other = np.array([seat_index.get(entry, 0) for entry in b], dtype=np.int64)
    sorting = np.lexsort((first, np.array(rounds, dtype=np.int64), table_of))
    sorting = sorting[np.count_nonzero(table_of < 0) :]  # without games of tables that were not requested
    counts = np.bincount(table_of[sorting], minlength=len(tables))
    return TableArrays(
        list(players),
        np.array(starts, dtype=np.int64),
        np.array(seated, dtype=np.int64),
        np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
        first[sorting],
        other[sorting],
        np.array(scores, dtype=np.float64)[sorting],
        [handicaps[n] for n in sorting],
        np.array([giver == "a" for giver in givers], dtype=np.bool_)[sorting],
    )
