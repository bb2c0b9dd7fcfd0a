"""Derived rows made from what the engine returns."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ratings.queries.rows import AwardRow, ChangeRow, TableRow
from ratings.systems import values
from ratings.systems.columns import RatedColumns
from ratings.systems.replay import Input


class At(NamedTuple):
    """Where a step's rows stand: list, day, place in it, and the id of the table or of what else it is."""

    list_id: int
    day: dt.date
    place: int
    table_id: int | None = None
    adjustment_id: int | None = None
    decision_id: int | None = None


class StepRows(NamedTuple):
    """All rows of a step: its table's if it is one, changes, and awards by the player's database id."""

    table: TableRow | None
    changes: Sequence[ChangeRow]
    awards: Mapping[int, Sequence[AwardRow]]


def place_of(list_id: int, day: dt.date, place: int, cause: Input) -> At:
    """The place of a step's rows; a closing day has no id."""
    if isinstance(cause, values.Table):
        return At(list_id, day, place, table_id=int(cause.id))
    if isinstance(cause, values.Adjustment):
        return At(list_id, day, place, adjustment_id=int(cause.id))
    return At(list_id, day, place, decision_id=int(cause.id) if isinstance(cause, values.Decision) else None)


def change_row(row: values.Row, standing: values.Standing, state: str, player: int, at: At) -> ChangeRow:
    """`standing` and `state` are those after the step."""
    return ChangeRow(
        at.list_id,
        player,
        *at[1:],
        row.category,
        row.category_after,
        row.before,
        row.after,
        row.change,
        row.games,
        row.games_after,
        row.performance,
        row.grade_before or "",
        row.grade or "",
        standing.published,
        standing.hidden,
        row.note,
        state,
    )


def award_rows(awards: Sequence[values.Award], player: int, at: At) -> list[AwardRow]:
    """A player's awards of one step: the last is announced, and so is the last before one that waits for approval."""
    where = (at.list_id, player, at.day, at.place, at.table_id)
    last = [won for won in awards if not won.needs_approval][-1:]
    return [
        AwardRow(*where, won.grade, won.how, won.game, won.needs_approval, won.needs_approval or won in last)
        for won in awards
    ]


def table_row(rounds: int, settled: bool, warnings: Sequence[str], at: At) -> TableRow:
    """Warnings keep the players' ids: how somebody is named is not known before they are shown."""
    assert at.table_id is not None
    return TableRow(at.list_id, at.table_id, at.day, at.place, rounds, settled, "\n".join(warnings))


def column_rows(
    result: RatedColumns[Any], rows: Sequence[tuple[Any, ...]], start: int, players: Sequence[int], at: At
) -> tuple[list[ChangeRow], dict[int, list[AwardRow]]]:
    """Changes and awards of one table of several: `rows` are the result's, the table's seats begin at `start`."""
    here = zip(players, rows[start : start + len(players)], strict=True)
    changes = [ChangeRow._make((at.list_id, pk, *at[1:], *row)) for pk, row in here]
    seats = enumerate(players, start) if result.awards else ()
    return changes, {pk: award_rows(result.awards[seat], pk, at) for seat, pk in seats if seat in result.awards}


def without_grades(row: ChangeRow) -> ChangeRow:
    """The same on a list that awards none."""
    return row._replace(grade_before="", grade="")
