"""Templates of the boards of typed pairings that wait on a phone, for the script `hall_waiting.js`."""

from __future__ import annotations

import json
from typing import Any

from ratings.domain.results.hall.pairing import BYES, MARK, NUMBERS, SEPARATOR
from ratings.queries.results.halls import Code, RoundState

from .hall_boards import BoardWriter, Side, write_heading, write_second_words


def describe_waiting(writer: BoardWriter, round_state: RoundState) -> dict[str, Any] | None:
    """Return what the script needs to show typed pairings that the server does not have; None for a paired round.

    The boards have placeholders in braces, which the script fills in. `syntax` is how typed pairings are read.
    """
    if round_state.boards:
        return None
    sides = Side("{first}", ""), Side("{second}", "")
    people = {id: writer.write_side(id).label for id in writer.people}
    syntax = {"separator": SEPARATOR.pattern, "mark": MARK.pattern, "numbers": NUMBERS.pattern}
    return {
        "syntax": json.dumps(syntax | {"byes": sorted(BYES), "people": people}),
        "game": write_placeholders(round_state.number, *sides),
        "bye": write_placeholders(round_state.number, sides[0], None),
    }


def write_placeholders(round_: int, first: Side, second: Side | None) -> dict[str, Any]:
    """Return a line for the template of a board; like every bye, one without a tap is a win."""
    return {
        "state": {"board": {"pk": "{id}", "number": "{number}", "round": round_}, "seen": 0},
        "heading": write_heading("{number}", first, second),
        "second_words": write_second_words(second),
        "first": first,
        "second": second,
        "note": "{note}",
        "code": "" if second else str(Code.FIRST),
    }
