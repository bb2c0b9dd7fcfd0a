"""What a player lacks to his next grade, by every way that his system's rules offer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Way:
    """One way to the next grade. Without `games`: a rating to reach (`above`: to exceed).

    With `games`: so many in a row after each of which the rating of the moment is at least `rating`; `have` of them
    are there. Where `one_at` is given, one of them has to be at least that, which `one_met` says is the case.
    """

    rating: float
    games: int | None = None
    have: int = 0
    one_at: float | None = None
    one_met: bool = False
    above: bool = False

    @property
    def more(self) -> int:
        """Games that are still missing, the one at the higher bound among them."""
        missing = (self.games or 0) - self.have
        return max(missing, 1) if self.one_at is not None and not self.one_met else missing


@dataclass(frozen=True, slots=True)
class Progress:
    """`grade` is the next one, None at the top or while one waits for approval.

    `games_first`: rated games until a grade can be won at all. `lost_below`: the rating below which the present
    grade goes.
    """

    grade: str | None
    ways: tuple[Way, ...] = ()
    waiting: str | None = None
    games_first: int = 0
    lost_below: float | None = None
    needs_approval: bool = False
