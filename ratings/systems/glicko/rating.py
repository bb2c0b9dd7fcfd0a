"""Rating rules of glicko-2: a rating, its deviation and a volatility for each player, moved period by period."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from ratings.systems.glicko.messages import GlickoMessage
from ratings.systems.idle_rows import get_outsider_rating, make_idle_row
from ratings.systems.rating_rules import PastInputs, RatingRules
from ratings.systems.simulation import simulate_deviation
from ratings.systems.values import (
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

from . import explain
from .game import Period, Result, expected_score, grow_deviation, rate_period
from .periods import idle_months, idle_periods_by_days, last_of_month
from .state import GlickoState, WaitingGame, read_state, write_state

MARKS_NOBODY = 500
"""Value of the option provisional_above from which no rating is provisional."""


@dataclass(slots=True, eq=False)
class Participant:
    """Player of a table with the values of its start; `idle` counts periods of absence before it."""

    player: Player
    state: GlickoState
    fixed: bool
    rating: float
    deviation: float
    idle: float
    opponents: list[str] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)


class GlickoRating(RatingRules[GlickoState]):
    """Rating rules of glicko-2."""

    has_deviations = True
    category_depends_on_day = True
    counts_games = True

    @property
    def by_month(self) -> bool:
        """True if all games of a calendar month are one period."""
        return bool(self.settings["period"] == "month")

    def newcomer(self) -> GlickoState:
        return GlickoState()

    def read(self, opening: StateJson, *, fixed: bool = False) -> GlickoState:
        return read_state(opening, self.settings, fixed=fixed)

    def write(self, state: GlickoState) -> StateJson:
        return write_state(state)

    def adjust(
        self, state: GlickoState, changes: StateJson, *, fixed: bool = False, on: dt.date | None = None
    ) -> GlickoState:
        """Return the adjusted state; a rating or deviation counts as of the day of the adjustment."""
        values = {**self.write(state), **changes}
        if on is not None and "last_played" not in changes and not {"rating", "deviation"}.isdisjoint(changes):
            values["last_played"] = on.isoformat()
        if values.get("rating") is None:
            return self.newcomer()
        return self.read(values, fixed=fixed)

    def with_rating(self, state: GlickoState, rating: float) -> GlickoState:
        return self.read({**self.write(state), "rating": rating})

    def shift(self, state: GlickoState, by: float) -> GlickoState:
        return state if state.rating is None else replace(state, rating=state.rating + by)

    def standing(self, state: GlickoState, player: Player, on: dt.date | None = None) -> Standing:
        games = state.games + len(state.waiting)
        deviation = self._get_deviation(state, on) if state.rating is not None else None
        new = state.rating is None or (state.waiting and not state.games and state.last_played is None)
        category = Category.FIXED if player.fixed else Category.NEW if new else self._get_category(deviation or 0.0)
        published = not new and not player.unlisted and not player.fixed
        return Standing(state.rating, games, None, category, published, hidden=player.unlisted, deviation=deviation)

    def list_entry(self, state: GlickoState, player: Player, on: dt.date) -> StateJson | None:
        entry = super().list_entry(state, player, on)
        return entry and {**entry, "deviation": self._get_deviation(state, on)}

    @property
    def established_deviation(self) -> float | None:
        limit = float(self.settings["provisional_above"])
        return limit if limit < MARKS_NOBODY else None

    def forecast_deviation(
        self, state: GlickoState, since: dt.date, on: dt.date, results: Sequence[tuple[float, float]] = ()
    ) -> float | None:
        if state.rating is None:
            return None
        return simulate_deviation(self, state, results, on) if results else self._get_deviation(state, on)

    def _get_category(self, deviation: float) -> Category:
        return Category.PROVISIONAL if deviation > self.settings["provisional_above"] else Category.ESTABLISHED

    def _get_deviation(self, state: GlickoState, on: dt.date | None) -> float:
        """Return the deviation on the list of a day, grown by the absence up to it."""
        if state.deviation is None:
            return float(self.settings["outsider_deviation"])
        if on is None:
            return state.deviation
        if not self.by_month:
            return self._grow(state, idle_periods_by_days(state.last_played, on, self.settings["idle_days"]))
        closed = on == last_of_month(on)
        return self._grow(state, idle_months(state.last_played, on, closed=closed))

    def _grow(self, state: GlickoState, idle: float) -> float:
        cap = self.settings["initial_deviation"]
        return grow_deviation(state.deviation or 0.0, state.volatility, idle, cap)

    def predict(
        self, own: float, opponent: float, game: Game, own_side: str, deviations: tuple[float, float] | None = None
    ) -> float | None:
        if _is_handicap(game):
            return None
        return expected_score(own, opponent, math.hypot(*(deviations or (0.0, 0.0))))

    def rate(
        self,
        table: Table,
        players: Mapping[str, Player],
        states: Mapping[str, GlickoState],
        rulings: Sequence[Decision] = (),
    ) -> TableResult[GlickoState]:
        participants = {id: self._make_participant(table, players[id], states[id]) for id in table.players}
        played = [game for game in table.games if game.played and table.rated]
        rated = [game for game in played if not _is_handicap(game)]
        for game in rated:
            assert game.b is not None
            assert game.score is not None
            a, b = participants[game.a], participants[game.b]
            for participant, opponent, score in ((a, b, game.score), (b, a, 1 - game.score)):
                participant.opponents.append(opponent.player.id)
                participant.results.append(Result(opponent.rating, opponent.deviation, score))
        rows, after = [], {}
        for id, participant in participants.items():
            if participant.fixed or not participant.results:
                outsider_rating = participant.rating if participant.fixed else None
                standing = self.standing(states[id], participant.player)
                rows.append(make_idle_row(table, participant.player, standing, outsider_rating))
                continue
            row, after[id] = (
                self._let_wait(table, participant) if self.by_month else self._rate_table(table, participant)
            )
            rows.append(row)
        left_out = len(played) - len(rated)
        warnings = (GlickoMessage.HANDICAP_GAMES(count=left_out),) if left_out else ()
        return TableResult(tuple(rows), after, warnings=warnings)

    def _make_participant(self, table: Table, player: Player, state: GlickoState) -> Participant:
        outsider_rating = get_outsider_rating(table, player, state.rating)
        if outsider_rating is not None:
            own = state.deviation if player.fixed else None
            deviation = self.settings["outsider_deviation"] if own is None else own
            return Participant(player, state, fixed=True, rating=outsider_rating, deviation=deviation, idle=0)
        if state.rating is None:
            state = self._start()
        day = table.last_day
        idle = (
            idle_months(state.last_played, day, closed=False)
            if self.by_month
            else idle_periods_by_days(state.last_played, day, self.settings["idle_days"])
        )
        deviation = self._grow(state, idle)
        return Participant(player, state, fixed=False, rating=state.rating or 0.0, deviation=deviation, idle=idle)

    def _start(self) -> GlickoState:
        """Return the state with which a newcomer begins the first table."""
        return GlickoState(
            float(self.settings["initial_rating"]),
            float(self.settings["initial_deviation"]),
            self.settings["initial_volatility"],
        )

    def _rate_table(self, table: Table, participant: Participant) -> tuple[Row, GlickoState]:
        """Return the row and the new state of a player for whom the table is a period of its own."""
        state = participant.state
        period = rate_period(
            participant.rating, participant.deviation, state.volatility, participant.results, self.settings["tau"]
        )
        after = GlickoState(
            period.rating, period.deviation, period.volatility, state.games + len(participant.results), table.last_day
        )
        row = self._make_row(participant, after, period)
        return replace(row, terms=explain.terms(participant.opponents, participant.results, period)), after

    def _make_row(self, participant: Participant, after: GlickoState, period: Period) -> Row:
        before, standing = (
            self.standing(participant.state, participant.player),
            self.standing(after, participant.player),
        )
        new = participant.state.last_played is None and not participant.state.games
        category = Category.NEW if new and participant.player.opening is None else before.category
        return Row(
            participant.player.id,
            category,
            standing.category,
            participant.rating,
            after.rating,
            (after.rating or 0.0) - participant.rating,
            len(participant.results),
            standing.games,
            figures=explain.figures(participant.deviation, participant.state.volatility, participant.idle, period),
        )

    def _let_wait(self, table: Table, participant: Participant) -> tuple[Row, GlickoState]:
        """Return the row and the new state of a player whose games wait for the end of the month."""
        waiting = tuple(WaitingGame(table.last_day, *result) for result in participant.results)
        after = replace(participant.state, waiting=(*participant.state.waiting, *waiting))
        before, standing = (
            self.standing(participant.state, participant.player),
            self.standing(after, participant.player),
        )
        row = Row(
            participant.player.id,
            before.category if participant.state.games or participant.state.last_played else standing.category,
            standing.category,
            participant.rating,
            participant.rating,
            0,
            len(participant.results),
            standing.games,
            terms=explain.waiting_terms(participant.opponents, participant.rating, participant.results),
            note=GlickoMessage.WAITS_FOR_LIST(day=last_of_month(table.last_day)),
        )
        return row, after

    def closing_days(self, first: dt.date, last: dt.date) -> Sequence[dt.date]:
        return self.list_closing_days(first, last, last_of_month) if self.by_month else ()

    def close(
        self,
        day: dt.date,
        players: Mapping[str, Player],
        states: Mapping[str, GlickoState],
        past: PastInputs | None = None,
    ) -> TableResult[GlickoState]:
        """Rate every player with waiting games once by all of them; the terms of these games name no opponents."""
        rows, after = [], {}
        for id, state in states.items():
            if not state.waiting or players[id].fixed:
                continue
            results = [Result(game.rating, game.deviation, game.score) for game in state.waiting]
            last = max(game.day for game in state.waiting)
            idle = idle_months(state.last_played, day, closed=False)
            deviation, rating = self._grow(state, idle), state.rating or 0.0
            participant = Participant(players[id], state, False, rating, deviation, idle, [], results)
            period = rate_period(rating, deviation, state.volatility, results, self.settings["tau"])
            after[id] = GlickoState(
                period.rating, period.deviation, period.volatility, state.games + len(results), last
            )
            terms = Terms(partial(explain.terms, (None,) * len(results), results, period))
            row = self._make_row(participant, after[id], period)
            rows.append(replace(row, games=0, terms=terms, note=GlickoMessage.MONTH(day=day)))
        return TableResult(tuple(rows), after)


def _is_handicap(game: Game) -> bool:
    return bool(game.stones or game.handicap)
