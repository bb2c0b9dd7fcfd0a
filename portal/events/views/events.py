import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone

from portal.events.entry_panel import entries_context
from portal.events.event_navigation import list_groups, list_tabs
from portal.events.event_tabs import Selection, Tab, render_tab
from portal.events.filters import EventFilter
from portal.events.link_previews import build_event_preview
from portal.events.listings.events import EventListing
from portal.events.running_standings import find_running_standings
from portal.events.subscriptions import list_places
from portal.site.files import FILES, encoded
from portal.site.public_ids import by_public_id, redirect_to_current
from portal.site.table_paging import sort_and_paginate
from portal.site.views.access import may_see
from portal.site.whole_lists import wants_whole_list
from ratings.access import Action
from ratings.formats.lossless import lossless_formats
from ratings.models import Event, RatingList, Table
from ratings.queries.events.crosstables import crosstables, rated_tables
from ratings.queries.events.entries import entry_list_of
from ratings.queries.events.events import (
    WITH_RESULTS,
    adjacent_events,
    events_with_page,
    list_time_zones,
    original_files,
    public_events,
    public_lists_of,
    rating_steps,
    set_player_counts,
)
from ratings.queries.events.pairing_pages import read_pairing_rounds
from ratings.queries.events.parsed_tables import add_outside_ids, parsed_table
from ratings.queries.lists.answers import read_results_progress
from ratings.queries.lists.lists import is_first_list
from ratings.queries.lists.valid_lists import find_valid_list
from ratings.queries.players.names import contain_hidden_names
from ratings.time_zones import activate_zone

PER_PAGE = 50
MAX_DIGITS = 6


def events(request: HttpRequest) -> HttpResponse:
    chosen = EventFilter(request.GET, public_events())
    listing = EventListing(chosen.qs, shows_lists=chosen.has_several_lists and chosen.rating_list is None)
    sort_and_paginate(request, listing, PER_PAGE)
    set_player_counts([row.record for row in listing.paginated_rows])
    context = {
        "filter": chosen,
        "listing": listing,
        "rating_list": chosen.rating_list,
        "table": listing.as_html(request) if listing.paginator.count else "",
        "places": list_places(request, chosen),
    }
    return render(request, "events/events.html", context)


def event(request: HttpRequest, public_id: str, slug: str = "") -> HttpResponse:
    the_event = by_public_id(events_with_page(), public_id)
    if request.path != the_event.get_absolute_url():
        return redirect_to_current(request, the_event.get_absolute_url())
    return _render_event(request, the_event, Tab.RESULTS)


def event_tab(request: HttpRequest, public_id: str, tab: Tab) -> HttpResponse:
    the_event = by_public_id(events_with_page().filter(state__in=WITH_RESULTS), public_id)
    return _render_event(request, the_event, tab)


def event_entries(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the entered players of an announced event; without a public list of them, redirect to the event."""
    the_event = by_public_id(events_with_page(), public_id)
    entry_list = entry_list_of(the_event)
    if the_event.state in WITH_RESULTS or entry_list is None or not entry_list.is_public:
        return redirect(the_event)
    return _render_event(request, the_event, Tab.ENTRIES)


def _render_event(request: HttpRequest, event: Event, tab: Tab) -> HttpResponse:
    activate_zone(list_time_zones([event]))
    lists = public_lists_of(event)
    rating_list = choose_list(lists, request.GET.get("list"))
    context: dict[str, Any] = {"event": event, "lists": lists, "rating_list": rating_list}
    if event.state != Event.State.VOID:
        context["progress"] = read_results_progress(event)
    if event.state == Event.State.ACCEPTED:
        tables = rated_tables(event, rating_list)
        context |= accepted_context(event, rating_list, tables)
        context |= tables_context(request, event, rating_list, tables, tab, first=lists[:1])
    elif event.state == Event.State.VOID:
        context |= tables_context(request, event, None, rated_tables(event, None), tab, first=[])
        context |= {"state": "void", "explained": not contain_hidden_names([event.void_explanation])}
    else:
        context |= entries_context(request, event, rating_list, is_entries=tab == Tab.ENTRIES)
        context["is_over"] = event.end < timezone.localdate()
        context["standings"] = find_running_standings(event)
        context["pairing_rounds"] = read_pairing_rounds(event)
    context["valid"] = find_valid_list(rating_list, event.start, timezone.localdate())
    if may_see(request, Action.SEE_EVENT, event):
        context["originals"] = original_files(event)
    page = context.get("page")
    context["link_preview"] = build_event_preview(event, page.podium if page else (), context.get("place", ""))
    return render(request, "events/event.html", context)


def accepted_context(event: Event, rating_list: RatingList | None, tables: Mapping[Table, Any]) -> dict[str, Any]:
    """Return the context of an accepted event's page, except for its header and its tables."""
    steps = list(rating_steps(event, rating_list))
    before, after = adjacent_events(event, [rated for rated in tables.values() if rated])
    return {
        "state": rating_state(tables, rating_list),
        "accepted": next((step for step in steps if step.what == step.What.ACCEPTED), None),
        "corrected": [step for step in steps if step.what != step.What.ACCEPTED],
        "reasons": not contain_hidden_names(step.note for step in steps),
        "before": before,
        "after": after,
    }


def tables_context(
    request: HttpRequest,
    event: Event,
    rating_list: RatingList | None,
    tables: Mapping[Table, Any],
    tab: Tab,
    *,
    first: list[RatingList],
) -> dict[str, Any]:
    """Return the context of the chosen table's tab, of the other tabs, and of the other tables.

    Addresses name the list only if it is not the `first` one, and the table only if it is not the first.
    """
    if not tables:
        return {}
    table = choose_table(tables, request.GET.get("table"))
    of_list = () if rating_list is None or [rating_list] == first else (("list", rating_list.slug),)
    of_table = () if table == next(iter(tables)) else (("table", str(table.pk)),)
    selection = Selection(
        sort=request.GET.get("sort", ""),
        part=read_number(request, "page") or 1 if wants_whole_list(request) else 0,
        round=read_number(request, "round"),
        place=of_list + of_table,
        is_first_list=rating_list is not None and is_first_list(rating_list),
    )
    page = render_tab(event, rating_list, tables, table, tab, selection)
    return {
        "page": page,
        "place": urlencode(selection.place),
        "tabs": list_tabs(event, page, tab, urlencode(selection.place)),
        "tab": tab,
        "groups": list_groups(event, tables, table, tab, of_list),
    }


def read_number(request: HttpRequest, name: str) -> int:
    """Return a whole number of the request's query, 0 if it has none."""
    text = request.GET.get(name, "")
    return int(text) if text.isdecimal() and len(text) < MAX_DIGITS else 0


def rating_state(tables: Mapping[Table, Any], rating_list: RatingList | None) -> str:
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


def choose_table(tables: Iterable[Table], pk: str | None) -> Table:
    """Return the table with this primary key; the first one if it is none of them."""
    listed = list(tables)
    return next((table for table in listed if str(table.pk) == pk), listed[0])


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
    file = FILES[format]
    parsed = parsed_table(crosstable, published=file.has_ratings, graded=file.has_grades)
    if format not in lossless_formats(parsed):
        raise Http404
    for add_details in file.details:
        add_details(parsed, crosstable, rating_list)
    if file.registry:
        add_outside_ids(parsed, crosstable, file.registry)
    content = file.write(parsed)
    body, charset = (content, "") if isinstance(content, bytes) else encoded(content, latin1=file.latin1)
    name = f"{the_event.public_id}-{table}-{format}.{file.end(parsed)}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(body, content_type=f"{file.type}{charset}", headers=headers)
