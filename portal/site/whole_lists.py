"""Whole lists for printing: the query `rows=all` asks for them, and `page` for one of their parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page
from django.http import HttpRequest

ROWS_PER_PART = 300
"""Rows of a part of a whole list.

A page may weigh 60 KB after compression, of which 7 KB are not rows. A row of a rating list weighs 100 bytes, and up to
150 bytes with long names, a club and a name in the player's own script.
"""


@dataclass(frozen=True)
class Part:
    """A part of a whole list: its number, and the positions of its first and last row, all from 1."""

    number: int
    first: int
    last: int


def wants_whole_list(request: HttpRequest) -> bool:
    return request.GET.get("rows") == "all"


def choose_rows_per_page(request: HttpRequest, usual: int) -> int:
    """Return the number of rows per page: those of a part if the whole list is requested, else the usual number."""
    return ROWS_PER_PART if wants_whole_list(request) else usual


def list_parts(page: Page[Any]) -> list[Part | None]:
    """Return the first, the last and the nearest parts of a whole list; None where parts are left out between them."""
    count, rows = page.paginator.count, page.paginator.per_page
    numbers = page.paginator.get_elided_page_range(page.number, on_each_side=2, on_ends=1)
    return [
        Part(number, (number - 1) * rows + 1, min(number * rows, count)) if isinstance(number, int) else None
        for number in numbers
    ]
