"""Entries for announced events as players make them: entering at once or by the form, withdrawing, entering again.

Every change of an entry locks the event's entry list first, so that a place is never given twice.
"""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.domain.site.outbox import notify
from ratings.matching import fold
from ratings.models import EntryList, Event, EventEntry, Player
from ratings.queries.events.entries import find_entering_problem, has_begun

from .entry_mails import TO_ORGANISERS
from .entry_places import fill_free_places, lock_entry_list, reload_entry, set_state, take_place

State = EventEntry.State
MAX_WAITING_FOR_ANSWER = 300
"""Number of unanswered entries of one event from which on the form takes no more: machines fill forms."""


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
        set_state(entry, State.ASKED)
        notify(TO_ORGANISERS, entry.pk)
    else:
        take_place(entry_list, entry)
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
    set_state(entry, State.ASKED)
    if not waiting:  # one email for the first; the others are on the page then
        notify(TO_ORGANISERS, entry.pk)
    return entry


@transaction.atomic
def withdraw_entry(entry: EventEntry) -> EventEntry:
    """Withdraw an entry for the player; the first of the waiting list gets the place.

    ValidationError: it is withdrawn already, or the event has begun.
    """
    entry_list, entry = reload_entry(entry)
    if not entry.is_active:
        raise ValidationError(_("This entry is %(state)s.") % {"state": entry.get_state_display()})
    if has_begun(entry.event):
        raise ValidationError(_("The event has begun. Tell the organisers that you cannot play."))
    set_state(entry, State.WITHDRAWN)
    fill_free_places(entry_list)
    return entry


@transaction.atomic
def enter_again(entry: EventEntry) -> EventEntry:
    """Enter a player again who withdrew. ValidationError: the event takes no entries, or the entry is not withdrawn."""
    entry_list, entry = reload_entry(entry)
    _check_open(entry_list)
    if entry.state != State.WITHDRAWN:
        raise ValidationError(_("This entry is %(state)s.") % {"state": entry.get_state_display()})
    if entry.previous_state == State.ASKED:
        set_state(entry, State.ASKED)
    else:
        take_place(entry_list, entry)
    return entry


def _check_open(entry_list: EntryList) -> None:
    if problem := find_entering_problem(entry_list, timezone.now()):
        raise ValidationError(problem)


def _check_not_sent(entry: EventEntry) -> None:
    """Raise ValidationError if an entry with this name and email address was sent before."""
    sent = entry.event.player_entries.filter(email__iexact=entry.email, state__in=EventEntry.ACTIVE)
    if any(fold(other.typed_name) == fold(entry.typed_name) for other in sent):
        raise ValidationError(_("An entry with this name and email address was sent already."))
