"""Form data for the screens of the admin: adding and changing a row of each model, and actions."""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from auditlog.models import LogEntry
from django.contrib.auth.models import Group

from ratings.models import (
    ApiKey,
    Approval,
    Award,
    Change,
    Checkpoint,
    Claim,
    EntryList,
    EventStep,
    LogKey,
    Merge,
    Proposal,
    Report,
    Run,
    Standing,
    Upload,
    WitnessedLog,
)


def object_of(model, world):
    """Return the row of a model that the roles of the table are tried on."""
    own = {
        "event": world.event, "table": world.table, "player": world.late, "club": world.event.club,
        "membership": world.membership, "ratinglist": world.list, "federation": world.list.federation,
        "federationmembership": world.federation_membership, "outsideid": world.outside_id, "formername": world.former_name, "listplayer": world.list_player,
        "adjustment": world.adjustment, "decision": world.decision, "datedlist": world.dated, "submission": world.submission,
        "outgoingmail": world.mail, "user": world.helper, "group": Group.objects.get(name="Organisers"),
        "approval": Approval.objects.filter(public_id=world.ids["case"]).first(),
        "upload": Upload.objects.get(pk=world.ids["upload"]),
        "eventstep": EventStep.objects.filter(event=world.event).first(),
        "entrylist": EntryList.objects.filter(event=world.event).first(), "evententry": world.entry, "pairingsecret": world.pairing_secret,
        "halllink": world.hall_result.link, "hallresult": world.hall_result,
        "submissioncomment": world.comment, "webhooksubscription": world.webhook,
    }  # fmt: skip
    others = {
        "award": Award, "change": Change, "standing": Standing, "run": Run, "proposal": Proposal, "merge": Merge,
        "report": Report, "claim": Claim, "apikey": ApiKey, "logentry": LogEntry, "emailaddress": EmailAddress,
        "authenticator": Authenticator, "usersession": UserSession, "checkpoint": Checkpoint, "logkey": LogKey,
        "witnessedlog": WitnessedLog,
    }  # fmt: skip
    return own[model] if model in own else others[model].objects.first()


NO_ROWS = {
    f"{rows}-{number}_FORMS": "0"
    for rows in ("memberships", "outside_ids", "former_names")
    for number in ("TOTAL", "INITIAL")
}


def added(world):
    """Return the data of a form that adds a row, by model."""
    of_list = {"list": world.list.pk, "player": world.late.pk}
    return {
        "player": {"family_name": "New", "given_name": "N", "country": "FR", "shown": "full"} | NO_ROWS,
        "club": {"name": "New"},
        "membership": {"player": world.ada.pk, "club": world.event.club.pk},
        "ratinglist": {"name": "New", "slug": "new", "federation": world.list.federation.pk, "system": "fesa-2016", "rank_by": "rating",
                       "answer_within": "30"},
        "federation": {"name": "New", "slug": "new"},
        "formername": {"player": world.ada.pk, "family_name": "Former", "given_name": "Ada", "until": "2020-01-01"},
        "outsideid": {"player": world.ada.pk, "registry": "fide", "country": "", "value": "1503014"},
        "federationmembership": {"federation": world.list.federation.pk, "player": world.ada.pk, "until": "2026-12-31"},
        "listplayer": {"list": world.list.pk, "player": world.ada.pk, "member": "on"},
        "adjustment": of_list | {"date": "2024-01-08", "set": '{"rating": 1450}', "reason": "r"},
        "decision": of_list | {"date": "2024-01-08", "grade": "2 Kyu", "ruling": "given", "reason": "r"},
        "datedlist": {"list": world.list.pk, "day": "2024-02-27"},
        "user": {"username": "new", "password1": "a long new word", "password2": "a long new word",
                 "usable_password": "true"},
        "group": {"name": "New"},
        "emailaddress": {"user": world.helper.pk, "email": "new@example.org"},
    }  # fmt: skip


CHANGED = {
    "player": {"given_name": "Eva"}, "club": {"city": "Graz"}, "membership": {"start": "2020-01-01"},
    "ratinglist": {"name": "Other"}, "federation": {"name": "Other"},
    "federationmembership": {"until": "2027-12-31"}, "outsideid": {"value": "87654321"}, "formername": {"until": "2021-01-01"}, "listplayer": {"withdrawn": "on"}, "adjustment": {"reason": "other"},
    "decision": {"reason": "other"}, "event": {"place": "Graz"}, "table": {"name": "Final"},
    "user": {"first_name": "Other"}, "group": {"name": "Others"}, "emailaddress": {"email": "other@example.org"},
}  # fmt: skip
ACTIONS = {
    "player show_in_full": ("21A", "player"),
    "player show_initials": ("21A", ""),
    "player show_anonymously": ("21A", "player"),
    "player show_birth_year": ("21A", "player"),
    "player hide_birth_year": ("21A", ""),
    "player show_gender": ("21A", "player"),
    "player hide_gender": ("21A", ""),
    "player release_pages": ("21A", "player"),
    "player merge_two": ("21A", ""),
    "report decline": ("21A", "report"),
    "ratinglist rate_again": ("1A", "ratinglist"),
    "datedlist publish_again": ("1A", "datedlist"),
    "run cancel": ("1A", "run"),
    "emailaddress make_verified": ("A", "account_emailaddress"),
    "outgoingmail try_again": ("A", "outgoingmail"),
}
"""Actions on chosen rows: the letters of who may, and the table that each changes (none: it leads to a page, or the row
is like that already). `delete_selected` goes with the right to delete.
"""


def chosen(model, world):
    """Return the row on which an action is tried, in a state in which it changes something."""
    Run.objects.update(state=Run.State.RUNNING)
    return {"player": world.ada, "emailaddress": EmailAddress.objects.get(user=world.helper)}.get(model) or object_of(
        model, world
    )
