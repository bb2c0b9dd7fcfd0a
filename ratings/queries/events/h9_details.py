"""Data that the wall list of go has beside the results of a table: thinking time and class."""

from __future__ import annotations

from ratings.formats.parsed import ParsedTable
from ratings.models import Event, RatingList
from ratings.systems.egf.tables import ONLINE, find_time_class
from ratings.systems.thinking_time import adjusted_minutes

from .crosstables import Crosstable

TOO_FAST = "X"
"""Class of a table that is too fast to be rated."""


def add_h9_details(parsed: ParsedTable, crosstable: Crosstable, rating_list: RatingList | None) -> None:
    """Add the thinking time with overtime, and the class: as the federation set it, else by the European rules.

    Without a known thinking time, and on lists of other games, there is no class.
    """
    table = crosstable.table
    parsed.time_class = table.time_class
    if table.minutes is None or rating_list is None or rating_list.rating_system.presentation.list_layout != "egf":
        return
    parsed.adjusted_minutes = adjusted_minutes(table.minutes, table.overtime)
    names = (ONLINE,) if table.event.mode == Event.Mode.ONLINE else ("A", "B", "C")
    parsed.time_class = table.time_class or find_time_class(table.minutes, table.overtime, *names) or TOO_FAST
