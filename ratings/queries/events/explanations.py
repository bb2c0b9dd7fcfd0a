"""Explanations of rating changes: a table is rated again by the same engine, from the stored states."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from ratings.models import Change, RatedTable
from ratings.queries.players.names import replace_ids_with_names
from ratings.queries.runs.states import incoming_states
from ratings.queries.runs.tables import load_table
from ratings.queries.runs.values import load_players
from ratings.systems.protocol import System
from ratings.systems.values import Decision, Row, RowExplanation, Ruling, TableResult


@dataclass(frozen=True)
class Explanation:
    """The explanation of a player's rating change in a table.

    `row` is what the engine returns now, `change` what is stored; they differ only if something is wrong.
    """

    result: TableResult[Any]
    row: Row
    change: Change
    warnings: list[str]
    names: dict[str, str]
    explained: RowExplanation
    counts_on: dt.date | None = None
    """Closing day that adds the points of the table; None without points of its own that wait."""
    closed: Change | None = None
    """The change of the closing day that counts the table; None until then, and if the table moved the rating."""

    @property
    def agrees(self) -> bool:
        return (self.row.before, self.row.after, self.row.grade or "") == (
            self.change.before,
            self.change.after,
            self.change.grade,
        )


def explain(rated: RatedTable, change: Change) -> Explanation | None:
    """Rate a table again, from the states before it, and return the explanation of one player's change.

    Return None if the player has been removed from the table since, and the list is still to be rated again.
    """
    return explain_change(rated, rate_again(rated), change)


def rate_again(rated: RatedTable) -> tuple[TableResult[Any], dict[str, str]]:
    """Rate a table again, from the states before it, and return the result and the players' names by public id."""
    system: System[Any] = rated.list.rating_system_on(rated.day)
    table = load_table(rated.table)
    players = load_players(rated.list, table.players)
    result = system.rating.rate(table, players, incoming_states(rated, system, players), _load_decisions(rated))
    return result, {id: player.name for id, player in players.items()}


def explain_change(
    rated: RatedTable, again: tuple[TableResult[Any], dict[str, str]], change: Change
) -> Explanation | None:
    """Return the explanation of one player's change in a table that was rated again; None as in `explain`."""
    system: System[Any] = rated.list.rating_system_on(rated.day)
    result, names = again
    row = next((row for row in result.rows if row.player == change.player.public_id), None)
    if row is None:
        return None
    if not rated.list.has_grades:
        row = row.without_grades()
    explained = system.presentation.explained(row) if row.terms else RowExplanation((), ())
    explained = explained.without_notes(
        system.presentation.assumptions.values()
    )  # pages don't say what is unknown about a player
    warnings = [replace_ids_with_names(line, names) for line in rated.warnings]
    waits = change.before == change.after
    closing_day = system.rating.counting_day(change.day, rated.table.list_day) if waits else None
    counts_on = closing_day if change.is_carried_over else None
    closed = closing_change(change, closing_day) if closing_day else None
    return Explanation(result, row, change, warnings, names, explained, counts_on, closed)


def closing_change(change: Change, day: dt.date) -> Change | None:
    """Return the change of the same player on a closing day of the list; None if there is none."""
    on_day = Change.objects.filter(list=change.list_id, player=change.player_id, day=day)
    return next((later for later in on_day.order_by("-place") if later.is_closing), None)


def _load_decisions(rated: RatedTable) -> list[Decision]:
    """Return the decisions that concern this table."""
    of_table = Q(before=rated.table_id, ruling__in=[Ruling.PRINTED, Ruling.WITHHELD])
    of_day = Q(before__isnull=True, ruling=Ruling.WITHHELD, date=rated.day)
    decisions = rated.list.decisions.filter(of_table | of_day).select_related("player")
    return [Decision(d.date, d.player.public_id, d.grade, d.ruling, reason=d.reason) for d in decisions]
