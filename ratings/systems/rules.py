"""What a system tells of itself on the page «how these ratings are made»: texts, and tables from the code's data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class RuleTable:
    """A table of the rules; numbers stay numbers, None is an empty cell."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | float | None, ...], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Rules:
    """`source` names the federation's document, `steps` tell the computation, `readings` what the text left open."""

    source: str
    steps: tuple[str, ...]
    tables: tuple[RuleTable, ...]
    readings: tuple[str, ...]

    @property
    def grades(self) -> RuleTable | None:
        """The table with a row for every grade, where the system has grades."""
        return next((table for table in self.tables if table.columns[0] == "Grade"), None)


def columns_of(title: str, columns: Sequence[str], *rows: Sequence[Any], note: str = "") -> RuleTable:
    return RuleTable(title, tuple(columns), tuple(tuple(row) for row in rows), note)
