"""The system behind the key rif-1995: the Renju International Federation's, of its General Assembly 1995.

The numbers after # are its paragraphs; those of 1996 change it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from . import rif_explained, rif_rules
from .arithmetic import away_from_zero
from .options import choice
from .protocol import untouched_row
from .rif import SINCE_1996, Rif
from .rif_1995_event import Meeting, Starter, give_start_ratings
from .rif_state import State1995, list_day_before, next_list_day, present, read_1995, write_1995
from .rules import Rules
from .values import Decision, Explained, Opening, Player, Row, Standing, Table, TableResult
from .words import Words as _


class Rif1995(Rif[State1995]):
    key = "rif-1995"
    reckons_performance = False
    name = _("Renju International Federation rating (1995)")
    options: ClassVar = (
        choice("new_vs_new", "ignore", _(
"Games between two newcomers, where points against officially rated players are needed: left out, or"
" solved jointly with the rest."
), "ignore", "joint"),
        choice("zero_rule", None, _(
"Whether a newcomer without points against officially rated players gets no start rating; by default"
" from 1996 on."
), "on", "off"),
    )  # fmt: skip

    def newcomer(self) -> State1995:
        return State1995()

    def read(self, opening: Opening, *, fixed: bool = False) -> State1995:
        return read_1995(opening)

    def write(self, state: State1995) -> Opening:
        return write_1995(state)

    def with_rating(self, state: State1995, rating: float) -> State1995:
        return self.read({**self.write(state), "rating": rating, "official": True})

    def adjust(self, state: State1995, given: Opening, *, fixed: bool = False, on: dt.date | None = None) -> State1995:
        """Tables that began before the last list day still start from the rating of then, not from the given one."""
        adjusted = super().adjust(state, given, fixed=fixed)
        if on is None or not state.official or state.rating is None or "previous" in given:
            return adjusted
        until = list_day_before(list_day_before(on))
        if adjusted.rating == state.rating or any(day >= until for day, _ in state.previous):
            return adjusted
        return replace(adjusted, previous=(*adjusted.previous, (until, state.rating)))

    def shift(self, state: State1995, by: float) -> State1995:
        if state.rating is None:
            return state
        points = away_from_zero(by)
        previous = tuple((day, rating + points) for day, rating in state.previous)
        return replace(state, rating=state.rating + points, previous=previous)

    def standing(self, state: State1995, player: Player, on: dt.date | None = None) -> Standing:
        category = "new" if state.rating is None else "official" if state.official else "unofficial"
        listed = state.official and present(state.last_played, on) and not player.unlisted and not player.fixed
        return Standing(state.rating, 0, None, "fixed" if player.fixed else category, listed, hidden=player.unlisted)

    def closing_days(self, first: dt.date, last: dt.date) -> Sequence[dt.date]:
        days, day, until = [], next_list_day(first), next_list_day(last)
        while day <= until:
            days.append(day)
            day = next_list_day(day + dt.timedelta(days=1))
        return days

    def close(
        self, day: dt.date, players: Mapping[str, Player], states: Mapping[str, State1995]
    ) -> TableResult[State1995]:
        """#5: contributions waiting are added, and newcomers' ratings become official."""
        rows, after = [], {}
        for id, state in states.items():
            if state.rating is None or players[id].fixed or (state.official and not state.pending):
                continue
            before, new = state.rating, state.rating + state.pending
            previous = (*state.previous, (list_day_before(day), before)) if state.official else state.previous
            after[id] = replace(state, rating=new, official=True, pending=0, previous=previous)
            category = self.standing(state, players[id]).category
            note = _("official list of {day}", day=day)
            rows.append(Row(id, category, "official", before, new, new - before, note=note))
        return TableResult(tuple(rows), after)

    def explained(self, row: Row) -> Explained:
        return rif_explained.explained_1995(row)

    def rules(self) -> Rules:
        return rif_rules.rules_1995(self.settings)

    def rate(
        self,
        table: Table,
        players: Mapping[str, Player],
        states: Mapping[str, State1995],
        rulings: Sequence[Decision] = (),
    ) -> TableResult[State1995]:
        starters = {id: self._starter(table, players[id], states[id]) for id in table.players}
        for game in self.counted(table):
            assert game.b is not None
            assert game.score is not None
            a, b = starters[game.a], starters[game.b]
            a.met.append(Meeting(b, game.score))
            b.met.append(Meeting(a, 1 - game.score))
        zero_rule = self.settings["zero_rule"] or ("on" if table.last_day >= SINCE_1996 else "off")
        joint = zero_rule == "off" or self.settings["new_vs_new"] == "joint"
        warnings = give_start_ratings(starters, zero_rule=zero_rule == "on", joint=joint)
        rows, after = [], {}
        for id, starter in starters.items():
            if starter.fixed or not starter.counted:
                rows.append(self._idle_row(table, players[id], states[id], starter))
                continue
            after[id] = self._after(table, states[id], starter)
            rows.append(self._row(table, players[id], states[id], after[id], starter))
        return TableResult(tuple(rows), after, settled=not any("settled" in w for w in warnings),
                           warnings=(*filter(None, [self.why_unrated(table)]), *warnings))  # fmt: skip

    def _starter(self, table: Table, player: Player, state: State1995) -> Starter:
        fixed = self.outsider(table, player, state.rating)
        if fixed is not None:
            return Starter(player.id, fixed, new=False, official=True, fixed=True)
        start = state.rating_on(table.date)
        return Starter(player.id, start, new=start is None, official=state.official)

    def _after(self, table: Table, state: State1995, starter: Starter) -> State1995:
        last = max(table.last_day, state.last_played or table.last_day)
        if state.official:
            return replace(state, pending=state.pending + starter.contribution, last_played=last)
        start = starter.start if state.rating is None else state.rating
        return replace(state, rating=int(start or 0) + starter.contribution, last_played=last)

    def _row(self, table: Table, player: Player, state: State1995, after: State1995, starter: Starter) -> Row:
        return Row(
            starter.id,
            self.standing(state, player).category,
            self.standing(after, player).category,
            state.rating,
            after.rating,
            starter.contribution,
            len(starter.counted),
            terms=tuple(rif_explained.terms_1995(starter)),
            figures=rif_explained.figures_1995(starter, table),
        )

    def _idle_row(self, table: Table, player: Player, state: State1995, starter: Starter) -> Row:
        standing = self.standing(state, player)
        if starter.fixed:
            standing = replace(standing, rating=starter.start, category="fixed")
        note = (
            _("fixed outsider") if starter.fixed else self.why_unrated(table) or starter.why_not or _("no rated game")
        )
        row = untouched_row(player.id, standing, note)
        return replace(row, figures={"start": starter.start})
