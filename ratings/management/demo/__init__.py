"""The demo: invented federations, a list of every system, made by the domain from a fixed seed."""

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
    """Everything, telling now and then how far it is; `size` scales players and events. Lists are still to be rated."""
    for number, federation in enumerate(FEDERATIONS):
        made = federation(today, number, size)
        yield f"{made.federation}:"
        yield from made.build()


def lists() -> list[RatingList]:
    return list(RatingList.objects.order_by("pk"))
