"""Changes as rating runs store them, read without their models where a page needs many."""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple


class StoredChange(NamedTuple):
    """A change as it is stored; without a table, an adjustment and a decision it is a closing day's.

    `change` is in rating points; those that count on a later day leave the ratings `before` and `after` equal.
    """

    day: dt.date
    before: float | None
    after: float | None
    change: float | None
    table: int | None
    games: int
    adjustment: int | None
    decision: int | None

    @property
    def is_closing(self) -> bool:
        return self.table is None and self.adjustment is None and self.decision is None
