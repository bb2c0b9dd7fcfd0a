"""Fast insertion of many rows that a benchmark makes as columns."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import repeat
from typing import Any

import numpy as np
from django.db import connection
from django.db.models import Model

from ratings.domain.runs.copy_rows import insert_rows

PART = 10_000
"""Number of rows that are made and written at once."""


def insert_columns(model: type[Model], **columns: Any) -> None:
    """Insert rows given as columns: arrays, lists, or one value for all rows. Other fields have their defaults."""
    fields = {field.attname: field.get_default() for field in model._meta.concrete_fields if not field.primary_key}
    values = [column.tolist() if isinstance(column, np.ndarray) else column for column in (fields | columns).values()]
    rows = zip(*(value if isinstance(value, list) else repeat(value) for value in values), strict=False)
    insert_rows(model, list(fields), rows, max(len(value) for value in values if isinstance(value, list)))


INDEXES_AND_FOREIGN_KEYS = """
    SELECT format('DROP INDEX %%s', indexrelid::regclass), pg_get_indexdef(indexrelid) FROM pg_index
    WHERE indrelid = ANY(%(tables)s::regclass[]) AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
    UNION ALL
    SELECT format('ALTER TABLE %%s DROP CONSTRAINT %%I', conrelid::regclass, conname),
        format('ALTER TABLE %%s ADD CONSTRAINT %%I %%s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE contype = 'f' AND conrelid = ANY(%(tables)s::regclass[])
"""
"""Statements that drop and create those of some tables, except the indexes of constraints."""


@contextmanager
def without_indexes(*models: type[Model]) -> Iterator[None]:
    """Drop indexes and foreign keys of some models' tables for the block, and create them again at its end.

    PostgreSQL makes and checks them much faster for all rows together than for each row.
    """
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        connection.check_constraints()  # a table with pending checks cannot be altered
        cursor.execute(INDEXES_AND_FOREIGN_KEYS, {"tables": [model._meta.db_table for model in models]})
        statements = cursor.fetchall()
        for drop, _ in statements:
            cursor.execute(drop)
        yield
        for _, create in statements:
            cursor.execute(create)
