"""Comparison of the rows of a run with those that are stored, step by step."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from ratings.queries.runs.rows import AwardRow
from ratings.queries.runs.steps import StoredStep
from ratings.systems.game_records import TableWithGames

from .derived_rows import RatedBatch, StepPosition, StepRows
from .outcome import Outcome
from .run_players import RunPlayers, States
from .tracing import ComparedStep, PairsOfPlayers, Trace, pair_players


class ComparedRows:
    """Collector of the rows that differ from the stored ones.

    `old` are the stored states, as texts, of the players whose present state differs, by public id.
    """

    def __init__(self, outcome: Outcome, people: RunPlayers, states: States, trace: Trace) -> None:
        self._outcome, self._people, self._states, self._trace = outcome, people, states, trace
        self.old: dict[str, str] = {}

    def add_step(
        self,
        at: StepPosition | None,
        rows: StepRows,
        texts_before: Mapping[str, str],
        before: StoredStep,
        games: Callable[[], PairsOfPlayers] = tuple,
    ) -> None:
        """Record which rows of a step differ from the stored ones, and which players' states now differ.

        `at` is None for a step that was removed. `texts_before` are the players' states before the step, as texts;
        `games` returns the pairs of players of a table.
        """
        self._outcome.compare(rows, before)
        differs: dict[int, bool] = {}
        for id, text in texts_before.items():
            pk = self._people.pks[id]
            stored = before.changes.get(pk)
            old = stored[1].state if stored is not None else self.old.get(id, text)
            differs[pk] = old != self._states.text(id)
            if differs[pk]:
                self.old[id] = old
            else:
                self.old.pop(id, None)
        self._trace.record(ComparedStep(at, rows.changes, before, differs, games))

    def add_batch(
        self,
        batch: RatedBatch,
        ids: Sequence[Sequence[str]],
        stored: Sequence[StoredStep],
        tables: Sequence[TableWithGames | None],
    ) -> None:
        """Record the differences of steps that were rated together; `ids` are the public ids of each one's players."""
        changes = list(batch)
        awards: dict[int, dict[int, list[AwardRow]]] = defaultdict(dict)
        for n, player, rows in batch.list_awards():
            awards[n][player] = rows
        texts: dict[str, str] = {}  # states after the steps so far
        for n, (at, before, players) in enumerate(zip(batch.positions, stored, ids, strict=True)):
            of_step = slice(batch.seats[n], batch.seats[n + 1])
            rows_of_step = StepRows(batch.build_table_row(n), changes[of_step], awards.get(n, {}))
            texts_after = dict(zip(players, batch.result.states[of_step], strict=True))
            if not (_are_stored(rows_of_step, before) and self.old.keys().isdisjoint(players)):
                affected = {*players, *(self._people.ids[pk] for pk in before.changes)}
                texts_before = {id: texts[id] if id in texts else self._states.text(id) for id in affected}
                for id, text in (texts_before | texts_after).items():
                    self._states.set_text(id, text)
                self.add_step(
                    at, rows_of_step, texts_before, before, partial(pair_players, tables[n], self._people.pks)
                )
            texts |= texts_after
        self._states.set_states(batch.result.last, texts)


def _are_stored(rows: StepRows, before: StoredStep) -> bool:
    """Return True if the stored rows of a step are exactly these."""
    if rows.table != (None if before.table is None else before.table[1]):
        return False
    changes = {player: row for player, (_, row) in before.changes.items()}
    awards = {player: [row for _, row in stored] for player, stored in before.awards.items()}
    return {row.player_id: row for row in rows.changes} == changes and rows.awards == awards
