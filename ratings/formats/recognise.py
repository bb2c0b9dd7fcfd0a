"""Detection of a results file's format, and the common entry point to all readers."""

from __future__ import annotations

import datetime as dt
import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import BytesIO

from ratings.formats.aga.results import looks_like_aga, read_aga
from ratings.formats.encodings import convert_utf_16
from ratings.formats.fesa.grid import looks_like_grid, read_grid
from ratings.formats.fesa.published import looks_like_published, read_published
from ratings.formats.h9.table import HEADER_LINE, looks_like_h9, read_h9
from ratings.formats.history.table import read_history_table
from ratings.formats.macmahon.table import looks_like_macmahon, read_macmahon
from ratings.formats.opengotha.table import looks_like_opengotha, read_opengotha, remove_ip_address
from ratings.formats.problems import FileProblem
from ratings.formats.rif.database import looks_like_rif
from ratings.formats.rif.table import read_rif
from ratings.formats.spreadsheet.table import looks_like_csv, looks_like_xlsx, read_csv, read_xlsx
from ratings.formats.tou.table import looks_like_tou, read_tou
from ratings.formats.trf.table import looks_like_trf, read_trf
from ratings.formats.zip_errors import ZIP_ERRORS

from .event_head import Head
from .parsed import BYTES_AT_MOST, FATAL, ParsedTable, Problems

Reader = Callable[[bytes, Head, dt.date], tuple[ParsedTable | None, Problems]]
READERS: Mapping[str, Reader] = {
    "xlsx": read_xlsx,
    "history": read_history_table,
    "trf": read_trf,
    "h9": read_h9,
    "tou": read_tou,
    "opengotha": read_opengotha,
    "macmahon": read_macmahon,
    "rif": read_rif,
    "aga": read_aga,
    "published": lambda data, head, today: read_published(data, today, head),
    "grid": lambda data, head, today: read_grid(data, today, head),
    "csv": read_csv,
}
UNKNOWN_FORMAT = FileProblem.UNKNOWN_FORMAT()
PROBLEMS_AT_MOST = 500
SAVE_ADVICE = FileProblem.SAVE_AS_SPREADSHEET()
UNSUPPORTED_TYPES = (
    (b"\xd0\xcf\x11\xe0", FileProblem.OLD_OFFICE_FILE(save=SAVE_ADVICE)),
    (b"%PDF", FileProblem.PDF_FILE(save=SAVE_ADVICE)),
    (b"\x89PNG", FileProblem.PICTURE()),
    (b"\xff\xd8\xff", FileProblem.PICTURE()),
    (b"GIF8", FileProblem.PICTURE()),
    (b"{\\rtf", FileProblem.TEXT_DOCUMENT()),
    (b"\x1f\x8b", FileProblem.PACKED_FILE()),
    (b"Rar!", FileProblem.PACKED_FILE()),
    (b"7z\xbc\xaf", FileProblem.PACKED_FILE()),
)


@dataclass(frozen=True, slots=True)
class ReadResult:
    """The result of reading a file: its format, its table (None if it has no readable one) and its problems."""

    format: str
    table: ParsedTable | None
    problems: Problems


def detect_format(data: bytes) -> str:
    """Return the format of a file: a key of `READERS`, or unknown."""
    if len(data) > BYTES_AT_MOST or find_unsupported_type(data):
        return "unknown"
    data = convert_utf_16(data)
    if data.startswith(b"PK"):
        return "xlsx"
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return "history"
    return next((format for format, looks_like_form in GUESSES if looks_like_form(data)), "unknown")


def _has_h9_header(data: bytes) -> bool:
    """Return True if a line is a header of .h9, by which the format is certain."""
    return any(HEADER_LINE.match(line) for line in data[:20000].decode("latin-1").splitlines())


GUESSES: tuple[tuple[str, Callable[[bytes], bool]], ...] = (
    ("opengotha", looks_like_opengotha),
    ("macmahon", looks_like_macmahon),
    ("rif", looks_like_rif),
    ("aga", looks_like_aga),
    ("h9", _has_h9_header),
    ("tou", looks_like_tou),
    ("trf", looks_like_trf),
    ("csv", looks_like_csv),
    ("grid", looks_like_grid),
    ("h9", looks_like_h9),
    ("published", looks_like_published),
)
"""Formats of text files with what recognises them, in this order: rows of a wall list look like those of a published
table, so h9 comes first; a crosstable's header row is the surest sign of all.
"""


def remove_private_data(data: bytes) -> bytes:
    """Return a file as it may be stored: without the IP address that OpenGotha writes into its files."""
    converted = convert_utf_16(data)
    cleaned = remove_ip_address(converted)
    return data if cleaned == converted else cleaned


def find_unsupported_type(data: bytes) -> str | None:
    """Return the message for a file of a type that cannot contain results, None for other files."""
    if data.startswith(b"PK") and not looks_like_xlsx(data):
        return FileProblem.THIS_IS(what=_describe_archive(data))
    if re.match(rb"\s*<(!doctype\s+html|html)", data[:1000], re.IGNORECASE):
        return FileProblem.WEB_PAGE()
    return next((message for magic, message in UNSUPPORTED_TYPES if data.startswith(magic)), None)


def _describe_archive(data: bytes) -> str:
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            names = archive.namelist()
    except ZIP_ERRORS:
        return FileProblem.DAMAGED_ARCHIVE(save=SAVE_ADVICE)
    if "content.xml" in names:
        return FileProblem.OPEN_DOCUMENT(save=SAVE_ADVICE)
    if "word/document.xml" in names:
        return FileProblem.WORD_DOCUMENT(save=SAVE_ADVICE)
    return FileProblem.ZIP_ARCHIVE(save=SAVE_ADVICE)


def read_results_file(data: bytes, head: Head, today: dt.date) -> ReadResult:
    """Read a results file in any supported format; no content of the file raises an exception.

    `head` has the name and days that are used if the file has none. Days after `today` are errors.
    """
    format = detect_format(data)
    if format != "unknown":
        table, problems = READERS[format](convert_utf_16(data) if format == "history" else data, head, today)
        _leave_out_incomplete_places(table, problems)
        return ReadResult(format, table, _limit_problems(problems))
    problems = Problems()
    if len(data) > BYTES_AT_MOST:
        problems.error(FileProblem.FILE_TOO_LARGE(data=len(data), most=BYTES_AT_MOST))
    elif not data.strip():
        problems.error(FileProblem.FILE_EMPTY())
    else:
        problems.error(find_unsupported_type(data) or UNKNOWN_FORMAT)
    return ReadResult(format, None, problems)


def _leave_out_incomplete_places(table: ParsedTable | None, problems: Problems) -> None:
    """Leave out the official places of a table in which some players have none, with a hint."""
    rows = table.rows if table else []
    if any(row.place for row in rows) and not all(row.place or "place" in row.texts for row in rows):
        for row in rows:
            row.place = None
        problems.note(FileProblem.PLACES_LEFT_OUT())


def _limit_problems(problems: Problems) -> Problems:
    """Return at most `PROBLEMS_AT_MOST` problems, errors first, with a message that counts the rest."""
    if len(problems.all) <= PROBLEMS_AT_MOST:
        return problems
    errors_first = sorted(problems.sorted_by_position(), key=lambda problem: problem.level != FATAL)
    limited = Problems(errors_first[:PROBLEMS_AT_MOST])
    report = limited.error if problems.fatal else limited.warn
    report(FileProblem.MORE_PROBLEMS(counts=problems.counts.total() - PROBLEMS_AT_MOST))
    return limited
