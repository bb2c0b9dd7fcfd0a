"""Rating system of the Renju International Federation of 1995 (key rif-1995).

The numbers after # are the paragraphs of its General Assembly 1995, which decisions of 1996 change.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from ratings.systems.arithmetic import round_half_away_from_zero
from ratings.systems.idle_rows import get_outsider_rating, make_idle_row
from ratings.systems.rating_rules import PastInputs
from ratings.systems.rif.messages import RifMessage
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
from .event_1995 import Entrant1995, Game1995, set_start_ratings
from .rating import SINCE_1996, RifRating
from .state import State1995, get_last_day, is_published, list_day_before, next_list_day, read_1995, write_1995


class Rating1995(RifRating[State1995]):
    """Rating rules of the system of 1995."""

    def newcomer(self) -> State1995:
        return State1995()

    def read(self, opening: StateJson, *, fixed: bool = False) -> State1995:
        return read_1995(opening)

    def write(self, state: State1995) -> StateJson:
        return write_1995(state)

    def with_rating(self, state: State1995, rating: float) -> State1995:
        return self.read({**self.write(state), "rating": rating, "official": True})

    def adjust(
        self, state: State1995, changes: StateJson, *, fixed: bool = False, on: dt.date | None = None
    ) -> State1995:
        """Return the adjusted state.

        Tables that began before the last list day still start from the rating of that time, not from the adjusted one.
        """
        adjusted = super().adjust(state, changes, fixed=fixed)
        if on is None or not state.official or state.rating is None or "previous" in changes:
            return adjusted
        until = list_day_before(list_day_before(on))
        if adjusted.rating == state.rating or any(day >= until for day, _ in state.previous):
            return adjusted
        return replace(adjusted, previous=(*adjusted.previous, (until, state.rating)))

    def shift(self, state: State1995, by: float) -> State1995:
        if state.rating is None:
            return state
        points = round_half_away_from_zero(by)
        previous = tuple((day, rating + points) for day, rating in state.previous)
        return replace(state, rating=state.rating + points, previous=previous)

    def standing(self, state: State1995, player: Player, on: dt.date | None = None) -> Standing:
        category = (
            Category.NEW if state.rating is None else Category.OFFICIAL if state.official else Category.UNOFFICIAL
        )
        listed = state.official and is_published(state.last_played, on) and not player.unlisted and not player.fixed
        return Standing(
            state.rating, 0, None, Category.FIXED if player.fixed else category, listed, hidden=player.unlisted
        )

    def closing_days(self, first: dt.date, last: dt.date) -> Sequence[dt.date]:
        return self.list_closing_days(first, last, next_list_day)

    def close(
        self,
        day: dt.date,
        players: Mapping[str, Player],
        states: Mapping[str, State1995],
        past: PastInputs | None = None,
    ) -> TableResult[State1995]:
        """Add the pending contributions and make newcomers' ratings official (#5)."""
        rows, after = [], {}
        for id, state in states.items():
            if state.rating is None or players[id].fixed or (state.official and not state.pending):
                continue
            before, new = state.rating, state.rating + state.pending
            previous = (*state.previous, (list_day_before(day), before)) if state.official else state.previous
            after[id] = replace(state, rating=new, official=True, pending=0, previous=previous)
            category = self.standing(state, players[id]).category
            note = RifMessage.OFFICIAL_LIST(day=day)
            rows.append(Row(id, category, Category.OFFICIAL, before, new, new - before, note=note))
        return TableResult(tuple(rows), after)

    def rate(
        self,
        table: Table,
        players: Mapping[str, Player],
        states: Mapping[str, State1995],
        rulings: Sequence[Decision] = (),
    ) -> TableResult[State1995]:
        starters = {id: self._make_starter(table, players[id], states[id]) for id in table.players}
        for game in self.list_counted_games(table):
            assert game.b is not None
            assert game.score is not None
            a, b = starters[game.a], starters[game.b]
            a.games.append(Game1995(b, game.score))
            b.games.append(Game1995(a, 1 - game.score))
        zero_rule = self.settings["zero_rule"] or ("on" if table.last_day >= SINCE_1996 else "off")
        joint = zero_rule == "off" or self.settings["new_vs_new"] == "joint"
        warnings = set_start_ratings(starters, zero_rule=zero_rule == "on", joint=joint)
        rows, after = [], {}
        for id, starter in starters.items():
            if starter.fixed or not starter.counted:
                rows.append(self._make_idle_row(table, players[id], states[id], starter))
                continue
            after[id] = self._next_state(table, states[id], starter)
            rows.append(self._make_row(table, players[id], states[id], after[id], starter))
        return TableResult(
            tuple(rows),
            after,
            settled=not any("settled" in w for w in warnings),
            warnings=(*filter(None, [self.unrated_reason(table)]), *warnings),
        )

    def _make_starter(self, table: Table, player: Player, state: State1995) -> Entrant1995:
        fixed = get_outsider_rating(table, player, state.rating)
        if fixed is not None:
            return Entrant1995(player.id, fixed, new=False, official=True, fixed=True)
        start = state.rating_on(table.date)
        return Entrant1995(player.id, start, new=start is None, official=state.official)

    def _next_state(self, table: Table, state: State1995, starter: Entrant1995) -> State1995:
        last = get_last_day(state.last_played, table.last_day)
        if state.official:
            return replace(state, pending=state.pending + starter.contribution, last_played=last)
        start = starter.start if state.rating is None else state.rating
        return replace(state, rating=int(start or 0) + starter.contribution, last_played=last)

    def _make_row(self, table: Table, player: Player, state: State1995, after: State1995, starter: Entrant1995) -> Row:
        return Row(
            starter.id,
            self.standing(state, player).category,
            self.standing(after, player).category,
            state.rating,
            after.rating,
            starter.contribution,
            len(starter.counted),
            terms=Terms(partial(explain.terms_1995, starter)),
            figures=Figures(partial(explain.figures_1995, starter, table)),
        )

    def _make_idle_row(self, table: Table, player: Player, state: State1995, starter: Entrant1995) -> Row:
        outsider_rating = starter.start if starter.fixed else None
        note = "" if starter.fixed else self.unrated_reason(table) or starter.refusal_reason
        row = make_idle_row(table, player, self.standing(state, player), outsider_rating, note)
        return replace(row, figures={"start": starter.start})
