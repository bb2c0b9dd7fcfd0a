"""Description of a system for the page that explains its ratings: texts, and tables built from the code's data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

ROWS_IN_VIEW = 40


@dataclass(frozen=True, slots=True)
class RuleTable:
    """Table of the rules; numbers stay numbers, None is an empty cell."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | float | None, ...], ...]
    note: str = ""

    @property
    def is_long(self) -> bool:
        """True if the table is longer than a screen, so that pages fold it."""
        return len(self.rows) > ROWS_IN_VIEW


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules of a system as texts and tables.

    `source` names the federation's document, `steps` describe the computation, `readings` settle what the text leaves
    open.
    """

    source: str
    steps: tuple[str, ...]
    tables: tuple[RuleTable, ...]
    readings: tuple[str, ...]

    @property
    def grades(self) -> RuleTable | None:
        """Table with one row per grade; None if the system has no grades."""
        return next((table for table in self.tables if table.columns[0] == "Grade"), None)


def make_rule_table(title: str, columns: Sequence[str], *rows: Sequence[Any], note: str = "") -> RuleTable:
    return RuleTable(title, tuple(columns), tuple(tuple(row) for row in rows), note)
