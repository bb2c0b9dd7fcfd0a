"""Rating rules of fide-2024: FIDE's regulations of 1 March 2024, with the amendment of 1 October 2025.

Ratings move on the first day of each month, when a list is made before the tables that end on that day. A table uses
the ratings of the list in force on its first day.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ratings.systems.arithmetic import round_half_away_from_zero
from ratings.systems.idle_rows import get_outsider_rating, make_idle_row
from ratings.systems.messages import RatingMessage
from ratings.systems.rating_rules import PastInputs, RatingRules
from ratings.systems.state_checks import is_number
from ratings.systems.values import Category, Decision, Game, Player, Row, Standing, StateJson, Table, TableResult

from . import explain, tables
from .game import change_of_game, is_game_rated, is_over_the_board, minutes_for_60_moves
from .lists import ListResult, compute_list_result, find_k_of_junior, published_k, standard_on
from .messages import FideMessage
from .state import FideState, PendingTable, read_state, write_state

OTHER_CHAPTER = {
    "standard": FideMessage.NOT_STANDARD,
    "rapid": FideMessage.NOT_RAPID,
    "blitz": FideMessage.NOT_BLITZ,
}


@dataclass(slots=True, eq=False)
class Participant:
    """Player of a table with the rating at its start, which is that of the standard list with `uses_standard`."""

    player: Player
    state: FideState
    fixed: bool
    start: int | None
    uses_standard: bool = False
    games: list[tuple[str, int, float]] = field(default_factory=list)
    """Counted games: opponent, the opponent's rating and the score."""


class FideRating(RatingRules[FideState]):
    """Rating rules of FIDE since 2024."""

    marks_provisional = False
    required_values = frozenset({"minutes", "overtime", "list_day", "online", "correspondence", "stones", "birth_year"})
    active_years = None
    hides_absent_players = True
    closes_before_tables = True
    category_depends_on_day = True

    @property
    def chapter(self) -> str:
        """Chapter of the list: standard, rapid or blitz."""
        return str(self.settings["chapter"])

    def newcomer(self) -> FideState:
        return FideState()

    def read(self, opening: StateJson, *, fixed: bool = False) -> FideState:
        return read_state(opening)

    def write(self, state: FideState) -> StateJson:
        return write_state(state)

    def adjust(
        self, state: FideState, changes: StateJson, *, fixed: bool = False, on: dt.date | None = None
    ) -> FideState:
        """Return the adjusted state: a rating holds for the list in force on the day, and from there on."""
        values = {**self.write(state), **changes}
        if is_number(changes.get("rating")) and not state.games and "games" not in changes:
            values["games"] = tables.NEW_GAMES
        if values.get("rating") is None:
            values["games"] = changes.get("games", state.games)
        adjusted = self.read(values, fixed=fixed)
        if on is None or adjusted.rating == state.rating or "previous" in changes:
            return adjusted
        before = tables.first_of_month(on, -1)
        if any(day >= before for day, _rating in state.previous):
            return adjusted
        return replace(adjusted, previous=(*state.previous, (before, state.rating)))

    def with_rating(self, state: FideState, rating: float) -> FideState:
        return self.adjust(state, {"rating": round_half_away_from_zero(rating)})

    def shift(self, state: FideState, by: float) -> FideState:
        points = round_half_away_from_zero(by)
        moved = tuple((day, rating and rating + points) for day, rating in state.previous)
        return replace(state, rating=state.rating and state.rating + points, previous=moved)

    def standing(self, state: FideState, player: Player, on: dt.date | None = None) -> Standing:
        category = Category.UNRATED if state.rating is None else Category.RATED
        if state.rating is not None and state.last_list is not None and on is not None:
            limit = tables.first_of_month(tables.first_of_month(on), -tables.INACTIVE_MONTHS)
            category = Category.INACTIVE if state.last_list <= limit else category
        published = state.rating is not None and not player.unlisted and not player.fixed
        category = Category.FIXED if player.fixed else category
        return Standing(state.rating, state.games, None, category, published, hidden=player.unlisted)

    def list_entry(self, state: FideState, player: Player, on: dt.date) -> StateJson | None:
        entry = super().list_entry(state, player, on)
        if entry is None:
            return None
        k, _rule = published_k(state, player, on.year)
        return {**entry, "k": k, "games": state.listed_games if state.last_list == on else 0}

    def takes_ratings_from(self, other: RatingRules[Any]) -> bool:
        return self.chapter != "standard" and isinstance(other, FideRating) and other.chapter == "standard"

    def find_k_of_junior(
        self, birth_year: int, states: Iterable[tuple[dt.date, FideState]], last_list: dt.date
    ) -> Mapping[int, int]:
        return find_k_of_junior(birth_year, states, last_list)

    def predict(
        self, own: float, opponent: float, game: Game, own_side: str, deviations: tuple[float, float] | None = None
    ) -> float | None:
        if not is_over_the_board(game):
            return None
        start = tables.UNCAPPED_SINCE
        ratings = round_half_away_from_zero(own), round_half_away_from_zero(opponent)
        return change_of_game(*ratings, 0, start, self.chapter).expected / 100

    def closing_days(self, first: dt.date, last: dt.date) -> Sequence[dt.date]:
        return self.list_closing_days(first, tables.counting_list_day(last), tables.next_list_day)

    def last_day_of_span(self, last_day: dt.date, list_day: dt.date | None) -> dt.date:
        if list_day is None:
            return last_day
        return max(last_day, list_day - dt.timedelta(days=tables.DAYS_BEFORE_LIST))

    def counting_day(self, day: dt.date, list_day: dt.date | None = None) -> dt.date:
        return list_day or tables.counting_list_day(day)

    def rate(
        self,
        table: Table,
        players: Mapping[str, Player],
        states: Mapping[str, FideState],
        rulings: Sequence[Decision] = (),
    ) -> TableResult[FideState]:
        """Find the changes of a table's games; they wait for the list that the table counts for."""
        list_day = self._get_list_day(table)
        participants = {id: self._make_participant(table, players[id], states[id]) for id in table.players}
        reason = self._get_unrated_reason(table, list_day)
        warnings = [reason] if reason and table.rated else []
        if not reason:
            warnings = self._count_games(table, participants)
        rows, after = [], {}
        for id, participant in participants.items():
            if participant.fixed or not participant.games:
                outsider_rating = participant.start if participant.fixed else None
                standing = self.standing(states[id], participant.player)
                row = make_idle_row(table, participant.player, standing, outsider_rating, reason)
                rows.append(replace(row, figures={"start": participant.start, "sum": 0, "changes": []}))
                continue
            rows.append(self._make_row(table, participant, list_day))
            after[id] = self._collect(table, participant, list_day)
        if table.date < tables.FIRST_DAY:
            warnings.append(FideMessage.BEFORE_RULES(day=tables.FIRST_DAY))
        return TableResult(tuple(rows), after, warnings=tuple(warnings))

    def _get_list_day(self, table: Table) -> dt.date:
        """Return the list for which a table counts; raise ValueError if it names a day that is no list day."""
        if table.list_day is None:
            return tables.counting_list_day(table.last_day)
        if table.list_day.day != 1 or table.list_day <= table.last_day:
            raise ValueError(FideMessage.NO_LIST_DAY(day=table.list_day, last_day=table.last_day))
        return table.list_day

    def _get_unrated_reason(self, table: Table, list_day: dt.date) -> str:
        """Return the reason why no game of a table is rated; "" if they are."""
        if not table.rated:
            return RatingMessage.NOT_A_RATED_TABLE()
        latest = tables.first_of_month(table.last_day, tables.LATEST_LIST)
        if list_day > latest:
            return FideMessage.REPORTED_LATE()
        minutes = minutes_for_60_moves(table.minutes, table.overtime)
        if minutes is not None and tables.find_chapter(minutes) != self.chapter:
            return OTHER_CHAPTER[self.chapter](minutes=minutes)
        return ""

    def _make_participant(self, table: Table, player: Player, state: FideState) -> Participant:
        outsider_rating = get_outsider_rating(table, player, state.rating)
        if outsider_rating is not None:
            return Participant(player, state, True, round_half_away_from_zero(outsider_rating))
        start = state.rating_on(table.date)
        if start is None and self.chapter != "standard":
            standard = standard_on(player, state, table.date)
            return Participant(player, state, False, standard, uses_standard=standard is not None)
        return Participant(player, state, False, start)

    def _count_games(self, table: Table, participants: Mapping[str, Participant]) -> list[str]:
        """Add each counted game to those of its players for whom it counts (5.1, 7.1.4, 8.3.1).

        Return a warning for each reason why other games are not rated.
        """
        minutes = minutes_for_60_moves(table.minutes, table.overtime)
        other_games, refused = 0, list[tuple[int, int]]()
        for game in sorted(table.games, key=lambda game: game.round or 0):
            if not game.played:
                continue
            if not is_over_the_board(game):
                other_games += 1
                continue
            assert game.b is not None
            assert game.score is not None
            a, b = participants[game.a], participants[game.b]
            if not is_game_rated((a.start, b.start), table, minutes, self.chapter):
                refused.append((a.start or 0, b.start or 0))
                continue
            for participant, opponent, score in ((a, b, game.score), (b, a, 1 - game.score)):
                if opponent.start is not None:
                    participant.games.append((opponent.player.id, opponent.start, score))
        warnings: list[str] = [FideMessage.GAMES_NOT_OVER_THE_BOARD(games=other_games)] if other_games else []
        return [*warnings, *explain.explain_refused_games(refused, minutes, self.chapter)]

    def _collect(self, table: Table, participant: Participant, list_day: dt.date) -> FideState:
        """Return the state with the games of a table, but for a first event without a point (8.2.1)."""
        state, points = participant.state, sum(score for _id, _rating, score in participant.games)
        began = replace(state, began=True)
        if participant.start is None and state.rating is None and not state.began and not points:
            return began
        own = None if participant.uses_standard else participant.start
        games = tuple((rating, score) for _id, rating, score in participant.games)
        return replace(began, results=(*state.results, PendingTable(list_day, table.date, own, games)))

    def _make_row(self, table: Table, participant: Participant, list_day: dt.date) -> Row:
        state, standing = participant.state, self.standing(participant.state, participant.player)
        start = participant.start if participant.start is not None else state.rating
        figures: dict[str, Any] = {"start": start, "counts_for": list_day.isoformat()}
        change: float | None = None
        if start is None:
            collected = sum(len(entry.games) for entry in self._collect(table, participant, list_day).results)
            figures |= {"sum": None, "changes": [], "collected": collected}
        else:
            games = [
                change_of_game(start, rating, score, table.date, self.chapter)
                for _id, rating, score in participant.games
            ]
            total = sum(game.change for game in games)
            newest = tables.first_of_month(table.last_day)
            k, rule = published_k(state, participant.player, newest.year)
            change = k * total / 100
            figures |= {
                "start_list": tables.first_of_month(table.date).isoformat(),
                "sum": total / 100,
                "changes": [game.change for game in games],
                "k": k,
                "k_rule": rule,
            }
        return Row(
            participant.player.id,
            standing.category,
            standing.category,
            state.rating,
            state.rating,
            change,
            len(participant.games),
            standing.games,
            terms=explain.terms(participant.games, start, table.date, self.chapter),
            figures=figures,
            note=FideMessage.COUNTS_FOR(day=list_day),
        )

    def close(
        self,
        day: dt.date,
        players: Mapping[str, Player],
        states: Mapping[str, FideState],
        past: PastInputs | None = None,
    ) -> TableResult[FideState]:
        """Make the list of a day: every player with games that count for it is rated once by all of them."""
        rows, after = [], {}
        for id, state in states.items():
            if players[id].fixed:
                continue
            result = compute_list_result(state, players[id], day, self.chapter)
            if result is None:
                continue
            after[id] = result.state
            rows.append(self._make_list_row(players[id], state, result, day))
        return TableResult(tuple(rows), after)

    def _make_list_row(self, player: Player, before: FideState, result: ListResult, day: dt.date) -> Row:
        after = result.state
        note = FideMessage.LIST_OF(day=day)
        if after.rating is None and "new_rating" in result.figures:
            note = FideMessage.BELOW_LOWEST(lowest=tables.LOWEST)
        elif after.rating is None:
            note = FideMessage.FEW_GAMES(games=result.games, least=tables.FIRST_GAMES)
        elif before.rating is None and result.change is None:
            note = FideMessage.FIRST_RATING()
        return Row(
            player.id,
            self.standing(before, player).category,
            self.standing(after, player).category,
            before.rating,
            after.rating,
            result.change,
            games_after=after.games,
            terms=explain.list_terms(result, self.chapter),
            figures={"games": result.games, **result.figures},
            note=note,
        )
