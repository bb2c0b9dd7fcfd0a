"""Rating system of the Irish Chess Union (key icu-1989): its rating procedures of 1989 (the fax to NAGOR)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from ratings.systems.ages import is_under_21
from ratings.systems.arithmetic import expected_score, round_half_away_from_zero
from ratings.systems.icu.messages import IcuMessage
from ratings.systems.idle_rows import get_outsider_rating, make_idle_row
from ratings.systems.rating_rules import RatingRules
from ratings.systems.values import (
    Decision,
    Figures,
    Game,
    Player,
    Row,
    Standing,
    StateJson,
    Table,
    TableResult,
    Terms,
)

from . import event, explain
from .event import FIXED, GRADED, K_MASTER, K_YOUNG, PROVISIONAL, UNGRADED, Entrant, EntrantGame
from .state import IcuState, read_state, write_state


class IcuRating(RatingRules[IcuState]):
    """Rating rules of the Irish system: the rating procedures of 1989."""

    required_values = frozenset({"birth_date", "start_year"})

    def newcomer(self) -> IcuState:
        return IcuState()

    def read(self, opening: StateJson, *, fixed: bool = False) -> IcuState:
        return read_state(opening, fixed=fixed)

    def write(self, state: IcuState) -> StateJson:
        return write_state(state)

    def with_rating(self, state: IcuState, rating: float) -> IcuState:
        return self.read({"rating": rating, "games": state.games or self.settings["prov_limit"]})

    def shift(self, state: IcuState, by: float) -> IcuState:
        return state if state.rating is None else replace(state, rating=state.rating + round_half_away_from_zero(by))

    def kind(self, state: IcuState) -> str:
        if state.rating is None:
            return UNGRADED
        return PROVISIONAL if state.games < self.settings["prov_limit"] else GRADED

    def standing(self, state: IcuState, player: Player, on: dt.date | None = None) -> Standing:
        publishable = state.rating is not None and state.rating >= (self.settings["publish_floor"] or state.rating)
        kind = FIXED if player.fixed else self.kind(state)
        published = publishable and not player.unlisted and not player.fixed
        return Standing(state.rating, state.games, None, kind, published, hidden=player.unlisted)

    def predict(
        self, own: float, opponent: float, game: Game, own_side: str, deviations: tuple[float, float] | None = None
    ) -> float | None:
        return expected_score(own, opponent)

    def rate(
        self,
        table: Table,
        players: Mapping[str, Player],
        states: Mapping[str, IcuState],
        rulings: Sequence[Decision] = (),
    ) -> TableResult[IcuState]:
        entrants = {id: self._make_entrant(table, players[id], states[id]) for id in table.players}
        for game in table.games:
            if game.played and table.rated:
                assert game.b is not None
                assert game.score is not None
                a, b = entrants[game.a], entrants[game.b]
                a.played.append(EntrantGame(b, game.score))
                b.played.append(EntrantGame(a, 1 - game.score))
        unlinked_ids = event.find_unlinked(entrants.values(), provisional_counts=self.settings["prov_counts_as_rated"])
        for entrant in entrants.values():
            entrant.played = [
                g for g in entrant.played if entrant.id not in unlinked_ids and g.opponent.id not in unlinked_ids
            ]
        event.rate_event(list(entrants.values()), self.settings)
        rows, after = [], {}
        for id, entrant in entrants.items():
            if entrant.played and entrant.kind != FIXED:
                after[id] = self._next_state(entrant)
                rows.append(self._make_row(entrant, table, players[id], after[id]))
            else:
                rows.append(self._make_idle_row(entrant, table, players[id], states[id], unlinked_ids))
        warnings = [IcuMessage.GROUP_WITHOUT_RATING(id=id) for id in sorted(unlinked_ids)]
        return TableResult(tuple(rows), after, warnings=tuple(warnings))

    def _make_entrant(self, table: Table, player: Player, state: IcuState) -> Entrant:
        outsider_rating = get_outsider_rating(table, player, state.rating)
        if outsider_rating is not None:
            return Entrant(player.id, FIXED, outsider_rating, 0)
        entrant = Entrant(player.id, self.kind(state), state.rating, state.games)
        if entrant.kind == GRADED:
            years = None if player.start_year is None else table.date.year - player.start_year
            entrant.k = event.k_factor(state.rating or 0, under_21=is_under_21(player, table), years=years)
        return entrant

    def _next_state(self, entrant: Entrant) -> IcuState:
        graded = entrant.kind == GRADED
        games = entrant.games_before if graded else entrant.games_before + len(entrant.played)
        return IcuState(round_half_away_from_zero(entrant.after), games)

    def _make_row(self, entrant: Entrant, table: Table, player: Player, state: IcuState) -> Row:
        before = None if entrant.before is None else int(entrant.before)
        return Row(
            entrant.id,
            entrant.kind,
            self.kind(state),
            before,
            state.rating,
            None if before is None or state.rating is None else state.rating - before,
            len(entrant.played),
            state.games,
            entrant.performance,
            terms=Terms(partial(explain.terms, entrant)),
            figures=Figures(
                lambda: explain.figures(entrant, self.settings) | {"assumed": list_assumptions(entrant, player, table)}
            ),
        )

    def _make_idle_row(
        self, entrant: Entrant, table: Table, player: Player, state: IcuState, unlinked_ids: set[str]
    ) -> Row:
        outsider_rating = entrant.before if entrant.kind == FIXED else None
        is_unlinked = entrant.kind != FIXED and player.id in unlinked_ids
        note = IcuMessage.MET_NOBODY_RATED() if is_unlinked else ""
        return make_idle_row(table, player, self.standing(state, player), outsider_rating, note)


def list_assumptions(entrant: Entrant, player: Player, table: Table) -> list[str]:
    """Return the assumptions about unknown values from which K was taken."""
    if entrant.kind != GRADED or entrant.k == K_MASTER:
        return []
    unknown: list[str] = []
    if player.birth_date is None and player.id not in table.under_21:
        unknown.append(explain.ASSUMPTIONS["birth_date"])
    if player.start_year is None and entrant.k != K_YOUNG:
        unknown.append(explain.ASSUMPTIONS["start_year"])
    return unknown
