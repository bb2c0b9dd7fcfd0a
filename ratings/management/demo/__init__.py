"""Demo data: invented federations with a list of every system, created by the domain from a fixed seed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from ratings.models import RatingList

from .chess import Chess
from .federation import Federation
from .go import Go
from .renju import Renju
from .shogi import Shogi

FEDERATIONS: tuple[type[Federation], ...] = (Shogi, Chess, Renju, Go)


def build(today: dt.date, size: float = 1.0) -> Iterator[str]:
    """Create all federations, and yield lines about the progress.

    `size` scales the numbers of players and events. The lists are not rated yet.
    """
    for number, federation in enumerate(FEDERATIONS):
        instance = federation(today, number, size)
        yield f"{instance.federation}:"
        yield from instance.build()


def lists() -> list[RatingList]:
    return list(RatingList.objects.order_by("pk"))
