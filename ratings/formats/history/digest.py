"""A digest of all rating changes of a list, equal for the portal's database and for an exported history."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from datetime import date
from typing import Any

from ratings.systems.replay import follow
from ratings.systems.state_json import state_to_json

from .result import RatedHistory

Line = tuple[date, int, str, float | None, float | None, float | None, int, str]
"""Day, position within the day, player's id, rating before, after, change, games, state after as text. No names."""


def compute_digest(lines: Iterable[Line]) -> str:
    """Return the SHA-256 digest of the lines in the order of day, position and player.

    Guests of simultaneous games have no lines.
    """
    sha = hashlib.sha256()
    for day, position, player, *numbers, state in sorted(lines, key=lambda line: line[:3]):
        values = [day.isoformat(), position, player, *map(_normalize_number, numbers), state]
        sha.update(json.dumps(values).encode() + b"\n")
    return sha.hexdigest()


def _normalize_number(value: Any) -> Any:
    """Return whole floats as integers, so that 5 and 5.0 are equal and no zero is negative."""
    return value if not isinstance(value, float) or value != int(value) else int(value)


def compute_history_digest(result: RatedHistory) -> str:
    """Return the digest of a history that was rated without a database."""
    return compute_digest(_collect_lines(result))


def _collect_lines(result: RatedHistory) -> Iterable[Line]:
    for step, states in follow(result.dated, result.history, result.steps):
        for row in step.result.rows:
            if "~" not in row.player:
                state = state_to_json(result.system, states[row.player])
                yield step.day, step.position, row.player, row.before, row.after, row.change, row.games, state
