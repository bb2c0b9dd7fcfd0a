"""Results typed by hand: a crosstable read as it stands, with what follows and what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ratings.formats.checks import check_games
from ratings.formats.parsed import Cell, ParsedRow, Problems, read_points
from ratings.formats.tokens import read_tokens
from ratings.models import Player
from ratings.systems.words import Words as _


@dataclass(frozen=True)
class TypedRow:
    """A row as typed: `cells` is the text of each round, empty where nothing was typed."""

    number: int
    player: Player | None
    macmahon: str
    cells: tuple[str, ...]
    name: str = ""
    points: str = ""


@dataclass(frozen=True)
class Typed:
    """What the typed crosstable says: rows to save, problems, and (row, round) of what is missing.

    `texts` has the cells again, those filled that follow from the opponent's.
    """

    rows: list[ParsedRow]
    problems: Problems
    missing: list[tuple[int, int]]
    texts: dict[int, list[str]]


def check_typed(typed: Sequence[TypedRow]) -> Typed:
    """Read and check a typed crosstable; a cell left empty is filled from the opponent's where he has one.

    Colours and handicap stones are read on every list, since chess files name colours as well.
    """
    problems = Problems()
    cells = {
        row.number: [_cell(row, round_, text, problems) for round_, text in enumerate(row.cells, 1)] for row in typed
    }
    simultaneous = {row.number for row in typed if any(text.strip() == "&" for text in row.cells)}
    for number, mine in cells.items():
        for i, cell in enumerate(mine):
            if cell is None and number not in simultaneous:
                mine[i] = _mirrored(number, i, cells)
    missing = [
        (n, i + 1) for n, mine in cells.items() if n not in simultaneous for i, c in enumerate(mine) if c is None
    ]
    rows = [_row(row, cells[row.number], row.number in simultaneous, problems) for row in typed]
    if not problems.fatal:
        check_games(rows, problems)
    texts = {
        row.number: [
            text.strip() if c is None else c.token() + c.mark
            for text, c in zip(row.cells, cells[row.number], strict=True)
        ]
        for row in typed
    }
    return Typed(rows, problems, missing, texts)


def _cell(row: TypedRow, round_: int, text: str, problems: Problems) -> Cell | None:
    if not text.strip() or text.strip() == "&":
        return None
    own = Problems()
    read = read_tokens(text, own, 0, row.number, go=True)
    problems.all += [replace(problem, line=None, round=round_) for problem in own.all]
    if len(read) > 1 and not own.fatal:
        problems.error(_("one result a round"), None, row.number, round_)
    return read[0]


def _mirrored(number: int, i: int, cells: dict[int, list[Cell | None]]) -> Cell | None:
    for other, theirs in cells.items():
        cell = theirs[i]
        if other != number and cell is not None and cell.opponent == number:
            return cell.seen_from(other)
    return None


def _row(row: TypedRow, cells: list[Cell | None], simultaneous: bool, problems: Problems) -> ParsedRow:
    name = row.player.name if row.player else row.name or f"row {row.number}"
    parsed = ParsedRow(row.number, 0, name, "", simultaneous=simultaneous)
    parsed.cells = [] if simultaneous else [cell or Cell(0, 0) for cell in cells]
    if row.macmahon.strip():
        parsed.macmahon = read_points(row.macmahon)
        if parsed.macmahon is None or parsed.macmahon * 2 != int(parsed.macmahon * 2):
            problems.error(
                _("MacMahon points “{text}” are no whole or half points", text=row.macmahon.strip()[:20]),
                None,
                row.number,
            )
    parsed.points = read_points(row.points)
    return parsed
