"""Rating lists as files to save, in the formats of the site and of other programs."""

import datetime as dt
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import Http404, HttpResponse, HttpResponseBadRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from portal.site.files import encoded
from ratings.formats.egf.rating_list import write_egf_list
from ratings.formats.fesa.rating_list import ListLine, write_rating_list
from ratings.formats.ffg.rating_list import write_ffg_list
from ratings.formats.fide.rating_list import FideLine, write_combined_list, write_fide_list, write_fide_xml
from ratings.formats.list_rows import ListRow, write_list_csv, write_list_json, write_list_workbook
from ratings.models import Checkpoint, RatingList
from ratings.queries.lists.egf_details import read_egf_details
from ratings.queries.lists.fide_lines import read_fide_lines
from ratings.queries.players.outside_ids import read_national_ids

TYPES = {
    "csv": "text/csv",
    "txt": "text/plain",
    "json": "application/json",
    "xml": "application/xml",
    "ffg": "text/plain",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


@dataclass(frozen=True)
class ListFile:
    """List on a day, with the rows that match the filters."""

    rating_list: RatingList
    day: dt.date
    rows: Iterable[ListRow]
    checkpoint: Checkpoint | None = None
    """Checkpoint of a published list, for its JSON file."""


def file_response(listed: ListFile, format: str) -> HttpResponse:
    layout = listed.rating_list.rating_system.presentation.list_layout
    if format not in WRITERS or NEEDED_LAYOUTS.get(format, layout) != layout:
        raise Http404
    try:
        body, charset = WRITERS[format](listed)
    except ValueError:
        return HttpResponseBadRequest(_("Too many players for a workbook; take CSV, or choose fewer."), "text/plain")
    return attached(
        body,
        f"{TYPES[format]}{charset}",
        f"{listed.rating_list.slug}-{listed.day}{FILE_ENDS.get(format, f'.{format}')}",
    )


def attached(body: bytes, type: str, name: str) -> HttpResponse:
    """Return a file to save under a name."""
    return HttpResponse(body, content_type=type, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def write_csv(listed: ListFile) -> tuple[bytes, str]:
    decimals = listed.rating_list.decimals
    return encoded(write_list_csv(listed.rows, decimals), latin1=False)


def write_json(listed: ListFile) -> tuple[bytes, str]:
    the_list = listed.rating_list
    head: dict[str, Any] = {"list": the_list.slug, "name": the_list.name, "federation": the_list.federation.name}
    head |= {"system": the_list.system, "day": f"{listed.day}"}
    if listed.checkpoint is not None:
        address = reverse("dated_checkpoint", args=[the_list.slug, listed.day])
        head["checkpoint"] = {"number": listed.checkpoint.number, "url": f"{settings.SITE_ADDRESS}{address}"}
    return write_list_json(head, listed.rows, the_list.decimals).encode(), ""


def write_xlsx(listed: ListFile) -> tuple[bytes, str]:
    return write_list_workbook(listed.rows, listed.rating_list.decimals), ""


def write_txt(listed: ListFile) -> tuple[bytes, str]:
    """Return the list in the column layout that programs for its game read."""
    layout = listed.rating_list.rating_system.presentation.list_layout
    return encoded(LAYOUTS[layout](listed), latin1=layout == "fesa")


def write_fesa_text(listed: ListFile) -> str:
    prior = dict(listed.rating_list.source.members.values_list("player__public_id", "prior_grade"))
    return write_rating_list(
        listed.day,
        (
            ListLine(
                row.family,
                row.given,
                row.grade or None,
                prior.get(row.id) or None,
                round(row.rating),
                row.games,
                row.country,
            )
            for row in listed.rows
        ),
    )


def write_egf_text(listed: ListFile) -> str:
    rows = list(listed.rows)
    details = read_egf_details(listed.rating_list, [row.id for row in rows], listed.day)
    return write_egf_list(listed.day, rows, details, listed.rating_list.rating_system.presentation.gor_of_zero)


def write_fide_text(listed: ListFile) -> str:
    return write_fide_list(listed.day, read_fide_lines(listed.rating_list, listed.rows, listed.day))


def write_xml(listed: ListFile) -> tuple[bytes, str]:
    """Return the list in FIDE's XML."""
    return join_xml(read_fide_lines(listed.rating_list, listed.rows, listed.day))


def join_xml(lines: Iterable[FideLine]) -> tuple[bytes, str]:
    return b"".join(part.encode() for part in write_fide_xml(lines)), "; charset=utf-8"


def write_ffg(listed: ListFile) -> tuple[bytes, str]:
    """Return a list of go in the columns of the French federation's list."""
    rows = list(listed.rows)
    zero = listed.rating_list.rating_system.presentation.gor_of_zero
    licences = read_national_ids([row.id for row in rows], "FR")
    return write_ffg_list(listed.day, rows, licences, zero), "; charset=iso-8859-1"


LAYOUTS: dict[str, Callable[[ListFile], str]] = {
    "fesa": write_fesa_text,
    "egf": write_egf_text,
    "fide": write_fide_text,
}
WRITERS: dict[str, Callable[[ListFile], tuple[bytes, str]]] = {
    "csv": write_csv,
    "txt": write_txt,
    "xlsx": write_xlsx,
    "json": write_json,
    "xml": write_xml,
    "ffg": write_ffg,
}
NEEDED_LAYOUTS = {"xml": "fide", "ffg": "egf"}
"""Layout of a list's text that it needs to be written in a format of one game."""
FILE_ENDS = {"ffg": "-ffg.txt"}
"""Ends of the names of files whose format is no extension."""
COMBINED_WRITERS: dict[str, Callable[[Iterable[FideLine]], tuple[bytes, str]]] = {
    "txt": lambda lines: encoded(write_combined_list(lines), latin1=False),
    "xml": join_xml,
}
