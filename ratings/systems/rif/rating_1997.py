"""Rating system of the Renju International Federation of 1997 (key rif-1997).

The numbers after # are the paragraphs of its General Assembly 1997.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from ratings.systems.arithmetic import round_half_away_from_zero
from ratings.systems.idle_rows import get_outsider_rating, make_idle_row
from ratings.systems.rif.messages import RifMessage
from ratings.systems.state_arrays import StateRows
from ratings.systems.table_arrays import RatedArrays, TableArrays
from ratings.systems.values import (
    Category,
    Decision,
    Figures,
    Player,
    Row,
    Standing,
    StateJson,
    Table,
    TableResult,
    Terms,
)

from . import explain
from .compiled_1997 import STATE_FORM, rate_arrays
from .event_1997 import Entrant1997, add_game, rate_results
from .kernel_1997 import rate_tables
from .rating import RifRating
from .state import State1997, get_last_day, is_published, read_1997, write_1997


class Rating1997(RifRating[State1997]):
    """Rating rules of the system of 1997."""

    loops = rate_tables
    state_form = STATE_FORM

    def newcomer(self) -> State1997:
        return State1997()

    def read(self, opening: StateJson, *, fixed: bool = False) -> State1997:
        return read_1997(opening)

    def write(self, state: State1997) -> StateJson:
        return write_1997(state)

    def get_remaining_values(self, state: State1997, given: StateJson) -> StateJson:
        # a state has either a rating or results
        replaced_keys = {"rating", "established", "results"} if given.get("rating") or given.get("results") else set()
        return {key: value for key, value in self.write(state).items() if key not in replaced_keys}

    def with_rating(self, state: State1997, rating: float) -> State1997:
        given = {"rating": rating}
        return self.read({**self.get_remaining_values(state, given), **given})

    def shift(self, state: State1997, by: float) -> State1997:
        points = round_half_away_from_zero(by)
        if state.rating is not None:
            return replace(state, rating=state.rating + points)
        return replace(state, results=tuple((rating + points, points_won) for rating, points_won in state.results))

    def standing(self, state: State1997, player: Player, on: dt.date | None = None) -> Standing:
        category = (
            Category.ESTABLISHED
            if state.rating is not None
            else Category.PROVISIONAL
            if state.results
            else Category.UNRATED
        )
        displayed = state.rating is not None and not player.unlisted
        listed = displayed and is_published(state.last_played, on) and not player.fixed
        return Standing(
            state.rating, 0, None, Category.FIXED if player.fixed else category, listed, hidden=not displayed
        )

    def rate(
        self,
        table: Table,
        players: Mapping[str, Player],
        states: Mapping[str, State1997],
        rulings: Sequence[Decision] = (),
    ) -> TableResult[State1997]:
        sides = {id: self._make_side(table, players[id], states[id]) for id in table.players}
        for game in self.list_counted_games(table):
            assert game.b is not None
            assert game.score is not None
            add_game(sides[game.a], sides[game.b], game.score)
        rows, after = [], {}
        for id, side in sides.items():
            if side.fixed or not side.games:
                rows.append(self._make_idle_row(table, players[id], states[id], side))
                continue
            last = get_last_day(states[id].last_played, table.last_day)
            rating, results = side.outcome()
            after[id] = State1997(rating, results, last)
            rows.append(self._make_row(players[id], states[id], after[id], side))
        return TableResult(tuple(rows), after, warnings=tuple(filter(None, [self.unrated_reason(table)])))

    def rate_arrays(
        self, columns: TableArrays, players: Mapping[str, Player], states: StateRows[State1997]
    ) -> RatedArrays[State1997]:
        return rate_arrays(columns, list(map(self.unrated_reason, columns.tables)), players, states)

    def _make_side(self, table: Table, player: Player, state: State1997) -> Entrant1997:
        fixed = get_outsider_rating(table, player, state.rating)
        rating = state.rating if fixed is None else fixed
        return Entrant1997(player.id, rating, state.results, fixed=fixed is not None)

    def _make_row(self, player: Player, state: State1997, after: State1997, side: Entrant1997) -> Row:
        change = None if state.rating is None or after.rating is None else after.rating - state.rating
        return Row(
            side.id,
            self.standing(state, player).category,
            self.standing(after, player).category,
            state.rating,
            after.rating,
            change,
            len(side.games),
            performance=rate_results([(game.opponent_rating, game.score) for game in side.games]),
            terms=Terms(partial(explain.terms_1997, side)),
            figures=Figures(partial(explain.figures_1997, side)),
        )

    def _make_idle_row(self, table: Table, player: Player, state: State1997, side: Entrant1997) -> Row:
        outsider_rating = side.rating if side.fixed else None
        note = "" if side.fixed else self.unrated_reason(table) or RifMessage.NO_COUNTING_GAME()
        row = make_idle_row(table, player, self.standing(state, player), outsider_rating, note)
        return replace(row, figures={"exact": rate_results(state.results)}) if state.results else row
