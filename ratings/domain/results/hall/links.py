"""Links by which helpers join a hall: signed, expiring and revocable."""

from __future__ import annotations

import datetime as dt

from django.core import signing
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.domain.site.acting import acting_user
from ratings.models import Hall, HallLink

from .halls import lock_hall

SIGNER = signing.Signer(sep="~", salt="link of a hall")
MAX_LINKS, MAX_DAYS = 50, 60


@transaction.atomic
def make_link(hall: Hall, label: str, expires_at: dt.datetime | None = None) -> HallLink:
    """Make a link that ends at a time; without one, at the end of the event's last day, or of today if that is later.

    Raise ValidationError if the time is over or too far, the label is invalid, or there are too many valid links.
    """
    hall, now = lock_hall(hall), timezone.now()
    if expires_at is None:
        day = max(hall.event.end, now.date())
        expires_at = dt.datetime.combine(day, dt.time(23, 59, 59), tzinfo=dt.UTC)
    if not now < expires_at <= now + dt.timedelta(MAX_DAYS):
        raise ValidationError(_("A link can end at most %(days)d days from now.") % {"days": MAX_DAYS})
    if hall.links.filter(revoked_at=None, expires_at__gt=now).count() >= MAX_LINKS:
        raise ValidationError(_("There are %(count)d links already: revoke one first.") % {"count": MAX_LINKS})
    link = HallLink(hall=hall, label=label.strip(), expires_at=expires_at, made_by=acting_user())
    link.full_clean()
    link.save()
    return link


@transaction.atomic
def revoke_link(link: HallLink) -> None:
    """Revoke a link; phones that joined by it can no longer send results. Nothing happens if it was revoked already."""
    link = HallLink.objects.select_for_update().get(pk=link.pk)
    if link.revoked_at is None:
        link.revoked_at = timezone.now()
        link.save(update_fields=["revoked_at"])


def sign_link(link: HallLink) -> str:
    """Return the token of a link's address."""
    return SIGNER.sign(link.key)


def find_link(token: str) -> HallLink | None:
    """Return the link with this token, ended or not; None if the token is not ours."""
    try:
        key = SIGNER.unsign(token)
    except signing.BadSignature:
        return None
    return HallLink.objects.select_related("hall__event").filter(key=key).first()
