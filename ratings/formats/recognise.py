"""Which outside format a results file is in, and the one door to all their readers."""

from __future__ import annotations

import datetime as dt
import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import BytesIO

from ratings.systems.words import Words as _

from .grid import looks_like_grid, read_grid
from .h9 import HEADER_LINE, looks_like_h9, read_h9
from .head import Head
from .history_table import read_history_table
from .parsed import BYTES_AT_MOST, FATAL, ParsedTable, Problems
from .published import looks_published, read_published
from .sheets import looks_like_csv, looks_like_xlsx, read_csv, read_xlsx
from .trf import looks_like_trf, read_trf

Reader = Callable[[bytes, Head, dt.date], tuple[ParsedTable | None, Problems]]
READERS: Mapping[str, Reader] = {
    "xlsx": read_xlsx,
    "history": read_history_table,
    "trf": read_trf,
    "h9": read_h9,
    "published": lambda data, _, today: read_published(data, today),
    "grid": lambda data, _, today: read_grid(data, today),
    "csv": read_csv,
}
KNOWN = _(
    "the file is in none of the known forms: American Grid, published FESA table, TRF, .h9, crosstable"
    " or list of games as CSV or .xlsx, ratings-history/1"
)
PROBLEMS_AT_MOST = 500
SAVE = _("save it as .xlsx or CSV")
OTHERS = (
    (b"\xd0\xcf\x11\xe0", _("this is an old Excel or Word file; open it and {save}", save=SAVE)),
    (
        b"%PDF",
        _("this is a PDF, which holds no table that can be read; take the file it was made from and {save}", save=SAVE),
    ),
    (b"\x89PNG", _("this is a picture; type the results into the template or the portal's crosstable")),
    (b"\xff\xd8\xff", _("this is a picture; type the results into the template or the portal's crosstable")),
    (b"GIF8", _("this is a picture; type the results into the template or the portal's crosstable")),
    (b"{\\rtf", _("this is a text document; save it as plain text")),
    (b"\x1f\x8b", _("this is a packed file; unpack it and send the results file in it")),
    (b"Rar!", _("this is a packed file; unpack it and send the results file in it")),
    (b"7z\xbc\xaf", _("this is a packed file; unpack it and send the results file in it")),
)


@dataclass(frozen=True, slots=True)
class Read:
    """What came of a file: the form it is in, its table (None where it has no readable one), and its problems."""

    form: str
    table: ParsedTable | None
    problems: Problems


def recognise(data: bytes) -> str:
    """The form of a file: xlsx, history, trf, h9, published, grid, csv or unknown."""
    if len(data) > BYTES_AT_MOST or other_than_results(data):
        return "unknown"
    if data.startswith(b"PK"):
        return "xlsx"
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return "history"
    text = data[:20000].decode("latin-1").splitlines()
    if any(HEADER_LINE.match(line) for line in text):
        return "h9"
    # rows of a wall list look like a published table's; a crosstable's header row is the surest sign of all
    guesses = (
        ("trf", looks_like_trf), ("csv", looks_like_csv), ("grid", looks_like_grid), ("h9", looks_like_h9),
        ("published", looks_published),
    )  # fmt: skip
    return next((form for form, looks in guesses if looks(data)), "unknown")


def other_than_results(data: bytes) -> str | None:
    """What to do with a file of a kind that holds no results; None for others."""
    if data.startswith(b"PK") and not looks_like_xlsx(data):
        return _("this is {what}", what=_archive(data))
    if re.match(rb"\s*<(!doctype\s+html|html)", data[:1000], re.IGNORECASE):
        return _("this is a web page; copy its table into a spreadsheet and save that as .xlsx or CSV")
    return next((told for magic, told in OTHERS if data.startswith(magic)), None)


def _archive(data: bytes) -> str:
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return _("a damaged workbook or archive; save it again, or {save}", save=SAVE)
    if "content.xml" in names:
        return _("an OpenDocument file; open it and {save}", save=SAVE)
    if "word/document.xml" in names:
        return _("a Word document; copy its table into a spreadsheet and {save}", save=SAVE)
    return _("a zip archive and no workbook; unpack it and send the results file in it, or {save}", save=SAVE)


def read(data: bytes, head: Head, today: dt.date) -> Read:
    """Read a file in whichever form it is; never raises for what is in it.

    `head` gives name and days where the form has none; from `today` on a day lies in the future.
    """
    form = recognise(data)
    if form != "unknown":
        table, problems = READERS[form](data, head, today)
        return Read(form, table, _shown(problems))
    problems = Problems()
    if len(data) > BYTES_AT_MOST:
        problems.error(
            _(
                "the file has {data:,} bytes or more; at most {most:,} are read",
                data=len(data),
                most=BYTES_AT_MOST,
            )
        )
    elif not data.strip():
        problems.error(_("the file is empty"))
    else:
        problems.error(other_than_results(data) or KNOWN)
    return Read(form, None, problems)


def _shown(problems: Problems) -> Problems:
    """No more problems than somebody reads, errors first; the rest are counted."""
    if len(problems.all) <= PROBLEMS_AT_MOST:
        return problems
    errors_first = sorted(problems.in_order(), key=lambda problem: problem.level != FATAL)
    shown = Problems(errors_first[:PROBLEMS_AT_MOST])
    report = shown.error if problems.fatal else shown.warn
    report(_("and {counts:,} more; mend these first", counts=problems.counts.total() - PROBLEMS_AT_MOST))
    return shown
