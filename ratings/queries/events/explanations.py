"""How a number was made: one table rated again by the same engine, from the stored states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from ratings.models import Change, RatedTable
from ratings.systems.protocol import System
from ratings.systems.values import Decision, Explained, Row, TableResult

from .names import with_names
from .states import incoming_states
from .values import load_players, load_table


@dataclass(frozen=True)
class Explanation:
    """`row` is what the engine returns today, `change` what is stored; they differ only if something is wrong."""

    result: TableResult[Any]
    row: Row
    change: Change
    warnings: list[str]
    names: dict[str, str]
    explained: Explained

    @property
    def agrees(self) -> bool:
        return (self.row.before, self.row.after, self.row.grade or "") == (
            self.change.before,
            self.change.after,
            self.change.grade,
        )


def explain(rated: RatedTable, change: Change) -> Explanation | None:
    """Rate the table of `rated` again and take the player's row; the states are those that came to it.

    None where he has been taken out of the table since, and the list is still to be rated again.
    """
    system: System[Any] = rated.list.rating_system
    table = load_table(rated.table)
    players = load_players(rated.list, table.players)
    result = system.rate(table, players, incoming_states(rated, system, players), _rulings(rated))
    row = next((row for row in result.rows if row.player == change.player.public_id), None)
    if row is None:
        return None
    if not rated.list.graded:
        row = row.without_grades()
    names = {id: player.name for id, player in players.items()}
    explained = system.explained(row) if row.terms else Explained((), ())
    warnings = [with_names(line, names) for line in rated.warnings.splitlines()]
    return Explanation(result, row, change, warnings, names, explained)


def _rulings(rated: RatedTable) -> list[Decision]:
    """The decisions that speak of this very table."""
    of_table = Q(before=rated.table_id, ruling__in=["printed", "withheld"])
    of_day = Q(before__isnull=True, ruling="withheld", date=rated.day)
    decisions = rated.list.decisions.filter(of_table | of_day).select_related("player")
    return [Decision(d.date, d.player.public_id, d.grade, d.ruling, reason=d.reason) for d in decisions]
