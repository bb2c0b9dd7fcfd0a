"""State of each part of the site, in words for administrators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ratings.domain.site.health import check_health

LABELS: Mapping[str, Any] = {
    "database": gettext_lazy("Database"),
    "broker": gettext_lazy("Queue of tasks"),
    "sweep": gettext_lazy("Background worker"),
    "lists": gettext_lazy("Rating lists"),
    "outbox": gettext_lazy("Outgoing email"),
    "disk": gettext_lazy("Disk space"),
}


@dataclass(frozen=True)
class HealthLine:
    """A part of the site: its name, whether it works, and what is wrong or that it is not used.

    `detail` of a part that does not work is the English text of the check, as programs read it.
    """

    label: str
    works: bool
    detail: str


def describe_health() -> list[HealthLine]:
    """Return a line for each part of the site; a part that does not answer is waited for at most some seconds."""
    parts = check_health()
    known = {"ok": "", "not used": _("not used")}
    return [HealthLine(str(LABELS[name]), parts[name] in known, known.get(parts[name], parts[name])) for name in LABELS]
