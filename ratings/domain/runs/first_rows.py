"""Rows of a list of which nothing is stored: no row is compared, and no correction is traced."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import Any

from ratings.formats.proof.leaves import Result, make_result_leaf
from ratings.formats.proof.merkle import hash_leaf
from ratings.models import RatingList
from ratings.queries.runs.rows import ChangeRow
from ratings.queries.runs.steps import StoredStep
from ratings.systems.game_records import TableWithGames

from .derived_rows import RatedBatch, StepPosition, StepRows, build_table_row
from .outcome import BatchReceiver, Outcome, PlayedGames
from .run_players import RunPlayers, States
from .tracing import PairsOfPlayers

ResultValues = tuple[str, float | None, float | None, float | None, int, str]
"""Public id, rating before and after, change, games and state."""


def has_rows(rating_list: RatingList) -> bool:
    """Return True if rows of earlier runs are stored."""
    derived = (rating_list.changes, rating_list.rated_tables, rating_list.standings, rating_list.awards)
    return any(rows.exists() for rows in derived)


class FirstRows:
    """Collector of the rows of a list's steps, in their order, with the methods of `ComparedRows`.

    `receive` is called with the results of tables that were rated together. `logged`: also hash the leaves of all
    results.
    """

    def __init__(
        self, outcome: Outcome, people: RunPlayers, states: States, receive: BatchReceiver, *, logged: bool
    ) -> None:
        self._outcome, self._people, self._states, self._receive = outcome, people, states, receive
        self._played: dict[int, PlayedGames] = {}
        self.old: Mapping[str, str] = {}
        outcome.result_hashes, outcome.played = bytearray() if logged else None, self._played

    def add_step(
        self,
        at: StepPosition | None,
        rows: StepRows,
        _texts_before: Mapping[str, str],
        _before: StoredStep,
        _games: Callable[[], PairsOfPlayers] = tuple,
    ) -> None:
        """Add the rows of a step."""
        assert at is not None  # no step can have been removed
        self._outcome.add(rows)
        self._add_games(rows.changes)
        ids = self._people.ids
        values = ((ids[row.player_id], row.before, row.after, row.change, row.games, row.state) for row in rows.changes)
        self._add_hashes(at, values)

    def add_batch(
        self,
        batch: RatedBatch,
        ids: Sequence[Sequence[str]],
        _stored: Sequence[StoredStep],
        _tables: Sequence[TableWithGames],
    ) -> None:
        """Add the rows of tables that were rated together; `ids` are the public ids of each one's players."""
        result, out = batch.result, self._outcome
        for id, state in result.last.items():
            self._states.set_state(id, state)
        out.states.update(dict.fromkeys(batch.players))
        for _step, _player, awards in batch.list_awards():
            out.awards += awards
        self._add_games(batch)
        self._receive(replace(batch, result=replace(result, last={})))
        columns = (result.before, result.after, result.change, result.games, result.states)
        values: list[Any] = list(zip(chain.from_iterable(ids), *columns, strict=True))
        for n, (at, (start, end)) in enumerate(zip(batch.positions, pairwise(batch.seats), strict=True)):
            warnings = result.warnings.get(n, ())
            out.tables.append(build_table_row(result.rounds[n], result.settled[n], warnings, at))
            self._add_hashes(at, values[start:end])

    def _add_games(self, rows: Iterable[ChangeRow]) -> None:
        played, nothing = self._played, PlayedGames()
        for row in rows:
            known = played.get(row.player_id, nothing)
            if row.games:
                played[row.player_id] = PlayedGames(
                    known.games + row.games, None, row.day, row.before, row.after, row.change
                )
            else:
                played.setdefault(row.player_id, known)

    def _add_hashes(self, at: StepPosition, results: Iterable[ResultValues]) -> None:
        if self._outcome.result_hashes is not None:
            leaves = (make_result_leaf(Result(at.day, at.place, *values)) for values in sorted(results))
            self._outcome.result_hashes += b"".join(map(hash_leaf, leaves))
