"""Highlights of a table: the biggest upset, the best performance, and the grades won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ratings.models import TableFacts
from ratings.systems.protocol import System
from ratings.systems.values import AwardHow

from .crosstables import Crosstable, CrosstableRow
from .performances import stored_facts
from .table_facts import compute_facts


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

    @property
    def gain(self) -> float:
        """Rating points above the player's rating before the table; 0 without a public rating there."""
        before = self.row.change.before if self.row.change else None
        return 0 if before is None else self.rating - before


@dataclass(frozen=True)
class Highlights:
    upset: Upset | None
    best: Performance | None
    promoted: list[CrosstableRow]
    """Rows of the players who won a grade here that needs no approval."""


def find_highlights(crosstable: Crosstable, system: System[Any]) -> Highlights:
    """Return the highlights of a table; an upset or a performance is missing where there was no choice."""
    facts = stored_facts(crosstable.rated) or compute_facts(crosstable, system)
    rows = {row.entry.player_id: row for row in crosstable.rows}
    promoted = [row for row in crosstable.promotions if _is_promoted(row)]
    return Highlights(_find_upset(facts, rows), _find_best(facts, rows), promoted)


def combine_highlights(found: Sequence[Highlights]) -> Highlights:
    """Return the highlights of several tables as those of one: the biggest upset, the best performance, all grades."""
    upsets = [each.upset for each in found if each.upset]
    performances = [each.best for each in found if each.best]
    return Highlights(
        max(upsets, key=lambda upset: upset.chance, default=None),
        max(performances, key=lambda performance: performance.gain, default=None),
        [row for each in found for row in each.promoted],
    )


def _find_upset(facts: TableFacts, rows: dict[int, CrosstableRow]) -> Upset | None:
    """Return the upset between two of these rows by player; a player may have been merged since."""
    winner, loser = rows.get(facts.upset_winner_id or 0), rows.get(facts.upset_loser_id or 0)
    if winner is None or loser is None or facts.upset_chance is None:
        return None
    return Upset(winner, loser, facts.upset_chance)


def _find_best(facts: TableFacts, rows: dict[int, CrosstableRow]) -> Performance | None:
    row = rows.get(facts.best_player_id or 0)
    return Performance(row, facts.best_performance) if row and facts.best_performance is not None else None


def _is_promoted(row: CrosstableRow) -> bool:
    award = row.new_grade
    return award is not None and award.how != AwardHow.DEMOTION and not award.needs_approval
