"""Places of an event: the lock on its entry list, free places, the waiting list, and changes of an entry's state."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db.models import Max
from django.utils.translation import gettext as _

from ratings.domain.site.acting import acting_user
from ratings.domain.site.outbox import notify
from ratings.models import EntryList, Event, EventEntry
from ratings.queries.events.entries import has_begun

from .entry_mails import TO_PLAYER

State = EventEntry.State


def lock_entry_list(event: Event) -> EntryList:
    """Return the entry list of an event, locked until the transaction ends; a closed one is made if there is none."""
    EntryList.objects.get_or_create(event=event, defaults={"is_open": False, "is_public": False})
    return EntryList.objects.select_for_update(of=("self",)).select_related("event").get(event=event)


def reload_entry(entry: EventEntry) -> tuple[EntryList, EventEntry]:
    """Return the locked entry list and the entry as it is stored now."""
    entry_list = lock_entry_list(entry.event)
    return entry_list, EventEntry.objects.select_related("event", "player").get(pk=entry.pk)


def check_changeable(event: Event) -> None:
    """Raise ValidationError if the results of an event are submitted: its entries then stay as they are."""
    if not event.is_open:
        message = _("The event is %(state)s: its entries can no longer be changed.")
        raise ValidationError(message % {"state": event.get_state_display()})


def take_place(entry_list: EntryList, entry: EventEntry, *, batch: str = "", was_matched: bool = False) -> None:
    """Give an entry a place, or the last position of the waiting list if there is no free one.

    `batch` and `was_matched` are stored for undoing.
    """
    entries = entry_list.event.player_entries
    if entry_list.limit is None or entries.filter(state=State.CONFIRMED).count() < entry_list.limit:
        set_state(entry, State.CONFIRMED, batch=batch, was_matched=was_matched)
        return
    last = entries.filter(state=State.WAITING).aggregate(last=Max("position"))["last"] or 0
    entry.position = last + 1
    set_state(entry, State.WAITING, batch=batch, was_matched=was_matched)


def fill_free_places(entry_list: EntryList) -> None:
    """Give free places to the first players of the waiting list and notify them, until the event begins."""
    if has_begun(entry_list.event):
        return
    entries = entry_list.event.player_entries
    waiting = entries.filter(state=State.WAITING).order_by("position", "pk")
    if entry_list.limit is not None:
        free = entry_list.limit - entries.filter(state=State.CONFIRMED).count()
        waiting = waiting[: max(0, free)]
    for entry in waiting:
        set_state(entry, State.CONFIRMED)
        entry.previous_state = ""  # undone by the change that made the place free
        entry.save(update_fields=["previous_state"])
        notify(TO_PLAYER, entry.pk)


def set_state(entry: EventEntry, state: EventEntry.State, *, batch: str = "", was_matched: bool = False) -> None:
    """Save an entry with a new state; what is needed to undo the change is stored with it."""
    entry.batch, entry.was_matched = batch, was_matched
    entry.previous_state = entry.state if entry.pk else ""
    entry.state = state
    entry.changed_by = acting_user()
    entry.full_clean(exclude=["event"])
    entry.save()
