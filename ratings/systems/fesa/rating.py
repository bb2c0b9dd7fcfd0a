"""FESA Elo systems for shogi: fesa-2016 (rules last edited 2016-02-04) and fesa-2000, the first edition.

Rule numbers refer to those texts. Where they leave something open, the code follows the federation's own practice,
checked against its published tables (docs/systems/).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from ratings.systems.arithmetic import expected_score, expected_scores
from ratings.systems.handicaps import SHOGI_HANDICAPS
from ratings.systems.idle_rows import unchanged_row
from ratings.systems.messages import RatingMessage
from ratings.systems.rating_rules import RatingRules
from ratings.systems.state_arrays import StateRows
from ratings.systems.state_checks import Check
from ratings.systems.table_arrays import RatedArrays, TableArrays
from ratings.systems.values import (
    Award,
    Category,
    Decision,
    Game,
    Player,
    Row,
    Standing,
    StateJson,
    Table,
    TableResult,
    Terms,
)

from .compiled import EDITION_2000, EDITION_2016, CompiledEdition, rate_arrays
from .event_2000 import Seat2000
from .event_2016 import Seat2016
from .game import BONUS_GAMES, effective_rating
from .grades import (
    CATEGORIES,
    ESTABLISHED_FROM,
    PROVISIONAL_FROM,
    SCALE_2000,
    SCALE_2016,
    Scale,
    award_promotions,
    get_category,
    list_moments,
)
from .seats import (
    MANY_GAMES,
    Seat,
    handicaps_warning,
    iterate_ratings,
    make_seats,
    many_games_warning,
    unsettled_warning,
)
from .state import KEYS_2000, KEYS_2016, FesaState, read_state, write_state
from .state_rows import STATE_FORM
from .tables import HANDICAPS


class FesaRating(RatingRules[FesaState]):
    """Rating rules of both editions."""

    counts_games = True
    grade_in_state = True
    state_form = STATE_FORM
    needs_opponents_below = PROVISIONAL_FROM
    scale: ClassVar[Scale]
    keys: ClassVar[Mapping[str, Check]]
    seat: ClassVar[type[Seat]]
    edition: ClassVar[CompiledEdition]

    def newcomer(self) -> FesaState:
        return FesaState()

    def read(self, opening: StateJson, *, fixed: bool = False) -> FesaState:
        return read_state(opening, self.keys, self.scale, fixed=fixed)

    def write(self, state: FesaState) -> StateJson:
        return write_state(state, self.scale)

    def get_remaining_values(self, state: FesaState, given: StateJson) -> StateJson:
        replaced_keys = {"games", "past"} if "games" in given or "past" in given else set()
        return {key: value for key, value in self.write(state).items() if key not in replaced_keys}

    def shift(self, state: FesaState, by: float) -> FesaState:
        return state if state.rating is None else replace(state, rating=max(1, state.rating + round(by)))

    def with_rating(self, state: FesaState, rating: float) -> FesaState:
        games = max(ESTABLISHED_FROM, state.total_games) if state.games is None else state.games
        given = {"rating": rating, "games": games}
        return self.read({**self.get_remaining_values(state, given), **given})

    def standing(self, state: FesaState, player: Player, on: dt.date | None = None) -> Standing:
        return Standing(
            state.rating,
            state.total_games,
            self.scale.name_of(state.grade_state.grade),
            Category.FIXED if player.fixed else state.category,
            state.rating is not None and not player.unlisted and not player.fixed,
            self.scale.name_of(state.grade_state.waiting),
            hidden=player.unlisted,
        )

    def rated_games(self, table: Table) -> list[Game]:
        """Return the games of a table that this edition rates."""
        return [game for game in table.games if game.played and table.rated]

    def warnings(self, table: Table, seats: Iterable[Seat]) -> list[str]:
        return [many_games_warning(seat.id, seat.games) for seat in seats if seat.games > MANY_GAMES and not seat.fixed]

    def rate(
        self,
        table: Table,
        players: Mapping[str, Player],
        states: Mapping[str, FesaState],
        rulings: Sequence[Decision] = (),
    ) -> TableResult[FesaState]:
        seats = make_seats(table, players, states, self.rated_games(table), self.seat)
        rounds, moving = iterate_ratings(seats.values())
        warnings = self.warnings(table, seats.values())
        if moving:
            warnings.append(unsettled_warning(moving))
        rows, after = [], {}
        for id in table.players:
            seat = seats.get(id)
            if seat is None or seat.fixed:
                rows.append(self._make_idle_row(table, players[id], states[id], seat))
                continue
            state, awards = self._next_state(seat, [ruling for ruling in rulings if ruling.player == id])
            after[id] = state
            rows.append(self._make_row(seat, state, awards))
        return TableResult(tuple(rows), after, rounds, not moving, tuple(warnings))

    def rate_arrays(
        self, columns: TableArrays, players: Mapping[str, Player], states: StateRows[FesaState]
    ) -> RatedArrays[FesaState]:
        return rate_arrays(self.edition, columns, players, states)

    def _make_idle_row(self, table: Table, player: Player, state: FesaState, seat: Seat | None) -> Row:
        standing = self.standing(state, player)
        if player.id in table.fixed:
            standing = replace(standing, rating=table.fixed[player.id], category=Category.FIXED)
        note = (
            RatingMessage.FIXED_OUTSIDER()
            if seat
            else RatingMessage.NOT_A_RATED_TABLE()
            if not table.rated
            else RatingMessage.NO_RATED_GAME()
        )
        return unchanged_row(player.id, standing, note)

    def _next_state(self, seat: Seat, rulings: Sequence[Decision]) -> tuple[FesaState, tuple[Award, ...]]:
        state, after, count = seat.state, seat.estimate, seat.games
        if seat.unrated:
            past = seat.past_after()
            moments = list_moments(after, after, len(past))
            climbed, awards = award_promotions(self.scale, state.grade_state, moments, 0, after, rulings)
            return FesaState(after, past, None, seat.bonus_games_after, climbed), awards
        moments = list_moments(state.rating or 0, after, count)
        climbed, awards = award_promotions(self.scale, state.grade_state, moments, state.total_games, after, rulings)
        return FesaState(after, (), seat.games_after, seat.bonus_games_after, climbed), awards

    def _make_row(self, seat: Seat, state: FesaState, awards: tuple[Award, ...]) -> Row:
        before, run = seat.state.rating, state.grade_state.lb_run
        runs = {"lb_run": [run.games, run.above] if run.games else None, "mp_run": state.grade_state.mp_run or None}
        return Row(
            seat.id,
            CATEGORIES[get_category(seat.unrated, seat.state.total_games + seat.games)],
            state.category,
            before,
            state.rating,
            None if before is None or state.rating is None else state.rating - before,
            seat.games,
            state.total_games,
            seat.performance(),
            self.scale.name_of(seat.state.grade_state.grade),
            self.scale.name_of(state.grade_state.grade),
            awards,
            Terms(seat.terms),
            seat.figures() | runs,
        )


class Rating2016(FesaRating):
    """Rating rules of the edition of 2016."""

    scale = SCALE_2016
    keys = KEYS_2016
    seat = Seat2016
    edition = EDITION_2016
    loops = EDITION_2016.rate_tables
    settled_games = BONUS_GAMES

    def listed(self, rating: float, games: int | None, grade: str | None) -> StateJson:
        """Return the opening state; all rated games count as bonus games, since lists do not say which were."""
        opening = super().listed(rating, games, grade)
        return {**opening, "bonus_games": min(BONUS_GAMES, opening["games"])}

    @property
    def rated_handicaps(self) -> Sequence[str]:
        return SHOGI_HANDICAPS

    def predict(
        self, own: float, opponent: float, game: Game, own_side: str, deviations: tuple[float, float] | None = None
    ) -> float | None:
        if not game.handicap:
            return expected_score(own, _see_even_game(opponent))
        handicap = HANDICAPS[game.handicap]
        return expected_score(own, effective_rating(own, opponent, handicap, game.giver == own_side))

    def predict_sum(self, games: Sequence[tuple[float, Game, tuple[float, float] | None]]) -> Callable[[float], float]:
        """Return the function that sums expected scores, which computes even games together: years have hundreds."""
        even = [_see_even_game(opponent) for opponent, _game, _deviations in games]
        handicaps = [(at, *game[:2]) for at, game in enumerate(games) if game[1].handicap]

        def sum_predictions(own: float) -> float:
            scores = expected_scores(own, even)
            for at, opponent, game in handicaps:
                scores[at] = self.predict(own, opponent, game, "a") or 0.0
            return sum(scores)

        return sum_predictions


def _see_even_game(opponent: float) -> float:
    """Return the rating with which an opponent counts in an even game, whatever the own rating is."""
    return effective_rating(0.0, opponent, 0.0, False)


class Rating2000(FesaRating):
    """Rating rules of the edition of 2000: handicap games are not rated, and there is no bonus below 1800."""

    scale = SCALE_2000
    keys = KEYS_2000
    seat = Seat2000
    edition = EDITION_2000
    loops = EDITION_2000.rate_tables

    def predict(
        self, own: float, opponent: float, game: Game, own_side: str, deviations: tuple[float, float] | None = None
    ) -> float | None:
        return None if game.handicap else expected_score(own, opponent)

    def rated_games(self, table: Table) -> list[Game]:
        return [game for game in super().rated_games(table) if not game.handicap]

    def warnings(self, table: Table, seats: Iterable[Seat]) -> list[str]:
        handicaps = len(super().rated_games(table)) - len(self.rated_games(table))
        ignored_handicaps = [handicaps_warning(handicaps)] if handicaps else []
        return [*ignored_handicaps, *super().warnings(table, seats)]
