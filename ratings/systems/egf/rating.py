"""Rating rules of egf-2021, the European Go Federation's rating (GoR) since 2021.

Every game of a table is rated by both players' ratings at the start of the table; the changes are added up after it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from ratings.systems.arithmetic import add_in_order
from ratings.systems.egf.messages import EgfMessage
from ratings.systems.idle_rows import get_outsider_rating, make_idle_row
from ratings.systems.messages import Message
from ratings.systems.rating_rules import RatingRules
from ratings.systems.state_arrays import StateRows
from ratings.systems.table_arrays import RatedArrays, TableArrays
from ratings.systems.values import (
    Category,
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

from . import explain, tables
from .compiled import rate_arrays
from .game import TOO_FAST, Term, expected_of_a, find_exclusion, rate_game, rating_after
from .kernel import rate_tables
from .notes import make_idle_note, make_warnings
from .state import STATE_FORM, EgfState, read_state, write_state
from .time_classes import get_time_class, get_weight


@dataclass(slots=True, eq=False)
class Participant:
    """Player of a table with the rating at its start; None if the player has neither a rating nor a declared rank."""

    player: Player
    rating: float | None
    fixed: bool
    played: bool = False
    terms: list[Term] = field(default_factory=list)
    unrated_reason: int = 0
    """Reason why the last game of the player that is not rated is not; 0 if there is no such game."""


class EgfRating(RatingRules[EgfState]):
    """Rating rules of the European Go Federation since 2021."""

    marks_provisional = False
    loops = rate_tables
    state_form = STATE_FORM
    required_values = frozenset(
        {
            "tournament",
            "minutes",
            "overtime",
            "time_class",
            "stones",
            "board",
            "online",
            "correspondence",
            "prior_grade",
        }
    )

    @property
    def max_stones(self) -> int:
        """Largest handicap of a rated game, in stones."""
        return int(self.settings["max_stones"])

    @property
    def rated_handicaps(self) -> Sequence[str]:
        return [str(stones) for stones in range(1, self.max_stones + 1)]

    def newcomer(self) -> EgfState:
        return EgfState()

    def read(self, opening: StateJson, *, fixed: bool = False) -> EgfState:
        return read_state(opening)

    def write(self, state: EgfState) -> StateJson:
        return write_state(state)

    def with_rating(self, state: EgfState, rating: float) -> EgfState:
        return read_state({"rating": rating})

    def shift(self, state: EgfState, by: float) -> EgfState:
        if state.rating is None:
            return state
        return EgfState(min(max(state.rating + by, tables.LOWEST), tables.HIGHEST))

    def standing(self, state: EgfState, player: Player, on: dt.date | None = None) -> Standing:
        rated = state.rating is not None
        category = Category.FIXED if player.fixed else Category.RATED if rated else Category.UNRATED
        published = rated and not player.unlisted and not player.fixed
        return Standing(state.rating, 0, None, category, published, hidden=player.unlisted)

    def predict(
        self, own: float, opponent: float, game: Game, own_side: str, deviations: tuple[float, float] | None = None
    ) -> float | None:
        if self._find_exclusion(game):
            return None
        ratings = (own, opponent) if own_side == "a" else (opponent, own)
        of_a = expected_of_a(*ratings, game.stones, game.black == "b")
        return of_a if own_side == "a" else 1 - of_a

    def rate(
        self,
        table: Table,
        players: Mapping[str, Player],
        states: Mapping[str, EgfState],
        rulings: Sequence[Decision] = (),
    ) -> TableResult[EgfState]:
        participants = {id: self._make_participant(table, players[id], states[id]) for id in table.players}
        too_early = not self.compiles(table)
        missed = self._rate_games(table, participants) if table.rated and not too_early else []
        rows, after = [], {}
        for id, participant in participants.items():
            if participant.fixed or not participant.terms:
                rows.append(self._make_idle_row(table, participant, states[id]))
                continue
            row = self._make_row(table, participant, states[id])
            rows.append(row)
            after[id] = EgfState(row.after)
        if too_early:
            return TableResult(tuple(rows), after, warnings=(EgfMessage.BEFORE_SYSTEM(day=tables.FIRST_DAY),))
        without_rank = [
            id for id, participant in participants.items() if participant.played and participant.rating is None
        ]
        return TableResult(tuple(rows), after, warnings=tuple(make_warnings(missed, without_rank, self.max_stones)))

    def compiles(self, table: Table) -> bool:
        return table.last_day >= tables.FIRST_DAY

    def rate_arrays(
        self, columns: TableArrays, players: Mapping[str, Player], states: StateRows[EgfState]
    ) -> RatedArrays[EgfState]:
        return rate_arrays(self.settings, columns, players, states)

    def _make_participant(self, table: Table, player: Player, state: EgfState) -> Participant:
        outsider_rating = get_outsider_rating(table, player, state.rating)
        if outsider_rating is not None:
            return Participant(player, outsider_rating, fixed=True)
        rating = state.rating
        if rating is None and player.prior_grade:
            rating = tables.rating_of_rank(player.prior_grade)
        return Participant(player, rating, fixed=False)

    def _rate_games(self, table: Table, participants: Mapping[str, Participant]) -> list[int]:
        """Add the terms of all games, and return the reasons of the games that are not rated."""
        missed, has_bonus = list[int](), self.settings["bonus"] == "on"
        for game in table.games:
            if not game.played:
                continue
            a, b = participants[game.a], participants[game.b or ""]
            a.played = b.played = True
            reason = self._find_exclusion(game)
            time_class = "" if reason else get_time_class(self.settings, table, online=game.online)
            if not reason and not time_class:
                reason = TOO_FAST
            if reason:
                missed.append(reason)
                a.unrated_reason = b.unrated_reason = reason
                continue
            if a.rating is None or b.rating is None:
                continue
            weight = get_weight(self.settings, time_class)
            terms = rate_game(game, (a.rating, b.rating), time_class, weight, with_bonus=has_bonus)
            a.terms.append(terms[0])
            b.terms.append(terms[1])
        return missed

    def _find_exclusion(self, game: Game) -> int:
        return find_exclusion(game.board, game.correspondence, game.stones, self.max_stones)

    def _make_row(self, table: Table, participant: Participant, state: EgfState) -> Row:
        before = participant.rating or 0.0
        after = rating_after(before, add_in_order(term.change for term in participant.terms))
        note = "" if state.rating is not None else EgfMessage.DECLARED_RANK(rank=participant.player.prior_grade)
        return Row(
            participant.player.id,
            Category.RATED,
            Category.RATED,
            before,
            after,
            after - before,
            len(participant.terms),
            terms=Terms(partial(map, explain.term, participant.terms)),
            figures=Figures(lambda: {"exact": after, **explain.time_figures(table)}),
            note=note,
        )

    def _make_idle_row(self, table: Table, participant: Participant, state: EgfState) -> Row:
        note: Message | str = ""
        if table.rated and not participant.fixed:
            if table.last_day < tables.FIRST_DAY:
                note = EgfMessage.BEFORE_SYSTEM(day=tables.FIRST_DAY)
            else:
                note = make_idle_note(participant.unrated_reason, has_rating=participant.rating is not None)
        outsider_rating = participant.rating if participant.fixed else None
        return make_idle_row(table, participant.player, self.standing(state, participant.player), outsider_rating, note)
