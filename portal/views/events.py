from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django_tables2 import RequestConfig

from portal.listings.events import EventListing
from ratings.formats.grid import write_grid
from ratings.formats.published import write_published
from ratings.models import Event, RatedTable, RatingList
from ratings.queries.crosstables import crosstables, parsed_table, shown
from ratings.queries.events import lists_of, public_events
from ratings.queries.explanations import explain
from ratings.systems.protocol import System

PER_PAGE = 50
WRITERS = {"grid": write_grid, "published": write_published}


def events(request: HttpRequest) -> HttpResponse:
    listing = EventListing(public_events())
    RequestConfig(request, paginate={"per_page": PER_PAGE}).configure(listing)
    return render(request, "portal/events.html", {"listing": listing})


def event(request: HttpRequest, public_id: str, slug: str = "") -> HttpResponse:
    the_event = get_object_or_404(public_events().prefetch_related(None), public_id=public_id)
    if request.path != the_event.get_absolute_url():
        return redirect(the_event, permanent=True)
    lists = lists_of(the_event)
    shown = chosen(lists, request.GET.get("list"))
    context = {
        "event": the_event,
        "lists": lists,
        "rating_list": shown,
        "files": shown.rating_system.files if shown else System.files,
        "graded": shown is not None and shown.graded,
        "crosstables": crosstables(the_event, shown),
    }
    return render(request, "portal/event.html", context)


def chosen(lists: list[RatingList], slug: str | None) -> RatingList | None:
    return next((rating_list for rating_list in lists if rating_list.slug == slug), next(iter(lists), None))


def table_file(request: HttpRequest, public_id: str, table: int, form: str) -> HttpResponse:
    """The table as a file, written from the data in one of the federation's formats (Latin-1 where it fits)."""
    the_event = get_object_or_404(public_events(), public_id=public_id)
    shown = chosen(lists_of(the_event), request.GET.get("list"))
    found = next((one for one in crosstables(the_event, shown) if one.table.pk == table), None)
    if found is None or form not in WRITERS:
        raise Http404
    text = WRITERS[form](parsed_table(found, published=form == "published"))
    try:
        body, charset = text.encode("latin-1"), "iso-8859-1"
    except UnicodeEncodeError:
        body, charset = text.encode(), "utf-8"
    headers = {"Content-Disposition": f'attachment; filename="{the_event.public_id}-{table}-{form}.txt"'}
    return HttpResponse(body, content_type=f"text/plain; charset={charset}", headers=headers)


def explanation(request: HttpRequest, slug: str, table: int, public_id: str) -> HttpResponse:
    """How one player's rating came out of one table."""
    rated = get_object_or_404(
        RatedTable.objects.select_related("list", "table__event"),
        list__slug=slug,
        table=table,
        table__event__state=Event.State.ACCEPTED,
    )
    changes = rated.list.changes.filter(shown()).select_related("player")
    change = get_object_or_404(changes, table=rated.table, player__public_id=public_id)
    explained = explain(rated, change)
    if explained is None:
        raise Http404
    context = {"rating_list": rated.list, "table": rated.table, "event": rated.table.event, "explanation": explained}
    return render(request, "portal/explanation.html", context)
