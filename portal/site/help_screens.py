"""Screens that the steps of the help pages describe: their titles, and where a reader opens them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True)
class DetailScreen:
    """A page that each event or case has, with its title and the page that links to it.

    `found_on` is the name of an address in `SCREENS`, empty if many pages link to it.
    """

    title: Any
    found_on: str = ""

    @property
    def found_on_title(self) -> Any:
        return SCREENS[self.found_on] if self.found_on else ""


SCREENS: Mapping[str, Any] = {
    "search": _("Players"),
    "events": _("Events"),
    "me": _("My page"),
    "new_event": _("Announce an event"),
    "organise": _("My events"),
    "files": _("Upload files"),
    "desk": _("Desk"),
    "all_events": _("All events"),
    "announcements": _("Grades to be announced"),
    "laboratories": _("Laboratory"),
    "proposals": _("Waiting for a second person"),
    "claims": _("Claimed pages"),
    "duplicates": _("Possible duplicates"),
    "request_approval": _("Request approval of a grade held elsewhere"),
    "approvals": _("Grades to be approved"),
    "setup": _("Set up your portal"),
    "admin:ratings_ratinglist_changelist": _("Rating lists"),
    "admin:ratings_federation_changelist": _("Federations"),
}
"""Titles of screens, as they head them, by the name of the address."""

RATING_CHANGE = DetailScreen(_("Rating change page"), "events")
REPORT = DetailScreen(_("Report an error"), "events")
CERTIFICATE = DetailScreen(_("Certificate page"))
EVENT = DetailScreen(_("Event page"), "organise")
ENTRIES = DetailScreen(_("Entries of the event"), "organise")
HELPERS = DetailScreen(_("Links for helpers"), "organise")
NAMES = DetailScreen(_("Names"), "organise")
RESULTS_OF_ORGANISER = DetailScreen(_("Results page"), "organise")
RESULTS_OF_OFFICER = DetailScreen(_("Results page"), "desk")
CASE = DetailScreen(_("Case page"), "approvals")
