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
                "outsideid",
                "formername",
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
            (
                *("run", "submission", "upload", "eventstep", "entrylist", "evententry", "pairingsecret"),
                *("halllink", "hallresult"),
            ),
            ("view",),
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
    """Create the groups of the roles, or update their permissions; write only what differs."""
    codes = {
        name: {f"{action}_{model}" for model, actions in rights.items() for action in actions} | set(EXTRA[name])
        for name, rights in RIGHTS.items()
    }
    permissions = Permission.objects.filter(content_type__app_label__in=APPS, codename__in=set().union(*codes.values()))
    known = list(permissions.order_by().values_list("pk", "codename"))
    groups = {group.name: group for group in Group.objects.filter(name__in=RIGHTS)}
    held = set(Group.permissions.through.objects.filter(group__in=groups.values()).values_list("group", "permission"))
    for name, wanted in codes.items():
        group = groups.get(name) or Group.objects.create(name=name)
        ids = {id for id, code in known if code in wanted}
        if ids != {permission for holder, permission in held if holder == group.pk}:
            group.permissions.set(ids)
