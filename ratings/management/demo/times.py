"""Times of the demo's records, which are created now and belong to earlier days."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.db.models import QuerySet


def evening(day: dt.date) -> dt.datetime:
    """Return the evening of a day."""
    return dt.datetime.combine(day, dt.time(18, 30), dt.UTC)


def backdate(rows: QuerySet[Any], day: dt.date, *fields: str) -> None:
    """Set time fields of rows to the evening of a day, since the functions that saved the rows record the present."""
    rows.update(**dict.fromkeys(fields, evening(day)))
