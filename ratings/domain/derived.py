"""Derived rows made from what the engine returns, and compared with stored ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any

from ratings.models import Award, Change, RatedTable
from ratings.systems import values

At = Mapping[str, Any]
"""List, day and place of a step, of a player's rows also the player: list_id, day, place, player_id."""

of_change = attrgetter(
    "table_id", "adjustment_id", "decision_id", "category", "category_after", "before", "after", "change", "games",
    "games_after", "performance", "grade_before", "grade", "published", "hidden", "note", "state",
)  # fmt: skip
of_award = attrgetter("table_id", "grade", "how", "game", "needs_approval", "last_of_step")
of_table = attrgetter("table_id", "rounds", "settled", "warnings", "stale")


def change_row(row: values.Row, standing: values.Standing, state: dict[str, Any], cause: object, at: At) -> Change:
    """`standing` and `state` are those after the step."""
    return Change(
        table_id=int(cause.id) if isinstance(cause, values.Table) else None,
        adjustment_id=int(cause.id) if isinstance(cause, values.Adjustment) else None,
        decision_id=int(cause.id) if isinstance(cause, values.Decision) else None,
        category=row.category,
        category_after=row.category_after,
        before=row.before,
        after=row.after,
        change=row.change,
        games=row.games,
        games_after=row.games_after,
        performance=row.performance,
        grade_before=row.grade_before or "",
        grade=row.grade or "",
        published=standing.published,
        hidden=standing.hidden,
        note=row.note,
        state=state,
        **at,
    )


def award_rows(row: values.Row, cause: object, at: At) -> list[Award]:
    table = int(cause.id) if isinstance(cause, values.Table) else None
    return [
        Award(table_id=table, grade=award.grade, how=award.how, game=award.game, needs_approval=award.needs_approval,
              last_of_step=award is row.awards[-1], **at)
        for award in row.awards
    ]  # fmt: skip


def table_row(
    table: values.Table, result: values.TableResult[Any], players: Mapping[str, values.Player], at: At
) -> RatedTable:
    """Warnings name players instead of their ids."""
    warnings = []
    for text in result.warnings:
        for id in table.players:
            text = text.replace(id, players[id].name)  # noqa: PLW2901 - one name after the other
        warnings.append(text)
    return RatedTable(
        table_id=int(table.id), rounds=result.rounds, settled=result.settled, warnings=warnings, stale=False, **at
    )


def same_change(one: Change, other: Change) -> bool:
    return bool(of_change(one) == of_change(other))


def same_awards(some: Sequence[Award], others: Sequence[Award]) -> bool:
    return [of_award(award) for award in some] == [of_award(award) for award in others]


def same_table(one: RatedTable, other: RatedTable) -> bool:
    return bool(of_table(one) == of_table(other))
