"""Reader of the tables in a piece of HTML: the texts of their cells, without any markup."""

from __future__ import annotations

import unicodedata
from html.parser import HTMLParser

Table = list[list[str]]
"""Rows of cell texts."""
HTML_AT_MOST = 500_000
"""Bytes of a page that is read."""
TABLES_AT_MOST, ROWS_AT_MOST, CELLS_AT_MOST, TEXT_AT_MOST = 20, 1_200, 60, 200
LEFT_OUT = {"script", "style", "template", "noscript", "title"}
"""Elements whose text nobody sees."""


def read_tables(html: str) -> list[Table]:
    """Return the tables of a page with the texts of their cells, blanks joined; empty rows and tables are left out.

    A cell that spans columns is followed by empty ones. Tables inside cells are read as text of the cell. What exceeds
    the limits of this module is left out.
    """
    reader = _TableReader()
    reader.feed(html)
    reader.close()
    return [table for table in reader.tables if table]


class _TableReader(HTMLParser):
    """Parser that collects the cells of the outermost tables; unclosed cells and rows end where the next one begins."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[Table] = []
        self.depth, self.hidden = 0, 0
        self.row: list[str] | None = None
        self.cell: list[str] | None = None
        self.span = 1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in LEFT_OUT:
            self.hidden += 1
        elif tag == "table":
            self.depth += 1
            if self.depth == 1 and len(self.tables) < TABLES_AT_MOST:
                self.tables.append([])
        elif self.depth == 1 and tag == "tr":
            self._end_row()
            self.row = []
        elif self.depth == 1 and tag in ("td", "th"):
            self._end_cell()
            self.row = [] if self.row is None else self.row
            self.cell, self.span = [], _read_span(dict(attrs).get("colspan"))
        elif tag in ("br", "p", "div") and self.cell is not None:
            self.cell.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in LEFT_OUT:
            self.hidden = max(self.hidden - 1, 0)
        elif tag == "table" and self.depth:
            if self.depth == 1:
                self._end_row()
            self.depth -= 1
        elif self.depth == 1 and tag == "tr":
            self._end_row()
        elif self.depth == 1 and tag in ("td", "th"):
            self._end_cell()

    def handle_data(self, data: str) -> None:
        if self.cell is not None and not self.hidden:
            self.cell.append(data)

    def close(self) -> None:
        super().close()
        self._end_row()

    def _end_cell(self) -> None:
        if self.cell is not None and self.row is not None:
            composed = unicodedata.normalize("NFC", "".join(self.cell))  # names are found in this form
            text = " ".join(composed.replace("\x00", " ").split())[:TEXT_AT_MOST]
            self.row += [text, *[""] * (self.span - 1)]
            del self.row[CELLS_AT_MOST:]
        self.cell = None

    def _end_row(self) -> None:
        self._end_cell()
        if self.row and any(self.row) and self.tables and len(self.tables[-1]) < ROWS_AT_MOST:
            self.tables[-1].append(self.row)
        self.row = None


def _read_span(text: str | None) -> int:
    """Return the number of columns that a cell spans; 1 for anything that is no number."""
    if not text or not text.isascii() or not text.isdigit() or len(text) > 3:
        return 1
    return max(1, min(int(text), CELLS_AT_MOST))
