"""fesa-2016: the FESA/USSF Elo system for shogi, rules last edited 2016-02-04.

The numbers in brackets are the rules of that text; readings of what it leaves open are the federation's own
practice, checked against its published tables (docs/systems/fesa-2016.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from . import fesa_seats
from .arithmetic import expected_score, performance_rating
from .fesa_games import BONUS_GAMES, FLOOR, with_dummy_draw
from .fesa_grades import SCALE, climb, index_of, name_of, shown_category
from .fesa_seats import Seat, iterate, take_seats
from .fesa_state import GRADES, FesaState, read_state, write_state
from .protocol import untouched_row
from .values import Award, Decision, Opening, Player, Row, Standing, Table, TableResult

MANY_GAMES = 16  # beyond, the formula loses meaning and the table should be split


class Fesa2016:
    """The system behind the key fesa-2016. It has no options."""

    key = "fesa-2016"
    name = "FESA/USSF Elo system (2016)"
    decimals = 0
    grades = GRADES
    bands = tuple((grade.name, grade.lower_bound) for grade in SCALE)

    def newcomer(self) -> FesaState:
        return FesaState()

    def read(self, opening: Opening, *, fixed: bool = False) -> FesaState:
        return read_state(opening, fixed=fixed)

    def write(self, state: FesaState) -> Opening:
        return write_state(state)

    def adjust(self, state: FesaState, given: Opening, *, fixed: bool = False) -> FesaState:
        kept = dict(self.write(state))
        if "games" in given or "past" in given:
            kept.pop("games", None)
            kept.pop("past", None)
        return self.read(kept | dict(given), fixed=fixed)

    def shift(self, state: FesaState, by: float) -> FesaState:
        return state if state.rating is None else replace(state, rating=max(1, state.rating + round(by)))

    def decide(self, state: FesaState, decision: Decision) -> FesaState:
        return replace(state, climb=state.climb.decided(decision.ruling, index_of(decision.grade)))

    def standing(self, state: FesaState, player: Player) -> Standing:
        return Standing(
            state.rating,
            state.total_games,
            name_of(state.climb.grade),
            "fixed" if player.fixed else state.category,
            state.rating is not None and not player.unlisted and not player.fixed,
            name_of(state.climb.waiting),
        )

    def rate(
        self,
        table: Table,
        players: Mapping[str, Player],
        states: Mapping[str, FesaState],
        rulings: Sequence[Decision] = (),
    ) -> TableResult[FesaState]:
        seats = take_seats(table, players, states)
        rounds, moving = iterate(seats)
        warnings = [
            f"{seat.id} has {len(seat.pairings)} games: above {MANY_GAMES} the formula loses meaning and the table"
            " should be split at a point in time"
            for seat in seats.values()
            if len(seat.pairings) > MANY_GAMES and not seat.fixed
        ]
        if moving:
            warnings.append(f"not settled after {fesa_seats.MOST_ROUNDS} rounds; still moving: {', '.join(moving)}")
        rows, after = [], {}
        for id in table.players:
            seat = seats.get(id)
            if seat is None or seat.fixed:
                rows.append(self._idle_row(table, players[id], states[id], seat))
                continue
            state, awards = _after(seat, [ruling for ruling in rulings if ruling.player == id])
            after[id] = state
            rows.append(_row(seat, state, awards))
        return TableResult(tuple(rows), after, rounds, not moving, tuple(warnings))

    def _idle_row(self, table: Table, player: Player, state: FesaState, seat: Seat | None) -> Row:
        standing = self.standing(state, player)
        if player.id in table.fixed:
            standing = replace(standing, rating=table.fixed[player.id], category="fixed")
        note = "fixed outsider" if seat else "not a rated table" if not table.rated else "no rated game"
        return untouched_row(player.id, standing, note)


def _after(seat: Seat, rulings: Sequence[Decision]) -> tuple[FesaState, tuple[Award, ...]]:
    state, after, count = seat.state, seat.estimate, len(seat.pairings)
    if seat.unrated:
        past = tuple(seat.all_results())
        climbed, awards = climb(state.climb, [(after, 1)] * len(past), 0, after, rulings)
        return FesaState(after, past, None, 0, climbed), awards
    before = state.rating or 0
    # exactly, as fractions: the rating of the moment is before + i*(after-before)/n
    moments = [(count * before + i * (after - before), count) for i in range(1, count + 1)]
    climbed, awards = climb(state.climb, moments, state.total_games, after, rulings)
    bonus_games = min(BONUS_GAMES, state.bonus_games + count)
    return FesaState(after, (), state.total_games + count, bonus_games, climbed), awards


def _row(seat: Seat, state: FesaState, awards: tuple[Award, ...]) -> Row:
    before, count = seat.state.rating, len(seat.pairings)
    category = shown_category(seat.unrated, seat.state.total_games + count)
    return Row(
        seat.id,
        category,
        state.category,
        before,
        state.rating,
        None if before is None or state.rating is None else state.rating - before,
        count,
        state.total_games,
        performance_rating(seat.results()),
        name_of(seat.state.climb.grade),
        name_of(state.climb.grade),
        awards,
        tuple(_terms(seat)),
        _figures(seat, state),
    )


def _figures(seat: Seat, state: FesaState) -> dict[str, Any]:
    if seat.unrated:
        results = with_dummy_draw([(max(FLOOR, rating), score) for rating, score in seat.all_results()])
        exact, gained = performance_rating(results), None
    else:
        gained = sum(term.change for term in seat.terms())
        exact = (seat.state.rating or 0) + gained
    run = state.climb.lb_run
    return {
        "exact": 1.0 if exact is None else exact,
        "sum": gained,
        "bonus_games": state.bonus_games,
        "lb_run": [run.games, run.above] if run.games else None,
        "mp_run": state.climb.mp_run or None,
    }


def _terms(seat: Seat) -> list[dict[str, Any]]:
    """What the explanation shows of each game; the past of an unrated player stands before this table's games."""
    games: list[dict[str, Any]] = [
        {"opponent": pairing.opponent.id, "score": pairing.score, "opponent_rating": rating}
        | ({"handicap": pairing.handicap, "gives": pairing.gives} if pairing.handicap else {})
        for pairing, rating in zip(seat.pairings, seat.used, strict=True)
    ]
    if not seat.unrated:
        return [
            game
            | {"rating": term.rating, "expected": term.expected, "k": term.k, "formula": term.formula}
            | {"upset_gain": term.upset_gain, "bonus": term.bonus, "change": term.change}
            for game, term in zip(games, seat.terms(), strict=True)
        ]
    past: list[dict[str, Any]] = [
        {"opponent": None, "score": score, "opponent_rating": max(FLOOR, rating)} for rating, score in seat.past
    ]
    all_games = [*past, *games]
    dummy = with_dummy_draw([(g["opponent_rating"], g["score"]) for g in all_games])[len(all_games) :]
    all_games += [{"opponent": None, "score": s, "opponent_rating": r, "dummy_draw": True} for r, s in dummy]
    performance = performance_rating([(g["opponent_rating"], g["score"]) for g in all_games])
    own = seat.estimate if performance is None else performance
    return [g | {"expected": expected_score(own, g["opponent_rating"])} for g in all_games]
