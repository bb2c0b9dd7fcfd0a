"""File formats in which a table can be downloaded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ratings.formats.aga.written import write_aga
from ratings.formats.chess_results.written import write_chess_results
from ratings.formats.fesa.grid import write_grid
from ratings.formats.fesa.published import write_published
from ratings.formats.h9.table import extension_of, write_h9
from ratings.formats.opengotha.written import write_opengotha
from ratings.formats.parsed import ParsedTable
from ratings.formats.spreadsheet.table import write_csv, write_xlsx
from ratings.formats.tou.table import write_tou
from ratings.formats.trf.table import write_trf
from ratings.formats.us_chess.report import write_report
from ratings.models import RatingList, Registry
from ratings.queries.events.crosstables import Crosstable
from ratings.queries.events.h9_details import add_h9_details
from ratings.queries.events.trf_details import add_national_numbers, add_trf_details


@dataclass(frozen=True)
class File:
    """File format in which a table can be downloaded."""

    name: str | Promise
    write: Callable[[ParsedTable], str | bytes]
    extension: str = "txt"
    type: str = "text/plain"
    latin1: bool = False
    extension_of: Callable[[ParsedTable], str] | None = None
    has_ratings: bool = False
    has_grades: bool = False
    """True if the file has the grades before the table: go programs pair players by grade."""
    registry: str = ""
    """Registry whose ids the file has."""
    details: tuple[Callable[[ParsedTable, Crosstable, RatingList | None], None], ...] = ()
    """Functions that add what the file has beside the results."""

    def end(self, table: ParsedTable) -> str:
        """Return the extension of the file of a table; that of the address, unless it depends on the table."""
        return self.extension if self.extension_of is None else self.extension_of(table)


GO_FILE = partial(File, has_grades=True, details=(add_h9_details,))
LICENSED_GO_FILE = partial(GO_FILE, details=(add_h9_details, add_national_numbers))
CHESS_FILE = partial(File, details=(add_trf_details,))
FILES = {
    "grid": File("American Grid", write_grid, latin1=True),
    "published": File(_("published results"), write_published, latin1=True, has_ratings=True),
    "trf": CHESS_FILE("TRF26", write_trf, "trf", registry=Registry.FIDE),
    "h9": GO_FILE(".h9", write_h9, "h9", extension_of=extension_of, registry=Registry.EGD),
    "tou": LICENSED_GO_FILE(".tou", write_tou, "tou", latin1=True),
    "opengotha": LICENSED_GO_FILE("OpenGotha", write_opengotha, "xml", "application/xml", registry=Registry.EGD),
    "aga": GO_FILE("AGA", write_aga, registry=Registry.AGA),
    "uschess": CHESS_FILE("US Chess", write_report, "zip", "application/zip", registry=Registry.US_CHESS),
    "chessresults": CHESS_FILE("chess-results", write_chess_results, "xml", "application/xml", registry=Registry.FIDE),
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
