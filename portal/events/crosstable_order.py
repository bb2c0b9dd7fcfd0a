"""Order of a crosstable's rows, which a link at the head of each sortable column changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.utils.html import escape

from ratings.matching import fold
from ratings.models import RatingList
from ratings.queries.events.crosstables import Crosstable, CrosstableRow
from ratings.queries.events.performances import performances

PLACE = "place"
ASCENDING = (PLACE, "name")
"""Columns that are sorted from the smallest value at first; all others from the largest."""
KEYS = (*ASCENDING, "rating", "points", "change", "performance")


@dataclass(frozen=True)
class CrosstableOrder:
    """Sort order of a crosstable: column, direction, and the other query parameters that its links preserve.

    Without a key rows are in finishing order. Performances are those on the list.
    """

    key: str
    is_descending: bool
    other_parameters: Sequence[tuple[str, str]]
    rating_list: RatingList | None

    def write_head(self, key: str, title: str) -> str:
        """Return the head of a column; with a key as a link that sorts by it, or reverses the order."""
        if not key:
            return f'<th scope="col">{title}</th>'
        is_chosen = key == self.key
        descending = not self.is_descending if is_chosen else key not in ASCENDING
        query = escape(urlencode([("sort", f"{'-' if descending else ''}{key}"), *self.other_parameters]))
        if not is_chosen:
            return f'<th scope="col"><a href="?{query}">{title}</a></th>'
        direction, sign = ("descending", "▾") if self.is_descending else ("ascending", "▴")
        mark = f'<span aria-hidden="true"> {sign}</span>'
        return f'<th scope="col" aria-sort="{direction}"><a href="?{query}">{title}{mark}</a></th>'

    def sort(self, crosstable: Crosstable) -> list[CrosstableRow]:
        """Return the rows in this order, those without a value last, equal ones in finishing order."""
        rows = crosstable.finishing_order
        if not self.key:
            return rows
        find_value = _value_finder(self.key, crosstable, self.rating_list)
        values = [(find_value(row), row) for row in rows]
        with_value = [(value, row) for value, row in values if value is not None]
        with_value.sort(key=lambda item: item[0], reverse=self.is_descending)
        return [row for _value, row in with_value] + [row for value, row in values if value is None]


def choose_order(
    sort: str, other_parameters: Sequence[tuple[str, str]], rating_list: RatingList | None
) -> CrosstableOrder:
    """Return the order that `sort` names, such as “-rating”; the finishing order if it names no column."""
    key = sort.removeprefix("-")
    is_known = key in KEYS
    is_descending = is_known and sort.startswith("-")
    return CrosstableOrder(key if is_known else "", is_descending, other_parameters, rating_list)


def _value_finder(
    key: str, crosstable: Crosstable, rating_list: RatingList | None
) -> Callable[[CrosstableRow], Any | None]:
    """Return the function that returns the value of a row by which rows are sorted."""
    known: Mapping[int, float | None] = {}
    if key == "performance" and rating_list is not None:
        known = performances(crosstable, rating_list.rating_system)
    finders: dict[str, Callable[[CrosstableRow], Any | None]] = {
        PLACE: lambda row: crosstable.placings[row.entry.number].place if crosstable.placings else None,
        "name": lambda row: fold(row.entry.player.public_name),
        "rating": lambda row: row.rating,
        "points": lambda row: row.won,
        "change": lambda row: row.change.change if row.change and row.change.games else None,
        "performance": lambda row: known.get(row.entry.number),
    }
    return finders[key]
