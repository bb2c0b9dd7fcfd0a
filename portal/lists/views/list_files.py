"""Rating lists as files, by the same choice as their pages, and addresses that always lead to the latest one."""

import datetime as dt
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe

from portal.files import encoded
from portal.list_filters import AsOfFilter, DatedFilter, LineFilter, StandingFilter
from portal.views.dated import the_dated
from portal.views.lists import shown_list
from ratings.formats.egf_list import write_egf_list
from ratings.formats.fide_list import write_fide_list
from ratings.formats.list_rows import ListRow, write_list_csv, write_list_json, write_list_workbook
from ratings.formats.rating_list import ListLine, write_rating_list
from ratings.models import RatingList
from ratings.queries.dated import lines_of, ranks_of_dated
from ratings.queries.list_rows import file_rows
from ratings.queries.past import past_file_rows
from ratings.queries.ranks import ranks_of

TYPES = {
    "csv": "text/csv",
    "txt": "text/plain",
    "json": "application/json",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


@dataclass(frozen=True)
class Listed:
    """A list of a day and the lines that were chosen of it."""

    rating_list: RatingList
    day: dt.date
    rows: Iterable[ListRow]


@require_safe
@conditional_page  # by what is in it: a name that is corrected makes another file, and is in no revision
def list_file(request: HttpRequest, slug: str, form: str) -> HttpResponse:
    the_list, today = shown_list(request, slug), timezone.now().date()
    chosen = StandingFilter(request.GET, the_list, today)
    if chosen.wrong:
        return refused(chosen)
    if chosen.on_day:
        rows, ranks = AsOfFilter(request.GET, the_list, chosen.on_day).chosen_rows
        return written(Listed(the_list, chosen.on_day, past_file_rows(the_list, rows, ranks)), form)
    return written(Listed(the_list, today, file_rows(chosen.qs, ranks_of(the_list, chosen.active_on))), form)


@require_safe
@conditional_page
def dated_file(request: HttpRequest, slug: str, day: dt.date, form: str) -> HttpResponse:
    """The list as it was published on its day."""
    dated = the_dated(request, slug, day)
    chosen = DatedFilter(request.GET, dated.list, day, lines_of(dated).filter(rating__isnull=False))
    if chosen.wrong:
        return refused(chosen)
    return written(Listed(dated.list, day, file_rows(chosen.qs, ranks_of_dated(dated))), form)


@require_safe
def latest(request: HttpRequest, slug: str, form: str = "") -> HttpResponse:
    """Leads to the newest dated list, or to the live one where none is published, with the same choice."""
    the_list = shown_list(request, slug)
    dated = the_list.dated.first()
    of_list = [slug, *([f"{dated.day}"] if dated else []), *([form] if form else [])]
    name = ("dated" if dated else "list") + "_file" if form else "dated_list" if dated else "list"
    query = request.GET.urlencode()
    response = redirect(reverse(name, args=of_list) + (f"?{query}" if query else ""))
    patch_cache_control(response, no_cache=True)
    return response


def refused(chosen: LineFilter) -> HttpResponse:
    """Never the whole list in place of a choice that cannot be."""
    return HttpResponseBadRequest("\n".join(chosen.wrong) + "\n", "text/plain; charset=utf-8")


def written(listed: Listed, form: str) -> HttpResponse:
    if form not in WRITERS:
        raise Http404
    try:
        body, charset = WRITERS[form](listed)
    except ValueError:
        return HttpResponseBadRequest(_("Too many players for a workbook; take CSV, or choose fewer."), "text/plain")
    name = f"{listed.rating_list.slug}-{listed.day}.{form}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(body, content_type=f"{TYPES[form]}{charset}", headers=headers)


def csv(listed: Listed) -> tuple[bytes, str]:
    decimals = listed.rating_list.rating_system.decimals
    return encoded(write_list_csv(listed.rows, decimals), latin1=False)


def json(listed: Listed) -> tuple[bytes, str]:
    the_list = listed.rating_list
    head: dict[str, Any] = {"list": the_list.slug, "name": the_list.name, "federation": the_list.federation}
    head |= {"system": the_list.system, "day": f"{listed.day}"}
    return write_list_json(head, listed.rows, the_list.rating_system.decimals).encode(), ""


def xlsx(listed: Listed) -> tuple[bytes, str]:
    return write_list_workbook(listed.rows, listed.rating_list.rating_system.decimals), ""


def txt(listed: Listed) -> tuple[bytes, str]:
    """In the columns that programs of its game read."""
    layout = listed.rating_list.rating_system.list_layout
    return encoded(LAYOUTS[layout](listed), latin1=layout == "fesa")


def fesa_text(listed: Listed) -> str:
    prior = dict(listed.rating_list.source.members.values_list("player__public_id", "prior_grade"))
    return write_rating_list(
        listed.day,
        (
            ListLine(row.family, row.given, row.grade or None, prior.get(row.id) or None, round(row.rating), row.games,
                     row.country)
            for row in listed.rows
        ),
    )  # fmt: skip


LAYOUTS: dict[str, Callable[[Listed], str]] = {
    "fesa": fesa_text,
    "egf": lambda listed: write_egf_list(listed.rows),
    "fide": lambda listed: write_fide_list(listed.day, listed.rows),
}
WRITERS: dict[str, Callable[[Listed], tuple[bytes, str]]] = {"csv": csv, "txt": txt, "xlsx": xlsx, "json": json}
