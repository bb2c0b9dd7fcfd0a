"""Checks of the columns of rating lists with fixed columns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from .parsed import Problems
from .problems import FileProblem


class ListedColumn(NamedTuple):
    """The text in some columns of a line, counted from 1, and what it must be, as a pattern and in words."""

    title: str
    first: int
    last: int
    text: str
    pattern: str
    expected: str


def check_columns(columns: Iterable[ListedColumn], line: int, problems: Problems) -> bool:
    """Return True if each text matches its pattern; add an error for each other one."""
    wrong = [column for column in columns if not re.fullmatch(column.pattern, column.text, re.ASCII)]
    for column in wrong:
        place = FileProblem.COLUMNS(first=column.first, last=column.last, title=column.title)
        message = FileProblem.LISTED_FIELD_INVALID(place=place, text=column.text[:30], what=column.expected)
        problems.error(message, line)
    return not wrong
