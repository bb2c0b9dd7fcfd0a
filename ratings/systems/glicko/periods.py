"""Rating periods of glicko-2: each results table by itself, or all tables of a calendar month."""

from __future__ import annotations

import datetime as dt
from calendar import monthrange


def month_number(day: dt.date) -> int:
    """Return the number of a day's month, counted without gaps over the years."""
    return day.year * 12 + day.month


def last_of_month(day: dt.date) -> dt.date:
    """Return the last day of a day's month, on which the month is closed."""
    return day.replace(day=monthrange(day.year, day.month)[1])


def idle_periods_by_days(last_played: dt.date | None, day: dt.date, idle_days: int) -> float:
    """Return the periods of absence, with fractions, before a table or list of `day`, where each table is a period.

    The first `idle_days` do not count, because every period grows the deviation once by itself. An unknown last table
    counts as no absence.
    """
    if last_played is None:
        return 0.0
    return max(0.0, (day - last_played).days / idle_days - 1)


def idle_months(last_played: dt.date | None, day: dt.date, *, closed: bool) -> int:
    """Return the whole months of absence between the month of the last rated games and a day's month.

    With `closed`, that month counts too: it is closed, and the player had no game in it.
    """
    if last_played is None:
        return 0
    return max(0, month_number(day) - month_number(last_played) - (0 if closed else 1))
