"""Which outside formats can carry a table whole, so that no download loses something that was played."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from .parsed import ParsedTable
from .trf_rows import NAME_WIDTH


def lossless_forms(table: ParsedTable) -> list[str]:
    """The formats that, read again, give the same players, results, handicaps, stones, colours and MacMahon points."""
    return [form for form, loses in LOSES.items() if not loses(table)]


def _grid_loses(table: ParsedTable) -> bool:
    """The federation's program knows handicaps of shogi only, and brackets part the names."""
    return _colours(table) or any(re.search(r"[\[\]]", row.family + row.given) for row in table.rows)


def _published_loses(table: ParsedTable) -> bool:
    return _colours(table) or _simultaneous(table)


def _trf_loses(table: ParsedTable) -> bool:
    long = any(len(f"{row.family}, {row.given}") > NAME_WIDTH or "," in row.family for row in table.rows)
    stones = any(cell.stones for row in table.rows for cell in row.cells)
    return long or stones or _handicaps(table) or _macmahon(table) or _simultaneous(table)


def _h9_loses(table: ParsedTable) -> bool:
    signs = any(re.search(r"[_;|]", row.family + row.given) for row in table.rows)
    return signs or _handicaps(table) or _macmahon(table) or _simultaneous(table)


def _colours(table: ParsedTable) -> bool:
    return any(cell.black is not None for row in table.rows for cell in row.cells)


def _handicaps(table: ParsedTable) -> bool:
    return any(cell.handicap for row in table.rows for cell in row.cells)


def _macmahon(table: ParsedTable) -> bool:
    return any(row.macmahon for row in table.rows)


def _simultaneous(table: ParsedTable) -> bool:
    return any(row.simultaneous for row in table.rows)


LOSES: Mapping[str, Callable[[ParsedTable], bool]] = {
    "grid": _grid_loses,
    "published": _published_loses,
    "trf": _trf_loses,
    "h9": _h9_loses,
    "csv": lambda _: False,
    "xlsx": lambda _: False,
}
