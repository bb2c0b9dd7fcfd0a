"""Sections of the pages on which organisers, officers and approvers work, by the role of the reader."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from ratings.access import Action, is_appointed_officer, is_officer, may

from .help_steps import PAGES as HELP
from .sections import Section

WORKING_PATHS = ("/organise/", "/help/")
PAGES: dict[str, frozenset[str]] = {
    "desk": frozenset({"desk", "accept_several", "all_events", "preview_several"}),
    "queue": frozenset({"queue", "announcements", "proposals", "import_list", "uploaded_records"}),
    "approvals": frozenset({"approvals", "approval"}),
    "duplicates": frozenset(
        {
            "duplicates",
            "merge_players",
            "split_player",
            "claims",
            "player_timeline",
            "erase_person",
            "request_erasure",
            "erasures",
            "workers",
            "processing_record",
        }
    ),
    "organise": frozenset(
        {"organise", "new_event", "edit_event", "organise_event", "submission", "event_history", "people"}
        | {
            "files",
            "batch",
            "batch_people",
            "withdraw_batch",
            "people_file",
            "manage_entries",
            "add_entry",
            "change_entry",
            "confirm_entries",
            "pairing_program",
        }
    ),
    "laboratories": frozenset(
        {"laboratories", "laboratory", "study", "propose_rules", "new_proposal", "edit_proposal"}
    ),
    "keys": frozenset({"keys", "all_keys"}),
    "setup": frozenset({"setup"}),
    "site_health": frozenset({"site_health"}),
    "help": frozenset({"help", "help_role"}),
}
"""Names of the addresses that belong to each section, by the name of the section's own address."""


def list_working_sections(user: Any, path: str, address_name: str) -> list[Section]:
    """Return the sections of a working page for its reader; none on other pages."""
    if not path.startswith(WORKING_PATHS) or not user.is_authenticated:
        return []
    sections = [Section(label, reverse(name), address_name in PAGES[name]) for name, label in _choose_sections(user)]
    if sections:
        sections.append(Section(_("Help"), _find_help(user), address_name in PAGES["help"]))
    if may(user, Action.ORGANISE):
        sections.append(Section(_("API keys"), reverse("keys"), address_name in PAGES["keys"]))
    return sections


def _find_help(user: Any) -> str:
    """Return the address of the help of the user's role, of the widest one if they have several."""
    order = ("administrator", "officer", "approver", "organiser")
    roles = [role for role in order if (action := HELP[role].action) is not None and may(user, action)]
    return reverse("help_role", args=roles[:1]) if roles else reverse("help")


def _choose_sections(user: Any) -> Iterator[tuple[str, str]]:
    """Yield name of the address and label of each section except help, those of the user's own work first.

    An administrator who is no officer begins with the administration, but may work on the desk too.
    """
    sets_up = may(user, Action.SET_UP)
    begins_with_set_up = sets_up and not is_appointed_officer(user)
    if begins_with_set_up:
        yield from _list_administration()
    if is_officer(user):
        yield "desk", _("Desk")
        yield "queue", _("Queue")
    if may(user, Action.ORGANISE):
        yield "organise", _("My events")
    if may(user, Action.SEE_APPROVALS):
        yield "approvals", _("Approvals")
    if is_officer(user):
        if not begins_with_set_up:
            yield "duplicates", _("People")
        yield "laboratories", _("Laboratory")
    if sets_up and not begins_with_set_up:
        yield from (section for section in _list_administration() if section[0] != "duplicates")


def _list_administration() -> list[tuple[str, str]]:
    return [("setup", _("Set up")), ("duplicates", _("People")), ("site_health", _("Health"))]
