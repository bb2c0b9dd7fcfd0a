"""Promotions of both FESA editions (2016 rule 10, 2000 rule 12).

Ratings of the moment are fractions, so that a bound met exactly counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .fesa_tables import k_factor
from .grades import FESA_2000, FESA_2016, Grade
from .values import Award, Decision
from .words import Words as _

UNGRADED = -1
PROVISIONAL_FROM, ESTABLISHED_FROM = 9, 18  # games played, this one included
IMAGINED_GAMES = 20  # "bound to get it"

Moment = tuple[int, int]
"""A rating as numerator and denominator."""


class Run(NamedTuple):
    """Consecutive games at or above LB, and whether one of them was at or above MP."""

    games: int = 0
    above: bool = False


class Climb(NamedTuple):
    """Where a player stands on the grade scale (index, -1 for none) and on his way to the next grade."""

    grade: int = UNGRADED
    lb_run: Run = Run()
    mp_run: int = 0
    waiting: int | None = None

    def promoted(self, grade: int, *, waits: bool) -> Climb:
        """Any promotion clears both runs; 5 and 6 Dan wait for Nihon Shogi Renmei."""
        return Climb(self.grade, waiting=grade) if waits else Climb(grade)

    def decided(self, ruling: str, grade: int) -> Climb:
        """A ruling that holds at once. It clears the runs; approval and refusal end the waiting."""
        if ruling in ("given", "printed") or (ruling in ("kept", "approved") and grade > self.grade):
            return Climb(grade)
        if ruling in ("approved", "declined") and self.waiting is not None:
            return Climb(self.grade)
        return self


@dataclass(frozen=True, slots=True)
class Scale:
    """The grades of an edition, lowest first; a player without a grade climbs from the first of them."""

    grades: tuple[Grade, ...]

    def index_of(self, name: str | None) -> int:
        """Index of a grade, -1 for none; ValueError for a name that is none of the scale's grades."""
        if name is None:
            return UNGRADED
        if name not in self.names:
            told = {"name": name, "lowest": self.names[0], "highest": self.names[-1]}
            raise ValueError(_("“{name}” is not a grade from {lowest} to {highest}", **told))
        return self.names.index(name)

    def name_of(self, index: int | None) -> str | None:
        return None if index is None or index == UNGRADED else self.grades[index].name

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(grade.name for grade in self.grades)


SCALE_2016, SCALE_2000 = Scale(FESA_2016), Scale(FESA_2000)


def shown_category(unrated: bool, games: int) -> str:
    """(3) The category's word for a player with so many games."""
    return "unrated" if unrated else "established" if games >= ESTABLISHED_FROM else "provisional"


@dataclass(slots=True)
class _Way:
    """A player on his way up through one table."""

    grades: tuple[Grade, ...]
    climb: Climb
    barred: frozenset[int]

    @property
    def next(self) -> int | None:
        if self.climb.waiting is not None or self.climb.grade + 1 >= len(self.grades):
            return None
        following = self.climb.grade + 1
        return None if following in self.barred else following

    def award(self, how: str, game: int) -> Award:
        grade = self.climb.grade + 1
        self.climb = self.climb.promoted(grade, waits=self.grades[grade].needs_approval)
        return Award(self.grades[grade].name, how, game, self.grades[grade].needs_approval)

    def established(self, moment: Moment, game: int) -> Iterable[Award]:
        """The three ways of rule 10; the same game is tested against the following grade after a promotion."""
        while self.next is not None:
            if at_least(moment, self.grades[self.next].upper_bound):
                yield self.award(_("upper bound"), game)
            elif how := self.run(moment):
                yield self.award(how, game)
            else:
                return

    def run(self, moment: Moment) -> str | None:
        """Let the runs grow or break by one game; the way by which they now bring a promotion."""
        assert self.next is not None
        grade, (lb_games, above), mp_run = self.grades[self.next], self.climb.lb_run, self.climb.mp_run
        if at_least(moment, grade.midpoint):
            lb_run, mp_run = Run(lb_games + 1, True), mp_run + 1
        elif at_least(moment, grade.lower_bound):
            lb_run, mp_run = Run(lb_games + 1, above), 0
        else:
            lb_run, mp_run = Run(), 0
        self.climb = self.climb._replace(lb_run=lb_run, mp_run=mp_run)
        if grade.midpoint_games is not None and mp_run >= grade.midpoint_games:
            return _("games above MP")
        if grade.lower_bound_games is not None and lb_run.above and lb_run.games >= grade.lower_bound_games:
            return _("games above LB")
        return None

    def provisional(self, moment: Moment, game: int) -> Iterable[Award]:
        """Only by reaching the UB of the next grade above; the highest grade is never won so."""
        while self.next is not None and self.next + 1 < len(self.grades):
            if not at_least(moment, self.grades[self.next + 1].upper_bound):
                return
            yield self.award("provisional", game)

    def bound_to_get_it(self, after: int, game: int) -> Iterable[Award]:
        """One promotion that losing the next games, k points each, could not prevent."""
        imagined, rating = _Way(self.grades, self.climb, self.barred), after
        for _game in range(IMAGINED_GAMES):
            if imagined.next is None:
                return
            rating -= k_factor(rating)
            if rating < self.grades[imagined.next].lower_bound:
                return  # from here on the runs stay broken
            if imagined.run((rating, 1)):
                yield self.award(_("bound to get it"), game)
                return


def at_least(moment: Moment, bound: int) -> bool:
    return moment[0] >= bound * moment[1]


def climb(
    scale: Scale,
    start: Climb,
    moments: Sequence[Moment],
    games_before: int,
    after: int,
    rulings: Sequence[Decision] = (),
) -> tuple[Climb, tuple[Award, ...]]:
    """Promotions of one table: `moments` is the rating after each game that counts, `after` the new rating.

    `rulings` are those on this player for this table: printed sets the grade whatever the rules say, withheld
    keeps the grade (and so what lies above it) from being awarded.
    """
    way = _Way(scale.grades, start, frozenset(scale.index_of(r.grade) for r in rulings if r.ruling == "withheld"))
    awards: list[Award] = []
    for game, moment in enumerate(moments, 1):
        played = games_before + game
        if played >= ESTABLISHED_FROM:
            awards += way.established(moment, game)
        elif played >= PROVISIONAL_FROM:
            awards += way.provisional(moment, game)
    if games_before + len(moments) >= ESTABLISHED_FROM:
        awards += way.bound_to_get_it(after, len(moments))
    for ruling in rulings:
        if ruling.ruling == "printed" and scale.index_of(ruling.grade) != way.climb.grade:
            way.climb, awards = Climb(scale.index_of(ruling.grade)), [Award(ruling.grade, "printed")]
    return way.climb, tuple(awards)
