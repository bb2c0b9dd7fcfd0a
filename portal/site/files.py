"""File formats in which a table can be downloaded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ratings.formats.aga.written import write_aga
from ratings.formats.fesa.grid import write_grid
from ratings.formats.fesa.published import write_published
from ratings.formats.h9.table import extension_of, write_h9
from ratings.formats.opengotha.written import write_opengotha
from ratings.formats.parsed import ParsedTable
from ratings.formats.spreadsheet.table import write_csv, write_xlsx
from ratings.formats.tou.table import write_tou
from ratings.formats.trf.table import write_trf
from ratings.formats.us_chess.report import write_report


@dataclass(frozen=True)
class File:
    """File format in which a table can be downloaded."""

    name: str | Promise
    write: Callable[[ParsedTable], str | bytes]
    extension: str = "txt"
    type: str = "text/plain"
    latin1: bool = False
    extension_of: Callable[[ParsedTable], str] | None = None

    def end(self, table: ParsedTable) -> str:
        """Return the extension of the file of a table; that of the address, unless it depends on the table."""
        return self.extension if self.extension_of is None else self.extension_of(table)


FILES = {
    "grid": File("American Grid", write_grid, latin1=True),
    "published": File(_("result table"), write_published, latin1=True),
    "trf": File("TRF26", write_trf, "trf"),
    "h9": File(".h9", write_h9, "h9", extension_of=extension_of),
    "tou": File(".tou", write_tou, "tou", latin1=True),
    "opengotha": File("OpenGotha", write_opengotha, "xml", "application/xml"),
    "aga": File("AGA", write_aga),
    "uschess": File("US Chess", write_report, "zip", "application/zip"),
    "csv": File("CSV", write_csv, "csv", "text/csv"),
    "xlsx": File("XLSX", write_xlsx, "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
}


def encoded(text: str, *, latin1: bool) -> tuple[bytes, str]:
    if latin1:
        try:
            return text.encode("latin-1"), "; charset=iso-8859-1"
        except UnicodeEncodeError:
            pass
    return text.encode(), "; charset=utf-8"
