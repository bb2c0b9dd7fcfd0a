"""Lines of an uploaded file in every encoding that is read, for finding a person's name."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator

from ratings.formats.spreadsheet.workbook import UNPACKED_AT_MOST
from ratings.formats.zip_errors import ZIP_ERRORS
from ratings.matching import fold

ENCODINGS = ("utf-8", "utf-16", "cp1252", "latin-1")


def folded_lines(data: bytes) -> Iterator[str]:
    """Yield the lines of a file, folded for comparing names; a workbook is one line, because names can span cells.

    A workbook is read up to UNPACKED_AT_MOST bytes; its reader refuses one that has more.
    """
    workbook = data.startswith(b"PK")
    if workbook:
        try:
            data = _read_xml(data)
        except ZIP_ERRORS:
            return
    for encoding in ENCODINGS:
        try:
            text = data.decode(encoding)
        except UnicodeError:
            continue
        yield from map(fold, [text] if workbook else text.splitlines())


def _read_xml(workbook: bytes) -> bytes:
    parts, left = [], UNPACKED_AT_MOST
    with zipfile.ZipFile(io.BytesIO(workbook)) as archive:
        for name in archive.namelist():
            if name.endswith(".xml"):
                with archive.open(name) as member:
                    parts.append(member.read(left))
                left -= len(parts[-1])
    return b"\n".join(parts)
