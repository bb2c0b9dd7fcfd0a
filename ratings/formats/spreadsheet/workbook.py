"""Reader and writer of workbooks (.xlsx) as lines of texts.

The reader is protected against malicious files; the writer writes no formulas.
"""

from __future__ import annotations

import datetime as dt
import io
import re
import warnings
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import openpyxl

from ratings.formats.parsed import BYTES_AT_MOST, LINE_AT_MOST, ROWS_AT_MOST, SPACES, Problems
from ratings.formats.problems import FileProblem
from ratings.formats.zip_errors import ZIP_ERRORS

from .sheet import HEADER_SEARCH_LINES, Line

MEMBERS_AT_MOST = 200
UNPACKED_AT_MOST = 5_000_000
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the only methods of the format
ELEMENTS_AT_MOST = 60_000  # in all parts except the sheets; a thousand players need fewer
SHEET_ELEMENTS_AT_MOST = 400_000  # a thousand players and thirty rounds need half of it
# parts whose elements take openpyxl longer
FEWER_ELEMENTS_AT_MOST = {"xl/workbook.xml": 2_000, "xl/styles.xml": 20_000}
RATIO_AT_MOST, RATIO_FROM = 200, 1_000_000  # sheets compress well, and a member below a megabyte is harmless
COLUMNS_AT_MOST = 60
INVALID_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")
UNREADABLE_WORKBOOK = FileProblem.WORKBOOK_UNREADABLE()


def looks_like_xlsx(data: bytes) -> bool:
    """Return True if the file is a zip archive with a workbook in it."""
    if not data.startswith(b"PK"):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return "xl/workbook.xml" in archive.namelist()
    except ZIP_ERRORS:
        return False


def read_workbook(data: bytes, problems: Problems, rows_at_most: int = ROWS_AT_MOST) -> list[Line]:
    """Return the lines of the first sheet that has any; more than `rows_at_most` players are an error.

    Formulas are not computed; their stored values are read.
    """
    if problem := _find_archive_problem(data):
        problems.error(problem)
        return []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the parts that openpyxl ignores are not needed here
            parts = _unpack(data)
            if problem := _find_element_problem(parts):
                problems.error(problem)
                return []
            return _read_lines(parts, problems, rows_at_most)
    except Exception:  # noqa: BLE001 - a broken workbook can raise any exception inside openpyxl
        problems.error(UNREADABLE_WORKBOOK)
        return []


def workbook_problem(data: bytes) -> str | None:
    """Return the reason why a file is too large or too unusual to be read as a workbook, None if it can be read."""
    if problem := _find_archive_problem(data):
        return problem
    try:
        return _find_element_problem(_unpack(data))
    except ZIP_ERRORS:
        return UNREADABLE_WORKBOOK


def _find_archive_problem(data: bytes) -> str | None:
    """Return the reason why the file must not be unpacked, None if it is safe to unpack."""
    if len(data) > BYTES_AT_MOST:
        return FileProblem.FILE_TOO_LARGE(data=len(data), most=BYTES_AT_MOST)
    if not looks_like_xlsx(data):
        return FileProblem.NOT_A_WORKBOOK()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
    if len(members) > MEMBERS_AT_MOST:
        return FileProblem.WORKBOOK_TOO_MANY_PARTS(members=len(members), members_at_most=MEMBERS_AT_MOST)
    if sum(member.file_size for member in members) > UNPACKED_AT_MOST:
        return FileProblem.WORKBOOK_TOO_LARGE(unpacked_at_most=UNPACKED_AT_MOST)
    if any(
        member.file_size > RATIO_FROM and member.file_size > RATIO_AT_MOST * member.compress_size for member in members
    ):
        return FileProblem.WORKBOOK_TOO_COMPRESSED()
    return None if all(member.compress_type in METHODS for member in members) else UNREADABLE_WORKBOOK


def _unpack(data: bytes) -> Mapping[str, bytes]:
    """Return all parts of a workbook by name, unpacked.

    A false size is harmless, since no more of a part is unpacked than its declared size.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {member.filename: _read_member(archive, member) for member in archive.infolist()}


def _read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    with archive.open(member) as part:
        return part.read(member.file_size)  # read() without a size unpacks everything that is packed


def _find_element_problem(parts: Mapping[str, bytes]) -> str | None:
    """Return the error if the parts have too many XML elements, None otherwise.

    The number is limited as well as the size because reading an element takes openpyxl much longer than reading bytes.
    """
    elements = {name: part.count(b"<") for name, part in parts.items()}
    sheets = [count for name, count in elements.items() if name.startswith("xl/worksheets/")]
    others = sum(elements.values()) - sum(sheets)
    if others > ELEMENTS_AT_MOST or any(elements.get(name, 0) > most for name, most in FEWER_ELEMENTS_AT_MOST.items()):
        return FileProblem.WORKBOOK_TOO_MANY_TEXTS()
    if sum(sheets) > SHEET_ELEMENTS_AT_MOST:
        return FileProblem.WORKBOOK_SHEETS_TOO_LARGE()
    return None


def _read_lines(parts: Mapping[str, bytes], problems: Problems, rows_at_most: int) -> list[Line]:
    book = openpyxl.load_workbook(_repack(parts), read_only=True, data_only=True, keep_links=False)
    table_lines: list[Line] = []
    try:
        if len({sheet._worksheet_path for sheet in book.worksheets}) < len(book.worksheets):  # type: ignore[attr-defined]  # noqa: SLF001 - there is no public attribute for it
            raise ValueError("a part that several sheets name would be read as often")
        for sheet in book.worksheets:
            lines = _read_sheet_lines(sheet, problems, rows_at_most + HEADER_SEARCH_LINES)
            if lines and table_lines:
                problems.warn(FileProblem.SEVERAL_SHEETS())
                break
            table_lines = table_lines or lines
    finally:
        book.close()
    _check_size(table_lines, problems, rows_at_most)
    if not table_lines and not problems.fatal:
        problems.error(FileProblem.WORKBOOK_EMPTY())
    return table_lines


def _read_sheet_lines(sheet: Any, problems: Problems, lines_at_most: int) -> list[Line]:
    lines = []
    rows = sheet.iter_rows(max_row=lines_at_most + 1, max_col=COLUMNS_AT_MOST + 1, values_only=True)
    for number, row in enumerate(rows, 1):
        cells = _trim_empty_cells(map(_format_cell, row))
        if sum(map(len, cells)) > LINE_AT_MOST:
            problems.error(FileProblem.WORKBOOK_LINE_TOO_LONG(most=LINE_AT_MOST), number)
            return []
        if cells:
            lines.append(Line(number, cells))
    return lines


def _repack(parts: Mapping[str, bytes]) -> io.BytesIO:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return stream


def _check_size(lines: list[Line], problems: Problems, rows_at_most: int) -> None:
    lines_at_most = rows_at_most + HEADER_SEARCH_LINES
    if lines and lines[-1].number > lines_at_most:
        problems.error(FileProblem.WORKBOOK_TOO_MANY_LINES(lines_at_most=lines_at_most, rows_at_most=rows_at_most))
    if too_wide := next((line for line in lines if len(line.cells) > COLUMNS_AT_MOST), None):
        problems.error(FileProblem.WORKBOOK_TOO_MANY_COLUMNS(most=COLUMNS_AT_MOST), too_wide.number)


def _trim_empty_cells(cells: Iterable[str]) -> list[str]:
    trimmed = list(cells)
    while trimmed and not trimmed[-1]:
        trimmed.pop()
    return trimmed


def _format_cell(value: object) -> str:
    """Return a cell's value as text: whole numbers without a fraction, dates as 2026-02-01."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, dt.datetime):
        return f"{value.date()}"
    return str(value)[: LINE_AT_MOST + 1].translate(SPACES).replace("\n", " ").replace("\xa0", " ").strip()


def write_workbook(lines: Sequence[Sequence[str | float]], widths: Sequence[int] = (), title: str = "Results") -> bytes:
    """Return a workbook with one sheet.

    Texts are never formulas, and they stay texts when they are edited.
    """
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
                cell.value = INVALID_XML.sub(" ", value.translate(SPACES))
                cell.data_type = "s"  # openpyxl reads a text that begins with = as a formula
                cell.number_format = "@"  # and spreadsheet programs read an edited 1-2 as a date
            else:
                cell.value = value
    for column, width in enumerate(widths):
        sheet.column_dimensions[re.sub(r"\d", "", sheet.cell(1, column + 1).coordinate)].width = width
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()
