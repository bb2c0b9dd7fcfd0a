"""Highlights of a table: the biggest upset, the best performance, and the grades won."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ratings.systems.protocol import System
from ratings.systems.values import AwardHow

from .crosstables import Crosstable, CrosstableRow
from .performances import performances

EVEN = 0.5
"""Expected score from which on a win is no upset."""
LEAST_GAMES = 3
"""Number of rated games below which a performance says little."""


@dataclass(frozen=True)
class Upset:
    """A win against the odds; `chance` is the expected score of the loser (0..1)."""

    winner: CrosstableRow
    loser: CrosstableRow
    chance: float


@dataclass(frozen=True)
class Performance:
    """A performance in rating points, with the row of the player."""

    row: CrosstableRow
    rating: float


@dataclass(frozen=True)
class Highlights:
    upset: Upset | None
    best: Performance | None
    promoted: list[CrosstableRow]
    """Rows of the players who won a grade here that needs no approval."""


def find_highlights(crosstable: Crosstable, system: System[Any]) -> Highlights:
    """Return the highlights of a table; an upset or a performance is missing where there was no choice."""
    upset = max(_list_upsets(crosstable, system), key=lambda upset: upset.chance, default=None)
    played = list(_list_performances(crosstable, system))
    best = max(played, key=_gain) if len(played) > 1 else None
    promoted = [row for row in crosstable.promotions if _is_promoted(row)]
    return Highlights(upset, best if best and _gain(best) > 0 else None, promoted)


def _list_upsets(crosstable: Crosstable, system: System[Any]) -> Iterator[Upset]:
    """Yield the rated wins of players whom their rating before the table expected to lose."""
    before = {
        row.entry.pk: row
        for row in crosstable.rows
        if row.change and row.change.games and row.change.before is not None
    }
    for row in before.values():
        for cell in (cell for round_ in row.rounds for cell in round_):
            if cell.opponent is None or cell.opponent.pk not in before or not cell.played or cell.cell.points != 1:
                continue
            loser = before[cell.opponent.pk]
            own, other = _rating_before(row), _rating_before(loser)
            expected = system.rating.predict(own, other, cell.cell.to_game(1, cell.board), "a")
            if expected is not None and expected < EVEN:
                yield Upset(row, loser, 1 - expected)


def _list_performances(crosstable: Crosstable, system: System[Any]) -> Iterator[Performance]:
    """Yield the performances of players who had a rating and played some rated games."""
    known = performances(crosstable, system)
    for row in crosstable.rows:
        performance = known[row.entry.number]
        if performance is not None and row.change and row.change.before is not None and row.change.games >= LEAST_GAMES:
            yield Performance(row, performance)


def _rating_before(row: CrosstableRow) -> float:
    assert row.change is not None
    assert row.change.before is not None
    return row.change.before


def _gain(performance: Performance) -> float:
    return performance.rating - _rating_before(performance.row)


def _is_promoted(row: CrosstableRow) -> bool:
    award = row.new_grade
    return award is not None and award.how != AwardHow.DEMOTION and not award.needs_approval
