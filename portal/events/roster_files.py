"""Rosters of events as files: CSV, workbooks, JSON, and the columns of rating lists that pairing programs read."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import Http404, HttpResponse

from portal.lists.list_writers import FILE_ENDS, NEEDED_LAYOUTS, TYPES, WRITERS, ListFile, attached
from portal.site.files import encoded
from ratings.formats.ffg.rating_list import UNRATED
from ratings.formats.go_players import FIRST_DAN
from ratings.formats.roster import RosterRow, write_roster_csv, write_roster_workbook
from ratings.models import RatingList
from ratings.queries.events.rosters import Roster, make_list_row


def list_formats(rating_list: RatingList | None) -> list[str]:
    """Return the formats of a roster whose ratings are those of a list; None for an event without lists."""
    formats = ["csv", "xlsx", "json"]
    if rating_list is None:
        return formats
    layout = rating_list.rating_system.presentation.list_layout
    return formats + [format for format in ("txt", "xml", "ffg") if NEEDED_LAYOUTS.get(format, layout) == layout]


def roster_response(roster: Roster, format: str) -> HttpResponse:
    """Return a roster as a file to save; raise Http404 for a format in which it cannot be written."""
    rating_list = roster.valid.rating_list if roster.valid else None
    if format not in list_formats(rating_list):
        raise Http404
    body, charset = OWN_WRITERS[format](roster) if format in OWN_WRITERS else _write_columns(roster, format)
    name = f"{roster.event.public_id}-roster{FILE_ENDS.get(format, f'.{format}')}"
    return attached(body, f"{TYPES[format]}{charset}", name)


def _write_columns(roster: Roster, format: str) -> tuple[bytes, str]:
    """Return the known players in the columns of a rating list.

    Players without a rating have FIDE's 0 or the French federation's −9999; the other two columns leave them out.
    """
    assert roster.valid is not None
    rating_list = roster.valid.rating_list
    unrated = find_unrated_value(rating_list, format)
    known = [row for row in roster.rows if row.id and (row.rating is not None or unrated is not None)]
    rows = [make_list_row(row, (unrated or 0) if row.rating is None else row.rating) for row in known]
    return WRITERS[format](ListFile(rating_list, roster.valid.day, rows))


def find_unrated_value(rating_list: RatingList, format: str) -> float | None:
    """Return the rating on a list that a format writes as “no rating”; None if the format has no such value."""
    presentation = rating_list.rating_system.presentation
    if format == "ffg":
        return UNRATED + FIRST_DAN - presentation.gor_of_zero
    return 0 if presentation.list_layout == "fide" else None


def _decimals(roster: Roster) -> int:
    return roster.valid.rating_list.decimals if roster.valid else 0


def describe_row(row: RosterRow, decimals: int) -> dict[str, Any]:
    """Return a row as the API names its values."""
    rating = None if row.rating is None else round(row.rating, decimals) if decimals else round(row.rating)
    return {
        "id": row.id or None,
        "family_name": row.family,
        "given_name": row.given,
        "country": row.country,
        "club": row.club,
        "grade": row.grade,
        "rating": rating,
        "games": row.games,
        "outside_ids": dict(row.outside),
    }


def describe_roster(roster: Roster) -> dict[str, Any]:
    """Return a roster as JSON data, as the API and the file have it."""
    valid, decimals = roster.valid, _decimals(roster)
    return {
        "event": roster.event.public_id,
        "name": roster.event.name,
        "start": f"{roster.event.start}",
        "list": valid.rating_list.slug if valid else None,
        "list_day": f"{valid.day}" if valid else None,
        "list_url": f"{settings.SITE_ADDRESS}{valid.get_absolute_url()}" if valid else None,
        "unnamed": roster.unnamed,
        "players": [describe_row(row, decimals) for row in roster.rows],
    }


def _write_json(roster: Roster) -> tuple[bytes, str]:
    return json.dumps(describe_roster(roster), ensure_ascii=False).encode(), ""


def _write_csv(roster: Roster) -> tuple[bytes, str]:
    return encoded(write_roster_csv(roster.rows, _decimals(roster)), latin1=False)


def _write_workbook(roster: Roster) -> tuple[bytes, str]:
    return write_roster_workbook(roster.rows, _decimals(roster)), ""


OWN_WRITERS: dict[str, Callable[[Roster], tuple[bytes, str]]] = {
    "csv": _write_csv,
    "xlsx": _write_workbook,
    "json": _write_json,
}
