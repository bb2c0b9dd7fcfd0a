"""Rating system of the Renju International Federation since 8 August 2021 (key rif-2021): Whole-History Rating.

Ratings move on list days only. Each list day fits the ratings of all players on all their days over all games so far.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from ratings.systems.arithmetic import expected_score
from ratings.systems.idle_rows import get_outsider_rating, make_idle_row
from ratings.systems.messages import RatingMessage
from ratings.systems.rating_rules import PastInputs, RatingRules
from ratings.systems.rif.messages import RifMessage
from ratings.systems.simulation import simulate_deviation
from ratings.systems.table_arrays import ClosedArrays, RatedArrays
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

from . import explain_2021
from .past_games import MIDDLE, PastGames, drift_per_day, grow_deviation, is_rated, list_counted_games
from .state import ABSENCE_YEARS, absent_since, get_last_day, is_published
from .state_2021 import OPENING_GAMES, State2021, next_list_day, read_state, write_state, write_state_as_text
from .whole_history import SCALE, Fit

DECIMALS = 6
"""Decimals to which ratings and deviations are rounded when a list is made."""


class Rating2021(RatingRules[State2021]):
    """Rating rules of the system of 2021."""

    required_values = frozenset({"minutes", "online", "correspondence"})
    active_years = ABSENCE_YEARS
    hides_absent_players = True
    has_deviations = True
    counts_games = True
    closes_in_arrays = True

    def newcomer(self) -> State2021:
        return State2021()

    def read(self, opening: StateJson, *, fixed: bool = False) -> State2021:
        return read_state(opening, fixed=fixed)

    def write(self, state: State2021) -> StateJson:
        return write_state(state)

    def adjust(
        self, state: State2021, changes: StateJson, *, fixed: bool = False, on: dt.date | None = None
    ) -> State2021:
        """Return the adjusted state; a first rating brings 10 games and a deviation of 100 unless they are named."""
        if state.rating is None and changes.get("rating") is not None:
            adjusted = self.read({"games": state.games or OPENING_GAMES, **changes}, fixed=fixed)
            last = adjusted.last_played or state.last_played
            return replace(adjusted, last_played=last, since_list=0)
        return self.read({**self.write(state), **changes}, fixed=fixed or state.rating is None)

    def with_rating(self, state: State2021, rating: float) -> State2021:
        return self.adjust(state, {"rating": rating})

    def shift(self, state: State2021, by: float) -> State2021:
        return state if state.rating is None else replace(state, rating=state.rating + by)

    def absence_cutoff(self, on: dt.date) -> dt.date:
        return absent_since(on)

    def standing(self, state: State2021, player: Player, on: dt.date | None = None) -> Standing:
        category = self._get_category(state)
        listed = category == Category.ESTABLISHED and is_published(state.last_played, on)
        return Standing(
            state.rating,
            state.games,
            None,
            Category.FIXED if player.fixed else category,
            listed and not player.unlisted and not player.fixed,
            hidden=player.unlisted,
            deviation=state.deviation,
        )

    def _get_category(self, state: State2021) -> Category:
        if state.rating is None:
            return Category.NEW
        established = state.listed_games >= self.settings["established_games"]
        return Category.ESTABLISHED if established else Category.PROVISIONAL

    def list_entry(self, state: State2021, player: Player, on: dt.date) -> StateJson | None:
        """Return the entry of everybody with a rating: those who are not published have theirs with its category."""
        if state.rating is None or player.fixed or player.unlisted:
            return None
        return {
            "rating": state.rating,
            "deviation": state.deviation,
            "games": state.games,
            "category": self._get_category(state),
        }

    def predict(
        self, own: float, opponent: float, game: Game, own_side: str, deviations: tuple[float, float] | None = None
    ) -> float | None:
        return expected_score(own, opponent) if is_rated(game, self.settings) else None

    def forecast_deviation(
        self, state: State2021, since: dt.date, on: dt.date, results: Sequence[tuple[float, float]] = ()
    ) -> float | None:
        """Return the deviation on the list after results on a day, or after absence until the list of a day.

        The rating of `since` stands for all earlier games, as in the calculators.
        """
        if state.deviation is None:
            return None
        if not results:
            return grow_deviation(state.deviation, max(0, (on - since).days), self.settings)
        return simulate_deviation(self, replace(state, last_played=since), results, on, since)

    def closing_days(self, first: dt.date, last: dt.date) -> Sequence[dt.date]:
        return self.list_closing_days(first, last, partial(next_list_day, lists=self.settings["lists"]))

    def rate(
        self,
        table: Table,
        players: Mapping[str, Player],
        states: Mapping[str, State2021],
        rulings: Sequence[Decision] = (),
    ) -> TableResult[State2021]:
        """Count the games of a table; they move ratings on the next list day."""
        outsiders = {id: get_outsider_rating(table, players[id], states[id].rating) for id in table.players}
        in_force = {id: states[id].rating if outsiders[id] is None else outsiders[id] for id in table.players}
        games = list_counted_games(table, self.settings)
        terms = explain_2021.terms_of_table(games, in_force)
        note = RifMessage.WAITS_FOR_LIST(day=self.counting_day(table.last_day))
        rows, after = [], {}
        for id in table.players:
            state, player, outsider = states[id], players[id], outsiders[id]
            before = self.standing(state, player)
            if outsider is not None or not terms[id]:
                rows.append(make_idle_row(table, player, before, outsider, self._get_unrated_reason(table)))
                continue
            count = len(terms[id])
            after[id] = replace(
                state,
                games=state.games + count,
                since_list=state.since_list + count,
                last_played=get_last_day(state.last_played, table.last_day),
            )
            rows.append(
                Row(
                    id,
                    before.category,
                    before.category,
                    state.rating,
                    state.rating,
                    None if state.rating is None else 0,
                    count,
                    after[id].games,
                    terms=terms[id],
                    note=note,
                )
            )
        too_fast = self._get_unrated_reason(table)
        return TableResult(tuple(rows), after, warnings=(too_fast,) if too_fast else ())

    def _get_unrated_reason(self, table: Table) -> str:
        if not table.rated:
            return RatingMessage.NOT_A_RATED_TABLE()
        least = self.settings["least_minutes"]
        if table.minutes is not None and table.minutes < least:
            return RifMessage.TOO_FAST(minutes=table.minutes, least=least)
        return ""

    def make_past_inputs(self) -> PastGames:
        return PastGames(self.settings)

    def close(
        self,
        day: dt.date,
        players: Mapping[str, Player],
        states: Mapping[str, State2021],
        past: PastInputs | None = None,
    ) -> TableResult[State2021]:
        """Fit all ratings, and give everybody with a game their rating on the list of a day."""
        assert isinstance(past, PastGames)
        fit = past.fit({id: players[id] for id in states})
        fitted = explain_2021.FittedList(past, fit, day, self.settings)
        note = RifMessage.OFFICIAL_LIST(day=day)
        rows, after = [], {}
        for id, segment, new in self._list_new_states(fit, past, day, players, states):
            state, after[id] = states[id], new
            assert new.rating is not None
            assert new.deviation is not None
            rows.append(
                Row(
                    id,
                    self._get_category(state),
                    self._get_category(new),
                    state.rating,
                    new.rating,
                    None if state.rating is None else new.rating - state.rating,
                    games_after=state.games,
                    terms=Terms(partial(fitted.terms_of, segment)),
                    figures=Figures(partial(fitted.figures_of, segment, state.deviation, new.deviation)),
                    note=note,
                )
            )
        return TableResult(tuple(rows), after, fit.steps, fit.settled, warnings=fitted.list_warnings())

    def close_arrays(
        self,
        day: dt.date,
        players: Mapping[str, Player],
        states: Mapping[str, State2021],
        past: PastInputs | None = None,
    ) -> ClosedArrays[State2021]:
        """Return the results of `close` as columns, without what only explanations need."""
        assert isinstance(past, PastGames)
        fit = past.fit({id: players[id] for id in states})
        after = {id: new for id, _segment, new in self._list_new_states(fit, past, day, players, states)}
        ids, new, old = list(after), list(after.values()), [states[id] for id in after]
        before, ratings, count = [state.rating for state in old], [state.rating for state in new], len(after)
        unlisted, category_after = [players[id].unlisted for id in ids], list(map(self._get_category, new))
        result = RatedArrays(
            category=list(map(self._get_category, old)),
            category_after=category_after,
            before=before,
            after=ratings,
            change=[None if b is None or a is None else a - b for b, a in zip(before, ratings, strict=True)],
            games=[0] * count,
            games_after=[state.games for state in old],
            performance=[None] * count,
            grade_before=[""] * count,
            grade=[""] * count,
            published=[
                category == Category.ESTABLISHED and not hidden
                for category, hidden in zip(category_after, unlisted, strict=True)
            ],
            hidden=unlisted,
            notes=[RifMessage.OFFICIAL_LIST(day=day)] * count,
            states=list(map(write_state_as_text, new)),
            last=after,
        )
        return ClosedArrays(ids, result)

    def _list_new_states(
        self,
        fit: Fit,
        past: PastGames,
        day: dt.date,
        players: Mapping[str, Player],
        states: Mapping[str, State2021],
    ) -> Iterator[tuple[str, int, State2021]]:
        """Yield each player with a game, the number of their segment, and their state after a list day."""
        ratings, deviations = self._compute_published(fit, past, day)
        present, last = past.present, fit.last.tolist()
        for id, state in states.items():
            segment = present.get(id, -1)
            if segment < 0 or last[segment] < 0 or players[id].fixed:
                continue
            rating, deviation = round(ratings[segment], DECIMALS), round(deviations[segment], DECIMALS)
            yield id, segment, State2021(rating, deviation, state.games, last_played=state.last_played)

    def _compute_published(self, fit: Fit, past: PastGames, day: dt.date) -> tuple[list[float], list[float]]:
        """Return the rating of each segment on a list day, and its deviation after the drift since the last game.

        Segments without any day have the numbers of another one.
        """
        if not len(fit.x):
            return [], []
        ratings = MIDDLE + past.shift + SCALE * fit.x[fit.last]
        fitted = SCALE * fit.uncertainty
        absent = np.maximum(0, day.toordinal() - fit.day[fit.last])
        return ratings.tolist(), np.sqrt(fitted * fitted + drift_per_day(self.settings) * absent).tolist()
