"""Classes of tables and games in egf-2021 by their thinking time, and the weights of classes on a list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ratings.systems.values import Table

from . import tables


def get_time_class(settings: Mapping[str, Any], table: Table, *, online: bool) -> str:
    """Return the class with which games of a table count; "" if they are too fast to be rated.

    The class that the federation gave the table decides. Otherwise the thinking time does; an unknown time has the
    class of the list's option `unknown_time`. Club games are of class C at most. Games on the internet are of class D
    whatever their table is.
    """
    if online:
        if table.time_class or table.minutes is None:
            return tables.ONLINE
        return tables.find_time_class(table.minutes, table.overtime, tables.ONLINE)
    if table.time_class:
        return table.time_class
    if table.minutes is None:
        return str(settings["unknown_time"]) if table.tournament else tables.CLUB
    names = ("A", "B", "C") if table.tournament else (tables.CLUB,)
    return tables.find_time_class(table.minutes, table.overtime, *names)


def get_weight(settings: Mapping[str, Any], time_class: str) -> float:
    """Return the factor of the changes for games of a class."""
    return tables.CLASSES[time_class].weight if settings["weights"] == "by_class" else 1.0
