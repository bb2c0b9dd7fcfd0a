"""Workbooks (.xlsx) as lines of texts, guarded against files that are made to hurt, and written without formulas."""

from __future__ import annotations

import datetime as dt
import io
import re
import warnings
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import openpyxl

from ratings.systems.words import Words as _

from .parsed import BYTES_AT_MOST, LINE_AT_MOST, ROWS_AT_MOST, SPACES, Problems
from .sheet import HEADER_AMONG, Line

MEMBERS_AT_MOST = 200
UNPACKED_AT_MOST = 5_000_000
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the two of the format
ELEMENTS_AT_MOST = 60_000  # of all parts but the sheets; the texts of a thousand players need less
SHEET_ELEMENTS_AT_MOST = 400_000  # a thousand players and thirty rounds need half of it
# parts of which an element takes openpyxl longer
FEWER_ELEMENTS_AT_MOST = {"xl/workbook.xml": 2_000, "xl/styles.xml": 20_000}
RATIO_AT_MOST, RATIO_FROM = 200, 1_000_000  # sheets pack well: a member of less than a megabyte does no harm
LINES_AT_MOST, COLUMNS_AT_MOST = ROWS_AT_MOST + HEADER_AMONG, 60
NO_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")
BROKEN = _("the workbook cannot be read; open it in a spreadsheet program and save it again as .xlsx, or as CSV")


def looks_like_xlsx(data: bytes) -> bool:
    """Whether it is a zip archive with a workbook in it."""
    if not data.startswith(b"PK"):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return "xl/workbook.xml" in archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return False


def read_workbook(data: bytes, problems: Problems) -> list[Line]:
    """The lines of the first sheet that has any; formulas are not computed, their stored values are read."""
    if problem := _dangerous(data):
        problems.error(problem)
        return []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what openpyxl leaves out of a workbook is of no use here
            parts = _unpacked(data)
            if problem := _too_many_elements(parts):
                problems.error(problem)
                return []
            return _lines(parts, problems)
    except Exception:  # noqa: BLE001 - a broken workbook raises whatever its broken part raises, far inside openpyxl
        problems.error(BROKEN)
        return []


def _dangerous(data: bytes) -> str | None:
    """What forbids to unpack the file."""
    if len(data) > BYTES_AT_MOST:
        return _(
            "the file has {data:,} bytes or more; at most {most:,} are read",
            data=len(data),
            most=BYTES_AT_MOST,
        )
    if not looks_like_xlsx(data):
        return _("this is no workbook; save it as .xlsx or as CSV")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
    if len(members) > MEMBERS_AT_MOST:
        return _(
            "the workbook has {members:,} parts, at most {members_at_most} are read; copy the table to a new one",
            members=len(members),
            members_at_most=MEMBERS_AT_MOST,
        )
    if sum(member.file_size for member in members) > UNPACKED_AT_MOST:
        return _(
            "the workbook is larger than {unpacked_at_most:,} bytes when unpacked; copy the table to a new one",
            unpacked_at_most=UNPACKED_AT_MOST,
        )
    if any(
        member.file_size > RATIO_FROM and member.file_size > RATIO_AT_MOST * member.compress_size for member in members
    ):
        return _("the workbook is packed more tightly than any table is; copy the table to a new one")
    return None if all(member.compress_type in METHODS for member in members) else BROKEN


def _unpacked(data: bytes) -> Mapping[str, bytes]:
    """All parts. A size that lies is safe: of a part no more is unpacked than it told, whatever it is in truth."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {member.filename: _bytes_of(archive, member) for member in archive.infolist()}


def _bytes_of(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    with archive.open(member) as part:
        return part.read(member.file_size)  # read() without a size unpacks everything that is packed


def _too_many_elements(parts: Mapping[str, bytes]) -> str | None:
    """Each element takes openpyxl far longer to read than the bytes that it stands in."""
    elements = {name: part.count(b"<") for name, part in parts.items()}
    sheets = [count for name, count in elements.items() if name.startswith("xl/worksheets/")]
    others = sum(elements.values()) - sum(sheets)
    if others > ELEMENTS_AT_MOST or any(elements.get(name, 0) > most for name, most in FEWER_ELEMENTS_AT_MOST.items()):
        return _("the workbook has more texts, formats or names than any table needs; copy the table to a new one")
    if sum(sheets) > SHEET_ELEMENTS_AT_MOST:
        return _("the workbook's sheets are larger than any table; copy the table to a new one")
    return None


def _lines(parts: Mapping[str, bytes], problems: Problems) -> list[Line]:
    book = openpyxl.load_workbook(_stored(parts), read_only=True, data_only=True, keep_links=False)
    found: list[Line] = []
    try:
        if len({sheet._worksheet_path for sheet in book.worksheets}) < len(book.worksheets):  # type: ignore[attr-defined]  # noqa: SLF001 - nothing public tells it
            raise ValueError("a part that several sheets name would be read as often")
        for sheet in book.worksheets:
            lines = _lines_of(sheet, problems)
            if lines and found:
                problems.warn(_("the workbook has several sheets; the first one with a table was read"))
                break
            found = found or lines
    finally:
        book.close()
    _check_size(found, problems)
    if not found and not problems.fatal:
        problems.error(_("the workbook is empty"))
    return found


def _lines_of(sheet: Any, problems: Problems) -> list[Line]:
    lines = []
    rows = sheet.iter_rows(max_row=LINES_AT_MOST + 1, max_col=COLUMNS_AT_MOST + 1, values_only=True)
    for number, row in enumerate(rows, 1):
        cells = _trimmed(map(_text, row))
        if sum(map(len, cells)) > LINE_AT_MOST:
            problems.error(
                _("the line has more than {most:,} characters; shorten its texts", most=LINE_AT_MOST),
                number,
            )
            return []
        if cells:
            lines.append(Line(number, cells))
    return lines


def _stored(parts: Mapping[str, bytes]) -> io.BytesIO:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return stream


def _check_size(lines: list[Line], problems: Problems) -> None:
    if lines and lines[-1].number > LINES_AT_MOST:
        problems.error(
            _(
                "more than {lines_at_most:,} lines; at most {rows_at_most:,} players are read",
                lines_at_most=LINES_AT_MOST,
                rows_at_most=ROWS_AT_MOST,
            )
        )
    if wide := next((line for line in lines if len(line.cells) > COLUMNS_AT_MOST), None):
        problems.error(
            _(
                "more than {most} columns; delete what does not belong to the table",
                most=COLUMNS_AT_MOST,
            ),
            wide.number,
        )


def _trimmed(cells: Iterable[str]) -> list[str]:
    trimmed = list(cells)
    while trimmed and not trimmed[-1]:
        trimmed.pop()
    return trimmed


def _text(value: object) -> str:
    """A cell as text: whole numbers without a fraction, dates as 2026-02-01."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, dt.datetime):
        return f"{value.date()}"
    return str(value)[: LINE_AT_MOST + 1].translate(SPACES).replace("\n", " ").replace("\xa0", " ").strip()


def write_workbook(lines: Sequence[Sequence[str | float]], widths: Sequence[int] = (), title: str = "Results") -> bytes:
    """A workbook of one sheet. Texts stay texts, whatever they begin with, and are kept so when they are edited."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = title
    for number, line in enumerate(lines, 1):
        for column, value in enumerate(line, 1):
            if value == "":
                continue
            cell = sheet.cell(number, column)
            if isinstance(value, str):
                cell.value = NO_XML.sub(" ", value.translate(SPACES))
                cell.data_type = "s"  # openpyxl takes a text that begins with = for a formula
                cell.number_format = "@"  # and spreadsheet programs take an edited 1-2 for a date
            else:
                cell.value = value
    for column, width in enumerate(widths):
        sheet.column_dimensions[re.sub(r"\d", "", sheet.cell(1, column + 1).coordinate)].width = width
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()
