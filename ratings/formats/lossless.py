"""The file formats that can hold all data of a table, so that no download loses results."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ratings.formats.aga.written import holds_games
from ratings.formats.chess_results.written import holds_results
from ratings.formats.opengotha.written import holds_table
from ratings.formats.tou.table import holds_rows
from ratings.formats.trf.rows import NAME_WIDTH
from ratings.formats.trf.written_rows import can_write_unplayed
from ratings.formats.us_chess.report import holds_report
from ratings.systems.values import GameKind

from .parsed import ParsedTable

MARKED = (GameKind.UNRATED, GameKind.FULL_BYE)
"""Kinds that most formats cannot tell from games won by default and from the bye of the pairing."""


def lossless_formats(table: ParsedTable) -> list[str]:
    """Return the formats that can hold all data of a table.

    A file in these formats has all players, results, handicaps, stones, colours and MacMahon points of the table.
    """
    return [form for form, loses in LOSS_CHECKS.items() if not loses(table)]


def _grid_loses(table: ParsedTable) -> bool:
    """Return True if the grid would lose data of the table.

    The federation's program knows only handicaps of shogi, and the grid uses brackets to separate the names.
    """
    brackets = any(re.search(r"[\[\]]", row.family + row.given) for row in table.rows)
    return _has_colours(table) or _has_marked_results(table) or brackets


def _published_loses(table: ParsedTable) -> bool:
    """Return True if the published table would lose data: each row needs a country, and a rating if others have one.

    Erased persons have no country, and withdrawn ratings are not published.
    """
    ratings = [row.rating for row in table.rows if row.rating is not None]
    incomplete = 0 < len(ratings) < len(table.rows) or not all(row.country for row in table.rows)
    return incomplete or _has_colours(table) or _has_marked_results(table) or _has_simultaneous_display(table)


def _trf_loses(table: ParsedTable) -> bool:
    long = any(len(f"{row.family}, {row.given}") > NAME_WIDTH or "," in row.family for row in table.rows)
    cells = [cell for row in table.rows for cell in row.cells]
    unknown = any(cell.stones or (cell.forfeit and not can_write_unplayed(cell)) for cell in cells)
    return long or unknown or _has_extras(table)


def _h9_loses(table: ParsedTable) -> bool:
    signs = any(re.search(r"[_;|]", row.family + row.given) for row in table.rows)
    colours = any(cell.forfeit and cell.has_black is not None for row in table.rows for cell in row.cells)
    return signs or colours or _has_extras(table) or _has_other_places(table) or _has_kind(table, *MARKED)


def _tou_loses(table: ParsedTable) -> bool:
    return _has_extras(table) or _has_other_places(table) or _has_kind(table, *MARKED) or not holds_rows(table)


def _has_other_places(table: ParsedTable) -> bool:
    """Return True if official places are not the numbers of the rows, which files of go name as places."""
    return any(row.place not in (None, row.number) for row in table.rows)


def _loses_unless(holds: Callable[[ParsedTable], bool]) -> Callable[[ParsedTable], bool]:
    """Return the check of a format that knows no extras, and holds the tables for which `holds` returns True."""
    return lambda table: _has_extras(table) or _has_kind(table, *MARKED) or not holds(table)


def _has_marked_results(table: ParsedTable) -> bool:
    """Return True if a result without rating has an opponent or a kind, which formats without marks cannot hold."""
    return any(cell.forfeit or cell.kind for row in table.rows for cell in row.cells)


def _has_kind(table: ParsedTable, *kinds: GameKind) -> bool:
    """Return True if a result is of one of these kinds, which the format would hold as another one."""
    return any(cell.kind in kinds for row in table.rows for cell in row.cells)


def _has_extras(table: ParsedTable) -> bool:
    """Return True if a table has handicaps of shogi, MacMahon points or a simultaneous display."""
    return _has_handicaps(table) or _has_macmahon_points(table) or _has_simultaneous_display(table)


def _has_colours(table: ParsedTable) -> bool:
    return any(cell.black is not None for row in table.rows for cell in row.cells)


def _has_handicaps(table: ParsedTable) -> bool:
    return any(cell.handicap for row in table.rows for cell in row.cells)


def _has_macmahon_points(table: ParsedTable) -> bool:
    return any(row.macmahon for row in table.rows)


def _has_simultaneous_display(table: ParsedTable) -> bool:
    return any(row.simultaneous for row in table.rows)


LOSS_CHECKS: Mapping[str, Callable[[ParsedTable], bool]] = {
    "grid": _grid_loses,
    "published": _published_loses,
    "trf": _trf_loses,
    "h9": _h9_loses,
    "tou": _tou_loses,
    "opengotha": _loses_unless(holds_table),
    "aga": _loses_unless(holds_games),
    "uschess": _loses_unless(holds_report),
    "chessresults": lambda table: _has_extras(table) or _has_kind(table, GameKind.FULL_BYE) or not holds_results(table),
    "csv": lambda _: False,
    "xlsx": lambda _: False,
}
