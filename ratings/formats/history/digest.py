"""A digest of everything a list's ratings are: the same from the portal's database and from an exported history."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from datetime import date
from typing import Any

from ratings.systems.replay import opening_states
from ratings.systems.texts import text_of

from .result import Rated

Line = tuple[date, int, str, float | None, float | None, float | None, int, str]
"""Day, place within it, player's id, rating before, after, change, games, state after as text. No names."""


def digest_of(lines: Iterable[Line]) -> str:
    """SHA-256 over the lines in the order of day, place and player; guests of simultaneous games leave none."""
    sha = hashlib.sha256()
    for day, place, player, *numbers, state in sorted(lines, key=lambda line: line[:3]):
        written = [day.isoformat(), place, player, *map(_number, numbers), state]
        sha.update(json.dumps(written).encode() + b"\n")
    return sha.hexdigest()


def _number(value: Any) -> Any:
    """5 and 5.0 alike, and no negative zero."""
    return value if not isinstance(value, float) or value != int(value) else int(value)


def digest_of_rated(result: Rated) -> str:
    """The digest of a history that was rated without a database."""
    return digest_of(_lines(result))


def _lines(result: Rated) -> Iterable[Line]:
    states = opening_states(result.system, result.history.players)
    for step in result.steps:
        states.update(step.result.states)
        for row in step.result.rows:
            if "~" not in row.player:
                state = text_of(result.system, states[row.player])
                yield step.day, step.place, row.player, row.before, row.after, row.change, row.games, state
