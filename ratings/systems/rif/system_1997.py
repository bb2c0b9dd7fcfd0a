"""The system behind the key rif-1997: the Renju International Federation's General Assembly 1997.

The numbers after # are its paragraphs.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import replace

from . import rif_explained, rif_rules
from .arithmetic import away_from_zero
from .protocol import untouched_row
from .rif import Rif
from .rif_1997_event import Scored, provisional_rating, score
from .rif_state import State1997, present, read_1997, write_1997
from .rules import Rules
from .values import Decision, Explained, Opening, Player, Row, Standing, Table, TableResult
from .words import Words as _


class Rif1997(Rif[State1997]):
    key = "rif-1997"
    name = _("Renju International Federation rating (1997)")
    unstarted = _(
        "Under these rules only games with established players count, so a list on which nobody is"
        " established cannot start by itself. An officer can give first ratings, or the results can be rated"
        " by the rules of 1995 first."
    )

    def newcomer(self) -> State1997:
        return State1997()

    def read(self, opening: Opening, *, fixed: bool = False) -> State1997:
        return read_1997(opening)

    def write(self, state: State1997) -> Opening:
        return write_1997(state)

    def kept(self, state: State1997, given: Opening) -> Opening:
        # rating and results take each other's place
        replaced = {"rating", "established", "results"} if given.get("rating") or given.get("results") else set()
        return {key: value for key, value in self.write(state).items() if key not in replaced}

    def with_rating(self, state: State1997, rating: float) -> State1997:
        given = {"rating": rating}
        return self.read({**self.kept(state, given), **given})

    def shift(self, state: State1997, by: float) -> State1997:
        points = away_from_zero(by)
        if state.rating is not None:
            return replace(state, rating=state.rating + points)
        return replace(state, results=tuple((rating + points, points_won) for rating, points_won in state.results))

    def standing(self, state: State1997, player: Player, on: dt.date | None = None) -> Standing:
        category = "established" if state.rating is not None else "provisional" if state.results else "unrated"
        shown = state.rating is not None and not player.unlisted
        listed = shown and present(state.last_played, on) and not player.fixed
        return Standing(state.rating, 0, None, "fixed" if player.fixed else category, listed, hidden=not shown)

    def explained(self, row: Row) -> Explained:
        return rif_explained.explained_1997(row)

    def rules(self) -> Rules:
        return rif_rules.rules_1997()

    def rate(
        self,
        table: Table,
        players: Mapping[str, Player],
        states: Mapping[str, State1997],
        rulings: Sequence[Decision] = (),
    ) -> TableResult[State1997]:
        sides = {id: self._side(table, players[id], states[id]) for id in table.players}
        for game in self.counted(table):
            assert game.b is not None
            assert game.score is not None
            score(sides[game.a], sides[game.b], game.score)
        rows, after = [], {}
        for id, side in sides.items():
            if side.fixed or not side.games:
                rows.append(self._idle_row(table, players[id], states[id], side))
                continue
            last = max(table.last_day, states[id].last_played or table.last_day)
            rating, results = side.outcome()
            after[id] = State1997(rating, results, last)
            rows.append(self._row(players[id], states[id], after[id], side))
        return TableResult(tuple(rows), after, warnings=tuple(filter(None, [self.why_unrated(table)])))

    def _side(self, table: Table, player: Player, state: State1997) -> Scored:
        fixed = self.outsider(table, player, state.rating)
        rating = state.rating if fixed is None else fixed
        return Scored(player.id, rating, state.results, fixed=fixed is not None)

    def _row(self, player: Player, state: State1997, after: State1997, side: Scored) -> Row:
        change = None if state.rating is None or after.rating is None else after.rating - state.rating
        return Row(
            side.id,
            self.standing(state, player).category,
            self.standing(after, player).category,
            state.rating,
            after.rating,
            change,
            len(side.games),
            performance=provisional_rating([(game.opponent_rating, game.score) for game in side.games]),
            terms=tuple(rif_explained.terms_1997(side)),
            figures=rif_explained.figures_1997(side),
        )

    def _idle_row(self, table: Table, player: Player, state: State1997, side: Scored) -> Row:
        standing = self.standing(state, player)
        if side.fixed:
            standing = replace(standing, rating=side.rating, category="fixed")
        note = _("fixed outsider") if side.fixed else self.why_unrated(table) or _("no game that counts")
        row = untouched_row(player.id, standing, note)
        return replace(row, figures={"exact": provisional_rating(state.results)}) if state.results else row
