from collections.abc import Callable
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django_tables2 import RequestConfig

from portal.listings.events import EventListing
from ratings.formats.carrying import lossless_forms
from ratings.formats.grid import write_grid
from ratings.formats.h9 import write_h9
from ratings.formats.parsed import ParsedTable
from ratings.formats.published import write_published
from ratings.formats.sheets import write_csv, write_xlsx
from ratings.formats.trf import write_trf
from ratings.models import Event, RatedTable, RatingList
from ratings.queries.crosstables import Crosstable, crosstables, parsed_table, shown
from ratings.queries.events import public_events, public_lists_of
from ratings.queries.explanations import explain
from ratings.queries.lists import public_lists
from ratings.systems.protocol import System

PER_PAGE = 50


@dataclass(frozen=True)
class File:
    """An outside format in which a table can be had."""

    name: str | Promise
    write: Callable[[ParsedTable], str | bytes]
    extension: str = "txt"
    type: str = "text/plain"
    latin1: bool = False


FILES = {
    "grid": File("American Grid", write_grid, latin1=True),
    "published": File(_("result table"), write_published, latin1=True),
    "trf": File("TRF16", write_trf, "trf"),
    "h9": File(".h9", write_h9, "h9"),
    "csv": File("CSV", write_csv, "csv", "text/csv"),
    "xlsx": File("XLSX", write_xlsx, "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
}


def events(request: HttpRequest) -> HttpResponse:
    listing = EventListing(public_events())
    RequestConfig(request, paginate={"per_page": PER_PAGE}).configure(listing)
    return render(request, "portal/events.html", {"listing": listing})


def event(request: HttpRequest, public_id: str, slug: str = "") -> HttpResponse:
    the_event = get_object_or_404(public_events().prefetch_related(None), public_id=public_id)
    if request.path != the_event.get_absolute_url():
        return redirect(the_event, permanent=True)
    lists = public_lists_of(the_event)
    shown = chosen(lists, request.GET.get("list"))
    tables = crosstables(the_event, shown)
    context = {
        "event": the_event,
        "lists": lists,
        "rating_list": shown,
        "graded": shown is not None and shown.graded,
        "tables": [(table, files_of(table, shown)) for table in tables],
    }
    return render(request, "portal/event.html", context)


def files_of(table: Crosstable, rating_list: RatingList | None) -> dict[str, File]:
    """The formats of the list's system in which nothing of the table is lost."""
    offered = rating_list.rating_system.files if rating_list else System.files
    lossless = lossless_forms(parsed_table(table, published=False))
    return {form: FILES[form] for form in offered if form in lossless}


def chosen(lists: list[RatingList], slug: str | None) -> RatingList | None:
    return next((rating_list for rating_list in lists if rating_list.slug == slug), next(iter(lists), None))


def table_file(request: HttpRequest, public_id: str, table: int, form: str, extension: str) -> HttpResponse:
    """The table as a file in an outside format, written from the data (the federation's own in Latin-1 if it fits)."""
    the_event = get_object_or_404(public_events(), public_id=public_id)
    shown = chosen(public_lists_of(the_event), request.GET.get("list"))
    found = next((one for one in crosstables(the_event, shown) if one.table.pk == table), None)
    if found is None or form not in FILES or extension != FILES[form].extension:
        raise Http404
    file, parsed = FILES[form], parsed_table(found, published=form == "published")
    if form not in lossless_forms(parsed):
        raise Http404
    written = file.write(parsed)
    body, charset = (written, "") if isinstance(written, bytes) else encoded(written, latin1=file.latin1)
    headers = {"Content-Disposition": f'attachment; filename="{the_event.public_id}-{table}-{form}.{extension}"'}
    return HttpResponse(body, content_type=f"{file.type}{charset}", headers=headers)


def encoded(text: str, *, latin1: bool) -> tuple[bytes, str]:
    if latin1:
        try:
            return text.encode("latin-1"), "; charset=iso-8859-1"
        except UnicodeEncodeError:
            pass
    return text.encode(), "; charset=utf-8"


def explanation(request: HttpRequest, slug: str, table: int, public_id: str) -> HttpResponse:
    """How one player's rating came out of one table."""
    rated = get_object_or_404(
        RatedTable.objects.select_related("list", "table__event"),
        list__slug=slug,
        table=table,
        table__event__state=Event.State.ACCEPTED,
        list__in=public_lists(),
    )
    changes = rated.list.changes.filter(shown()).select_related("player")
    change = get_object_or_404(changes, table=rated.table, player__public_id=public_id)
    explained = explain(rated, change)
    if explained is None:
        raise Http404
    context = {"rating_list": rated.list, "table": rated.table, "event": rated.table.event, "explanation": explained}
    return render(request, "portal/explanation.html", context)
