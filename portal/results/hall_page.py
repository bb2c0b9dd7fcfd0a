"""The boards of a round as the page of the hall shows them to one phone."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from portal.events.running_standings import StandingRow, build_hall_standings
from ratings.localize import join_parts
from ratings.models import Hall
from ratings.queries.results.halls import RoundState, read_hall

from .hall_boards import BoardWriter
from .hall_devices import Access
from .hall_links import describe_helpers
from .hall_waiting import describe_waiting


def build_hall_page(hall: Hall, access: Access, round_text: str) -> dict[str, Any]:
    """Return the context of the page of a hall, with the round of the address or the current one."""
    state = read_hall(hall)
    is_number = round_text.isascii() and round_text.isdecimal() and len(round_text) < 4
    number = int(round_text) if is_number and 1 <= int(round_text) <= len(state.rounds) else state.current
    round_state = state.rounds[number - 1]
    writer = BoardWriter(hall, state, access.device.id if access.device else "")
    standings = build_hall_standings(hall, state)
    rows: list[StandingRow] = standings.rows
    return {
        "hall": hall,
        "event": hall.event,
        "state": state,
        "round_state": round_state,
        "next": number + 1 if number < len(state.rounds) else None,
        "is_next_paired": number < len(state.rounds) and bool(state.rounds[number].boards),
        "missing": describe_missing(round_state),
        "lines": [writer.write(board) for board in round_state.boards],
        "standings": standings,
        "rows": rows,
        "rating_list": standings.rating_list,
        "manages": access.manages,
        "is_open": hall.event.is_open,
        "is_hall": True,
        "waiting": describe_waiting(writer, round_state) if access.manages and hall.event.is_open else None,
    } | (describe_helpers(hall) if access.manages else {})


def describe_missing(round_state: RoundState) -> str:
    """Return what a round still needs, in words; empty if it is complete."""
    if not round_state.boards:
        return _("no pairings yet")
    parts = []
    if round_state.open:
        parts.append(_("boards open: %(count)d") % {"count": round_state.open})
    if round_state.questions:
        parts.append(_("questions: %(count)d") % {"count": round_state.questions})
    return join_parts(parts)
