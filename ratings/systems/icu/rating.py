"""Rating system of the Irish Chess Union (key icu-1989): its rating procedures of 1989 (the fax to NAGOR)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ratings.systems.arithmetic import expected_score, round_half_away_from_zero
from ratings.systems.icu.messages import IcuMessage
from ratings.systems.idle_rows import get_outsider_rating, make_idle_row
from ratings.systems.messages import Message as _
from ratings.systems.messages import RatingMessage
from ratings.systems.options import choice, count, rating
from ratings.systems.protocol import System
from ratings.systems.rules import Rules
from ratings.systems.state_checks import check_state, integer_between, is_integer
from ratings.systems.values import (
    Category,
    Decision,
    Game,
    Player,
    Row,
    RowExplanation,
    Standing,
    StateJson,
    Table,
    TableResult,
)

from . import event, explain
from .event import FIXED, GRADED, K_MASTER, K_YOUNG, PROVISIONAL, UNGRADED, Entrant, PlayedGame

GRADED_FROM = 20  # number of games; the default of prov_limit
UNDER_21 = 21  # paragraph 3: years
KEYS = {"rating": is_integer, "games": integer_between(0)}


@dataclass(frozen=True, slots=True)
class IcuState:
    """State of a player, ungraded without a rating.

    Games are counted up to the event in which the player becomes graded.
    """

    rating: int | None = None
    games: int = 0


class Icu1989(System[IcuState]):
    key = "icu-1989"
    name = _("Irish Chess Union rating procedures (1989)")
    required_values = frozenset({"birth_date", "start_year"})
    list_layout = "fide"
    tie_breaks = ("BH", "SB")
    legend: ClassVar = {Category.PROVISIONAL: _("based on few games")}
    assumptions: ClassVar = {
        "birth_date": _("birth date unknown: taken as 21 or older"),
        "start_year": _("start year unknown: taken as settled"),
    }
    options = (
        rating("cap", 2100, _("Bonus points carry nobody past this rating.")),
        count("min_bonus_games", 4, 4, 50, _("Games in an event from which a bonus can be earned.")),
        choice(
            "bracket_for_graded",
            False,
            _(
                "Whether a provisional opponent counts with his performance, where that is higher, for graded"
                " players too."
            ),
            False,
            True,
        ),
        count("prov_limit", GRADED_FROM, 1, 100, _("Games from which a player is graded, no longer provisional.")),
        count(
            "bracket_games", 5, 1, 50, _("Games in an event from which a provisional player's performance may count.")
        ),
        choice(
            "prov_counts_as_rated",
            True,
            _("Whether meeting a provisional player links an ungraded one to the rated field."),
            True,
            False,
        ),
        rating("publish_floor", None, _("Ratings below are computed but not published.")),
    )

    def newcomer(self) -> IcuState:
        return IcuState()

    def read(self, opening: StateJson, *, fixed: bool = False) -> IcuState:
        check_state(opening, KEYS)
        rating, games = opening.get("rating"), opening.get("games") or 0
        if rating is None and games:
            raise ValueError(RatingMessage.GAMES_WITHOUT_RATING())
        if rating is not None and not games and not fixed:
            raise ValueError(IcuMessage.RATING_WITHOUT_GAMES())
        return IcuState(rating, games)

    def write(self, state: IcuState) -> StateJson:
        values = {"rating": state.rating, "games": state.games or None}
        return {key: value for key, value in values.items() if value is not None}

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

    def predict(self, own: float, opponent: float, game: Game, own_side: str) -> float | None:
        return expected_score(own, opponent)

    def explained(self, row: Row, *, fixed_opponents: bool = False) -> RowExplanation:
        return explain.explained(row, fixed_opponents=fixed_opponents)

    def rules(self) -> Rules:
        return explain.rules(self.settings)

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
                a.played.append(PlayedGame(b, game.score))
                b.played.append(PlayedGame(a, 1 - game.score))
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
            terms=tuple(explain.terms(entrant)),
            figures=explain.figures(entrant, self.settings) | {"assumed": list_assumptions(entrant, player, table)},
        )

    def _make_idle_row(
        self, entrant: Entrant, table: Table, player: Player, state: IcuState, unlinked_ids: set[str]
    ) -> Row:
        outsider_rating = entrant.before if entrant.kind == FIXED else None
        is_unlinked = entrant.kind != FIXED and player.id in unlinked_ids
        note = IcuMessage.MET_NOBODY_RATED() if is_unlinked else ""
        return make_idle_row(table, player, self.standing(state, player), outsider_rating, note)


def is_under_21(player: Player, table: Table) -> bool:
    """Return True if the player is under 21 on the table's first day.

    A player whose 21st birthday is that day is not under 21.
    """
    if player.id in table.under_21:
        return True
    if player.birth_date is None:
        return False
    born, on = player.birth_date, table.date
    return on.year - born.year - ((on.month, on.day) < (born.month, born.day)) < UNDER_21


def list_assumptions(entrant: Entrant, player: Player, table: Table) -> list[str]:
    """Return the assumptions about unknown values from which K was taken."""
    if entrant.kind != GRADED or entrant.k == K_MASTER:
        return []
    unknown = []
    if player.birth_date is None and player.id not in table.under_21:
        unknown.append(Icu1989.assumptions["birth_date"])
    if player.start_year is None and entrant.k != K_YOUNG:
        unknown.append(Icu1989.assumptions["start_year"])
    return unknown
