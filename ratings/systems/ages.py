"""The age of 21: the Irish rules ask for it, and the history format tells it instead of birth dates.

Source: Irish Chess Union, rating procedures of 1989, paragraph 3; history format, `under_21` of a table.
"""

from __future__ import annotations

from collections.abc import Collection

from .values import Player, Table

UNDER_21 = 21


def is_under_21(player: Player, table: Table) -> bool:
    """Return True if the player is under 21 on the table's first day.

    A player whose 21st birthday is that day is not under 21.
    """
    if player.id in table.under_21:
        return True
    if player.birth_date is None:
        return False
    born, on = player.birth_date, table.date
    return on.year - born.year - ((on.month, on.day) < (born.month, born.day)) < UNDER_21


def birth_year_of(player: Player) -> int | None:
    """Return the year in which a player was born; None if it is unknown."""
    return player.birth_date.year if player.birth_date else player.birth_year


def asks_birth(required_values: Collection[str]) -> bool:
    """Return True if the values that systems require include the birth date or the birth year of players."""
    return not {"birth_date", "birth_year"}.isdisjoint(required_values)
