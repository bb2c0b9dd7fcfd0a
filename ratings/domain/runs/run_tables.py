"""Tables of a run with their games, read once for rating them and for their leaves in the signed log."""

from __future__ import annotations

from collections.abc import Sequence

from ratings.formats.proof.leaves import make_table_leaves
from ratings.formats.proof.merkle import hash_leaf
from ratings.models import RatingList
from ratings.queries.lists.history import tables_of
from ratings.queries.runs.past_inputs import PastInputLoader
from ratings.queries.runs.tables import Entries, read_tables_by_key
from ratings.systems.game_records import TableWithGames

from .checkpoints import is_logged
from .chunks import Chunk

READ_TOGETHER = 25  # number of tables that are read with the table that is needed, because they may follow


class RunTables:
    """Reader of the tables of a run.

    `leaf_hashes` are the hashes of the leaves of the tables read, by primary key, if the list has a log and the run is
    going to be stored (`logged`).
    """

    entries: Entries
    """Entries of the present chunk."""

    def __init__(self, rating_list: RatingList, past: PastInputLoader, *, logged: bool) -> None:
        self._list, self._past, self.logged = rating_list, past, logged and is_logged(rating_list)
        self._read: dict[int, TableWithGames] = {}
        self.leaf_hashes: dict[int, bytes] = {}

    def start_chunk(self, chunk: Chunk) -> None:
        """Read the entries of a chunk, whose tables are read next."""
        self._read, self.entries = {}, Entries(tables_of(self._list, chunk.first, chunk.last))

    def read(self, pks: Sequence[int], following: Sequence[int]) -> list[TableWithGames]:
        """Return tables by primary key, in the order given; `following` are tables that may be needed next."""
        if missing := [pk for pk in pks if pk not in self._read]:
            self._load(missing, following)
        tables = [self._read.pop(pk) for pk in pks]
        self._read = {pk: self._read[pk] for pk in following if pk in self._read}  # without those that were passed
        if self.logged:
            self.leaf_hashes.update(zip(pks, map(hash_leaf, make_table_leaves(tables)), strict=True))
        return tables

    @property
    def players_ahead(self) -> list[str]:
        """Ids of the players, without guests, of the tables that were read but not needed yet, next table first."""
        return list(dict.fromkeys(id for read in self._read.values() for id in read.table.players if "~" not in id))

    def _load(self, missing: Sequence[int], following: Sequence[int]) -> None:
        pks = [*missing, *following[: max(0, READ_TOGETHER - len(missing))]]
        if self._past.past is not None:  # all tables of the list are in memory, because closing days need them
            self._read |= {pk: TableWithGames.of(table) for pk, table in self._past.get_tables(pks).items()}
        else:
            self._read |= read_tables_by_key(pks, self.entries)
