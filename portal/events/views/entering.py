"""Views by which players enter an announced event, see their entry, and withdraw it."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from portal.events.entry_panel import EntryPanel, build_panel
from portal.events.forms import EntryForm
from portal.site.public_ids import by_public_id
from portal.site.visitor_forms import is_over_limit, sign_opening
from ratings.domain.events.entering import ask_to_enter, enter_again, enter_player, withdraw_entry
from ratings.models import Event, EventEntry
from ratings.queries.events.entries import has_begun
from ratings.queries.events.events import WITH_RESULTS, events_with_page, list_time_zones
from ratings.time_zones import activate_zone

ENTERED = {
    EventEntry.State.CONFIRMED: lambda: _("You are entered."),
    EventEntry.State.WAITING: lambda: _("All places are taken: you are on the waiting list."),
    EventEntry.State.ASKED: lambda: _("Your entry was sent. The organisers confirm it."),
}


def enter_event(request: HttpRequest, public_id: str) -> HttpResponse:
    """Enter an event: with one click for players with a page of their own, by a form for everybody else."""
    event = by_public_id(events_with_page().exclude(state__in=WITH_RESULTS), public_id)
    activate_zone(list_time_zones([event]))
    panel = build_panel(request, event)
    if panel is None:
        raise Http404
    if request.method == "POST" and panel.player is not None:
        return _enter_own_player(request, event, panel)
    form = EntryForm(request.POST or None, request.user, instance=EventEntry(event=event))
    context: dict[str, Any] = {"event": event, "panel": panel, "form": form}
    if request.method != "POST" or not form.is_valid():
        return _render_form(request, context, 422 if form.is_bound else 200)
    if is_over_limit(request, "entry"):
        return _render_form(request, context | {"message": _("Too many entries in one hour. Try again later.")}, 429)
    try:
        entry = ask_to_enter(form.save(commit=False))
    except ValidationError as error:
        return _render_form(request, context | {"message": " ".join(error.messages)}, 422)
    messages.success(request, ENTERED[EventEntry.State(entry.state)]())
    return redirect("own_entry", event.public_id, entry.key)


def _render_form(request: HttpRequest, context: dict[str, Any], status: int) -> HttpResponse:
    return render(request, "events/enter.html", context | {"opened": sign_opening()}, status=status)


def _enter_own_player(request: HttpRequest, event: Event, panel: EntryPanel) -> HttpResponse:
    assert panel.player is not None
    try:
        entry = enter_player(event, panel.player)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, ENTERED[EventEntry.State(entry.state)]())
    return redirect("event_entries", event.public_id)


@never_cache
def own_entry(request: HttpRequest, public_id: str, key: str) -> HttpResponse:
    """Show an entry to its sender, who knows its key, and let them withdraw it or enter again."""
    event = by_public_id(events_with_page(), public_id)
    activate_zone(list_time_zones([event]))
    entry = get_object_or_404(event.player_entries.select_related("player"), key=key)
    context: dict[str, Any] = {"event": event, "entry": entry, "has_begun": has_begun(event)}
    if request.method == "POST":
        try:
            if "again" in request.POST:
                entry = enter_again(entry)
                messages.success(request, ENTERED[EventEntry.State(entry.state)]())
            else:
                withdraw_entry(entry)
                messages.success(request, _("Your entry is withdrawn. You can enter again on this page."))
        except ValidationError as error:
            entry.refresh_from_db()
            return render(request, "events/own_entry.html", context | {"problems": error.messages}, status=422)
        return redirect("own_entry", event.public_id, entry.key)
    return render(request, "events/own_entry.html", context)
