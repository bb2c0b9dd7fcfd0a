"""Rows of a list of which nothing is stored: no row is compared, and no correction is traced."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import Any

from ratings.formats.proof.leaves import ResultValues, make_result_leaves
from ratings.formats.proof.merkle import hash_leaf
from ratings.models import RatingList
from ratings.queries.runs.steps import StoredStep
from ratings.systems.game_records import TableWithGames

from .derived_rows import RatedBatch, StepPosition, StepRows
from .outcome import BatchReceiver, Outcome, PlayedGames
from .run_players import RunPlayers, States
from .tracing import PairsOfPlayers

NOTHING_PLAYED = PlayedGames()


def has_rows(rating_list: RatingList) -> bool:
    """Return True if rows of earlier runs are stored."""
    derived = (rating_list.changes, rating_list.rated_tables, rating_list.standings, rating_list.awards)
    return any(rows.exists() for rows in derived)


class FirstRows:
    """Collector of the rows of a list's steps, in their order, with the methods of `ComparedRows`.

    `receive` is called with the results of steps that were rated together. `logged`: also hash the leaves of all
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
        for row in rows.changes:
            self._add_games(row.player_id, row.day, row.games, row.before, row.after, row.change)
        ids = self._people.ids
        values = ((ids[row.player_id], row.before, row.after, row.change, row.games, row.state) for row in rows.changes)
        self._add_hashes(at, values)

    def add_batch(
        self,
        batch: RatedBatch,
        ids: Sequence[Sequence[str]],
        _stored: Sequence[StoredStep],
        _tables: Sequence[TableWithGames | None],
    ) -> None:
        """Add the rows of steps that were rated together; `ids` are the public ids of each one's players."""
        result, out = batch.result, self._outcome
        self._states.set_states(result.last)
        out.states.update(dict.fromkeys(batch.players))
        for _step, _player, awards in batch.list_awards():
            out.awards += awards
        self._receive(replace(batch, result=replace(result, last={})))
        columns = (result.before, result.after, result.change, result.games, result.states)
        values: list[Any] = list(zip(chain.from_iterable(ids), *columns, strict=True))
        for n, (at, (start, end)) in enumerate(zip(batch.positions, pairwise(batch.seats), strict=True)):
            if row := batch.build_table_row(n):
                out.tables.append(row)
            for player, (_id, before, after, change, games, _state) in zip(
                batch.players[start:end], values[start:end], strict=True
            ):
                self._add_games(player, at.day, games, before, after, change)
            self._add_hashes(at, values[start:end])

    def _add_games(
        self, player: int, day: dt.date, games: int, before: float | None, after: float | None, change: float | None
    ) -> None:
        known = self._played.get(player, NOTHING_PLAYED)
        if games:
            self._played[player] = PlayedGames(known.games + games, None, day, before, after, change)
        elif known is NOTHING_PLAYED:
            self._played[player] = known

    def _add_hashes(self, at: StepPosition, results: Iterable[ResultValues]) -> None:
        if self._outcome.result_hashes is not None:
            leaves = make_result_leaves(at.day, at.place, sorted(results))
            self._outcome.result_hashes += b"".join(map(hash_leaf, leaves))
