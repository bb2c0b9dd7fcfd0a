"""Entries for announced events: entering, confirming, the waiting list, withdrawing, and undoing each of these.

Every function locks the event's entry list first, so that a place is never given twice.
"""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.domain.site.acting import acting_user
from ratings.domain.site.outbox import notify
from ratings.matching import fold
from ratings.models import EntryList, Event, EventEntry, Player
from ratings.queries.events.entries import find_entering_problem, has_begun

from .entry_mails import TO_ORGANISERS, TO_PLAYER

State = EventEntry.State
MAX_WAITING_FOR_ANSWER = 300
"""Number of unanswered entries of one event from which on the form takes no more: machines fill forms."""


@transaction.atomic
def save_entry_list(entry_list: EntryList) -> EntryList:
    """Save the settings of an event's entries; places that become free go to the waiting list."""
    _check_changeable(entry_list.event)
    entry_list.full_clean()
    entry_list.save()
    _fill_free_places(lock_entry_list(entry_list.event))
    return entry_list


@transaction.atomic
def enter_player(event: Event, player: Player) -> EventEntry:
    """Enter a player who has signed in: at once, or on the waiting list if the event is full.

    An entry that the organisers refused or removed asks them again. ValidationError: the event takes no entries, or
    the player is entered already.
    """
    entry_list = lock_entry_list(event)
    _check_open(entry_list)
    entry = event.player_entries.filter(player=player).first() or EventEntry(event=event, player=player)
    if entry.pk and entry.is_active:
        raise ValidationError(_("You have entered this event already."))
    if entry.state in (State.REFUSED, State.REMOVED):
        _set_state(entry, State.ASKED)
        notify(TO_ORGANISERS, entry.pk)
    else:
        _take_place(entry_list, entry)
    return entry


@transaction.atomic
def ask_to_enter(entry: EventEntry) -> EventEntry:
    """Save the entry that somebody sent by the form; the organisers confirm it.

    ValidationError: the event takes no entries, or a field is invalid.
    """
    entry_list = lock_entry_list(entry.event)
    _check_open(entry_list)
    _check_not_sent(entry)
    waiting = entry.event.player_entries.filter(state=State.ASKED).count()
    if waiting >= MAX_WAITING_FOR_ANSWER:
        raise ValidationError(_("Too many entries wait for an answer. Write to the organisers instead."))
    _set_state(entry, State.ASKED)
    if not waiting:  # one email for the first; the others are on the page then
        notify(TO_ORGANISERS, entry.pk)
    return entry


@transaction.atomic
def add_entry(entry: EventEntry) -> EventEntry:
    """Enter a player on behalf of the organisers.

    A known player whose entry was withdrawn, refused or removed is entered again. ValidationError: the player is
    entered already, or a field is invalid.
    """
    entry_list = lock_entry_list(entry.event)
    _check_changeable(entry.event)
    if entry.player is not None:
        stored = entry.event.player_entries.filter(player=entry.player).first()
        if stored is not None and stored.state in (State.CONFIRMED, State.WAITING):
            raise ValidationError(_("%(player)s is entered already.") % {"player": entry.player.name})
        entry = stored or entry
    _take_place(entry_list, entry)
    notify(TO_PLAYER, entry.pk)
    return entry


@transaction.atomic
def confirm_entry(entry: EventEntry, player: Player | None = None) -> EventEntry:
    """Give an entry a place, or put it on the waiting list if the event is full; `player` is who the name means.

    ValidationError: the entry has a place already, or the player is entered already.
    """
    entry_list, entry = _lock(entry)
    if entry.state in (State.CONFIRMED, State.WAITING):
        raise ValidationError(_("%(entry)s is entered already.") % {"entry": entry})
    if player is not None and entry.player is None:
        _check_not_entered(entry, player)
        entry.player = player
    _take_place(entry_list, entry)
    notify(TO_PLAYER, entry.pk)
    return entry


@transaction.atomic
def give_place(entry: EventEntry) -> EventEntry:
    """Give a player of the waiting list a place, even if the event is full."""
    _entry_list, entry = _lock(entry)
    if entry.state != State.WAITING:
        raise ValidationError(_("%(entry)s is not on the waiting list.") % {"entry": entry})
    _set_state(entry, State.CONFIRMED)
    notify(TO_PLAYER, entry.pk)
    return entry


@transaction.atomic
def refuse_entry(entry: EventEntry) -> EventEntry:
    """Refuse an entry that waits for the organisers."""
    _entry_list, entry = _lock(entry)
    if entry.state != State.ASKED:
        raise ValidationError(_("%(entry)s was answered already.") % {"entry": entry})
    _set_state(entry, State.REFUSED)
    notify(TO_PLAYER, entry.pk)
    return entry


@transaction.atomic
def remove_entry(entry: EventEntry) -> EventEntry:
    """Remove an entered player; the first of the waiting list gets the place."""
    entry_list, entry = _lock(entry)
    if entry.state not in (State.CONFIRMED, State.WAITING):
        raise ValidationError(_("%(entry)s is not entered.") % {"entry": entry})
    _set_state(entry, State.REMOVED)
    notify(TO_PLAYER, entry.pk)
    _fill_free_places(entry_list)
    return entry


@transaction.atomic
def withdraw_entry(entry: EventEntry) -> EventEntry:
    """Withdraw an entry for the player; the first of the waiting list gets the place.

    ValidationError: it is withdrawn already, or the event has begun.
    """
    entry_list, entry = _reload(entry)
    if not entry.is_active:
        raise ValidationError(_("This entry is %(state)s.") % {"state": entry.get_state_display()})
    if has_begun(entry.event):
        raise ValidationError(_("The event has begun. Tell the organisers that you cannot play."))
    _set_state(entry, State.WITHDRAWN)
    _fill_free_places(entry_list)
    return entry


@transaction.atomic
def enter_again(entry: EventEntry) -> EventEntry:
    """Enter a player again who withdrew. ValidationError: the event takes no entries, or the entry is not withdrawn."""
    entry_list, entry = _reload(entry)
    _check_open(entry_list)
    if entry.state != State.WITHDRAWN:
        raise ValidationError(_("This entry is %(state)s.") % {"state": entry.get_state_display()})
    if entry.previous_state == State.ASKED:
        _set_state(entry, State.ASKED)
    else:
        _take_place(entry_list, entry)
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
    """Undo the last change of an entry's state.

    A player who got a place meanwhile keeps it, so the event can then have more players than places.
    """
    entry_list, entry = _lock(entry)
    if not entry.previous_state:
        raise ValidationError(_("There is nothing to undo."))
    _set_state(entry, State(entry.previous_state))
    entry.previous_state = ""
    entry.save(update_fields=["previous_state"])
    notify(TO_PLAYER, entry.pk)
    _fill_free_places(entry_list)
    return entry


def lock_entry_list(event: Event) -> EntryList:
    """Return the entry list of an event, locked until the transaction ends; a closed one is made if there is none."""
    EntryList.objects.get_or_create(event=event, defaults={"is_open": False, "is_public": False})
    return EntryList.objects.select_for_update(of=("self",)).select_related("event").get(event=event)


def _reload(entry: EventEntry) -> tuple[EntryList, EventEntry]:
    """Return the locked entry list and the entry as it is stored now."""
    entry_list = lock_entry_list(entry.event)
    return entry_list, EventEntry.objects.select_related("event", "player").get(pk=entry.pk)


def _lock(entry: EventEntry) -> tuple[EntryList, EventEntry]:
    """Return the locked entry list and the entry for a change by the organisers."""
    entry_list, entry = _reload(entry)
    _check_changeable(entry.event)
    return entry_list, entry


def _check_open(entry_list: EntryList) -> None:
    if problem := find_entering_problem(entry_list, timezone.now()):
        raise ValidationError(problem)


def _check_changeable(event: Event) -> None:
    if not event.is_open:
        message = _("The event is %(state)s: its entries can no longer be changed.")
        raise ValidationError(message % {"state": event.get_state_display()})


def _check_not_entered(entry: EventEntry, player: Player) -> None:
    if entry.event.player_entries.filter(player=player).exclude(pk=entry.pk).exists():
        raise ValidationError(_("%(player)s has an entry already. Change that one.") % {"player": player.name})


def _check_not_sent(entry: EventEntry) -> None:
    """Raise ValidationError if an entry with this name and email address was sent before."""
    sent = entry.event.player_entries.filter(email__iexact=entry.email, state__in=EventEntry.ACTIVE)
    if any(fold(other.typed_name) == fold(entry.typed_name) for other in sent):
        raise ValidationError(_("An entry with this name and email address was sent already."))


def _take_place(entry_list: EntryList, entry: EventEntry) -> None:
    """Give an entry a place, or the last position of the waiting list if there is no free one."""
    entries = entry_list.event.player_entries
    if entry_list.limit is None or entries.filter(state=State.CONFIRMED).count() < entry_list.limit:
        _set_state(entry, State.CONFIRMED)
        return
    last = entries.filter(state=State.WAITING).aggregate(last=Max("position"))["last"] or 0
    entry.position = last + 1
    _set_state(entry, State.WAITING)


def _fill_free_places(entry_list: EntryList) -> None:
    """Give free places to the first players of the waiting list and notify them, until the event begins."""
    if has_begun(entry_list.event):
        return
    entries = entry_list.event.player_entries
    waiting = entries.filter(state=State.WAITING).order_by("position", "pk")
    if entry_list.limit is not None:
        free = entry_list.limit - entries.filter(state=State.CONFIRMED).count()
        waiting = waiting[: max(0, free)]
    for entry in waiting:
        _set_state(entry, State.CONFIRMED)
        entry.previous_state = ""  # undone by the change that made the place free
        entry.save(update_fields=["previous_state"])
        notify(TO_PLAYER, entry.pk)


def _set_state(entry: EventEntry, state: EventEntry.State) -> None:
    """Save an entry with a new state; the state before is stored for undoing."""
    entry.previous_state = entry.state if entry.pk else ""
    entry.state = state
    entry.changed_by = acting_user()
    entry.full_clean(exclude=["event"])
    entry.save()


def erase_contacts() -> int:
    """Delete email addresses and messages of entries for events that ended long ago; return the number of entries."""
    until = timezone.now().date() - dt.timedelta(days=settings.CONTACT_DAYS)
    old = EventEntry.objects.filter(event__end__lt=until).exclude(email="", message="")
    return old.update(email="", message="")
