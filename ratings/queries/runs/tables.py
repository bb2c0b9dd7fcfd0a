"""Conversion of results tables in the database to the values that the engine rates; entries and games in arrays."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from django.db import OperationalError
from django.db.models import Case, F, QuerySet, When

from ratings import models
from ratings.models.events.tables import describe_overtime, name_table
from ratings.queries.arrays import read_records
from ratings.systems.ages import UNDER_21
from ratings.systems.game_records import GAME, NO_NUMBER, RAW_GAME, Records, TableWithGames, as_int
from ratings.systems.table_arrays import Integers
from ratings.systems.table_batches import build_table
from ratings.systems.values import Table

from .values import strip_table_id

ENTRY = np.dtype(
    [
        ("pk", "i8"),
        ("table", "i8"),
        ("number", "i8"),
        ("player", "i8"),
        ("public_id", "S12"),
        ("guest", "?"),
        ("fixed_rating", "f8"),
        ("birth_year", "i8"),  # only if the date is not known
    ]
)

TABLE_FIELDS = (
    "pk",
    "event__name",
    "name",
    "first_day",
    "last_day",
    "rated",
    "tournament",
    "minutes",
    "overtime_moves",
    "overtime_seconds",
    "increment",
    "time_class",
    "list_day",
)


class Entries:
    """The entries of some tables, in order of the tables' primary keys and of the entries' numbers.

    `ids` are the ids of the players in the tables' values: that of a guest, who gave a simultaneous, ends with the
    table's id. `irregular` are the tables with outsiders or guests, `with_guests` those with guests, and
    `with_birth_years` those with players of whom only the year of birth is known.
    """

    def __init__(self, tables: QuerySet[models.Table]) -> None:
        birth_year = Case(When(player__birth_date=None, then=F("player__birth_year")))
        fields = ("pk", "table", "number", "player", "player__public_id", "guest", "fixed_rating", birth_year)
        entries = read_records(models.Entry.objects.filter(table__in=tables).order_by().values_list(*fields), ENTRY)
        self.rows: Records = entries[np.lexsort((entries["number"], entries["table"]))]
        self.ids: list[str] = self.rows["public_id"].astype("U12").tolist()
        for n in np.flatnonzero(self.rows["guest"]).tolist():
            self.ids[n] = f"{self.ids[n]}~{self.rows['table'][n]}"
        self.players: list[int] = self.rows["player"].tolist()
        pks, starts, counts = np.unique(self.rows["table"], return_index=True, return_counts=True)
        ranges = zip(starts.tolist(), (starts + counts).tolist(), strict=True)
        self._places = {pk: slice(*ends) for pk, ends in zip(pks.tolist(), ranges, strict=True)}
        irregular = self.rows["guest"] | ~np.isnan(self.rows["fixed_rating"])
        self.irregular = set(self.rows["table"][irregular].tolist())
        self.with_guests = set(self.rows["table"][self.rows["guest"]].tolist())
        self.with_birth_years = set(self.rows["table"][self.rows["birth_year"] != NO_NUMBER].tolist())

    @cached_property
    def pks(self) -> dict[str, int]:
        """Primary keys of the players by public id, without guests."""
        return {id: pk for id, pk in zip(self.ids, self.players, strict=True) if "~" not in id}

    def find_places(self, table: int) -> slice:
        """Return the places of a table's entries."""
        return self._places.get(table, slice(0, 0))

    def get_ids(self, table: int) -> list[str]:
        """Return the ids of a table's players."""
        return self.ids[self.find_places(table)]

    def get_players(self, table: int) -> list[int]:
        """Return the primary keys of a table's players."""
        return self.players[self.find_places(table)]

    @cached_property
    def _by_pk(self) -> Integers:
        """Places of the entries in the order of their primary keys."""
        return np.argsort(self.rows["pk"])

    def find_entries(self, pks: Integers) -> Integers:
        """Return the places of entries by primary key; that of NO_NUMBER is any.

        OperationalError: an entry is not here, because it was added after these were read.
        """
        known = np.append(self.rows["pk"][self._by_pk], NO_NUMBER)
        places = np.searchsorted(known[:-1], pks)
        if ((known[places] != pks) & (pks != NO_NUMBER)).any():
            raise OperationalError("busy: entries were changed while their tables were read")
        return np.asarray(np.append(self._by_pk, 0)[places])


def load_table(table: models.Table) -> Table:
    """Return a table as a value."""
    return next(table_values(models.Table.objects.filter(pk=table.pk)))


def table_values(tables: QuerySet[models.Table]) -> Iterator[Table]:
    """Yield tables with their players and games as values, in no particular order."""
    return map(build_table, read_tables(tables))


def read_tables(tables: QuerySet[models.Table], entries: Entries | None = None) -> Iterator[TableWithGames]:
    """Yield tables with their games as records, in order of round and of the numbers of both sides.

    `entries` are those of these tables and perhaps others, if they have been read before.
    """
    entries = entries or Entries(tables)
    rows = models.Game.objects.filter(table__in=tables).order_by().values_list(*(GAME.names or ()))
    games = read_records(rows, GAME)
    a, b = (
        entries.find_entries(games["a"]),
        np.where(games["b"] == NO_NUMBER, NO_NUMBER, entries.find_entries(games["b"])),
    )
    order = np.lexsort((b, a, games["round"], games["table"]))
    starts = np.searchsorted(entries.rows["table"], games["table"])
    games["a"], games["b"] = a - starts, np.where(b == NO_NUMBER, NO_NUMBER, b - starts)
    games = games.view(RAW_GAME)[order].view(GAME)
    pks = games["table"].copy()
    for table in tables.order_by().values_list(*TABLE_FIELDS, named=True):
        ends = np.searchsorted(pks, (table.pk, table.pk + 1))
        yield TableWithGames(_make_value(table, entries), games[slice(*ends)])


def read_tables_by_key(pks: Sequence[int], entries: Entries | None = None) -> dict[int, TableWithGames]:
    """Return tables with their games by primary key; `entries` are as in `read_tables`.

    OperationalError: a table is missing, because it was deleted meanwhile.
    """
    tables = {int(read.table.id): read for read in read_tables(models.Table.objects.filter(pk__in=pks), entries)}
    if not tables.keys() >= set(pks):
        raise OperationalError("busy: tables were deleted while they were read")
    return tables


def _make_value(table: Any, entries: Entries) -> Table:
    """Return a table, given by its `TABLE_FIELDS`, as a value without games."""
    places = entries.find_places(table.pk)
    ids, rows = entries.ids[places], entries.rows[places]
    fixed, under_21 = dict[str, float](), frozenset[str]()
    if table.pk in entries.irregular:
        ratings = zip(ids, rows["fixed_rating"].tolist(), strict=True)
        fixed = {id: as_int(rating) for id, rating in ratings if not math.isnan(rating)}
    if table.pk in entries.with_birth_years:  # only the year of birth is known, and may prove that they were under 21
        young = (rows["birth_year"] != NO_NUMBER) & (table.first_day.year - rows["birth_year"] < UNDER_21)
        under_21 = frozenset(ids[n] for n in np.flatnonzero(young).tolist())
    return Table(
        str(table.pk),
        table.first_day,
        tuple(ids),
        (),
        name_table(table.event__name, table.name),
        table.last_day if table.last_day != table.first_day else None,
        tournament=table.tournament,
        minutes=None if table.minutes is None else as_int(table.minutes),
        overtime=describe_overtime(table.increment, table.overtime_moves, table.overtime_seconds),
        time_class=table.time_class,
        list_day=table.list_day,
        fixed=fixed,
        under_21=under_21,
        rated=table.rated,
    )


def results_text(table: Table) -> str:
    """Return a table's results as text, to order tables that are otherwise equal."""
    return " ".join(
        f"{g.round}:{strip_table_id(g.a)}-{strip_table_id(g.b)}:{g.score}:{g.played}:{g.handicap}:{g.stones}:{g.board}"
        for g in table.games
    )
