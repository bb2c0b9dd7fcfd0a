"""Insertion of many rows at once: by COPY on PostgreSQL, otherwise in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

from django.db import connection, models, transaction

from ratings.batches import BATCH
from ratings.models.message_fields import MessageField, MessagesField

COPY_MINIMUM = 100  # number of rows from which COPY is faster
NUMBERS = (models.BooleanField, models.FloatField, models.ForeignKey, models.IntegerField)
TEXTS_AND_DAYS = (models.CharField, models.DateField, models.TextField)
"""Fields whose values are those of their columns; classes that are derived from these may convert theirs."""
ANALYZE_MINIMUM = 20_000
"""Number of rows from which the statistics of their table are renewed at once, and not by the server's next round."""


def insert_instances(rows: Sequence[models.Model]) -> None:
    """Insert instances of one model that have no primary keys yet."""
    if not rows:
        return
    model = type(rows[0])
    if not _uses_copy(len(rows)):
        model._default_manager.bulk_create(rows, BATCH)
        return
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    _copy(model, fields, map(attrgetter(*(field.attname for field in fields)), rows))


def insert_rows(model: type[models.Model], names: Sequence[str], rows: Iterable[Sequence[Any]], count: int) -> None:
    """Insert `count` rows of a model, given as values in the order of `names`: field attributes (`attname`)."""
    if not _uses_copy(count):
        model._default_manager.bulk_create([model(**dict(zip(names, row, strict=True))) for row in rows], BATCH)
        return
    copy_rows(model, names, rows)


def copy_rows(model: type[models.Model], names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows, given as in `insert_rows`, by COPY on PostgreSQL; they are sent while they are iterated."""
    by_name = {field.attname: field for field in model._meta.concrete_fields}
    _copy(model, [by_name[name] for name in names], rows)


def _uses_copy(rows: int) -> bool:
    return connection.vendor == "postgresql" and rows >= COPY_MINIMUM


def _get_converter(field: models.Field[Any, Any]) -> Callable[[Any], Any] | None:
    """Return a function that converts the values of a field to those of its column; None if they are the same."""
    if isinstance(field, MessageField | MessagesField):
        return _convert_once(field.get_prep_value)
    if isinstance(field, NUMBERS) or type(field) in TEXTS_AND_DAYS:
        return None
    return partial(field.get_db_prep_save, connection=connection)


def _convert_once(convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a function that converts an object once; messages of different codes may be equal texts."""
    converted: dict[int, tuple[Any, Any]] = {}

    def convert_once(value: Any) -> Any:
        known = converted.get(id(value))
        if known is None:
            known = converted[id(value)] = value, convert(value)  # a kept value's id is not given to another one
        return known[1]

    return convert_once


def _copy(model: type[models.Model], fields: Sequence[models.Field[Any, Any]], rows: Iterable[Sequence[Any]]) -> None:
    """Write rows with COPY; after many rows, also renew the statistics of their table once they are committed."""
    columns = ", ".join(f'"{field.column}"' for field in fields)
    converters = [(n, convert) for n, convert in enumerate(map(_get_converter, fields)) if convert]
    with connection.cursor() as cursor:
        with (
            connection.wrap_database_errors,
            cursor.copy(f'COPY "{model._meta.db_table}" ({columns}) FROM STDIN (FORMAT binary)') as copy,
        ):
            copy.set_types([str(field.rel_db_type(connection)).partition("(")[0] for field in fields])
            for row in map(partial(_convert, converters), rows) if converters else rows:
                copy.write_row(row)
        count = cursor.rowcount
    if count >= ANALYZE_MINIMUM:
        transaction.on_commit(partial(_renew_statistics, model), robust=True)


def _convert(converters: Iterable[tuple[int, Callable[[Any], Any]]], row: Sequence[Any]) -> list[Any]:
    values = list(row)
    for n, convert in converters:
        values[n] = convert(values[n])
    return values


def _renew_statistics(model: type[models.Model]) -> None:
    """Let the database count a table again: with outdated figures it may take minutes to read some of its rows."""
    with connection.cursor() as cursor:
        cursor.execute(f'ANALYZE "{model._meta.db_table}"')
