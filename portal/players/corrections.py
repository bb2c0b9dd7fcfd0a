"""Corrections of a player's rating, as a notice on the player's pages."""

from __future__ import annotations

from ratings.models import Correction
from ratings.queries.players.careers import Career
from ratings.queries.runs.corrections import corrections_of, named_reasons

CORRECTIONS = 20


def list_corrections(career: Career) -> list[tuple[Correction, str]]:
    """Return the latest corrections of a player until the career's day, newest first, with the reasons of their runs.

    The reasons are in the reader's language, with public names.
    """
    corrections = corrections_of(career.player, career.rating_list)
    if career.on is not None:
        corrections = corrections.filter(run__ended_at__date__lte=career.on)
    lines = list(corrections[:CORRECTIONS])
    reasons = named_reasons([line.run for line in lines])
    return [(line, reasons[line.run_id]) for line in lines]
