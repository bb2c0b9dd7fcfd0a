"""Reading of query results as NumPy arrays, without an object for each row."""

from __future__ import annotations

from typing import Any

import numpy as np
from django.core.exceptions import EmptyResultSet
from django.db import connections
from django.db.models import QuerySet

from ratings.systems.game_records import NO_NUMBER, NO_TEXT, Records

SQL_TYPES = {"b": ("bool", "false"), "i": ("int8", f"{NO_NUMBER}"), "f": ("float8", "'NaN'")}
"""SQL type of each kind of number, and the value for NULL."""
JOINED = np.dtype([("before", "S21"), ("size", ">i4"), ("longest", ">i4"), ("bytes", ">i4")])
"""Header that COPY writes before the joined rows in its binary format; `longest` is the longest row's size in bytes."""
TRAILER_BYTES = 2
"""Size of what COPY writes after them."""


def read_records(rows: QuerySet[Any, tuple[Any, ...]], dtype: np.dtype[np.void]) -> Records:
    """Return the rows of a query as records, in no particular order; `rows` is a `values_list`.

    PostgreSQL joins all rows into one value, which takes half of the time in which rows can be read one by one. The
    value has at most 1 GB (14 million games), so callers read larger tables in parts.

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
    record = " || ".join(_select_bytes(name, dtype[name]) for name in dtype.names or ())
    source = f"FROM ({sql}) AS rows ({columns})"
    lines = f"FROM (SELECT {record} AS line {source}) AS lines"
    longest, joined = "coalesce(max(octet_length(line)), 0)", "coalesce(string_agg(line, ''::bytea), ''::bytea)"
    statement = f"COPY (SELECT {longest}, {joined} {lines}) TO STDOUT (FORMAT binary)"
    with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(statement) as copy:
        return _parse_records(b"".join(map(bytes, copy)), dtype)


def _select_bytes(name: str, kind: np.dtype[Any]) -> str:
    """Return SQL for a column as a fixed number of bytes, without NULL."""
    if kind.kind == "S":
        return f"bpcharsend(coalesce(\"{name}\", '{NO_TEXT.decode()}')::char({kind.itemsize}))"
    sql_type, null = SQL_TYPES[kind.kind]
    return f'{sql_type}send(coalesce("{name}"::{sql_type}, {null}))'


def _parse_records(data: bytes, dtype: np.dtype[np.void]) -> Records:
    """Return the records of joined rows, which all have the same number of bytes."""
    names = dtype.names or ()
    head = np.frombuffer(data, JOINED, 1)[0]
    kinds = [kind if kind.kind == "S" else kind.newbyteorder(">") for kind in (dtype[name] for name in names)]
    row = np.dtype(list(zip(names, kinds, strict=True)))
    if head["longest"] not in (0, row.itemsize):  # 0 without rows
        texts = [name for name in names if dtype[name].kind == "S"]
        raise ValueError(f"{', '.join(texts)}: a text has other characters than ASCII")
    rows = np.frombuffer(data[JOINED.itemsize : len(data) - TRAILER_BYTES], row)
    records = np.empty(len(rows), dtype)
    for name in names:
        records[name] = np.strings.rstrip(rows[name]) if dtype[name].kind == "S" else rows[name]
    return records


def _build_records(rows: list[tuple[Any, ...]], dtype: np.dtype[np.void]) -> Records:
    records = np.empty(len(rows), dtype)
    nulls = {"S": NO_TEXT.decode(), "b": False, "i": NO_NUMBER, "f": np.nan}
    for name, values in zip(dtype.names or (), zip(*rows, strict=True), strict=False):
        null = nulls[dtype[name].kind]
        records[name] = [null if value is None else value for value in values]
    return records
