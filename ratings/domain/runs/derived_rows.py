"""Conversion of the engine's results into rows to be stored."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise, repeat
from typing import Any, NamedTuple

from ratings.queries.runs.rows import AwardRow, ChangeRow, TableRow
from ratings.systems import values
from ratings.systems.replay import Input
from ratings.systems.table_arrays import RatedArrays
from ratings.systems.table_batches import list_seat_values


class StepPosition(NamedTuple):
    """Position of a step's rows: list, day, place in the day, and primary key of its table, adjustment or decision."""

    list_id: int
    day: dt.date
    place: int
    table_id: int | None = None
    adjustment_id: int | None = None
    decision_id: int | None = None


class StepRows(NamedTuple):
    """Rows of a step: that of its table if it is one, changes, and awards by the player's primary key."""

    table: TableRow | None
    changes: Sequence[ChangeRow]
    awards: Mapping[int, Sequence[AwardRow]]


def get_step_position(list_id: int, day: dt.date, place: int, cause: Input) -> StepPosition:
    """Return the position of a step's rows; a closing day has no primary key."""
    if isinstance(cause, values.Table):
        return StepPosition(list_id, day, place, table_id=int(cause.id))
    if isinstance(cause, values.Adjustment):
        return StepPosition(list_id, day, place, adjustment_id=int(cause.id))
    return StepPosition(list_id, day, place, decision_id=int(cause.id) if isinstance(cause, values.Decision) else None)


def build_change_row(
    row: values.Row, standing: values.Standing, state: str, player: int, at: StepPosition
) -> ChangeRow:
    """Return the stored form of a result row; `standing` and `state` are those after the step."""
    return ChangeRow._make((at.list_id, player, *at[1:], *list_seat_values(row, standing, state)))


def build_award_rows(awards: Sequence[values.Award], player: int, at: StepPosition) -> list[AwardRow]:
    """Return the rows of a player's awards in one step.

    Announced awards are marked: the last one that needs no approval, and each one that needs approval.
    """
    position = (at.list_id, player, at.day, at.place, at.table_id)
    last = max((n for n, award in enumerate(awards) if not award.needs_approval), default=None)
    return [
        AwardRow(*position, award.grade, award.how, award.game, award.needs_approval, award.needs_approval or n == last)
        for n, award in enumerate(awards)
    ]


def build_table_row(rounds: int, settled: bool, warnings: Sequence[str], at: StepPosition) -> TableRow:
    """Return the stored row of a rated table.

    Warnings contain players' ids, because how a player is named is decided when the warnings are displayed.
    """
    assert at.table_id is not None
    return TableRow(at.list_id, at.table_id, at.day, at.place, rounds, settled, tuple(warnings))


@dataclass(frozen=True, slots=True)
class RatedBatch:
    """Results of steps that were rated together, as columns.

    `seats` are the starts of each step's seats and the end of the last, `players` the primary keys of their players.
    """

    positions: Sequence[StepPosition]
    seats: Sequence[int]
    players: Sequence[int]
    result: RatedArrays[Any]

    def __len__(self) -> int:
        return len(self.players)

    def __iter__(self) -> Iterator[ChangeRow]:
        """Yield the changes, step by step."""
        places = zip(self.positions, pairwise(self.seats), strict=True)
        steps = list(chain.from_iterable(repeat(at, end - start) for at, (start, end) in places))
        lists, *position = ([at[n] for at in steps] for n in range(len(StepPosition._fields)))
        return map(ChangeRow._make, zip(lists, self.players, *position, *self.result.columns, strict=True))

    def build_table_row(self, step: int) -> TableRow | None:
        """Return the row of a step's table; None for other steps."""
        result, at = self.result, self.positions[step]
        if at.table_id is None:
            return None
        return build_table_row(result.rounds[step], result.settled[step], result.warnings.get(step, ()), at)

    def list_awards(self) -> Iterator[tuple[int, int, list[AwardRow]]]:
        """Yield the awards with the index of their step and the primary key of the player, in order of the seats."""
        for seat, awards in sorted(self.result.awards.items()):
            step = bisect_right(self.seats, seat) - 1
            yield step, self.players[seat], build_award_rows(awards, self.players[seat], self.positions[step])


def remove_grades(row: ChangeRow) -> ChangeRow:
    """Return a row without grades, for a list that awards none."""
    return row._replace(grade_before="", grade="") if row.grade or row.grade_before else row
