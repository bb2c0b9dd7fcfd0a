"""Downloads of rating lists, with the filters of their pages, and permanent links to the latest list."""

import datetime as dt

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe

from portal.lists.as_of_filter import AsOfFilter
from portal.lists.filters import DatedFilter, ListFilter, StandingFilter
from portal.lists.list_writers import COMBINED_WRITERS, TYPES, ListFile, attached, file_response
from ratings.models import RatingList
from ratings.queries.lists.dated import lines_of, ranks_of_dated
from ratings.queries.lists.fide_lines import find_chapter_lists, read_combined_lines
from ratings.queries.lists.list_rows import file_rows
from ratings.queries.lists.past import past_file_rows
from ratings.queries.lists.ranks import ranks_of
from ratings.queries.runs.published_proofs import last_published_checkpoint

from .dated import get_dated_list
from .lists import get_visible_list

ALL_CHAPTERS = {"chapters": "all"}
"""Parameters of the address of a file with the standard, rapid and blitz ratings."""


@require_safe
@conditional_page  # ETag of the content: a corrected name changes the file, but not the revision
def list_file(request: HttpRequest, slug: str, format: str) -> HttpResponse:
    the_list, today = get_visible_list(request, slug), timezone.localdate()
    if "chapters" in request.GET:
        return combined_response(request, the_list, format, None)
    chosen = StandingFilter(request.GET, the_list, today)
    if chosen.error_messages:
        return invalid_filter_response(chosen)
    if chosen.on_day:
        rows, ranks = AsOfFilter(request.GET, the_list, chosen.on_day).matching_rows
        return file_response(ListFile(the_list, chosen.on_day, past_file_rows(the_list, rows, ranks)), format)
    present = file_rows(chosen.qs, ranks_of(the_list, chosen.active_on), the_list, today)
    return file_response(ListFile(the_list, today, present), format)


@require_safe
@conditional_page
def dated_file(request: HttpRequest, slug: str, day: dt.date, format: str) -> HttpResponse:
    """Return a dated list as a file, as it was published on its day."""
    dated = get_dated_list(request, slug, day)
    if "chapters" in request.GET:
        return combined_response(request, dated.list, format, day)
    chosen = DatedFilter(request.GET, dated.list, day, lines_of(dated).filter(rating__isnull=False))
    if chosen.error_messages:
        return invalid_filter_response(chosen)
    rows = file_rows(chosen.qs, ranks_of_dated(dated), dated.list)
    checkpoint = last_published_checkpoint(dated) if format == "json" else None
    return file_response(ListFile(dated.list, day, rows, checkpoint), format)


@require_safe
def latest(request: HttpRequest, slug: str, format: str = "") -> HttpResponse:
    """Redirect to the latest dated list, or to the live list if none is published, with the same filters."""
    the_list = get_visible_list(request, slug)
    dated = the_list.dated.first()
    args = [slug, *([f"{dated.day}"] if dated else []), *([format] if format else [])]
    name = ("dated" if dated else "list") + "_file" if format else "dated_list" if dated else "list"
    query = request.GET.urlencode()
    response = redirect(reverse(name, args=args) + (f"?{query}" if query else ""))
    patch_cache_control(response, no_cache=True)
    return response


def combined_response(request: HttpRequest, the_list: RatingList, format: str, day: dt.date | None) -> HttpResponse:
    """Return the standard, rapid and blitz lists of a federation as one file in FIDE's columns, by name.

    With a `day`, ratings are as published on it, from those of the lists that were. No filter is applied.
    """
    chapters = find_chapter_lists(the_list)
    if not chapters or format not in COMBINED_WRITERS:
        raise Http404
    if request.GET.dict() != ALL_CHAPTERS:
        message = _("The file of all chapters has no filters. Remove them from the address.")
        return HttpResponseBadRequest(f"{message}\n", "text/plain; charset=utf-8")
    on = day or timezone.localdate()
    body, charset = COMBINED_WRITERS[format](read_combined_lines(chapters, on, published=day is not None))
    return attached(body, f"{TYPES[format]}{charset}", f"{the_list.slug}-combined-{on}.{format}")


def invalid_filter_response(chosen: ListFilter) -> HttpResponse:
    """Return the errors of invalid filters with status 400, rather than the unfiltered list."""
    return HttpResponseBadRequest("\n".join(chosen.error_messages) + "\n", "text/plain; charset=utf-8")
