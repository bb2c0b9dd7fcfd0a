"""Derived rows as plain tuples with the columns of their models: fast to create, compare and write."""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple


class ChangeRow(NamedTuple):
    """A row of Change."""

    list_id: int
    player_id: int
    day: dt.date
    place: int
    table_id: int | None
    adjustment_id: int | None
    decision_id: int | None
    category: str
    category_after: str
    before: float | None
    after: float | None
    change: float | None
    games: int
    games_after: int | None
    performance: float | None
    grade_before: str
    grade: str
    published: bool
    hidden: bool
    note: str
    state: str


class AwardRow(NamedTuple):
    """A row of Award."""

    list_id: int
    player_id: int
    day: dt.date
    place: int
    table_id: int | None
    grade: str
    how: str
    game: int | None
    needs_approval: bool
    last_of_step: bool


class TableRow(NamedTuple):
    """A row of RatedTable."""

    list_id: int
    table_id: int
    day: dt.date
    place: int
    rounds: int
    settled: bool
    warnings: tuple[str, ...]
    needs_rating: bool = False


class StandingRow(NamedTuple):
    """A row of Standing."""

    list_id: int
    player_id: int
    rating: float | None
    games: int
    grade: str
    grade_index: int
    waiting: str
    category: str
    published: bool
    last_played: dt.date | None
    last_change: float | None
