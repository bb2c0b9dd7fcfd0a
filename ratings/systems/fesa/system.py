"""The FESA Elo systems for shogi: fesa-2016 (rules last edited 2016-02-04) and fesa-2000, the first edition.

The numbers in brackets are the rules of those texts; readings of what they leave open are the federation's own
practice, checked against its published tables (docs/systems/).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from .arithmetic import expected_score
from .columns import Columns, RatedColumns
from .fesa_2000 import Seat2000
from .fesa_2016 import Seat2016
from .fesa_columns import kernel, rate_columns
from .fesa_explained import explained_2000, explained_2016
from .fesa_games import BONUS_GAMES, seen_rating
from .fesa_grades import ESTABLISHED_FROM, PROVISIONAL_FROM, SCALE_2000, SCALE_2016, Scale, climb, shown_category
from .fesa_progress import progress
from .fesa_rules import rules_2000, rules_2016
from .fesa_seats import MANY_GAMES, Seat, iterate, take_seats, too_many_games, unsettled
from .fesa_state import KEYS_2000, KEYS_2016, FesaState, read_state, write_state
from .fesa_tables import HANDICAPS
from .openings import Check
from .options import corrections
from .progress import Progress
from .protocol import System, untouched_row
from .rules import Rules
from .values import Award, Decision, Explained, Game, Opening, Player, Row, Standing, Table, TableResult, Terms
from .words import Words as _


class Fesa(System[FesaState]):
    """What both editions share."""

    options: ClassVar = (corrections("kept"),)
    counts_games = True
    needs_opponents_below = PROVISIONAL_FROM
    approved_by = _("Nihon Shogi Renmei")
    files = ("grid", "published", "trf", "csv", "xlsx")
    legend: ClassVar = {
        "unrated": _("too few games so far, or only wins or only losses"),
        "provisional": _("fewer than 18 games"),
    }
    scale: ClassVar[Scale]
    keys: ClassVar[Mapping[str, Check]]
    seat: ClassVar[type[Seat]]

    @property
    def grades(self) -> Sequence[str]:
        return self.scale.names

    @property
    def bands(self) -> Sequence[tuple[str, int]]:
        return [(grade.name, grade.lower_bound) for grade in self.scale.grades]

    def newcomer(self) -> FesaState:
        return FesaState()

    def read(self, opening: Opening, *, fixed: bool = False) -> FesaState:
        return read_state(opening, self.keys, self.scale, fixed=fixed)

    def write(self, state: FesaState) -> Opening:
        return write_state(state, self.scale)

    def kept(self, state: FesaState, given: Opening) -> Opening:
        replaced = {"games", "past"} if "games" in given or "past" in given else set()
        return {key: value for key, value in self.write(state).items() if key not in replaced}

    def shift(self, state: FesaState, by: float) -> FesaState:
        return state if state.rating is None else replace(state, rating=max(1, state.rating + round(by)))

    def decide(self, state: FesaState, decision: Decision) -> FesaState:
        ruling, grade = decision.ruling, self.scale.index_of(decision.grade)
        if ruling == "approved" and self.settings["corrections"] == "revised" and state.climb.waiting != grade:
            return state  # what was approved went with the results that earned it
        return replace(state, climb=state.climb.decided(ruling, grade))

    def progress(self, state: FesaState) -> Progress | None:
        return None if state.rating is None else progress(self.scale, state.climb, state.total_games)

    def moments(self, row: Row) -> Sequence[float]:
        """(10) For unrated players the new rating throughout; for others it moves from game to game in equal steps."""
        if row.before is None or row.after is None or row.category == "unrated":
            return super().moments(row)
        step = (row.after - row.before) / row.games if row.games else 0.0
        return [row.before + step * game for game in range(1, row.games + 1)]

    def counted_from(self, grade: str, how: str) -> float | None:
        bounds = self.scale.grades[self.scale.index_of(grade)]
        return {
            "games above MP": bounds.midpoint, "games above LB": bounds.lower_bound,
            "bound to get it": bounds.lower_bound,
        }.get(how)  # fmt: skip

    def reached_for(self, grade: str, how: str) -> float | None:
        index = self.scale.index_of(grade)
        if how == "provisional":
            return self.scale.grades[index + 1].upper_bound
        return self.scale.grades[index].upper_bound if how == "upper bound" else None

    def with_rating(self, state: FesaState, rating: float) -> FesaState:
        games = max(ESTABLISHED_FROM, state.total_games) if state.games is None else state.games
        given = {"rating": rating, "games": games}
        return self.read({**self.kept(state, given), **given})

    def standing(self, state: FesaState, player: Player, on: dt.date | None = None) -> Standing:
        return Standing(
            state.rating,
            state.total_games,
            self.scale.name_of(state.climb.grade),
            "fixed" if player.fixed else state.category,
            state.rating is not None and not player.unlisted and not player.fixed,
            self.scale.name_of(state.climb.waiting),
            hidden=player.unlisted,
        )

    def rated_games(self, table: Table) -> list[Game]:
        """The games of a table that this edition rates."""
        return [game for game in table.games if game.played and table.rated]

    def warnings(self, table: Table, seats: Iterable[Seat]) -> list[str]:
        return [too_many_games(seat.id, seat.games) for seat in seats if seat.games > MANY_GAMES and not seat.fixed]

    def rate(
        self,
        table: Table,
        players: Mapping[str, Player],
        states: Mapping[str, FesaState],
        rulings: Sequence[Decision] = (),
    ) -> TableResult[FesaState]:
        seats = take_seats(table, players, states, self.rated_games(table), self.seat)
        rounds, moving = iterate(seats.values())
        warnings = self.warnings(table, seats.values())
        if moving:
            warnings.append(unsettled(moving))
        rows, after = [], {}
        for id in table.players:
            seat = seats.get(id)
            if seat is None or seat.fixed:
                rows.append(self._idle_row(table, players[id], states[id], seat))
                continue
            state, awards = self._after(seat, [ruling for ruling in rulings if ruling.player == id])
            after[id] = state
            rows.append(self._row(seat, state, awards))
        return TableResult(tuple(rows), after, rounds, not moving, tuple(warnings))

    def _idle_row(self, table: Table, player: Player, state: FesaState, seat: Seat | None) -> Row:
        standing = self.standing(state, player)
        if player.id in table.fixed:
            standing = replace(standing, rating=table.fixed[player.id], category="fixed")
        note = _("fixed outsider") if seat else _("not a rated table") if not table.rated else _("no rated game")
        return untouched_row(player.id, standing, note)

    def _after(self, seat: Seat, rulings: Sequence[Decision]) -> tuple[FesaState, tuple[Award, ...]]:
        state, after, count = seat.state, seat.estimate, seat.games
        if seat.unrated:
            past = seat.past_after()
            climbed, awards = climb(self.scale, state.climb, [(after, 1)] * len(past), 0, after, rulings)
            return FesaState(after, past, None, 0, climbed), awards
        before = state.rating or 0
        # exactly, as fractions: the rating of the moment is before + i*(after-before)/n
        moments = [(count * before + i * (after - before), count) for i in range(1, count + 1)]
        climbed, awards = climb(self.scale, state.climb, moments, state.total_games, after, rulings)
        return FesaState(after, (), seat.games_after, seat.bonus_games_after, climbed), awards

    def _row(self, seat: Seat, state: FesaState, awards: tuple[Award, ...]) -> Row:
        before, run = seat.state.rating, state.climb.lb_run
        runs = {"lb_run": [run.games, run.above] if run.games else None, "mp_run": state.climb.mp_run or None}
        return Row(
            seat.id,
            shown_category(seat.unrated, seat.state.total_games + seat.games),
            state.category,
            before,
            state.rating,
            None if before is None or state.rating is None else state.rating - before,
            seat.games,
            state.total_games,
            seat.performance(),
            self.scale.name_of(seat.state.climb.grade),
            self.scale.name_of(state.climb.grade),
            awards,
            Terms(seat.terms),
            seat.figures() | runs,
        )


class Fesa2016(Fesa):
    """The system behind the key fesa-2016."""

    key = "fesa-2016"
    name = _("FESA/USSF Elo system (2016)")
    scale = SCALE_2016
    keys = KEYS_2016
    seat = Seat2016

    @property
    def compiled(self) -> bool:
        return kernel() is not None

    def listed(self, rating: float, games: int | None, grade: str | None) -> Opening:
        """Every rated game was a bonus game, as far as a list tells."""
        opening = super().listed(rating, games, grade)
        return {**opening, "bonus_games": min(BONUS_GAMES, opening["games"])}

    def rate_columns(
        self, columns: Columns, players: Mapping[str, Player], states: Mapping[str, FesaState]
    ) -> RatedColumns[FesaState]:
        return rate_columns(kernel(), columns, players, states)

    def predict(self, own: float, opponent: float, game: Game, own_side: str) -> float | None:
        value = HANDICAPS[game.handicap] if game.handicap else 0.0
        return expected_score(own, seen_rating(own, opponent, value, gives=game.giver == own_side))

    def explained(self, row: Row) -> Explained:
        return explained_2016(row)

    def rules(self) -> Rules:
        return rules_2016()


class Fesa2000(Fesa):
    """The system behind the key fesa-2000: handicap games are not rated, and nobody is helped up below 1800."""

    key = "fesa-2000"
    name = _("FESA Elo system, first edition (2000)")
    scale = SCALE_2000
    keys = KEYS_2000
    seat = Seat2000

    def predict(self, own: float, opponent: float, game: Game, own_side: str) -> float | None:
        return None if game.handicap else expected_score(own, opponent)

    def explained(self, row: Row) -> Explained:
        return explained_2000(row)

    def rules(self) -> Rules:
        return rules_2000()

    def rated_games(self, table: Table) -> list[Game]:
        return [game for game in super().rated_games(table) if not game.handicap]

    def warnings(self, table: Table, seats: Iterable[Seat]) -> list[str]:
        handicaps = len(super().rated_games(table)) - len(self.rated_games(table))
        told = [_("{handicaps} handicap games are not rated in this edition", handicaps=handicaps)] if handicaps else []
        return [*told, *super().warnings(table, seats)]
