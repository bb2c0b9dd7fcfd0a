"""The table of rights, held against every managing address: who may not gets 403 and changes nothing."""

import pytest
from django.contrib.auth.models import Group, User
from django.db import transaction
from django.urls import get_resolver, reverse

from ratings.access import APPROVERS, OFFICERS, OPEN, ORGANISERS, RIGHTS, Action, Role
from ratings.domain.keys import make_key
from ratings.models import (
    ApiKey,
    Approval,
    Claim,
    Club,
    Decision,
    Event,
    EventStep,
    Merge,
    Player,
    Report,
    Sheet,
    Table,
    Upload,
)
from tests.factories import make_event, make_list, make_player, make_table, make_user

pytestmark = pytest.mark.django_db

GRID = (
    "[Cup, Lyon, France, 2024-05-04]\n[2024-05-04]\n[Time control: 30min]\n1 [Ada][] FR [2+] 1\n2 [Ben][] FR [1-] 0\n"
)
ORGANISER, OFFICER = {Role.ORGANISER}, {Role.ORGANISER, Role.OFFICER}
WHO = {
    "visitor": set(),
    "player": set(),
    "other organiser": ORGANISER,
    "owner": ORGANISER | {Role.OWNER},
    "co-organiser": ORGANISER | {Role.OWNER},
    "organiser of the club": ORGANISER | {Role.OWNER},
    "officer of another list": OFFICER,
    "officer": OFFICER | {Role.LIST_OFFICER},
    "approver": {Role.APPROVER},
    "approver of another list": set(),
    "administrator": OFFICER | {Role.LIST_OFFICER, Role.APPROVER, Role.ADMINISTRATOR},
}
ELSEWHERE = {"officer of another list": {Role.LIST_OFFICER}, "approver of another list": {Role.APPROVER}}
"""What they are where no list is asked for: the queues show them what is theirs."""
GROUPS = {"other organiser": ORGANISERS, "owner": ORGANISERS, "co-organiser": ORGANISERS,
          "organiser of the club": ORGANISERS, "officer of another list": OFFICERS, "officer": OFFICERS,
          "approver": APPROVERS, "approver of another list": APPROVERS}  # fmt: skip
ANSWER = {"granted": "yes", "on": "2024-06-01", "effective": "2024-06-01", "signed_by": "x"}
EVENT, TABLE, SHEET, UPLOAD = ("event",), ("table",), ("sheet",), ("upload",)
ADDRESSES = [
    ("organise", "get", (), Action.ORGANISE, {}),
    ("queue", "get", (), Action.KEEP_PLAYERS, {}),
    ("known_players", "get", (), Action.ORGANISE, {}),
    ("new_event", "get", (), Action.ORGANISE, {}),
    ("new_event", "post", (), Action.ORGANISE, {"name": ""}),
    ("organise_event", "get", EVENT, Action.SEE_EVENT, {}),
    ("edit_event", "get", EVENT, Action.CHANGE_EVENT, {}),
    ("edit_event", "post", EVENT, Action.CHANGE_EVENT, {"name": "Hacked"}),
    ("give_results", "post", EVENT, Action.GIVE_RESULTS, {"text": GRID}),
    ("preview_event", "post", EVENT, Action.SEE_EVENT, {}),
    ("share_event", "post", EVENT, Action.CHANGE_EVENT, {"who": "friend"}),
    ("event_act announce", "post", EVENT, Action.CHANGE_EVENT, {}),
    ("event_act submit", "post", EVENT, Action.GIVE_RESULTS, {}),
    ("event_act return", "post", EVENT, Action.REVIEW, {"note": "x"}),
    ("event_act accept", "post", EVENT, Action.REVIEW, {}),
    ("sheet", "get", SHEET, Action.SEE_EVENT, {}),
    ("sheet", "post", SHEET, Action.GIVE_RESULTS, {"row-1-family": "Hacked"}),
    ("drop_sheet", "post", SHEET, Action.GIVE_RESULTS, {}),
    ("upload", "get", UPLOAD, Action.SEE_EVENT, {}),
    ("correct_table", "post", TABLE, Action.CORRECT, {}),
    ("keys", "get", (), Action.ORGANISE, {}),
    ("keys", "post", (), Action.ORGANISE, {"label": "x"}),
    ("revoke_key", "post", ("key",), Action.ORGANISE, {}),
    ("workers", "get", (), Action.KEEP_PLAYERS, {}),
    ("workers", "post", (), Action.KEEP_PLAYERS, {"mail": "x@example.org", "role": "Organisers"}),
    ("dismiss_worker", "post", ("user",), Action.KEEP_PLAYERS, {"role": "Organisers"}),
    ("dismiss_worker", "post", ("user",), Action.KEEP_OFFICERS, {"role": "Rating officers"}),
    ("duplicates", "get", (), Action.KEEP_PLAYERS, {}),
    ("merge_players", "get", (), Action.KEEP_PLAYERS, {}),
    ("merge_players", "post", (), Action.KEEP_PLAYERS, {"gone": "AAA", "kept": "BBB", "reason": "x"}),
    ("approvals", "get", (), Action.SEE_APPROVALS, {}),
    ("approval", "get", ("case",), Action.SEE_APPROVALS, {}),
    ("dossier", "get", ("case",), Action.SEE_APPROVALS, {}),
    ("approval_letter", "get", ("case",), Action.SEE_APPROVALS, {}),
    ("approval_act send", "post", ("case",), Action.APPROVE, {"on": "2024-06-01"}),
    ("approval_act answer", "post", ("case",), Action.APPROVE, ANSWER),
    ("approval_act confirm", "post", ("case",), Action.APPROVE, {}),
    ("approval_act reopen", "post", ("case",), Action.APPROVE, {}),
    ("announcements", "get", (), Action.KEEP_PLAYERS, {}),
    ("announcements", "post", (), Action.KEEP_PLAYERS, {}),
    ("claims", "get", (), Action.KEEP_PLAYERS, {}),
    ("answer_claim", "post", ("claim",), Action.KEEP_PLAYERS, {"grant": "1", "answer": "x"}),
    ("split_player", "get", (), Action.KEEP_PLAYERS, {}),
    ("split_player", "post", (), Action.KEEP_PLAYERS, {"player": "AAA"}),
    ("import_list", "get", ("list",), Action.KEEP_LIST, {}),
    ("import_list", "post", ("list",), Action.KEEP_LIST, {}),
    ("undo_merge", "post", ("merge",), Action.KEEP_PLAYERS, {}),
]
FOR_ALL = {"template_file"}
"""Managing addresses that tell nothing and change nothing: whoever is logged in may."""


@pytest.fixture
def site():
    """An event on a list with an officer of its own, with a sheet, a file, a table; two players, a merge."""
    users = {name: make_user(name.replace(" ", "-"), is_superuser=name == "administrator") for name in WHO}
    for name, group in GROUPS.items():
        users[name].groups.add(Group.objects.get(name=group))
    make_user("friend").groups.add(Group.objects.get(name=ORGANISERS))
    make_list("other").officers.add(users["officer of another list"])
    fesa = make_list()
    fesa.approvers.add(users["approver"])
    fesa.officers.add(users["officer"])
    club = Club.objects.create(name="Club")
    club.organisers.add(users["organiser of the club"])
    event = make_event("Cup", "2024-05-04", [fesa], club=club, created_by=users["owner"])
    event.organisers.add(users["co-organiser"])
    make_player("Ada", public_id="AAA")
    make_player("Ben", public_id="BBB")
    table = make_table(None, [make_player(), make_player()], [(1, 1, 2, 1.0)], "2024-05-04", event=event, name="A")
    sheet = Sheet.objects.create(event=event, first_day="2024-05-04", last_day="2024-05-04", name="B",
                                 content={"rounds": 1, "rows": [{"cells": ["2+"]}, {"cells": ["1-"]}]})  # fmt: skip
    upload = Upload.objects.create(event=event, sheet=sheet, name="x", form="grid", data=b"x")
    merge = Merge.objects.create(gone=make_player(), kept=make_player(), reason="r")
    case = Approval.objects.create(list=fesa, player=make_player(), grade="5 Dan", earned_on="2024-05-04",
                                   letter_name="x")  # fmt: skip
    ids = {
        "case": case.public_id,
        "event": event.public_id,
        "table": table.pk,
        "sheet": sheet.pk,
        "upload": upload.pk,
        "merge": merge.pk,
        "user": users["owner"].pk,
        "list": fesa.slug,
        "key": make_key(users["owner"], "x")[0].pk,
        "claim": Claim.objects.create(player=table.entries.first().player, user=users["player"], note="me").pk,
    }
    return users, event, ids


def snapshot():
    return (
        list(Event.objects.values_list("name", "state", "announced_at", "organisers").order_by("pk")),
        list(Sheet.objects.values_list("state", "content").order_by("pk")),
        *(model.objects.count() for model in (Upload, EventStep, Table, Player, Report)),
        list(Player.objects.values_list("merged_into", "account").order_by("pk")),
        list(User.objects.values_list("username", "groups").order_by("pk", "groups")),
        list(Approval.objects.values_list("state", "decision").order_by("pk")),
        list(ApiKey.objects.values_list("revoked_at").order_by("pk")),
        Decision.objects.count(),
        list(Merge.objects.values_list("undone_at").order_by("pk")),
    )


def allowed(action, roles, state):
    return any(role in roles and state in states for role, states in RIGHTS[action].items())


@pytest.mark.parametrize("state", ["draft", "submitted", "accepted"])
@pytest.mark.parametrize("who", WHO)
def test_managing_addresses_keep_to_the_table_of_rights(who, state, client, site):
    users, _, ids = site
    Event.objects.update(state=state)
    Sheet.objects.update(state="submitted" if state == "submitted" else "working")
    if who != "visitor":
        client.force_login(users[who])
    before, wrong = snapshot(), []
    for named, method, args, action, data in ADDRESSES:
        name, *more = named.split()
        address = reverse(name, args=[*(ids[arg] for arg in args), *more])
        of_event = args in (EVENT, TABLE, SHEET, UPLOAD)
        roles = WHO[who] | (ELSEWHERE.get(who, set()) if not args else set())
        may = allowed(action, roles, state if of_event else "draft")
        with transaction.atomic():
            response = getattr(client, method)(address, data)
            after = snapshot()
            transaction.set_rollback(True)
        refused = response.status_code == 403 or (who == "visitor" and response.url.startswith("/accounts/login/"))
        if refused == may or (refused and after != before):
            wrong.append((address, method, response.status_code))
    assert wrong == []


def test_every_managing_address_is_in_the_table():
    managing = {
        pattern.name
        for pattern in get_resolver().url_patterns
        if str(pattern.pattern).lstrip("^").startswith("organise/")
    }
    assert managing == {name.split()[0] for name, *_ in ADDRESSES} | FOR_ALL


def test_rights_name_every_action_and_known_roles():
    assert set(RIGHTS) == set(Action)
    assert {role for roles in RIGHTS.values() for role in roles} == set(Role)
    assert {str(state) for roles in RIGHTS.values() for states in roles.values() for state in states} <= set(
        Event.State.values
    )
    assert {"draft", "returned"} == OPEN
