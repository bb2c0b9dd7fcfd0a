"""Rows of a list of which nothing is stored: no row is compared, and no correction is traced."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from ratings.formats.proof.leaves import Result, make_result_leaf
from ratings.formats.proof.merkle import hash_leaf
from ratings.models import RatingList

from .derived_rows import RatedBatch, StepPosition, StepRows, build_table_row
from .outcome import Outcome

ResultValues = tuple[str, float | None, float | None, float | None, int, str]
"""Public id, rating before and after, change, games and state."""


def has_rows(rating_list: RatingList) -> bool:
    """Return True if rows of earlier runs are stored."""
    derived = (rating_list.changes, rating_list.rated_tables, rating_list.standings, rating_list.awards)
    return any(rows.exists() for rows in derived)


class FirstRows:
    """Collector of the rows of a list's steps, in their order; `logged`: also hash the leaves of all results."""

    def __init__(self, outcome: Outcome, *, logged: bool) -> None:
        self._outcome, self._logged = outcome, logged
        outcome.result_hashes = bytearray() if logged else None

    def add_step(self, at: StepPosition, rows: StepRows, ids: Mapping[int, str]) -> None:
        """Add the rows of a step; `ids` are public ids by primary key."""
        self._outcome.add(rows)
        self._add_hashes(
            at,
            ((ids[row.player_id], row.before, row.after, row.change, row.games, row.state) for row in rows.changes),
        )

    def add_batch(self, batch: RatedBatch, ids: Sequence[str]) -> None:
        """Add the rows of tables that were rated together; `ids` are the public ids of the seats' players."""
        result, out = batch.result, self._outcome
        out.add_batch(replace(batch, result=replace(result, last={})))
        steps = zip(batch.positions, pairwise(batch.seats), strict=True)
        columns = (ids, result.before, result.after, result.change, result.games, result.states)
        values: list[Any] = list(zip(*columns, strict=True)) if self._logged else []
        for n, (at, (start, end)) in enumerate(steps):
            warnings = result.warnings.get(n, ())
            out.tables.append(build_table_row(result.rounds[n], result.settled[n], warnings, at))
            self._add_hashes(at, values[start:end])

    def _add_hashes(self, at: StepPosition, results: Iterable[ResultValues]) -> None:
        if self._outcome.result_hashes is not None:
            leaves = (make_result_leaf(Result(at.day, at.place, *values)) for values in sorted(results))
            self._outcome.result_hashes += b"".join(map(hash_leaf, leaves))
