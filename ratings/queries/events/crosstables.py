"""Tables with all their results and, on a list, their ratings: for pages and for files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import override

from ratings.formats.parsed import Cell, ParsedRow, ParsedTable
from ratings.models import Award, Change, Entry, Event, Game, RatedTable, RatingList, Table
from ratings.systems.tiebreaks import Placing, placings

from .awards import with_case
from .names import with_names


@dataclass(frozen=True)
class CrosstableCell:
    """One round of a row: the opponent's entry (None for nobody) and the federation's notation."""

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
        """The points without those that MacMahon gave him beforehand."""
        return self.points - float(self.entry.macmahon or 0)

    @property
    def starred(self) -> bool:
        """Rated as unrated, or fixed for want of a known past: the rating shown is the new one, and there is no ±."""
        return self.change is not None and (self.change.before is None or self.change.category in ("unrated", "fixed"))

    @property
    def rating(self) -> float | None:
        if self.change is None:
            return None
        return self.change.after if self.starred else self.change.before

    @property
    def new_grade(self) -> Award | None:
        return self.awards[-1] if self.awards else None


@dataclass(frozen=True)
class Crosstable:
    table: Table
    rounds: int
    rows: list[CrosstableRow]
    rated: RatedTable | None

    @property
    def with_macmahon(self) -> bool:
        return any(row.entry.macmahon for row in self.rows)

    @cached_property
    def placings(self) -> dict[int, Placing]:
        """By table number; empty where nobody played for places: in a club's games and simultaneous displays."""
        if not self.table.tournament or any(row.entry.guest for row in self.rows):
            return {}
        cells = {row.entry.number: [cell for several in row.rounds for cell in several] for row in self.rows}
        games = {
            number: [(cell.opponent.number, cell.cell.points) for cell in several if cell.opponent and cell.played]
            for number, several in cells.items()
        }
        return placings({row.entry.number: row.points for row in self.rows}, games)

    @property
    def warnings(self) -> list[str]:
        names = {row.entry.player.public_id: str(row.entry.player) for row in self.rows}
        return [with_names(line, names) for line in self.rated.warnings.splitlines()] if self.rated else []

    @property
    def promotions(self) -> list[CrosstableRow]:
        return [row for row in self.rows if row.awards]


def crosstables(event: Event, rating_list: RatingList | None) -> list[Crosstable]:
    """All tables of an event in order, rated as they are on one list; six queries however large they are."""
    return filled(rated_tables(event, rating_list), rating_list)


def crosstable_of(table: Table) -> Crosstable:
    """One table's results without ratings."""
    return filled({table: None}, None)[0]


def rated_tables(event: Event, rating_list: RatingList | None) -> dict[Table, Any]:
    """The tables of an event in order, each with how its rating on a list went, and whether any of its games `counted`
    there; without their results.
    """
    tables = list(event.tables.select_related("event"))
    counted = Change.objects.filter(list=rating_list, table=OuterRef("table"), games__gt=0)
    several = RatedTable.objects.filter(table__in=tables, list=rating_list).annotate(counted=Exists(counted))
    rated: dict[int, Any] = {one.table_id: one for one in several}
    return {table: rated.get(table.pk) for table in tables}


class GameLine(NamedTuple):
    """What a crosstable tells of a game, by the keys of its table and its players' entries."""

    table: int
    round: int
    a: int
    b: int | None
    score: float
    played: bool
    handicap: str | None
    giver: str | None
    stones: int
    black: str | None
    board: int


def filled(tables: Mapping[Table, RatedTable | None], rating_list: RatingList | None) -> list[Crosstable]:
    """These tables with their results, and what those did to ratings."""
    entries: dict[int, list[Entry]] = defaultdict(list)
    for entry in Entry.objects.filter(table__in=tables).select_related("player").order_by("number"):
        entries[entry.table_id].append(entry)
    games: dict[int, list[GameLine]] = defaultdict(list)
    for line in Game.objects.filter(table__in=tables).order_by("pk").values_list(*GameLine._fields):
        games[line[0]].append(GameLine._make(line))
    changes, awards = _derived(tables, rating_list)
    return [
        _crosstable(table, entries[table.pk], games[table.pk], changes, awards, rated)
        for table, rated in tables.items()
    ]


def shown() -> Q:
    """Changes that the public may see: not of those whose rating is withdrawn or must not be published."""
    return Q(hidden=False)


Place = tuple[int, int]
"""A table's id and a player's."""


def _derived(
    tables: Collection[Table], rating_list: RatingList | None
) -> tuple[dict[Place, Change], dict[Place, list[Award]]]:
    changes = Change.objects.filter(shown(), list=rating_list, table__in=tables).defer("state")
    awards: dict[Place, list[Award]] = defaultdict(list)
    by_place = {(change.table_id or 0, change.player_id): change for change in changes}
    days = {table.last_day for table in tables}  # what awards are kept by
    for award in with_case(Award.objects.filter(list=rating_list, day__in=days, table__in=tables, last_of_step=True)):
        if (award.table_id or 0, award.player_id) not in by_place:
            continue
        awards[award.table_id or 0, award.player_id].append(award)
    return by_place, awards


def _crosstable(
    table: Table,
    entries: list[Entry],
    games: list[GameLine],
    changes: dict[Place, Change],
    awards: dict[Place, list[Award]],
    rated: RatedTable | None,
) -> Crosstable:
    rounds = max((game.round for game in games), default=0)
    by_pk = {entry.pk: entry for entry in entries}
    cells: dict[int, list[list[CrosstableCell]]] = {entry.pk: [[] for _ in range(rounds)] for entry in entries}
    for game in sorted(games, key=lambda game: (game.round, by_pk[game.a].number)):
        for side, opponent in ((game.a, game.b), (game.b, game.a)):
            if side is not None and game.round > 0:
                other = by_pk[opponent] if opponent is not None else None
                cells[side][game.round - 1].append(
                    CrosstableCell(other, _cell(game, side, other), game.played, game.board)
                )
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
    return Crosstable(table, rounds, rows, rated)


def _cell(game: GameLine, side: int, other: Entry | None) -> Cell:
    """A game from one side; one not played bears no opponent's number, which is what keeps it out of the rating."""
    number = other.number if other is not None and game.played else 0
    is_a = side == game.a
    points = game.score if is_a else 1 - game.score
    gave = bool(game.handicap) and (game.giver == "a") == is_a
    black = None if game.black is None else (game.black == "a") == is_a
    return Cell(number, points, game.handicap, gave, game.stones, black)


def parsed_table(crosstable: Crosstable, *, published: bool, graded: bool = False) -> ParsedTable:
    """The table as files have it, with ratings (`published`), with the grades held before it, or without."""
    table, event = crosstable.table, crosstable.table.event
    rows = [_parsed_row(row, published=published) for row in crosstable.rows]
    for row, parsed in zip(crosstable.rows, rows, strict=True) if graded else ():
        parsed.grade = (row.change.grade_before or None) if row.change else None
    with override("en"):  # a file is the same for everybody
        country = str(event.country.name) if event.country else ""
    name = f"{event.name} – {table.name}" if table.name else event.name
    return ParsedTable(
        name,
        table.first_day,
        table.last_day,
        rows,
        event.place,
        country,
        event.time_control,
        published=published,
        code=str(event.country),
    )


def _parsed_row(row: CrosstableRow, *, published: bool) -> ParsedRow:
    player, change = row.entry.player, row.change
    parsed = ParsedRow(row.entry.number, 0, player.public_family, player.public_given, str(player.country))
    parsed.cells = [cells[0].cell if cells else Cell(0, 0) for cells in row.rounds]
    parsed.simultaneous = row.entry.guest
    parsed.macmahon = None if row.entry.macmahon is None else float(row.entry.macmahon)
    parsed.points = row.points
    if published and change is not None:
        parsed.grade = change.grade_before or None
        parsed.rating = None if row.rating is None else round(row.rating)
        parsed.starred = row.starred
        parsed.change = None if row.starred or change.change is None else round(change.change)
        parsed.promoted = row.new_grade.grade if row.new_grade and not row.new_grade.needs_approval else None
    return parsed
