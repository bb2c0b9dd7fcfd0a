"""Writer of tables in dBASE III (.dbf) with character fields only."""

from __future__ import annotations

import datetime as dt
import struct
from collections.abc import Mapping, Sequence

MARKER, END_OF_FIELDS, END_OF_FILE = b"\x03", b"\r", b"\x1a"
FIRST_YEAR = 1900
"""Year that the byte 0 of the header means."""
FIELD_DESCRIPTION = 32
"""Bytes of the description of a field, and of the header without fields."""


def write_dbf(fields: Mapping[str, int], records: Sequence[Mapping[str, str]], day: dt.date) -> bytes:
    """Return a table with fields by name and width, in ASCII; texts are aligned left and cut to their width.

    `day` is that of the last change. A field that a record does not have is blank.
    """
    descriptions = [struct.pack("<11sc4xBB14x", name.encode("ascii"), b"C", width, 0) for name, width in fields.items()]
    size = FIELD_DESCRIPTION * (len(fields) + 1) + len(END_OF_FIELDS)
    length = 1 + sum(fields.values())
    head = struct.pack("<cBBBIHH20x", MARKER, day.year - FIRST_YEAR, day.month, day.day, len(records), size, length)
    lines = (
        " " + "".join(f"{each.get(name, '')[:width]:<{width}}" for name, width in fields.items()) for each in records
    )
    return b"".join([head, *descriptions, END_OF_FIELDS, *(line.encode("ascii") for line in lines), END_OF_FILE])
