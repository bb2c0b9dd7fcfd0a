"""Pairing programs of an event: creating and revoking the secret, and storing the pages that a program sends."""

from __future__ import annotations

import datetime as dt
import secrets

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.access import Action, may
from ratings.domain.players.erased_words import hide_erased_words
from ratings.domain.site.acting import acting_user
from ratings.formats.html_tables import read_tables
from ratings.formats.parsed import ROUNDS_AT_MOST
from ratings.models import Event, PairingPage, PairingSecret
from ratings.secret_digests import digest_secret

PREFIX = "pp_"
PREFIX_LENGTH = 8
USE_RECORD_INTERVAL = dt.timedelta(minutes=1)


@transaction.atomic
def create_pairing_secret(event: Event) -> str:
    """Create the secret of an event and return it; it cannot be displayed again. Revoke an earlier secret.

    ValidationError: the results of the event are submitted or accepted.
    """
    event = Event.objects.select_for_update(of=("self",)).get(pk=event.pk)
    if not event.is_open:
        raise ValidationError(_("A pairing program can be connected only before the results are submitted."))
    revoke_pairing_secret(event)
    secret = f"{PREFIX}{secrets.token_urlsafe(32)}"
    PairingSecret.objects.create(
        event=event, prefix=secret[:PREFIX_LENGTH], digest=digest_secret(secret), made_by=acting_user()
    )
    return secret


def revoke_pairing_secret(event: Event) -> None:
    """End the secret of an event; pages that were received stay."""
    for secret in PairingSecret.objects.filter(event=event):
        secret.delete()


def find_pairing_secret(secret: str) -> PairingSecret | None:
    """Return the stored secret, with its event; None if it is unknown, or its maker may no longer see the event."""
    found = PairingSecret.objects.filter(digest=digest_secret(secret), made_by__is_active=True)
    found = found.select_related("event", "made_by").exclude(event__state=Event.State.DELETED)
    stored = found.first()
    if stored is None or stored.made_by is None or not may(stored.made_by, Action.SEE_EVENT, stored.event):
        return None
    now = timezone.now()
    outdated = Q(last_used_at=None) | Q(last_used_at__lt=now - USE_RECORD_INTERVAL)
    PairingSecret.objects.filter(outdated, pk=stored.pk).update(last_used_at=now)
    return stored


@transaction.atomic
def store_pairing_page(event: Event, kind: str, round_: int, html: str) -> bool:
    """Store the tables of a page of a round, in place of the one received before; return True if they are new.

    Names that were erased since the program took over the entries are hidden.
    ValidationError: there is no such round, the page has no table, or the event's results are no longer open.
    """
    event = Event.objects.select_for_update(of=("self",)).get(pk=event.pk)
    if not event.is_open:
        raise ValidationError(
            _("The results of this event have been submitted. Pairings and standings can no longer be sent.")
        )
    if not 1 <= round_ <= ROUNDS_AT_MOST:
        raise ValidationError(_("Invalid round: expected a number from 1 to %(most)d.") % {"most": ROUNDS_AT_MOST})
    tables = read_tables(html)
    if not tables:
        raise ValidationError(_("The page has no table."))
    tables = hide_erased_words(event, tables)
    stored = PairingPage.objects.filter(event=event, kind=kind, round=round_).first()
    if stored is not None and stored.tables == tables:
        return False
    PairingPage.objects.update_or_create(
        {"tables": tables, "received_at": timezone.now()}, event=event, kind=kind, round=round_
    )
    return True
