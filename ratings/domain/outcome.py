"""What a run computes, before anything of it is stored."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ratings.models import Award, Change, RatedTable
from ratings.systems import values

Told = Callable[[int, int], None]
"""Called now and then with the tables done and rated so far; may raise to stop the run."""


def silently(done: int, visited: int) -> None:
    """For who does not want to be told."""


class UnratableError(Exception):
    """A step cannot be rated; says which one, and why."""


@dataclass
class Outcome:
    """What a run found: rows to take away (by id) and rows to write, and the state of everybody whom it concerns."""

    since: dt.date
    to_do: int = 0
    done: int = 0
    visited: int = 0
    gone_changes: list[int] = field(default_factory=list)
    gone_awards: list[int] = field(default_factory=list)
    gone_tables: list[int] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    awards: list[Award] = field(default_factory=list)
    tables: list[RatedTable] = field(default_factory=list)
    played_now: set[int] = field(default_factory=set)
    """Players of tables that were not rated before."""
    states: dict[int, Any] = field(default_factory=dict)
    """By the player's database id, of everybody one of whose rows comes or goes; None for nothing left."""
    players: dict[int, values.Player] = field(default_factory=dict)
