"""Insertion of many rows at once: by COPY on PostgreSQL, otherwise in batches."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from itertools import islice
from operator import attrgetter
from typing import Any, NamedTuple

from django.db import connection, models

from ratings.batches import BATCH

COPY_MINIMUM = 1000  # number of rows from which COPY is faster


def insert_instances(rows: Sequence[models.Model]) -> None:
    """Insert instances of one model that have no primary keys yet."""
    if not rows:
        return
    model = type(rows[0])
    if not _uses_copy(rows):
        model._default_manager.bulk_create(rows, BATCH)
        return
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    row_values: Iterable[tuple[Any, ...]] = map(attrgetter(*(field.attname for field in fields)), rows)
    if any(isinstance(field, models.JSONField) for field in fields):
        row_values = (tuple(map(_serialize_json, row)) for row in row_values)
    _copy(model, fields, row_values)


def insert_rows(model: type[models.Model], rows: Sequence[NamedTuple]) -> None:
    """Insert rows of a model, given as named tuples with the field attributes (`attname`) of the model."""
    if not rows:
        return
    names = type(rows[0])._fields
    if not _uses_copy(rows):
        model._default_manager.bulk_create([model(**dict(zip(names, row, strict=True))) for row in rows], BATCH)
        return
    by_name = {field.attname: field for field in model._meta.concrete_fields}
    _copy(model, [by_name[name] for name in names], rows)


def _uses_copy(rows: Sequence[object]) -> bool:
    return connection.vendor == "postgresql" and len(rows) >= COPY_MINIMUM


def _serialize_json(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, dict | list) else value


def _copy(model: type[models.Model], fields: Sequence[models.Field[Any, Any]], rows: Iterable[Sequence[Any]]) -> None:
    """Write rows with COPY.

    CSV does not distinguish empty text from NULL, so text columns without NULL are named in FORCE_NOT_NULL.
    """
    columns = ", ".join(f'"{field.column}"' for field in fields)
    text_columns = ", ".join(
        f'"{f.column}"' for f in fields if isinstance(f, models.CharField | models.TextField) and not f.null
    )
    never_null = f", FORCE_NOT_NULL ({text_columns})" if text_columns else ""
    remaining = iter(rows)
    with (
        connection.cursor() as cursor,
        cursor.copy(f'COPY "{model._meta.db_table}" ({columns}) FROM STDIN (FORMAT csv{never_null})') as copy,
    ):
        while batch := list(
            islice(remaining, COPY_MINIMUM)
        ):  # the server processes one batch while the next is written
            buffer = io.StringIO()
            csv.writer(buffer).writerows(batch)
            copy.write(buffer.getvalue())
