"""Reading of crosstables typed by hand, with mirrored and missing results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ratings.formats.checks import check_games
from ratings.formats.parsed import Cell, ParsedRow, Problems, read_place, read_points, unreadable
from ratings.formats.problems import FileProblem
from ratings.formats.tokens import read_tokens
from ratings.models import Player


@dataclass(frozen=True)
class TypedRow:
    """A typed row of a crosstable; `cells` holds the text of each round, empty where nothing was typed."""

    number: int
    player: Player | None
    macmahon: str
    cells: tuple[str, ...]
    name: str = ""
    points: str = ""
    place: str = ""


@dataclass(frozen=True)
class TypedCrosstable:
    """A typed crosstable after reading: its rows, its problems, and the (row, round) of each missing result.

    `mirrored` holds the text of each empty cell (row, round) that follows from the opponent's cell.
    """

    rows: list[ParsedRow]
    problems: Problems
    missing: list[tuple[int, int]]
    mirrored: dict[tuple[int, int], str]


def read_crosstable(typed: Sequence[TypedRow]) -> TypedCrosstable:
    """Read a typed crosstable and check everything in it that can be read.

    An empty cell takes the result from the opponent's cell if that cell names this row. A text that is not a result is
    an error, but the other cells are still checked. Colours and handicap stones are read on every list, since chess
    files name colours as well.
    """
    problems = Problems()
    cells = {
        row.number: [_read_cell(row, round_, text, problems) for round_, text in enumerate(row.cells, 1)]
        for row in typed
    }
    simultaneous = {row.number for row in typed if any(text.strip() == "&" for text in row.cells)}
    for row in typed:
        if row.number in simultaneous and any(text.strip() not in ("", "&") for text in row.cells):
            problems.error(FileProblem.SIMULTANEOUS_WITH_GAMES(), row=row.number)
    from_opponents = _collect_games_from_opponents(cells)
    mirrored = {
        (number, i + 1): from_opponents[number, i]
        for number, row_cells in cells.items()
        if number not in simultaneous
        for i, cell in enumerate(row_cells)
        if cell is None and (number, i) in from_opponents
    }
    for (number, round_), cell in mirrored.items():
        cells[number][round_ - 1] = cell
    missing = [
        (n, i + 1)
        for n, row_cells in cells.items()
        if n not in simultaneous
        for i, c in enumerate(row_cells)
        if c is None
    ]
    rows = [_build_row(row, cells[row.number], row.number in simultaneous, problems) for row in typed]
    without = [row.number for row in typed if not row.place.strip()]
    if 0 < len(without) < len(typed):
        problems.error(FileProblem.PLACES_MISSING(count=len(without)), None, without[0])
    check_games(rows, problems)
    return TypedCrosstable(rows, problems, missing, {position: cell.typed for position, cell in mirrored.items()})


def _read_cell(row: TypedRow, round_: int, text: str, problems: Problems) -> Cell | None:
    if not text.strip() or text.strip() == "&":
        return None
    own = Problems()
    read = read_tokens(text, own, 0, row.number, go=True)
    for problem in own.all:
        problems.add(replace(problem, line=None, round=round_))
    if len(read) > 1 and not own.fatal:
        problems.error(FileProblem.SEVERAL_RESULTS(), None, row.number, round_)
    return read[0] if len(read) == 1 and not own.fatal else unreadable(text)


def _collect_games_from_opponents(cells: dict[int, list[Cell | None]]) -> dict[tuple[int, int], Cell]:
    """Return the game of each (row, index of the round), taken from the first row that names it as opponent."""
    from_opponents: dict[tuple[int, int], Cell] = {}
    for number, row_cells in cells.items():
        for i, cell in enumerate(row_cells):
            if cell is not None and cell.readable and cell.named and cell.named != number:
                from_opponents.setdefault((cell.named, i), cell.mirrored(number))
    return from_opponents


def _build_row(row: TypedRow, cells: list[Cell | None], simultaneous: bool, problems: Problems) -> ParsedRow:
    name = row.player.name if row.player else row.name or f"row {row.number}"
    parsed = ParsedRow(row.number, 0, name, "", simultaneous=simultaneous)
    parsed.cells = [] if simultaneous else [cell or unreadable("") for cell in cells]
    if row.macmahon.strip():
        parsed.macmahon = read_points(row.macmahon)
        if parsed.macmahon is None or parsed.macmahon * 2 != int(parsed.macmahon * 2):
            problems.error(FileProblem.MACMAHON_NOT_HALF_POINTS(text=row.macmahon.strip()[:20]), None, row.number)
    parsed.points = read_points(row.points)
    if row.place.strip():
        parsed.place = read_place(row.place)
        if parsed.place is None:
            problems.error(FileProblem.PLACE_NOT_A_NUMBER(text=row.place.strip()[:20]), None, row.number)
    return parsed
