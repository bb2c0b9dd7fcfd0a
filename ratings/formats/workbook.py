"""Workbooks (.xlsx) as lines of texts, guarded against files that are made to hurt, and written without formulas."""

from __future__ import annotations

import datetime as dt
import io
import re
import warnings
import zipfile
from collections.abc import Iterable, Sequence

import openpyxl

from .parsed import BYTES_AT_MOST, ROWS_AT_MOST, SPACES, Problems
from .sheet import HEADER_AMONG, Line

MEMBERS_AT_MOST = 200
UNPACKED_AT_MOST = 5_000_000
RATIO_AT_MOST, RATIO_FROM = 200, 1_000_000  # sheets pack well: a member of less than a megabyte does no harm
LINES_AT_MOST, COLUMNS_AT_MOST = ROWS_AT_MOST + HEADER_AMONG, 60
NO_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")
BROKEN = "the workbook cannot be read; open it in a spreadsheet program and save it again as .xlsx, or as CSV"


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
            return _lines(data, problems)
    except Exception:  # noqa: BLE001 - a broken workbook raises whatever its broken part raises, far inside openpyxl
        problems.error(BROKEN)
        return []


def _dangerous(data: bytes) -> str | None:
    """What forbids to unpack the file. Sizes that lie are safe: no more than the told size is unpacked."""
    if len(data) > BYTES_AT_MOST:
        return f"the file has {len(data):,} bytes or more; at most {BYTES_AT_MOST:,} are read"
    if not looks_like_xlsx(data):
        return "this is no workbook; save it as .xlsx or as CSV"
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
    if len(members) > MEMBERS_AT_MOST:
        return (
            f"the workbook has {len(members):,} parts, at most {MEMBERS_AT_MOST} are read; copy the table to a new one"
        )
    if sum(member.file_size for member in members) > UNPACKED_AT_MOST:
        return f"the workbook is larger than {UNPACKED_AT_MOST:,} bytes when unpacked; copy the table to a new one"
    if any(
        member.file_size > RATIO_FROM and member.file_size > RATIO_AT_MOST * member.compress_size for member in members
    ):
        return "the workbook is packed more tightly than any table is; copy the table to a new one"
    return None


def _lines(data: bytes, problems: Problems) -> list[Line]:
    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    found: list[Line] = []
    try:
        for sheet in book.worksheets:
            rows = sheet.iter_rows(max_row=LINES_AT_MOST + 1, max_col=COLUMNS_AT_MOST + 1, values_only=True)
            lines = [Line(number, _trimmed(map(_text, row))) for number, row in enumerate(rows, 1)]
            lines = [line for line in lines if line.cells]
            if lines and found:
                problems.warn("the workbook has several sheets; the first one with a table was read")
                break
            found = found or lines
    finally:
        book.close()
    _check_size(found, problems)
    if not found:
        problems.error("the workbook is empty")
    return found


def _check_size(lines: list[Line], problems: Problems) -> None:
    if lines and lines[-1].number > LINES_AT_MOST:
        problems.error(f"more than {LINES_AT_MOST:,} lines; at most {ROWS_AT_MOST:,} players are read")
    if wide := next((line for line in lines if len(line.cells) > COLUMNS_AT_MOST), None):
        problems.error(f"more than {COLUMNS_AT_MOST} columns; delete what does not belong to the table", wide.number)


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
    return str(value)[:1000].translate(SPACES).replace("\n", " ").replace("\xa0", " ").strip()


def write_workbook(lines: Sequence[Sequence[str | float]], widths: Sequence[int] = ()) -> bytes:
    """A workbook of one sheet. Texts stay texts, whatever they begin with, and are kept so when they are edited."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Results"
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
