"""Reading of query results as NumPy arrays, without an object for each row."""

from __future__ import annotations

from typing import Any

import numpy as np
from django.core.exceptions import EmptyResultSet
from django.db import connections
from django.db.models import QuerySet

from ratings.systems.game_records import NO_NUMBER, NO_TEXT, Records

HEADER_BYTES, TRAILER_BYTES = 19, 2
"""Sizes of what COPY writes before and after the rows in its binary format."""
SQL_TYPES = {"b": ("bool", "false"), "i": ("int8", f"{NO_NUMBER}"), "f": ("float8", "'NaN'")}
"""SQL type of each kind of number, and the value for NULL."""


def read_records(rows: QuerySet[Any, tuple[Any, ...]], dtype: np.dtype[np.void]) -> Records:
    """Return the rows of a query as records, in the order of the query; `rows` is a `values_list`.

    The fields of `dtype` are numbers of 8 bytes, flags, and texts (S) that are as long as their columns allow. Raise
    ValueError for a text with other characters than ASCII; spaces at the end of a text are lost. NULL becomes
    NO_NUMBER, NO_TEXT, NaN or False, which a column with a NULL may not contain otherwise.
    """
    connection = connections[rows.db]
    if connection.vendor != "postgresql":
        return _build_records(list(rows), dtype)
    try:
        sql = connection.ops.compose_sql(  # type: ignore[attr-defined] # of PostgreSQL
            *rows.query.sql_with_params()
        )
    except EmptyResultSet:
        return np.empty(0, dtype)
    columns = ", ".join(f'"{name}"' for name in dtype.names or ())
    selected = ", ".join(_select_column(name, dtype[name]) for name in dtype.names or ())
    source = f"FROM ({sql}) AS rows ({columns})"
    statement = f"COPY (SELECT {selected} {source}) TO STDOUT (FORMAT binary)"
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        return _parse_records(b"".join(map(bytes, copy)), dtype)


def _select_column(name: str, kind: np.dtype[Any]) -> str:
    """Return SQL for a column of a fixed number of bytes, without NULL."""
    if kind.kind == "S":
        return f"coalesce(\"{name}\", '{NO_TEXT.decode()}')::char({kind.itemsize})"
    sql_type, null = SQL_TYPES[kind.kind]
    return f'coalesce("{name}"::{sql_type}, {null})'


def _parse_records(data: bytes, dtype: np.dtype[np.void]) -> Records:
    """Return the records in the binary format of COPY, in which all rows have the same number of bytes."""
    names = dtype.names or ()
    parts: list[tuple[str, str]] = [("fields", ">i2")]
    for name in names:
        kind = dtype[name]
        parts += [(f"bytes of {name}", ">i4"), (name, kind.str if kind.kind == "S" else kind.newbyteorder(">").str)]
    content = data[HEADER_BYTES : len(data) - TRAILER_BYTES]
    row = np.dtype(parts)
    if len(content) % row.itemsize:
        raise ValueError("a text has other characters than ASCII")
    rows = np.frombuffer(content, row)
    records = np.empty(len(rows), dtype)
    for name in names:
        if (rows[f"bytes of {name}"] != dtype[name].itemsize).any():
            raise ValueError(f"{name}: a text has other characters than ASCII")
        records[name] = np.strings.rstrip(rows[name]) if dtype[name].kind == "S" else rows[name]
    return records


def _build_records(rows: list[tuple[Any, ...]], dtype: np.dtype[np.void]) -> Records:
    records = np.empty(len(rows), dtype)
    nulls = {"S": NO_TEXT.decode(), "b": False, "i": NO_NUMBER, "f": np.nan}
    for name, values in zip(dtype.names or (), zip(*rows, strict=True), strict=False):
        null = nulls[dtype[name].kind]
        records[name] = [null if value is None else value for value in values]
    return records
