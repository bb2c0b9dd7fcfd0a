"""Mails about entries for events: to the organisers when one waits, to the player when its state changes."""

from __future__ import annotations

from collections.abc import Mapping

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ratings.domain.results.descriptions import describe_event
from ratings.domain.site.mails import get_organisers, queue_mail
from ratings.domain.site.outbox import register_composer
from ratings.models import EventEntry
from ratings.queries.lists.federations import federation_of_event

TO_ORGANISERS, TO_PLAYER = "entry asked", "entry"
"""Kinds of notifications about an entry."""
State = EventEntry.State
SENTENCES: Mapping[str, tuple[object, object]] = {
    State.ASKED: (
        gettext_lazy("The organisers have not answered your entry yet."),
        gettext_lazy("You receive an email when they do."),
    ),
    State.CONFIRMED: (
        gettext_lazy("You are entered for this event."),
        gettext_lazy("If you cannot play, withdraw on this page, so that somebody else gets the place:"),
    ),
    State.WAITING: (
        gettext_lazy("You are on the waiting list for this event."),
        gettext_lazy("You receive an email when a place becomes free. You can withdraw on this page:"),
    ),
    State.REFUSED: (
        gettext_lazy("The organisers did not accept your entry for this event."),
        gettext_lazy("If you have questions, ask the organisers."),
    ),
    State.REMOVED: (
        gettext_lazy("The organisers removed your entry for this event."),
        gettext_lazy("If you have questions, ask the organisers."),
    ),
}
"""Sentences of the mail by state: what happened, and what to do next. Players who withdraw get no mail."""


@register_composer(TO_ORGANISERS)
def mail_organisers(entry_id: int) -> None:
    """Tell the organisers that an entry waits for them, unless they answered it meanwhile."""
    entry = EventEntry.objects.select_related("event", "player").filter(pk=entry_id, state=State.ASKED).first()
    if entry is None:
        return
    event = entry.event
    queue_mail(
        sorted({user.email for user in get_organisers(event) if user.email}),
        _("%(event)s: an entry to confirm") % {"event": event.name},
        describe_event(event),
        _("%(entry)s wants to play. Confirm or refuse the entry on the event’s page.") % {"entry": entry},
        path=reverse("manage_entries", args=[event.public_id]),
        federation=federation_of_event(event),
    )


@register_composer(TO_PLAYER)
def mail_player(entry_id: int) -> None:
    """Tell a player the present state of their entry, if they have an address."""
    entry = EventEntry.objects.select_related("event", "player__account").filter(pk=entry_id).first()
    if entry is None or entry.state not in SENTENCES or not (address := find_address(entry)):
        return
    event = entry.event
    happened, next_step = SENTENCES[entry.state]
    queue_mail(
        [address],
        _("%(event)s: %(state)s") % {"event": event.name, "state": entry.get_state_display()},
        describe_event(event),
        _("Player: %(player)s") % {"player": entry},
        str(happened),
        str(next_step),
        path=reverse("own_entry", args=[event.public_id, entry.key]),
        federation=federation_of_event(event),
    )


def find_address(entry: EventEntry) -> str:
    """Return the address of the entry, else that of the player's account; empty if there is none."""
    account = entry.player.account if entry.player else None
    return entry.email or (account.email if account and account.is_active else "")
