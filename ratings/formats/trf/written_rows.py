"""Writer of the player lines of TRF, and of the lines of national federations, which have the same columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ratings.formats.fide.country_codes import federation_code
from ratings.formats.parsed import Cell, ParsedRow
from ratings.formats.people.outside_ids import FIDE
from ratings.systems.values import GameKind

from .rows import NAME_WIDTH

BYE_SIGNS = {1: "F", 0.5: "H", 0: "Z"}
RESULT_SIGNS = {1: "1", 0: "0", 0.5: "="}
FORFEIT_SIGNS: dict[float, str] = {1: "+", 0: "-"}
UNRATED_SIGNS: dict[float, str] = {1: "W", 0.5: "D", 0: "L"}
PAIRING_BYE = "U"
COLOURS = {True: "b", False: "w", None: "-"}


def write_rows(rows: Sequence[ParsedRow], rounds: int) -> list[str]:
    """Return the lines of the players, with this number of rounds.

    The only full point without an opponent in a round is written as the pairing-allocated bye (U), unless it is known
    to be another one: there is at most one a round. Several are written as other byes (F).
    """
    by_row = [[*row.cells, *[Cell(0, 0)] * (rounds - len(row.cells))] for row in rows]
    byes = Counter(round_ for cells in by_row for round_, cell in enumerate(cells) if _is_full_bye(cell))
    return [_write_row(row, cells, byes) for row, cells in zip(rows, by_row, strict=True)]


def _is_full_bye(cell: Cell) -> bool:
    return not cell.named and cell.points == 1 and cell.kind != GameKind.FULL_BYE


def _write_row(row: ParsedRow, cells: Sequence[Cell], byes: Counter[int]) -> str:
    points = sum(cell.points for cell in cells)
    written = "".join(f"  {_format_cell(cell, byes[round_] == 1)}" for round_, cell in enumerate(cells))
    number = row.outside.get(FIDE, "")
    return (
        f"{_write_player('001', row, row.rating, federation_code(row.country), number)} {points:>4.1f} "
        f"{row.place or '':>4}{written}"
    ).rstrip()


def _write_player(code: str, row: ParsedRow, rating: int | None, federation: str, number: str) -> str:
    """Return the columns of a line up to the birth date, of which only the year is known."""
    name = f"{row.family}, {row.given}"[:NAME_WIDTH]
    rating_text = f"{rating}" if rating is not None and 0 < rating <= 9999 else ""
    born = f"{row.birth_year}/00/00" if row.birth_year else ""
    return (
        f"{code} {row.number:>4} {row.sex:1}{row.title:>3.3} {name:<{NAME_WIDTH}} {rating_text:>4} {federation:<3} "
        f"{number:>11} {born:10}"
    )


def write_national_row(row: ParsedRow, code: str, number: str, rating: int | None) -> str:
    """Return the line of a national federation, by FIDE's code, with its rating and number of the player."""
    return _write_player(code, row, rating, "", number).rstrip()


def _format_cell(cell: Cell, only_bye: bool) -> str:
    if cell.opponent:
        return f"{cell.opponent:>4} {COLOURS[cell.black]} {RESULT_SIGNS[cell.points]}"
    if cell.forfeit and can_write_unplayed(cell):
        return f"{cell.forfeit:>4} {COLOURS[cell.paired_black]} {_unplayed_signs(cell)[cell.points]}"
    return f"0000 - {PAIRING_BYE if only_bye and _is_full_bye(cell) else BYE_SIGNS[cell.points]}"


def can_write_unplayed(cell: Cell) -> bool:
    """Return True if the format has a sign for a game that is not rated: it has none for a half point by default."""
    return cell.points in _unplayed_signs(cell)


def _unplayed_signs(cell: Cell) -> dict[float, str]:
    return UNRATED_SIGNS if cell.kind == GameKind.UNRATED else FORFEIT_SIGNS
