"""Rating system of the Belgian Go Federation (key bgf), by its page "rating system" with two annexes.

Ratings are floats on the kyu/dan scale: 100 points a rank, 0 between 1 kyu and 1 dan.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from ratings.systems.bgf.messages import BgfMessage
from ratings.systems.handicaps import MAX_STONES
from ratings.systems.idle_rows import get_outsider_rating, make_idle_row
from ratings.systems.rating_rules import RatingRules
from ratings.systems.state_arrays import StateRows
from ratings.systems.table_arrays import RatedArrays, TableArrays
from ratings.systems.values import (
    Award,
    AwardHow,
    Category,
    Decision,
    Game,
    Player,
    Row,
    Ruling,
    Standing,
    StateJson,
    Table,
    TableResult,
    Terms,
)

from . import explain, tables
from .compiled import rate_arrays
from .game import Conditions, Term, expected_of_black, rate_game
from .grading import displayed_grade, get_award_way, make_awards
from .kernel import rate_tables
from .notes import make_idle_note, make_warnings
from .state import STATE_FORM, BgfState, read_state, write_state

TOO_FAST = BgfMessage.TOO_FAST()


@dataclass(slots=True, eq=False)
class Participant:
    """Player of the event with their running rating."""

    id: str
    entry: BgfState
    fixed: bool
    rating: float | None
    terms: list[Term] = field(default_factory=list)


class BgfRating(RatingRules[BgfState]):
    """Rating rules of the Belgian system: by the federation's page and its two annexes."""

    grade_in_state = True
    marks_provisional = False
    loops = rate_tables
    state_form = STATE_FORM
    required_values = frozenset(
        {"tournament", "minutes", "overtime", "stones", "board", "online", "correspondence", "prior_grade"}
    )

    @property
    def rated_handicaps(self) -> Sequence[str]:
        return [str(stones) for stones in range(1, MAX_STONES + 1)]

    def newcomer(self) -> BgfState:
        return BgfState()

    def read(self, opening: StateJson, *, fixed: bool = False) -> BgfState:
        return read_state(opening)

    def write(self, state: BgfState) -> StateJson:
        return write_state(state)

    def get_remaining_values(self, state: BgfState, given: StateJson) -> StateJson:
        return {} if given.get("rating") is not None else self.write(state)  # a new rating determines the grade

    def with_rating(self, state: BgfState, rating: float) -> BgfState:
        return BgfState(rating, tables.grade_of(rating))

    def shift(self, state: BgfState, by: float) -> BgfState:
        return state if state.rating is None else self.with_rating(state, state.rating + by)

    def _get_label(self, grade: int) -> str:
        return displayed_grade(grade, self.settings["top_label"])

    def standing(self, state: BgfState, player: Player, on: dt.date | None = None) -> Standing:
        rated = state.rating is not None
        category = Category.FIXED if player.fixed else Category.RATED if rated else Category.UNRATED
        grade = self._get_label(state.grade) if rated else None
        published = rated and not player.unlisted and not player.fixed
        return Standing(state.rating, 0, grade, category, published, hidden=player.unlisted)

    def predict(
        self, own: float, opponent: float, game: Game, own_side: str, deviations: tuple[float, float] | None = None
    ) -> float | None:
        if not game.stones:
            return expected_of_black(own, opponent, 0)
        if game.black == own_side:
            return expected_of_black(own, opponent, game.stones)
        return 1 - expected_of_black(opponent, own, game.stones)

    def rate(
        self,
        table: Table,
        players: Mapping[str, Player],
        states: Mapping[str, BgfState],
        rulings: Sequence[Decision] = (),
    ) -> TableResult[BgfState]:
        if not self.compiles(table):
            raise ValueError(BgfMessage.BEFORE_SYSTEM(day=tables.FIRST_DAY))
        sittings = {id: self._make_sitting(table, players[id], states[id]) for id in table.players}
        conditions = Conditions.from_table(table, self.settings)
        rateable = [game for game in table.games if self._get_unrated_reason(table, game) == ""]
        unrated = self._rate_games(rateable, sittings, conditions)
        rows, after = [], {}
        for id, sitting in sittings.items():
            if sitting.fixed or not sitting.terms:
                rows.append(self._make_idle_row(table, players[id], states[id], sitting))
                continue
            state, awards = self._next_state(sitting, [ruling for ruling in rulings if ruling.player == id])
            after[id] = state
            rows.append(self._make_row(players[id], states[id], state, sitting, awards))
        return TableResult(tuple(rows), after, warnings=tuple(self._warnings(table, sittings, unrated)))

    def compiles(self, table: Table) -> bool:
        return table.date >= tables.FIRST_DAY

    def rate_arrays(
        self, columns: TableArrays, players: Mapping[str, Player], states: StateRows[BgfState]
    ) -> RatedArrays[BgfState]:
        return rate_arrays(self.settings, columns, players, states)

    def _make_sitting(self, table: Table, player: Player, state: BgfState) -> Participant:
        outsider_rating = get_outsider_rating(table, player, state.rating)
        if outsider_rating is not None:
            return Participant(player.id, BgfState(outsider_rating), True, outsider_rating)
        if state.rating is None and player.prior_grade:
            grade = tables.grade_number(player.prior_grade)
            state = BgfState(tables.entry_rating(grade), grade)
        return Participant(player.id, state, False, state.rating)

    def _get_unrated_reason(self, table: Table, game: Game) -> str:
        if not game.played or not table.rated:
            return "not rated"
        if not game.correspondence and tables.too_fast(table.minutes, table.overtime):
            return TOO_FAST
        return ""

    def _rate_games(self, games: Sequence[Game], sittings: Mapping[str, Participant], on: Conditions) -> int:
        """Add the terms of all games and return the number of games without a weight.

        Ratings move after the event or after each round, depending on the list's settings.
        """
        by_round = self.settings["within"] == "round"
        unrated = 0
        for round_ in sorted({game.round or 0 for game in games}) if by_round else [None]:
            changes: dict[str, float] = {}
            for game in games:
                if round_ is not None and (game.round or 0) != round_:
                    continue
                a, b = sittings[game.a], sittings[game.b or ""]
                if a.rating is None or b.rating is None:
                    continue
                terms = rate_game(game, on, (a.rating, b.rating))
                unrated += terms is None
                for sitting, term in zip((a, b), terms or (), strict=False):
                    sitting.terms.append(term)
                    changes[sitting.id] = changes.get(sitting.id, 0.0) + term.change
            for id, change in changes.items():
                sitting = sittings[id]
                if not sitting.fixed:
                    sitting.rating = (sitting.rating or 0.0) + change
        return unrated

    def _next_state(self, sitting: Participant, rulings: Iterable[Decision]) -> tuple[BgfState, tuple[Award, ...]]:
        """Return the state after the event, and at most one award, however many grades are crossed."""
        before, rating = sitting.entry.grade, sitting.rating or 0.0
        grade = tables.grade_after(before, rating)
        how = get_award_way(before, grade)
        for ruling in rulings:
            ruling_grade = tables.grade_number(ruling.grade)
            if ruling.ruling == Ruling.PRINTED:
                grade, how = ruling_grade, AwardHow.PRINTED
            elif ruling.ruling == Ruling.WITHHELD and grade >= ruling_grade > before:
                grade = ruling_grade - 1
        return BgfState(rating, grade), make_awards(self._get_label(before), self._get_label(grade), how)

    def _make_row(
        self, player: Player, state: BgfState, after: BgfState, sitting: Participant, awards: tuple[Award, ...]
    ) -> Row:
        before = sitting.entry.rating or 0.0
        note = BgfMessage.DECLARED_RANK(prior_grade=player.prior_grade) if state.rating is None else ""
        return Row(
            player.id,
            Category.RATED,
            Category.RATED,
            before,
            after.rating,
            (after.rating or 0.0) - before,
            len(sitting.terms),
            grade_before=self._get_label(sitting.entry.grade),
            grade=self._get_label(after.grade),
            awards=awards,
            terms=Terms(partial(map, explain.term, sitting.terms)),
            figures={"exact": after.rating},
            note=note,
        )

    def _make_idle_row(self, table: Table, player: Player, state: BgfState, sitting: Participant) -> Row:
        too_fast = table.rated and tables.too_fast(table.minutes, table.overtime)
        note = make_idle_note(has_rating=sitting.fixed or sitting.rating is not None, too_fast=too_fast)
        outsider_rating = sitting.rating if sitting.fixed else None
        return make_idle_row(table, player, self.standing(state, player), outsider_rating, note)

    def _warnings(self, table: Table, sittings: Mapping[str, Participant], unrated: int) -> Iterable[str]:
        played = {id for game in table.games if game.played for id in (game.a, game.b)}
        return make_warnings(
            [id for id, sitting in sittings.items() if sitting.rating is None and id in played],
            too_fast=any(self._get_unrated_reason(table, game) == TOO_FAST for game in table.games),
            unrated_boards=unrated,
            many_stones=sum(game.played and game.stones > MAX_STONES for game in table.games),
        )
