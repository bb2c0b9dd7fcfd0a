"""The system behind the key bgf: the Belgian Go Federation's ratings, by its page "rating system" with two annexes.

Ratings are floats on the kyu/dan scale: 100 points a rank, 0 between 1 kyu and 1 dan.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from . import bgf_explained, bgf_tables
from .bgf_games import Conditions, Term, expected_of_black, sides_of
from .openings import checked, number
from .options import Option, choice, corrections, day
from .progress import Progress, Way
from .protocol import System, untouched_row
from .rules import Rules
from .values import Award, Decision, Explained, Game, Opening, Player, Row, Standing, Table, TableResult
from .words import Words as _

GRADES = tuple(bgf_tables.grade_name(grade) for grade in range(-40, 9))
TOO_FAST = _("too fast to be rated")
NO_STANDING = _("neither a rating nor a declared rank: the games are not rated")


def is_grade(value: Any) -> bool:
    return isinstance(value, str) and bool(re.fullmatch(r"[1-9]\d{0,2} (Kyu|Dan)", value))


@dataclass(frozen=True, slots=True)
class BgfState:
    """`grade` is counted from 1 dan, which is 0; it follows the rating with some inertia."""

    rating: float | None = None
    grade: int = 0


@dataclass(slots=True, eq=False)
class Sitting:
    """A player of the event, and his rating as it runs along."""

    id: str
    entry: BgfState
    fixed: bool
    rating: float | None
    terms: list[Term] = field(default_factory=list)


class Bgf(System[BgfState]):
    key = "bgf"
    reckons_performance = False
    name = _("Belgian Go Federation rating")
    decimals = 1
    files = ("h9", "trf", "csv", "xlsx")
    list_layout = "egf"
    assumes: ClassVar = {"prior_grade": NO_STANDING}
    asks = frozenset(
        {"tournament", "minutes", "overtime", "stones", "board", "online", "correspondence", "prior_grade"}
    )
    options: ClassVar = (
        choice("bonus", "none", _("Points for every game, won or lost, unweighted."), "none", "epsilon", "egf2021"),
        corrections("revised"),
        choice("within", "event", _("Whether a player's rating moves after the event or after every round."), "event",
               "round"),
        Option("top_label", None, lambda v: is_grade(v) and v.endswith("Dan"), _("a dan grade or null"),
               _("The highest grade that is shown; the rating goes on.")),
        day("board_2021", "2021-01-01", _("From this day on 13×13 and 9×9 have fixed weights.")),
        day("white_squared_from", "2004-05-01", _("From this day on White's handicap weight is squared.")),
    )  # fmt: skip

    @property
    def grades(self) -> Sequence[str]:
        return GRADES

    @property
    def bands(self) -> Sequence[tuple[str, int]]:
        return [(name, bgf_tables.STEP * bgf_tables.grade_number(name)) for name in GRADES]

    def label(self, grade: int) -> str:
        top = self.settings["top_label"]
        return bgf_tables.grade_name(grade if top is None else min(grade, bgf_tables.grade_number(top)))

    def newcomer(self) -> BgfState:
        return BgfState()

    def read(self, opening: Opening, *, fixed: bool = False) -> BgfState:
        checked(opening, {"rating": number, "grade": is_grade})
        rating, grade = opening.get("rating"), opening.get("grade")
        if rating is None:
            if grade is not None:
                raise ValueError(_("a grade without a rating; a declared rank is the player's prior grade"))
            return BgfState()
        return BgfState(rating, bgf_tables.grade_of(rating) if grade is None else bgf_tables.grade_number(grade))

    def write(self, state: BgfState) -> Opening:
        if state.rating is None:
            return {}
        return {"rating": state.rating, "grade": bgf_tables.grade_name(state.grade)}

    def kept(self, state: BgfState, given: Opening) -> Opening:
        return {} if given.get("rating") is not None else self.write(state)  # the grade follows a given rating

    def with_rating(self, state: BgfState, rating: float) -> BgfState:
        return BgfState(rating, bgf_tables.grade_of(rating))

    def shift(self, state: BgfState, by: float) -> BgfState:
        return state if state.rating is None else self.with_rating(state, state.rating + by)

    def decide(self, state: BgfState, decision: Decision) -> BgfState:
        grade = bgf_tables.grade_number(decision.grade)
        if (
            decision.ruling == "declined"
            or state.rating is None
            or (decision.ruling == "kept" and grade <= state.grade)
        ):
            return state
        return replace(state, grade=grade)

    def progress(self, state: BgfState) -> Progress | None:
        if state.rating is None:
            return None
        top = self.settings["top_label"]
        at_top = top is not None and state.grade >= bgf_tables.grade_number(top)
        lost = bgf_tables.STEP * (state.grade - 1)
        bound = bgf_tables.STEP * (state.grade + 1)
        following = None if at_top else bgf_tables.grade_name(state.grade + 1)
        return Progress(following, () if at_top else (Way(bound, above=True),), lost_below=lost)

    def standing(self, state: BgfState, player: Player, on: dt.date | None = None) -> Standing:
        rated = state.rating is not None
        category = "fixed" if player.fixed else "rated" if rated else "unrated"
        grade = self.label(state.grade) if rated else None
        published = rated and not player.unlisted and not player.fixed
        return Standing(state.rating, 0, grade, category, published, hidden=player.unlisted)

    def predict(self, own: float, opponent: float, game: Game, own_side: str) -> float | None:
        if not game.stones:
            return expected_of_black(own, opponent, 0)
        if game.black == own_side:
            return expected_of_black(own, opponent, game.stones)
        return 1 - expected_of_black(opponent, own, game.stones)

    def explained(self, row: Row) -> Explained:
        return bgf_explained.explained(row)

    def rules(self) -> Rules:
        return bgf_explained.rules(self.settings)

    def rate(
        self,
        table: Table,
        players: Mapping[str, Player],
        states: Mapping[str, BgfState],
        rulings: Sequence[Decision] = (),
    ) -> TableResult[BgfState]:
        if table.date < bgf_tables.FIRST_DAY:
            raise ValueError(_(
                "before {day} another system was in force, of which nothing is known; results of then can only be given"
                " as ratings", day=bgf_tables.FIRST_DAY
            ))  # fmt: skip
        sittings = {id: self._sitting(table, players[id], states[id]) for id in table.players}
        conditions = Conditions.of(table, self.settings)
        rateable = [game for game in table.games if self._why_unrated(table, game) == ""]
        unrated = self._rate_games(rateable, sittings, conditions)
        rows, after = [], {}
        for id, sitting in sittings.items():
            if sitting.fixed or not sitting.terms:
                rows.append(self._idle_row(table, players[id], states[id], sitting))
                continue
            state, awards = self._after(sitting, [ruling for ruling in rulings if ruling.player == id])
            after[id] = state
            rows.append(self._row(players[id], states[id], state, sitting, awards))
        return TableResult(tuple(rows), after, warnings=tuple(self._warnings(table, sittings, unrated)))

    def _sitting(self, table: Table, player: Player, state: BgfState) -> Sitting:
        if player.id in table.fixed or player.fixed:
            rating = table.fixed.get(player.id, state.rating)
            if rating is None:
                raise ValueError(_("{id} is a fixed outsider without a rating", id=player.id))
            return Sitting(player.id, BgfState(rating), True, rating)
        if state.rating is None and player.prior_grade:
            grade = bgf_tables.grade_number(player.prior_grade)
            state = BgfState(bgf_tables.entry_rating(grade), grade)
        return Sitting(player.id, state, False, state.rating)

    def _why_unrated(self, table: Table, game: Game) -> str:
        if not game.played or not table.rated:
            return "not rated"
        if not game.correspondence and bgf_tables.too_fast(table.minutes, table.overtime):
            return TOO_FAST
        return ""

    def _rate_games(self, games: Sequence[Game], sittings: Mapping[str, Sitting], on: Conditions) -> int:
        """Add the terms of all games, ratings moving after the event or after each round; how many had no weight."""
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
                terms = sides_of(game, on, (a.rating, b.rating))
                unrated += terms is None
                for sitting, term in zip((a, b), terms or (), strict=False):
                    sitting.terms.append(term)
                    changes[sitting.id] = changes.get(sitting.id, 0.0) + term.change
            for id, change in changes.items():
                sitting = sittings[id]
                if not sitting.fixed:
                    sitting.rating = (sitting.rating or 0.0) + change
        return unrated

    def _after(self, sitting: Sitting, rulings: Iterable[Decision]) -> tuple[BgfState, tuple[Award, ...]]:
        """The grade after the event; one award however many grades are crossed."""
        before, rating = sitting.entry.grade, sitting.rating or 0.0
        grade = bgf_tables.grade_after(before, rating)
        how: str = _("above the band") if grade > before else _("demotion")
        for ruling in rulings:
            named = bgf_tables.grade_number(ruling.grade)
            if ruling.ruling == "printed":
                grade, how = named, "printed"
            elif ruling.ruling == "withheld" and grade >= named > before:
                grade = named - 1
        moved = self.label(grade) != self.label(before)
        return BgfState(rating, grade), (Award(self.label(grade), how),) if moved else ()

    def _row(
        self, player: Player, state: BgfState, after: BgfState, sitting: Sitting, awards: tuple[Award, ...]
    ) -> Row:
        before = sitting.entry.rating or 0.0
        entered = (
            _("begins with the declared rank {prior_grade}", prior_grade=player.prior_grade)
            if state.rating is None
            else ""
        )
        return Row(
            player.id,
            "rated",
            "rated",
            before,
            after.rating,
            (after.rating or 0.0) - before,
            len(sitting.terms),
            grade_before=self.label(sitting.entry.grade),
            grade=self.label(after.grade),
            awards=awards,
            terms=tuple(bgf_explained.term(term) for term in sitting.terms),
            figures={"exact": after.rating},
            note=entered,
        )

    def _idle_row(self, table: Table, player: Player, state: BgfState, sitting: Sitting) -> Row:
        standing = self.standing(state, player)
        if sitting.fixed:
            standing = replace(standing, rating=sitting.rating, category="fixed", grade=None)
        note = (
            _("fixed outsider") if sitting.fixed else _("not a rated table") if not table.rated else _("no rated game")
        )
        if not sitting.fixed and sitting.rating is None:
            note = NO_STANDING
        elif table.rated and bgf_tables.too_fast(table.minutes, table.overtime):
            note = TOO_FAST
        return untouched_row(player.id, standing, note)

    def _warnings(self, table: Table, sittings: Mapping[str, Sitting], unrated: int) -> Iterable[str]:
        if any(self._why_unrated(table, game) == TOO_FAST for game in table.games):
            yield _("the games are too fast to be rated")
        if unrated:
            yield _("{unrated} games on boards that are not rated", unrated=unrated)
        played = {id for game in table.games if game.played for id in (game.a, game.b)}
        for id, sitting in sittings.items():
            if sitting.rating is None and id in played:
                yield _("{id} has neither a rating nor a declared rank: the games are not rated", id=id)
        many = sum(game.played and game.stones > bgf_tables.MOST_STONES for game in table.games)
        if many:
            yield _(
                "{many} games with more than {most_stones} stones: confirm them",
                many=many,
                most_stones=bgf_tables.MOST_STONES,
            )
