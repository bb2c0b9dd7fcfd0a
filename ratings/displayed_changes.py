"""Rating changes as they are displayed: beside ratings that are rounded."""

from __future__ import annotations

from typing import Protocol


class Changed(Protocol):
    """Anything with a rating before and after it and their difference, in rating points."""

    @property
    def before(self) -> float | None: ...
    @property
    def after(self) -> float | None: ...
    @property
    def change(self) -> float | None: ...


def round_change(changed: Changed, decimals: int) -> float | None:
    """Return a change in rating points as it is displayed: the difference of the displayed ratings.

    A rating of 2018.4 that becomes 2060.6 is displayed with no decimals as 2018 and 2061, so the change is displayed
    as 43, although the exact one is 42.2. Points that count on a later day only leave the rating as it is and are
    rounded by themselves. Return None if there is no change.
    """
    before, after, change = changed.before, changed.after, changed.change
    if change is None:
        return None
    if before is None or after is None or before == after:
        return round(change, decimals)
    return round_difference(before, after, decimals)


def round_difference(before: float, after: float, decimals: int) -> float:
    """Return the difference of two ratings as it is displayed, in rating points; see `round_change`."""
    return round(round(after, decimals) - round(before, decimals), decimals)
