"""Entries of an event as its organisers change them: confirm, refuse, add, remove, order, undo, and the settings."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from ratings.domain.site.outbox import notify
from ratings.models import EntryList, EventEntry, Player
from ratings.queries.events.entries import list_batch

from .entry_mails import TO_PLAYER
from .entry_places import check_changeable, fill_free_places, lock_entry_list, reload_entry, set_state, take_place

State = EventEntry.State


@transaction.atomic
def save_entry_list(entry_list: EntryList) -> EntryList:
    """Save the settings of an event's entries; places that become free go to the waiting list."""
    check_changeable(entry_list.event)
    entry_list.full_clean()
    entry_list.save()
    fill_free_places(lock_entry_list(entry_list.event))
    return entry_list


@transaction.atomic
def add_entry(entry: EventEntry) -> EventEntry:
    """Enter a player on behalf of the organisers.

    A known player whose entry was withdrawn, refused or removed is entered again. ValidationError: the player is
    entered already, or a field is invalid.
    """
    entry_list = lock_entry_list(entry.event)
    check_changeable(entry.event)
    if entry.player is not None:
        stored = entry.event.player_entries.filter(player=entry.player).first()
        if stored is not None and stored.state in (State.CONFIRMED, State.WAITING):
            raise ValidationError(_("%(player)s is entered already.") % {"player": entry.player.name})
        entry = stored or entry
    take_place(entry_list, entry)
    notify(TO_PLAYER, entry.pk)
    return entry


@transaction.atomic
def confirm_entry(entry: EventEntry, player: Player | None = None, *, batch: str = "") -> EventEntry:
    """Give an entry a place, or put it on the waiting list if the event is full; `player` is who the name means.

    Entries with the same `batch` are undone together.

    ValidationError: the entry has a place already, or the player is entered already.
    """
    entry_list, entry = _lock(entry)
    if entry.state in (State.CONFIRMED, State.WAITING):
        raise ValidationError(_("%(entry)s is entered already.") % {"entry": entry})
    is_matched = False
    if player is not None and entry.player is None:
        is_matched = True
        _check_not_entered(entry, player)
        entry.player = player
    take_place(entry_list, entry, batch=batch, was_matched=is_matched)
    notify(TO_PLAYER, entry.pk)
    return entry


@transaction.atomic
def give_place(entry: EventEntry) -> EventEntry:
    """Give a player of the waiting list a place, even if the event is full."""
    _entry_list, entry = _lock(entry)
    if entry.state != State.WAITING:
        raise ValidationError(_("%(entry)s is not on the waiting list.") % {"entry": entry})
    set_state(entry, State.CONFIRMED)
    notify(TO_PLAYER, entry.pk)
    return entry


@transaction.atomic
def refuse_entry(entry: EventEntry) -> EventEntry:
    """Refuse an entry that waits for the organisers."""
    _entry_list, entry = _lock(entry)
    if entry.state != State.ASKED:
        raise ValidationError(_("%(entry)s was answered already.") % {"entry": entry})
    set_state(entry, State.REFUSED)
    notify(TO_PLAYER, entry.pk)
    return entry


@transaction.atomic
def remove_entry(entry: EventEntry) -> EventEntry:
    """Remove an entered player; the first of the waiting list gets the place."""
    entry_list, entry = _lock(entry)
    if entry.state not in (State.CONFIRMED, State.WAITING):
        raise ValidationError(_("%(entry)s is not entered.") % {"entry": entry})
    set_state(entry, State.REMOVED)
    notify(TO_PLAYER, entry.pk)
    fill_free_places(entry_list)
    return entry


@transaction.atomic
def move_up(entry: EventEntry) -> EventEntry:
    """Move a player of the waiting list one place up; the first stays first."""
    _entry_list, entry = _lock(entry)
    waiting = list(entry.event.player_entries.filter(state=State.WAITING).order_by("position", "pk"))
    index = next((number for number, other in enumerate(waiting) if other.pk == entry.pk), None)
    if index is None:
        raise ValidationError(_("%(entry)s is not on the waiting list.") % {"entry": entry})
    if index:
        waiting[index - 1], waiting[index] = waiting[index], waiting[index - 1]
        for position, other in enumerate(waiting, 1):
            if other.position != position:
                other.position = position
                other.save(update_fields=["position"])
    return entry


@transaction.atomic
def undo_entry_change(entry: EventEntry) -> EventEntry:
    """Undo the last change of an entry's state, and that of all entries that the same click changed.

    A player who got a place meanwhile keeps it, so the event can then have more players than places. A player whom the
    change chose for a typed name is no longer chosen.
    """
    entry_list, entry = _lock(entry)
    if not entry.previous_state:
        raise ValidationError(_("There is nothing to undo."))
    for each in list_batch(entry):
        _undo(each)
    entry.refresh_from_db()
    fill_free_places(entry_list)
    return entry


def _undo(entry: EventEntry) -> None:
    """Undo the last change of a locked entry."""
    if entry.was_matched and entry.family_name:
        entry.player = None
    set_state(entry, State(entry.previous_state))
    entry.previous_state = ""
    entry.save(update_fields=["previous_state"])
    notify(TO_PLAYER, entry.pk)


def _lock(entry: EventEntry) -> tuple[EntryList, EventEntry]:
    """Return the locked entry list and the entry for a change by the organisers."""
    entry_list, entry = reload_entry(entry)
    check_changeable(entry.event)
    return entry_list, entry


def _check_not_entered(entry: EventEntry, player: Player) -> None:
    if entry.event.player_entries.filter(player=player).exclude(pk=entry.pk).exists():
        raise ValidationError(_("%(player)s has an entry already. Change that one.") % {"player": player.name})
