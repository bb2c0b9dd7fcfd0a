import datetime as dt
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from portal.events.event_tables import event_tables
from portal.events.filters import EventFilter
from portal.events.listings import EventListing
from portal.site.files import FILES, encoded
from portal.site.public_ids import by_public_id, redirect_to_current
from portal.site.table_paging import sort_and_paginate
from portal.site.views.access import may_see
from ratings.access import Action
from ratings.formats.lossless import lossless_formats
from ratings.models import Event, RatingList, Table
from ratings.queries.events.crosstables import crosstables, parsed_table, rated_tables
from ratings.queries.events.events import (
    WITH_RESULTS,
    adjacent_events,
    events_with_page,
    original_files,
    public_events,
    public_lists_of,
    rating_steps,
    set_player_counts,
)
from ratings.queries.players.names import contain_hidden_names

PER_PAGE = 50


def events(request: HttpRequest) -> HttpResponse:
    chosen = EventFilter(request.GET, public_events())
    listing = sort_and_paginate(request, EventListing(chosen.qs), PER_PAGE)
    set_player_counts([row.record for row in listing.paginated_rows])
    return render(request, "events/events.html", {"filter": chosen, "listing": listing})


def event(request: HttpRequest, public_id: str, slug: str = "") -> HttpResponse:
    the_event = by_public_id(events_with_page(), public_id)
    if request.path != the_event.get_absolute_url():
        return redirect_to_current(request, the_event.get_absolute_url())
    lists = public_lists_of(the_event)
    rating_list = choose_list(lists, request.GET.get("list"))
    context = {"event": the_event, "lists": lists, "rating_list": rating_list}
    if the_event.state == Event.State.ACCEPTED:
        context |= results_context(the_event, rating_list)
    elif the_event.state == Event.State.VOID:
        tables = event_tables(the_event, None, rated_tables(the_event, None))
        context |= {
            "tables": tables,
            "state": "void",
            "explained": not contain_hidden_names([the_event.void_explanation]),
        }
    if may_see(request, Action.SEE_EVENT, the_event):
        context["originals"] = original_files(the_event)
    return render(request, "events/event.html", context)


def results_context(event: Event, rating_list: RatingList | None) -> dict[str, Any]:
    """Return the context of an accepted event's page, except for its header."""
    tables = rated_tables(event, rating_list)
    steps = list(rating_steps(event, rating_list))
    before, after = adjacent_events(event, [rated for rated in tables.values() if rated])
    return {
        "tables": event_tables(event, rating_list, tables),
        "state": rating_state(tables, rating_list),
        "accepted": next((step for step in steps if step.what == step.What.ACCEPTED), None),
        "corrected": [step for step in steps if step.what != step.What.ACCEPTED],
        "reasons": not contain_hidden_names(step.note for step in steps),
        "before": before,
        "after": after,
    }


def rating_state(tables: dict[Table, Any], rating_list: RatingList | None) -> str:
    """Return the state of an accepted event's rating on a list: unrated, pending or rated."""
    if rating_list is None or not any(table.rated for table in tables):
        return "unrated"
    pending_from = rating_list.out_of_date_from or dt.date.max
    is_pending = any(
        table.rated and (rated is None or table.last_day >= pending_from) for table, rated in tables.items()
    )
    if is_pending:
        return "pending"
    return "rated" if any(rated and rated.counted for rated in tables.values()) else "unrated"


def choose_list(lists: list[RatingList], slug: str | None) -> RatingList | None:
    return next((rating_list for rating_list in lists if rating_list.slug == slug), next(iter(lists), None))


def table_file(request: HttpRequest, public_id: str, table: int, format: str, extension: str) -> HttpResponse:
    """Return a table in an external file format, written from the data (the federation's in Latin-1 if it fits)."""
    the_event = get_object_or_404(events_with_page().filter(state__in=WITH_RESULTS), public_id=public_id)
    rating_list = choose_list(public_lists_of(the_event), request.GET.get("list"))
    crosstable = next(
        (candidate for candidate in crosstables(the_event, rating_list) if candidate.table.pk == table), None
    )
    if crosstable is None or format not in FILES or extension != FILES[format].extension:
        raise Http404
    file, parsed = FILES[format], parsed_table(crosstable, published=format == "published")
    if format not in lossless_formats(parsed):
        raise Http404
    if format == "h9":  # go programs pair players by grade
        parsed = parsed_table(crosstable, published=False, graded=True)
    content = file.write(parsed)
    body, charset = (content, "") if isinstance(content, bytes) else encoded(content, latin1=file.latin1)
    headers = {"Content-Disposition": f'attachment; filename="{the_event.public_id}-{table}-{format}.{extension}"'}
    return HttpResponse(body, content_type=f"{file.type}{charset}", headers=headers)
