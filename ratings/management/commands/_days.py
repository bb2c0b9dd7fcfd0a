"""Days as arguments of commands."""

from __future__ import annotations

import datetime as dt
from argparse import ArgumentTypeError

from ratings.formats.parsed import read_days


def read_day_argument(text: str) -> dt.date:
    """Return a day such as 2026-03-07; raise ArgumentTypeError for other texts."""
    period = read_days(text)
    if period is None or period[0] != period[1]:
        raise ArgumentTypeError(f"“{text}” is no day; write it as 2026-03-07")
    return period[0]


def read_days_argument(text: str) -> tuple[dt.date, dt.date]:
    """Return the first and last day of 2026-03-07 or 2026-03-07/08; raise ArgumentTypeError for other texts."""
    period = read_days(text)
    if period is None or period[1] < period[0]:
        raise ArgumentTypeError(f"“{text}” is no day; write 2026-03-07, or first and last day as 2026-03-07/08")
    return period
