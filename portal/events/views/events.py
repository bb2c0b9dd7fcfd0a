import datetime as dt
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone

from portal.addresses import at_its_address, by_public_id
from portal.event_tables import event_tables
from portal.eventing import EventFilter
from portal.files import FILES, encoded
from portal.listings.events import EventListing
from portal.listings.paging import configured
from ratings.access import Action, may
from ratings.formats.carrying import lossless_forms
from ratings.models import Event, RatedTable, RatingList, Table
from ratings.queries.crosstables import crosstables, parsed_table, rated_tables, shown
from ratings.queries.events import (
    count_players,
    known_events,
    neighbours,
    original_files,
    public_events,
    public_lists_of,
    settled_steps,
)
from ratings.queries.explanations import explain
from ratings.queries.lists import public_lists
from ratings.queries.names import names_hidden

PER_PAGE = 50


def events(request: HttpRequest) -> HttpResponse:
    chosen = EventFilter(request.GET, public_events())
    listing = configured(request, EventListing(chosen.qs), PER_PAGE)
    count_players([row.record for row in listing.paginated_rows])
    return render(request, "portal/events.html", {"filter": chosen, "listing": listing})


def event(request: HttpRequest, public_id: str, slug: str = "") -> HttpResponse:
    the_event = by_public_id(known_events(), public_id)
    if request.path != the_event.get_absolute_url():
        return at_its_address(request, the_event.get_absolute_url())
    lists = public_lists_of(the_event)
    shown = list_chosen(lists, request.GET.get("list"))
    context = {"event": the_event, "lists": lists, "rating_list": shown, "today": timezone.now().date()}
    if the_event.state == Event.State.ACCEPTED:
        context |= results(the_event, shown)
    if may(request.user, Action.SEE_EVENT, the_event):
        context["originals"] = original_files(the_event)
    return render(request, "portal/event.html", context)


def results(event: Event, shown: RatingList | None) -> dict[str, Any]:
    """What the page of an accepted event tells besides its head."""
    tables = rated_tables(event, shown)
    steps = list(settled_steps(event, shown))
    before, after = neighbours(event, [rated for rated in tables.values() if rated])
    return {
        "tables": event_tables(event, shown, tables),
        "state": state_of(tables, shown),
        "accepted": next((step for step in steps if step.what == step.What.ACCEPTED), None),
        "corrected": [step for step in steps if step.what != step.What.ACCEPTED],
        "reasons": not names_hidden(step.note for step in steps),
        "before": before,
        "after": after,
    }


def state_of(tables: dict[Table, Any], shown: RatingList | None) -> str:
    """How far the rating of an accepted event is on a list: unrated, pending or rated."""
    if shown is None or not any(table.rated for table in tables):
        return "unrated"
    pending_from = shown.out_of_date_from or dt.date.max
    waits = any(table.rated and (rated is None or table.last_day >= pending_from) for table, rated in tables.items())
    if waits:
        return "pending"
    return "rated" if any(rated and rated.counted for rated in tables.values()) else "unrated"


def list_chosen(lists: list[RatingList], slug: str | None) -> RatingList | None:
    return next((rating_list for rating_list in lists if rating_list.slug == slug), next(iter(lists), None))


def table_file(request: HttpRequest, public_id: str, table: int, form: str, extension: str) -> HttpResponse:
    """The table as a file in an outside format, written from the data (the federation's own in Latin-1 if it fits)."""
    the_event = get_object_or_404(public_events(), public_id=public_id)
    shown = list_chosen(public_lists_of(the_event), request.GET.get("list"))
    found = next((one for one in crosstables(the_event, shown) if one.table.pk == table), None)
    if found is None or form not in FILES or extension != FILES[form].extension:
        raise Http404
    file, parsed = FILES[form], parsed_table(found, published=form == "published")
    if form not in lossless_forms(parsed):
        raise Http404
    if form == "h9":  # go programs seat by it
        parsed = parsed_table(found, published=False, graded=True)
    written = file.write(parsed)
    body, charset = (written, "") if isinstance(written, bytes) else encoded(written, latin1=file.latin1)
    headers = {"Content-Disposition": f'attachment; filename="{the_event.public_id}-{table}-{form}.{extension}"'}
    return HttpResponse(body, content_type=f"{file.type}{charset}", headers=headers)


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
