"""Phones in the hall: who enters results from this browser, known by the account or by a signed cookie of an event."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

from ratings.access import Action, lacks_second_factor, may
from ratings.domain.results.hall.recording import Device
from ratings.models import Event, HallLink

COOKIE, SALT = "hall_{}", "phone in the hall"
"""Name of the cookie, with the public id of the event, and salt of its signature."""
COOKIE_SECONDS = 60 * 24 * 60 * 60


@dataclass(frozen=True)
class Access:
    """A device that may enter results; `manages` is True for people who may change the hall.

    Without a device, `has_ended` tells whether there was a link that no longer counts.
    """

    device: Device | None = None
    manages: bool = False
    has_ended: bool = False


def find_access(request: HttpRequest, event: Event) -> Access:
    """Return what the browser of a request may do in the hall of an event; the account comes before the cookie."""
    stored = read_cookie(request, event)
    user = request.user
    id = str(stored.get("device") or secrets.token_urlsafe(9))
    if user.is_authenticated and may(user, Action.SEE_EVENT, event) and not lacks_second_factor(user):
        name = user.get_full_name() or user.get_username()
        return Access(Device(id, name, user), manages=True)
    if "link" not in stored:
        return Access()
    link = HallLink.objects.filter(key=stored["link"], hall__event=event).first()
    if link is None or not link.admits(id):
        return Access(has_ended=True)
    return Access(Device(id, str(stored.get("name", "")), None, link))


def read_cookie(request: HttpRequest, event: Event) -> dict[str, Any]:
    """Return the data of the cookie of an event; empty without one, or with one that we have not signed."""
    try:
        stored = signing.loads(
            request.COOKIES.get(COOKIE.format(event.public_id), ""), salt=SALT + event.public_id, max_age=COOKIE_SECONDS
        )
    except signing.BadSignature:
        return {}
    return stored if isinstance(stored, dict) else {}


def remember_device(response: HttpResponse, event: Event, device: Device) -> None:
    """Set the cookie of an event, which opens its hall only; browsers send it to no other pages than those of halls."""
    stored = {"device": device.id, "name": device.name}
    if device.link is not None:
        stored["link"] = device.link.key
    response.set_cookie(
        COOKIE.format(event.public_id),
        signing.dumps(stored, salt=SALT + event.public_id),
        max_age=COOKIE_SECONDS,
        path=f"{settings.FORCE_SCRIPT_NAME or ''}/hall/",
        secure=settings.HTTPS,
        httponly=True,
        samesite="Lax",
    )
