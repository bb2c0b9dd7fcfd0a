"""Rating rules of egf-2021, the European Go Federation's rating (GoR) since 2021.

Every game of a table is rated by both players' ratings at the start of the table; the changes are added up after it.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from ratings.systems.egf.messages import EgfMessage
from ratings.systems.idle_rows import get_outsider_rating, make_idle_row
from ratings.systems.messages import Message
from ratings.systems.rating_rules import RatingRules
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
from .game import Term, expected_of_a, rate_game
from .state import EgfState, read_state, write_state


@dataclass(slots=True, eq=False)
class Participant:
    """Player of a table with the rating at its start; None if the player has neither a rating nor a declared rank."""

    player: Player
    rating: float | None
    fixed: bool
    played: bool = False
    terms: list[Term] = field(default_factory=list)
    unrated_reason: EgfMessage | None = None
    """Reason why a game of the player was not rated."""


class EgfRating(RatingRules[EgfState]):
    """Rating rules of the European Go Federation since 2021."""

    marks_provisional = False
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
    def rated_handicaps(self) -> Sequence[str]:
        return [str(stones) for stones in range(1, self.settings["max_stones"] + 1)]

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
        if self._get_exclusion(game) is not None:
            return None
        of_a = expected_of_a((own, opponent) if own_side == "a" else (opponent, own), game)
        return of_a if own_side == "a" else 1 - of_a

    def rate(
        self,
        table: Table,
        players: Mapping[str, Player],
        states: Mapping[str, EgfState],
        rulings: Sequence[Decision] = (),
    ) -> TableResult[EgfState]:
        participants = {id: self._make_participant(table, players[id], states[id]) for id in table.players}
        missed: Counter[EgfMessage] = Counter()
        too_early = table.last_day < tables.FIRST_DAY
        if table.rated and not too_early:
            missed = self._rate_games(table, participants)
        rows, after = [], {}
        for id, participant in participants.items():
            if participant.fixed or not participant.terms:
                rows.append(self._make_idle_row(table, participant, states[id]))
                continue
            row = self._make_row(table, participant, states[id])
            rows.append(row)
            after[id] = EgfState(row.after)
        warnings = (
            (EgfMessage.BEFORE_SYSTEM(day=tables.FIRST_DAY),) if too_early else self._warnings(participants, missed)
        )
        return TableResult(tuple(rows), after, warnings=tuple(warnings))

    def _make_participant(self, table: Table, player: Player, state: EgfState) -> Participant:
        outsider_rating = get_outsider_rating(table, player, state.rating)
        if outsider_rating is not None:
            return Participant(player, outsider_rating, fixed=True)
        rating = state.rating
        if rating is None and player.prior_grade:
            rating = tables.rating_of_rank(player.prior_grade)
        return Participant(player, rating, fixed=False)

    def _rate_games(self, table: Table, participants: Mapping[str, Participant]) -> Counter[EgfMessage]:
        """Add the terms of all games, and return how many games each reason excluded."""
        missed: Counter[EgfMessage] = Counter()
        for game in table.games:
            if not game.played:
                continue
            a, b = participants[game.a], participants[game.b or ""]
            a.played = b.played = True
            reason = self._get_exclusion(game)
            time_class = "" if reason else self.get_time_class(table, game)
            if reason is None and not time_class:
                reason = EgfMessage.GAMES_TOO_FAST
            if reason is not None:
                missed[reason] += 1
                a.unrated_reason = b.unrated_reason = reason
                continue
            if a.rating is None or b.rating is None:
                continue
            weight = tables.CLASSES[time_class].weight if self.settings["weights"] == "by_class" else 1.0
            terms = rate_game(game, (a.rating, b.rating), time_class, weight, with_bonus=self.settings["bonus"] == "on")
            a.terms.append(terms[0])
            b.terms.append(terms[1])
        return missed

    def _get_exclusion(self, game: Game) -> EgfMessage | None:
        """Return the reason why the rules rate no such game, whatever its table; None if they rate it."""
        if game.board != tables.FULL_BOARD:
            return EgfMessage.BOARDS_NOT_RATED
        if game.correspondence:
            return EgfMessage.CORRESPONDENCE_NOT_RATED
        if game.stones > self.settings["max_stones"]:
            return EgfMessage.TOO_MANY_STONES
        return None

    def get_time_class(self, table: Table, game: Game) -> str:
        """Return the class with which a game counts; "" if it is too fast to be rated.

        The class that the federation gave the table decides. Otherwise the thinking time does; an unknown time has the
        class of the list's option `unknown_time`. Club games are of class C at most. Games on the internet are of
        class D whatever their table is.
        """
        if game.online:
            if table.time_class or table.minutes is None:
                return tables.ONLINE
            return tables.find_time_class(table.minutes, table.overtime, tables.ONLINE)
        if table.time_class:
            return table.time_class
        if table.minutes is None:
            return str(self.settings["unknown_time"]) if table.tournament else tables.CLUB
        names = ("A", "B", "C") if table.tournament else (tables.CLUB,)
        return tables.find_time_class(table.minutes, table.overtime, *names)

    def _make_row(self, table: Table, participant: Participant, state: EgfState) -> Row:
        before = participant.rating or 0.0
        after = max(tables.LOWEST, before + sum(term.change for term in participant.terms))
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
            elif participant.rating is None:
                note = EgfMessage.NO_RANK()
            elif participant.unrated_reason is EgfMessage.GAMES_TOO_FAST:
                note = EgfMessage.TOO_FAST()
            elif participant.unrated_reason is not None:
                note = EgfMessage.NO_GAME_COUNTED()
        outsider_rating = participant.rating if participant.fixed else None
        return make_idle_row(table, participant.player, self.standing(state, participant.player), outsider_rating, note)

    def _warnings(self, participants: Mapping[str, Participant], missed: Counter[EgfMessage]) -> Iterator[str]:
        for reason, count in missed.items():
            more = {"most": self.settings["max_stones"]} if reason is EgfMessage.TOO_MANY_STONES else {}
            yield reason(count=count, **more)
        for id, participant in participants.items():
            if participant.rating is None and participant.played:
                yield EgfMessage.PLAYER_WITHOUT_RANK(id=id)
