"""Tables of a run with their games, read once for rating them and for their leaves in the signed log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ratings.formats.proof.leaves import make_table_leaves
from ratings.formats.proof.merkle import hash_leaf
from ratings.models import RatingList, Table
from ratings.queries.runs.past_inputs import PastInputLoader
from ratings.queries.runs.tables import Entries, read_tables
from ratings.systems.game_records import TableWithGames

from .checkpoints import is_logged

READ_TOGETHER = 25  # number of tables that are read with the table that is needed, because they may follow


class RunTables:
    """Reader of the tables of a run.

    `leaf_hashes` are the hashes of the leaves of the tables read, by primary key, if the list has a log and the run is
    going to be stored (`logged`). `entries` are those of the tables to be read, if they have been read before.
    """

    entries: Entries | None = None

    def __init__(self, rating_list: RatingList, past: PastInputLoader, *, logged: bool) -> None:
        self._past, self.logged = past, logged and is_logged(rating_list)
        self._read: dict[int, TableWithGames] = {}
        self.leaf_hashes: dict[int, bytes] = {}

    def read(self, pks: Sequence[int], following: Sequence[int]) -> list[TableWithGames]:
        """Return tables by primary key, in the order given; `following` are tables that may be needed next."""
        if missing := [pk for pk in pks if pk not in self._read]:
            self._load({*missing, *following[: max(0, READ_TOGETHER - len(missing))]})
        tables = [self._read[pk] for pk in pks]
        self._read = {pk: self._read[pk] for pk in following if pk in self._read}  # without those that were passed
        if self.logged:
            self.leaf_hashes.update(zip(pks, map(hash_leaf, make_table_leaves(tables)), strict=True))
        return tables

    @property
    def players_ahead(self) -> list[str]:
        """Ids of the players, without guests, of the tables that were read but not needed yet, next table first."""
        return list(dict.fromkeys(id for read in self._read.values() for id in read.table.players if "~" not in id))

    def _load(self, pks: Iterable[int]) -> None:
        if self._past.past is None:
            tables = read_tables(Table.objects.filter(pk__in=pks), self.entries)
            self._read |= {int(read.table.id): read for read in tables}
            return
        # all tables of the list are in memory, because closing days need them
        for pk, table in self._past.get_tables(pks).items():
            self._read[pk] = TableWithGames.of(table)
