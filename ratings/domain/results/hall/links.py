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
MAX_HELPERS = 200
"""Maximum number of devices that a link lists, the latest ones."""


@transaction.atomic
def make_link(hall: Hall, label: str, expires_at: dt.datetime | None = None) -> HallLink:
    """Make a link that ends at a time; without one, at the end of the event's last day (see `find_end_of_event`).

    Raise ValidationError if the time is over or too far, the label is invalid, or there are too many valid links.
    """
    hall, now = lock_hall(hall), timezone.now()
    if expires_at is None:
        expires_at = find_end_of_event(hall, dt.UTC)
    if expires_at <= now:
        raise ValidationError(_("Enter a time to come: a link cannot end in the past."))
    if expires_at > now + dt.timedelta(MAX_DAYS):
        raise ValidationError(_("A link can end at most %(days)d days from now.") % {"days": MAX_DAYS})
    if hall.links.filter(revoked_at=None, expires_at__gt=now).count() >= MAX_LINKS:
        raise ValidationError(_("There are %(count)d links already: revoke one first.") % {"count": MAX_LINKS})
    link = HallLink(hall=hall, label=label.strip(), expires_at=expires_at, made_by=acting_user())
    link.full_clean()
    link.save()
    return link


def find_end_of_day(zone: dt.tzinfo) -> dt.datetime:
    """Return the end of today in a time zone."""
    return dt.datetime.combine(timezone.now().astimezone(zone), dt.time(23, 59, 59), tzinfo=zone)


def find_end_of_event(hall: Hall, zone: dt.tzinfo) -> dt.datetime:
    """Return the end of the event's last day in a time zone; the end of today if that is later."""
    end = dt.datetime.combine(hall.event.end, dt.time(23, 59, 59), tzinfo=zone)
    return max(end, find_end_of_day(zone))


@transaction.atomic
def join_by_link(link: HallLink, device: str, name: str) -> None:
    """Record that a device joined by a link; one that joins again gets its new name.

    Raise ValidationError if the device was removed from the link.
    """
    link = HallLink.objects.select_for_update(of=("self",)).get(pk=link.pk)
    if not link.admits(device):
        raise ValidationError(_("This link has ended."))
    _save_helper(link, {"device": device, "name": name, "at": timezone.now().isoformat()})


@transaction.atomic
def remove_helper(link: HallLink, device: str) -> str:
    """Remove a device from a link, by which it can no longer send results; return the name of the helper.

    Results that it sent stay. Raise ValidationError if no device with this id joined by the link.
    """
    link = HallLink.objects.select_for_update(of=("self",)).get(pk=link.pk)
    helper = _find_helper(link, device)
    if "removed" not in helper:
        _save_helper(link, helper | {"removed": timezone.now().isoformat()})
    return str(helper["name"])


@transaction.atomic
def restore_helper(link: HallLink, device: str) -> str:
    """Let a removed device send results by a link again; return the name of the helper. Errors as `remove_helper`."""
    link = HallLink.objects.select_for_update(of=("self",)).get(pk=link.pk)
    helper = _find_helper(link, device)
    _save_helper(link, {name: value for name, value in helper.items() if name != "removed"})
    return str(helper["name"])


def _find_helper(link: HallLink, device: str) -> dict[str, str]:
    """Return a device that joined by a link, also one that is known by its results only."""
    for helper in link.helpers or ():
        if helper["device"] == device:
            return dict(helper)
    tap = link.results.filter(device=device).order_by("pk").last()
    if tap is None:
        raise ValidationError(_("This helper is not known: reload the page."))
    return {"device": device, "name": tap.name, "at": tap.at.isoformat()}


def _save_helper(link: HallLink, helper: dict[str, str]) -> None:
    """Save a device of a link in place of its earlier record; removed devices come first and are all kept."""
    helpers = [*(each for each in link.helpers or () if each["device"] != helper["device"]), helper]
    removed = [each for each in helpers if "removed" in each]
    link.helpers = removed + [each for each in helpers if "removed" not in each][-MAX_HELPERS:]
    link.save(update_fields=["helpers"])


@transaction.atomic
def restore_link(link: HallLink) -> None:
    """Let a revoked link work again until it ends. Raise ValidationError if it has ended meanwhile."""
    link = HallLink.objects.select_for_update(of=("self",)).get(pk=link.pk)
    if link.expires_at <= timezone.now():
        raise ValidationError(_("This link has ended: make a new one."))
    link.revoked_at = None
    link.save(update_fields=["revoked_at"])


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
