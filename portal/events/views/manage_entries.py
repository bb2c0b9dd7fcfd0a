"""The organisers' page of an event's entries: confirm, refuse, add, remove, reorder, and the settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from portal.events.forms import AddEntryForm, EntryListForm
from portal.results.views.organise import get_managed_event
from portal.site.views.access import require, sign_in_required
from ratings.access import Action, may
from ratings.domain.events.managing_entries import (
    add_entry,
    confirm_entry,
    give_place,
    move_up,
    refuse_entry,
    remove_entry,
    save_entry_list,
    undo_entry_change,
)
from ratings.models import EntryList, Event, EventEntry, Player
from ratings.models.events.entries import BATCH_LENGTH
from ratings.queries.events.entries import (
    entry_list_of,
    find_entering_problem,
    last_changed_entry,
    list_batch,
    measure_strength,
    read_entries,
)
from ratings.queries.events.entry_matches import match_entries
from ratings.queries.events.events import lists_of
from ratings.queries.players.suggestions import find_or_suggest

State = EventEntry.State
LENGTH_OF_NAME = 100


@sign_in_required
def manage_entries(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the entries of an event; the form saves their settings."""
    event = get_managed_event(request, public_id)
    if request.method != "POST":
        return render_entries(request, event)
    require(request, Action.CHANGE_EVENT, event)
    with transaction.atomic():  # the check of the form's version locks the settings
        form = EntryListForm(request.POST, instance=_entry_list(event))
        if not form.is_valid():
            return render_entries(request, event, 422, settings_form=form)
        try:
            save_entry_list(form.save(commit=False))
        except ValidationError as error:
            return render_entries(request, event, 422, settings_form=form, problems=error.messages)
    messages.success(request, _("Saved."))
    return redirect("manage_entries", event.public_id)


def _entry_list(event: Event) -> EntryList:
    """Return the settings of an event's entries, new ones if there are none; `event` is the loaded one."""
    entry_list = entry_list_of(event) or EntryList(event=event)
    entry_list.event = event
    return entry_list


def render_entries(request: HttpRequest, event: Event, status: int = 200, **more: Any) -> HttpResponse:
    """Show the page; `more` are forms with errors and problems."""
    lists, entry_list = lists_of(event), _entry_list(event)
    rating_list = next(iter(lists), None)
    entries = read_entries(event, rating_list)
    matches = match_entries([line.entry for line in entries.asked], lists, event.end)
    text = request.GET.get("q", "").strip()[:LENGTH_OF_NAME]
    closed = find_entering_problem(entry_list, timezone.now()) if entry_list.pk else ""
    last = last_changed_entry(event)
    context = {
        "event": event,
        "entry_list": entry_list,
        "closed": closed,
        "rating_list": rating_list,
        "entries": entries,
        "asked": [(line.entry, matches.get(line.entry.pk)) for line in entries.asked],
        "strength": measure_strength(entries.confirmed),
        "last": last,
        "batch": list_batch(last) if last else [],
        "may_edit": may(request.user, Action.CHANGE_EVENT, event) and event.is_open,
        "searched": text,
        "found": _found_players(event, text) if text else [],
        "settings_form": EntryListForm(instance=entry_list),
        "add_form": AddEntryForm(),
    }
    return render(request, "events/manage_entries.html", context | more, status=status)


def _found_players(event: Event, text: str) -> list[tuple[Player, bool]]:
    """Return the players whom a text may mean, each with whether they are entered already."""
    entered = event.player_entries.filter(state__in=[State.CONFIRMED, State.WAITING]).values_list("player", flat=True)
    present = set(entered)
    players = find_or_suggest(text, lists_of(event), str(event.country))
    return [(player, player.pk in present) for player in players]


@sign_in_required
@require_POST
def add(request: HttpRequest, public_id: str) -> HttpResponse:
    """Enter a known player, or a name."""
    event = get_managed_event(request, public_id)
    require(request, Action.CHANGE_EVENT, event)
    entry, form = EventEntry(event=event), None
    if "player" in request.POST:
        entry.player = get_object_or_404(Player, public_id=request.POST["player"], merged_into=None, erased_at=None)
    else:
        form = AddEntryForm(request.POST, instance=entry)
        if not form.is_valid():
            return render_entries(request, event, 422, add_form=form)
    try:
        entry = add_entry(entry)
    except ValidationError as error:
        more = {} if form is None else {"add_form": form}
        return render_entries(request, event, 422, problems=error.messages, **more)
    text = _("%(entry)s is entered.") if entry.state == State.CONFIRMED else _("%(entry)s is on the waiting list.")
    messages.success(request, text % {"entry": entry})
    return redirect("manage_entries", event.public_id)


@sign_in_required
@require_POST
def confirm_all(request: HttpRequest, public_id: str) -> HttpResponse:
    """Confirm the entries that the page showed, each as the only player with exactly its name, if there is one.

    An entry that cannot be confirmed is named; the others are confirmed.
    """
    event = get_managed_event(request, public_id)
    require(request, Action.CHANGE_EVENT, event)
    shown = set(request.POST.getlist("entry"))
    asked = event.player_entries.filter(state=State.ASKED).select_related("player")
    entries = [entry for entry in asked if str(entry.pk) in shown]
    matches = match_entries(entries, lists_of(event), event.end)
    confirmed, problems, batch = 0, [], get_random_string(BATCH_LENGTH)
    for entry in entries:
        match = matches.get(entry.pk)
        try:
            confirm_entry(entry, match.player if match else None, batch=batch)
        except ValidationError as error:
            problems += error.messages
        else:
            confirmed += 1
    if problems or not entries:
        return render_entries(request, event, 422, problems=problems or [_("These entries were answered already.")])
    text = ngettext("%(count)d entry confirmed.", "%(count)d entries confirmed.", confirmed)
    messages.success(request, text % {"count": confirmed})
    return redirect("manage_entries", event.public_id)


@sign_in_required
@require_POST
def change(request: HttpRequest, public_id: str, pk: int) -> HttpResponse:
    """Do the action of a button with one entry."""
    event = get_managed_event(request, public_id)
    require(request, Action.CHANGE_EVENT, event)
    entry = get_object_or_404(event.player_entries.select_related("player"), pk=pk)
    entry.event = event
    act = ACTIONS.get(request.POST.get("do", ""))
    if act is None:
        return render_entries(request, event, 422, problems=[_("Choose one of the buttons.")])
    number = len(list_batch(entry)) if act is undo_change else 1
    try:
        entry = act(entry, request.POST.get("player", ""))
    except ValidationError as error:
        return render_entries(request, event, 422, problems=error.messages)
    text = _("%(entry)s: %(state)s.") % {"entry": entry, "state": entry.get_state_display()}
    if number > 1:
        text = ngettext("%(count)d change undone.", "%(count)d changes undone.", number) % {"count": number}
    messages.success(request, text)
    return redirect("manage_entries", event.public_id)


def _confirm(entry: EventEntry, public_id: str) -> EventEntry:
    """Confirm an entry; a public id names the player that it means."""
    player = get_object_or_404(Player, public_id=public_id, merged_into=None, erased_at=None) if public_id else None
    return confirm_entry(entry, player)


def undo_change(entry: EventEntry, _player: str) -> EventEntry:
    """Undo the last change of an entry, and of all that the same click changed."""
    return undo_entry_change(entry)


ACTIONS: Mapping[str, Callable[[EventEntry, str], EventEntry]] = {
    "confirm": _confirm,
    "place": lambda entry, _player: give_place(entry),
    "refuse": lambda entry, _player: refuse_entry(entry),
    "remove": lambda entry, _player: remove_entry(entry),
    "up": lambda entry, _player: move_up(entry),
    "undo": undo_change,
}
"""Actions by the value of their button."""
