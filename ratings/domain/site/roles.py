"""Built-in roles of the portal, as groups with their permissions."""

from __future__ import annotations

from django.contrib.auth.models import Group, Permission

from ratings.access import APPROVERS, OFFICERS, ORGANISERS

APPS = ("ratings", "auditlog")
EVERYTHING = ("add", "change", "delete", "view")
RIGHTS: dict[str, dict[str, tuple[str, ...]]] = {
    OFFICERS: {
        **dict.fromkeys(
            (
                "event",
                "table",
                "player",
                "club",
                "membership",
                "federationmembership",
                "listplayer",
                "adjustment",
                "decision",
            ),
            EVERYTHING,
        ),
        "ratinglist": ("view", "change"),
        "award": ("view",),
        "change": ("view",),
        "standing": ("view",),
        **dict.fromkeys(
            ("run", "submission", "upload", "eventstep", "entrylist", "evententry", "halllink", "hallresult"), ("view",)
        ),
        "submissioncomment": ("view",),
        **dict.fromkeys(
            ("merge", "report", "claim"),
            ("view",),
        ),
        **dict.fromkeys(("approval", "proposal"), ("view",)),
        "datedlist": ("add", "view", "delete"),
    },
    ORGANISERS: {
        "event": EVERYTHING,
        "table": EVERYTHING,
        "player": ("add", "view"),
        "club": ("view",),
        "ratinglist": ("view",),
    },
    APPROVERS: {
        **dict.fromkeys(("approval", "award", "decision", "player", "ratinglist", "change", "standing"), ("view",)),
    },
}
EXTRA = {OFFICERS: ["accept_event", "view_logentry"], ORGANISERS: [], APPROVERS: ["approve_grade"]}


def ensure_roles() -> None:
    """Create the groups of the roles, or update their permissions."""
    for name, rights in RIGHTS.items():
        group, _ = Group.objects.get_or_create(name=name)
        codes = [f"{action}_{model}" for model, actions in rights.items() for action in actions] + EXTRA[name]
        group.permissions.set(Permission.objects.filter(content_type__app_label__in=APPS, codename__in=codes))
