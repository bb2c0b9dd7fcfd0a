"""Protocol of grading: the grades of a system, and how they are won, lost and decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic

from .progress import Progress
from .rating_rules import S
from .values import Decision, Row


class GradingRules(Generic[S]):
    """Grading of a system, with the settings of one list; this class itself serves systems without grades."""

    approved_by: ClassVar[str] = ""
    """Name of the body that approves grades that need approval."""
    keeps_grades: ClassVar[bool] = True
    """True if no grade is lost when the rating falls."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self.settings = settings

    @property
    def grades(self) -> Sequence[str]:
        """Grade names, lowest first; empty in a system without grades."""
        return ()

    @property
    def ranks(self) -> Sequence[str]:
        """Ranks that a player can declare or hold from elsewhere (`prior_grade`), lowest first.

        These are the grades, unless the system reads ranks without awarding grades.
        """
        return self.grades

    @property
    def grades_needing_approval(self) -> Sequence[str]:
        """Grades that take effect only after an approval, lowest first; empty if there are none."""
        return ()

    @property
    def bands(self) -> Sequence[tuple[str, int]]:
        """Pairs of grade and lowest rating of its band, lowest first; empty if ratings do not determine grades."""
        return ()

    def decide(self, state: S, decision: Decision) -> S:
        """Return the state after a decision that takes effect at once.

        These are the rulings given, kept, approved and declined, and printed if it names no table.
        """
        return state

    def progress(self, state: S) -> Progress | None:
        """Return the requirements for the next grade.

        Return None in a system without grades, or for a player without a rating.
        """
        return None

    def ratings_after_games(self, row: Row) -> Sequence[float]:
        """Return the rating after each game of a row, in rating points, as used by the rules on grades."""
        return [row.after or 0.0] * row.games

    def minimum_run_rating(self, grade: str, how: str) -> float | None:
        """Return the rating to reach after every game of a run that wins `grade` in the way `how`.

        Return None if no run is counted.
        """
        return None

    def promotion_rating(self, grade: str, how: str) -> float | None:
        """Return the rating that wins `grade` in the way `how` once it is reached; None if no single rating does."""
        return None
