"""Days and names of the demo's events."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

MONTHS = {
    "Spring Cup": (3, 4, 5),
    "Summer Cup": (6, 7, 8),
    "Autumn Cup": (9, 10, 11),
    "Winter Cup": (12, 1, 2),
    "Spring Open": (3, 4, 5),
    "Autumn Open": (9, 10, 11),
}
"""Months in which events of a kind are held; the others are held in every month."""
MONTHLY = ("Club Evening",)
"""Kinds of events that are named after the month."""


@dataclass(frozen=True)
class Occasion:
    """Plan of an event: its last day, the kinds to choose from, the numbers of players and of rounds."""

    day: dt.date
    kinds: Sequence[str]
    fields: tuple[int, int]
    rounds: int


def kinds_in(month: int, kinds: Sequence[str]) -> list[str]:
    """Return the kinds of events that are held in a month."""
    return [kind for kind in kinds if month in MONTHS.get(kind, range(1, 13))]


def last_sunday(day: dt.date) -> dt.date:
    """Return the last Sunday up to a day."""
    return day - dt.timedelta(days=(day.weekday() + 1) % 7)


def past_sundays(today: dt.date, years: int) -> list[dt.date]:
    """Return the Sundays of some years, up to three weeks ago."""
    last = last_sunday(today - dt.timedelta(weeks=3))
    return [last - dt.timedelta(weeks=week) for week in reversed(range(years * 52 - 3))]


def choose_sundays(rng: random.Random, sundays: Sequence[dt.date], count: int) -> list[dt.date]:
    """Return `count` different Sundays spread evenly over those given, in order; at most all of them."""
    count = min(count, len(sundays))
    bounds = [number * len(sundays) // count for number in range(count + 1)]
    return [sundays[rng.randrange(first, end)] for first, end in pairwise(bounds)]


def unused_name(rng: random.Random, city: str, kinds: Sequence[str], day: dt.date, used: Collection[str]) -> str:
    """Return the name of an event in a city on a day, such as “Lyon Spring Cup 2024”, that no event has yet."""
    names = [
        f"{city} {kind} {day:%B %Y}" if kind in MONTHLY else f"{city} {kind} {day.year}"
        for kind in kinds_in(day.month, kinds)
    ]
    free = [name for name in names if name not in used]
    return rng.choice(free or [f"{city} Tournament {day:%B %Y}"])
