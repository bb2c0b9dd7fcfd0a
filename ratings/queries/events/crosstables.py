"""Crosstables: tables with all results and, on a list, their ratings, for pages and files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Exists, OuterRef, Q

from ratings.formats.parsed import Cell
from ratings.models import Award, Change, Entry, Event, Game, RatedTable, RatingList, Table
from ratings.queries.grades.awards import with_case
from ratings.queries.players.names import replace_ids_with_names
from ratings.systems.tiebreaks import Placing, TieBreak, compute_placings, parse_tie_breaks, use_official_places
from ratings.systems.values import Category


@dataclass(frozen=True)
class CrosstableCell:
    """One round of a row: the opponent's entry (None without an opponent) and the federation's notation."""

    opponent: Entry | None
    cell: Cell
    played: bool
    board: int

    @property
    def text(self) -> str:
        return self.cell.token() + self.cell.mark


@dataclass(frozen=True)
class CrosstableRow:
    entry: Entry
    rounds: list[list[CrosstableCell]]
    points: float
    change: Change | None
    awards: list[Award]

    @property
    def won(self) -> float:
        """Points scored, without the MacMahon points that the player started with."""
        return self.points - float(self.entry.macmahon or 0)

    @property
    def is_new_rating(self) -> bool:
        """Return True if the new rating is displayed and no ±.

        The player was unrated, or is fixed because their past is unknown.
        """
        return self.change is not None and (
            self.change.before is None or self.change.category in (Category.UNRATED, Category.FIXED)
        )

    @property
    def rating(self) -> float | None:
        if self.change is None:
            return None
        return self.change.after if self.is_new_rating else self.change.before

    @property
    def new_grade(self) -> Award | None:
        return self.awards[-1] if self.awards else None


SHOWN_TIE_BREAKS = (TieBreak.SOS, TieBreak.SODOS)
"""Tie-breaks that are shown for information where an event has none."""


@dataclass(frozen=True)
class Crosstable:
    """A table with its results; `tie_breaks` are those of the event, else of its list, None if neither has any."""

    table: Table
    rounds: int
    rows: list[CrosstableRow]
    rated: RatedTable | None
    tie_breaks: tuple[TieBreak, ...] | None

    @property
    def with_macmahon(self) -> bool:
        return any(row.entry.macmahon for row in self.rows)

    @cached_property
    def has_order(self) -> bool:
        """Return True unless the results are club games or a simultaneous display, which have no order."""
        return self.table.tournament and not any(row.entry.guest for row in self.rows)

    @cached_property
    def has_official_places(self) -> bool:
        """Return True if the results came with the place of each player."""
        return self.has_order and bool(self.rows) and all(row.entry.place for row in self.rows)

    @property
    def shown_tie_breaks(self) -> tuple[TieBreak, ...]:
        """The tie-breaks whose values are shown, in the order of `Placing.values` in `computed`."""
        return self.tie_breaks or SHOWN_TIE_BREAKS

    @cached_property
    def placings(self) -> dict[int, Placing]:
        """Official places, else those by the tie-breaks, by table number; empty without both."""
        if self.has_official_places:
            return use_official_places({row.entry.number: row.entry.place or 0 for row in self.rows})
        if self.tie_breaks is None:
            return {}
        return self.computed if self.tie_breaks else self._compute(())

    @cached_property
    def computed(self) -> dict[int, Placing]:
        """Placings by score and the shown tie-breaks, by table number; empty for results without an order."""
        return self._compute(self.shown_tie_breaks)

    def _compute(self, tie_breaks: Sequence[TieBreak]) -> dict[int, Placing]:
        if not self.has_order:
            return {}
        cells = {row.entry.number: [cell for round_ in row.rounds for cell in round_] for row in self.rows}
        games = {
            number: [(cell.opponent.number, cell.cell.points) for cell in row_cells if cell.opponent and cell.played]
            for number, row_cells in cells.items()
        }
        return compute_placings({row.entry.number: row.points for row in self.rows}, games, tie_breaks)

    @cached_property
    def finishing_order(self) -> list[CrosstableRow]:
        """Rows by place, else by points, then by table number; by table number alone for results without an order."""
        if not self.has_order:
            return sorted(self.rows, key=lambda row: row.entry.number)
        places = {number: placing.place for number, placing in self.placings.items()}
        return sorted(self.rows, key=lambda row: (places.get(row.entry.number, 0), -row.points, row.entry.number))

    @cached_property
    def positions(self) -> dict[int, int]:
        """Positions in finishing order, from 1, by table number."""
        return {row.entry.number: position for position, row in enumerate(self.finishing_order, 1)}

    @property
    def warnings(self) -> list[str]:
        names = {row.entry.player.public_id: str(row.entry.player) for row in self.rows}
        return [replace_ids_with_names(line, names) for line in self.rated.warnings] if self.rated else []

    @property
    def promotions(self) -> list[CrosstableRow]:
        return [row for row in self.rows if row.awards]


def crosstables(event: Event, rating_list: RatingList | None) -> list[Crosstable]:
    """Return the tables of an event in order, with their ratings on one list; needs six queries for any size."""
    return build_crosstables(rated_tables(event, rating_list), rating_list)


def rated_tables(event: Event, rating_list: RatingList | None) -> dict[Table, Any]:
    """Return the tables of an event in order, each with its RatedTable on a list or None.

    `counted` on the RatedTable is True if any game of the table counted there. Results are not loaded.
    """
    tables = list(event.tables.select_related("event"))
    counted = Change.objects.filter(list=rating_list, table=OuterRef("table"), games__gt=0)
    rated_on_list = (
        RatedTable.objects.filter(table__in=tables, list=rating_list)
        .annotate(counted=Exists(counted))
        .select_related("facts")
    )
    rated: dict[int, Any] = {rated_table.table_id: rated_table for rated_table in rated_on_list}
    return {table: rated.get(table.pk) for table in tables}


def build_crosstables(tables: Mapping[Table, RatedTable | None], rating_list: RatingList | None) -> list[Crosstable]:
    """Return these tables with their results and rating changes."""
    entries: dict[int, list[Entry]] = defaultdict(list)
    for entry in Entry.objects.filter(table__in=tables).select_related("player").order_by("number"):
        entries[entry.table_id].append(entry)
    games: dict[int, list[Game]] = defaultdict(list)
    for game in Game.objects.filter(table__in=tables).order_by("pk"):
        games[game.table_id].append(game)
    derived = _load_derived(tables, rating_list)
    default = rating_list.source.tie_breaks if rating_list else ""
    return [
        _build_crosstable(table, entries[table.pk], games[table.pk], derived, rated, default)
        for table, rated in tables.items()
    ]


def public_changes_filter() -> Q:
    """Return a filter for public changes: not of players whose rating is withdrawn or must not be published."""
    return Q(hidden=False)


TableAndPlayer = tuple[int, int]
"""Ids of a table and a player."""


Derived = tuple[dict[TableAndPlayer, Change], dict[TableAndPlayer, list[Award]]]
"""Rating changes and awards by table and player."""


def _load_derived(tables: Collection[Table], rating_list: RatingList | None) -> Derived:
    changes = Change.objects.filter(public_changes_filter(), list=rating_list, table__in=tables).defer("state")
    awards: dict[TableAndPlayer, list[Award]] = defaultdict(list)
    by_place = {(change.table_id or 0, change.player_id): change for change in changes}
    days = {table.last_day for table in tables}  # awards are indexed by list and day
    for award in with_case(Award.objects.filter(list=rating_list, day__in=days, table__in=tables, last_of_step=True)):
        if (award.table_id or 0, award.player_id) not in by_place:
            continue
        awards[award.table_id or 0, award.player_id].append(award)
    return by_place, awards


def _build_crosstable(
    table: Table,
    entries: list[Entry],
    games: list[Game],
    derived: Derived,
    rated: RatedTable | None,
    default_tie_breaks: str,
) -> Crosstable:
    changes, awards = derived
    rounds = max((game.round for game in games), default=0)
    by_pk = {entry.pk: entry for entry in entries}
    cells: dict[int, list[list[CrosstableCell]]] = {entry.pk: [[] for _ in range(rounds)] for entry in entries}
    for game in sorted(games, key=lambda game: (game.round, by_pk[game.a_id].number)):
        for side, entry_id, opponent_id in (("a", game.a_id, game.b_id), ("b", game.b_id, game.a_id)):
            if entry_id is not None and game.round > 0:
                opponent = None if opponent_id is None else by_pk[opponent_id]
                cell = Cell.from_game(game, side, 0 if opponent is None else opponent.number)
                cells[entry_id][game.round - 1].append(CrosstableCell(opponent, cell, game.played, game.board))
    rows = [
        CrosstableRow(
            entry,
            cells[entry.pk],
            float(entry.macmahon or 0) + sum(c.cell.points for round_ in cells[entry.pk] for c in round_),
            changes.get((table.pk, entry.player_id)),
            awards.get((table.pk, entry.player_id), []),
        )
        for entry in entries
    ]
    tie_breaks = parse_tie_breaks(table.event.tie_breaks or default_tie_breaks)
    return Crosstable(table, rounds, rows, rated, tie_breaks)
