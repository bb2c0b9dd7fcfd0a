"""Requirements for a player's next grade, in each way that the rules offer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Way:
    """One way to reach the next grade.

    Without `games`: a rating to reach (with `above`: to exceed). With `games`: that many games in a row, after each of
    which the rating is at least `rating`; `games_done` of them are done. If `peak_rating` is set, the rating must be at
    least that after one of the games; `peak_reached` is True once it was.
    """

    rating: float
    games: int | None = None
    games_done: int = 0
    peak_rating: float | None = None
    peak_reached: bool = False
    above: bool = False

    @property
    def games_missing(self) -> int:
        """Number of games still missing, including the one at the higher bound."""
        missing = (self.games or 0) - self.games_done
        return max(missing, 1) if self.peak_rating is not None and not self.peak_reached else missing


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress to the next grade: `grade` is None at the top or while a grade waits for approval.

    `games_first` is the number of rated games until one of them can win a grade, that one included; 0 if the next one
    can. The player loses the present grade below the rating `lost_below`.
    """

    grade: str | None
    ways: tuple[Way, ...] = ()
    waiting: str | None = None
    games_first: int = 0
    lost_below: float | None = None
    needs_approval: bool = False
