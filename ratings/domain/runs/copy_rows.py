"""Many rows at once: by COPY on PostgreSQL, else in batches."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from operator import attrgetter
from typing import Any, NamedTuple

from django.db import connection, models

BATCH = 500
COPY_FROM = 1000  # rows for which COPY is worth it


def in_batches(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    return (ids[start : start + BATCH] for start in range(0, len(ids), BATCH))


def insert(rows: Sequence[models.Model]) -> None:
    """Rows of one model, without keys."""
    if not rows:
        return
    model = type(rows[0])
    if not _copies(rows):
        model._default_manager.bulk_create(rows, BATCH)
        return
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    several: Iterable[tuple[Any, ...]] = map(attrgetter(*(field.attname for field in fields)), rows)
    if any(isinstance(field, models.JSONField) for field in fields):
        several = (tuple(map(_plain, row)) for row in several)
    _copy(model, fields, several)


def insert_rows(model: type[models.Model], rows: Sequence[NamedTuple]) -> None:
    """The same, given as tuples whose fields are named as the columns."""
    if not rows:
        return
    names = type(rows[0])._fields
    if not _copies(rows):
        model._default_manager.bulk_create([model(**dict(zip(names, row, strict=True))) for row in rows], BATCH)
        return
    by_name = {field.attname: field for field in model._meta.concrete_fields}
    _copy(model, [by_name[name] for name in names], rows)


def _copies(rows: Sequence[object]) -> bool:
    return connection.vendor == "postgresql" and len(rows) >= COPY_FROM


def _plain(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, dict | list) else value


def _copy(model: type[models.Model], fields: Sequence[models.Field[Any, Any]], rows: Iterable[Sequence[Any]]) -> None:
    """CSV cannot tell an empty text from none, so texts that are never none are named as such."""
    columns = ", ".join(f'"{field.column}"' for field in fields)
    texts = ", ".join(
        f'"{f.column}"' for f in fields if isinstance(f, models.CharField | models.TextField) and not f.null
    )
    never_null = f", FORCE_NOT_NULL ({texts})" if texts else ""
    remaining = iter(rows)
    with (
        connection.cursor() as cursor,
        cursor.copy(f'COPY "{model._meta.db_table}" ({columns}) FROM STDIN (FORMAT csv{never_null})') as copy,
    ):
        while some := list(islice(remaining, COPY_FROM)):  # the server works on one part while we write the next
            written = io.StringIO()
            csv.writer(written).writerows(some)
            copy.write(written.getvalue())
