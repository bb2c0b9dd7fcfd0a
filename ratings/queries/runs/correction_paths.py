"""Path of a correction: the steps of a list through which it reached a player who had not played."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any, NamedTuple


class Origin(StrEnum):
    """Fate of the step with which a path begins; the values are stored."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"


class PathStep(NamedTuple):
    """First step after which a run changed what the list knows of a player, with the values before and after the run.

    `player` is the public id. A step without a table, adjustment or decision is a closing day of the system. `rating`
    is the rating after the step, `points` the change by the step, both in rating points. Only the first step of a path
    has an `origin`; every other player was reached through the player of the previous step.
    """

    player: str
    day: dt.date
    table: int | None
    adjustment: int | None
    decision: int | None
    rating: tuple[float | None, float | None]
    points: tuple[float | None, float | None]
    hidden: bool
    """True if a rating of the step was not to be displayed."""
    origin: Origin | None = None


def path_to_json(path: Iterable[PathStep]) -> list[list[Any]]:
    """Return a path as it is stored with a correction."""
    return [[step.player, step.day.isoformat(), *step[2:]] for step in path]


def path_from_json(rows: Sequence[Sequence[Any]]) -> list[PathStep]:
    """Return a stored path."""
    return [_step_from_json(*row) for row in rows]


def _step_from_json(player: str, day: str, *rest: Any) -> PathStep:
    table, adjustment, decision, rating, points, hidden, origin = rest
    return PathStep(
        player,
        dt.date.fromisoformat(day),
        table,
        adjustment,
        decision,
        tuple(rating),
        tuple(points),
        hidden,
        origin and Origin(origin),
    )
