"""State of each part of the site, in words for administrators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ratings.domain.site.health import check_health

LABELS: Mapping[str, Any] = {
    "database": gettext_lazy("Database"),
    "broker": gettext_lazy("Queue of tasks"),
    "sweep": gettext_lazy("Background worker"),
    "lists": gettext_lazy("Rating lists"),
    "outbox": gettext_lazy("Outgoing email"),
    "webhooks": gettext_lazy("Webhooks"),
    "disk": gettext_lazy("Disk space"),
}
PURPOSES: Mapping[str, Any] = {
    "database": gettext_lazy("Stores players, results and ratings. Without it no page can be shown."),
    "broker": gettext_lazy("Hands rating runs and emails to the background worker."),
    "sweep": gettext_lazy("Rates the lists, sends emails and reminders, and looks for work that was lost."),
    "lists": gettext_lazy("Each list is rated again when its results change."),
    "outbox": gettext_lazy("Invitations, reminders and letters that wait to be sent."),
    "webhooks": gettext_lazy("Messages to other programs that wait to be sent."),
    "disk": gettext_lazy("Uploaded files and backups need it."),
}
"""What each part of the site is for."""


@dataclass(frozen=True)
class HealthLine:
    """A part of the site: its name, whether it works, what is wrong or that it is not used, and what it is for.

    `detail` of a part that does not work is the English text of the check, as programs read it.
    """

    label: str
    works: bool
    detail: str
    purpose: str


def describe_health() -> list[HealthLine]:
    """Return a line for each part of the site; a part that does not answer is waited for at most some seconds."""
    parts = check_health()
    known = {"ok": "", "not used": _("not used")}
    return [
        HealthLine(str(LABELS[name]), parts[name] in known, known.get(parts[name], parts[name]), str(PURPOSES[name]))
        for name in LABELS
    ]


def summarize_health(lines: Sequence[HealthLine]) -> str:
    """Return in one sentence whether the site works."""
    failing = sum(not line.works for line in lines)
    if not failing:
        return _("All parts of the site work.")
    text = ngettext("%(count)d part of the site does not work.", "%(count)d parts of the site do not work.", failing)
    return text % {"count": failing}
