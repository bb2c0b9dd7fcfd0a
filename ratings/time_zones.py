"""Time zones of federations: what “today” is for their lists and events, and in which zone pages show times."""

from __future__ import annotations

import datetime as dt
import zoneinfo
from collections.abc import Iterable
from functools import lru_cache

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

MAX_LENGTH = 64


@lru_cache(maxsize=1)
def list_time_zones() -> list[str]:
    """Return the names of the time zones to choose from: those of places, and UTC."""
    return sorted(name for name in _read_names() if name == "UTC" or _is_of_place(name))


@lru_cache(maxsize=1)
def _read_names() -> set[str]:
    """Return all names of time zones, which are those of files in some folders."""
    return zoneinfo.available_timezones()


def _is_of_place(name: str) -> bool:
    return "/" in name and not name.startswith(("Etc/", "SystemV/", "US/", "posix/", "right/"))


def validate_time_zone(name: str) -> None:
    """Raise ValidationError unless a name is that of a known time zone."""
    if name not in _read_names():
        text = _("“%(name)s” is not a time zone. Enter one, for example Europe/Berlin.")
        raise ValidationError(text, params={"name": name})


def get_default_time_zone() -> str:
    return settings.TIME_ZONE


@lru_cache(maxsize=1000)
def load_zone(name: str | None) -> zoneinfo.ZoneInfo:
    """Return a time zone by its name; that of the portal for an unknown name, such as one that was removed."""
    try:
        return zoneinfo.ZoneInfo(name or settings.TIME_ZONE)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        return zoneinfo.ZoneInfo(settings.TIME_ZONE)


def find_today(zone_name: str | None, at: dt.datetime | None = None) -> dt.date:
    """Return the day in a time zone now, or at the time `at`; None is the portal's zone."""
    return timezone.localdate(at or timezone.now(), load_zone(zone_name))


def activate_zone(zone_names: Iterable[str | None]) -> None:
    """Use the time zone of a page for the rest of the request; that of the portal if it is about several zones."""
    names = {name for name in zone_names if name}
    timezone.activate(load_zone(names.pop() if len(names) == 1 else None))
