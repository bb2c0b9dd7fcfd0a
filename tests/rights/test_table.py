"""The table of rights and the code say the same, every door is known, and the document follows the table."""

from pathlib import Path

import pytest
from django.contrib.auth.models import AnonymousUser
from django.urls import URLPattern, get_resolver

from portal.api.site import api
from ratings.access import RIGHTS, Action, Role, lacks_second_factor, may, may_by_key
from ratings.domain.site.keys import valid_key
from ratings.models import Approval, Event
from tests.pages import PAGES

from . import doors
from .document import written
from .doors import API_DOORS, CHANGES_NOTHING, EVENT_DOORS, OTHER_DOORS
from .table import COLUMNS, PERSONS, STATES, TABLE, allows

pytestmark = pytest.mark.django_db
CODE = {
    doors.OPEN: [(Action.ORGANISE, "")],
    doors.MAKE: [(Action.ORGANISE, "")],
    doors.SEE: [(Action.SEE_EVENT, "event")],
    doors.CHANGE: [(Action.CHANGE_EVENT, "event")],
    doors.GIVE: [(Action.GIVE_RESULTS, "event")],
    doors.CORRECT: [(Action.CORRECT, "event")],
    doors.WITHDRAW: [(Action.WITHDRAW, "event")],
    doors.REMIND: [(Action.REMIND_OFFICERS, "event")],
    doors.DRAFT: [(Action.DELETE_EVENT, "event")],
    doors.REVIEW: [(Action.REVIEW, "event")],
    doors.SETTLE: [(Action.SETTLE, "event")],
    doors.VOID: [(Action.VOID, "event")],
    doors.DESK: [(Action.KEEP_PLAYERS, "")],
    doors.ANSWERS: [(Action.KEEP_PLAYERS, "")],
    doors.MERGE: [(Action.KEEP_PLAYERS, ""), (Action.KEEP_LIST, "list")],
    doors.ERASE: [(Action.ERASE_PERSON, "")],
    doors.KEYS: [(Action.ORGANISE, "")],
    "change a federation's pages": [(Action.KEEP_FEDERATION, "federation")],
    doors.HOOKS: [(Action.MANAGE_WEBHOOKS, "federation")],
    "see the API keys of everybody": [(Action.KEEP_KEYS, "")],
    doors.INVITE: [(Action.KEEP_PLAYERS, "")],
    doors.SET_UP: [(Action.SET_UP, "")],
    doors.APPOINT: [(Action.KEEP_OFFICERS, "")],
    "open the approvers' page": [(Action.SEE_APPROVALS, "")],
    doors.CASE: [(Action.SEE_APPROVALS, "case")],
    doors.APPROVE: [(Action.APPROVE, "case")],
    doors.REQUEST: [(Action.KEEP_LIST, "list")],
    doors.REPLY: [(Action.KEEP_LIST, "list")],
    doors.CONFIRM: [(Action.KEEP_LIST, "list")],
    doors.GRADES: [(Action.KEEP_PLAYERS, ""), (Action.KEEP_LIST, "list")],
    doors.LABORATORY: [(Action.KEEP_LIST, "list")],
    doors.PROPOSE: [(Action.KEEP_LIST, "list")],
    doors.IMPORT: [(Action.KEEP_LIST, "list")],
}
"""What `ratings.access` is asked for each row, and about what."""
NOT_ASKED = {
    "report an error", "open one's own page", "claim the page of a player", doors.OWN, "revoke an API key of the organiser",
    "see and submit files of the organiser", doors.FOLLOW,
}  # fmt: skip
"""Rows about one's own page or key, or open to all: the views compare owner and user."""


READS_BY_POST = {"look_up"}
"""Operations of the API that anybody may send and that change nothing (`tests/portal/api/test_lookup.py`)."""


BY_SECRET = {"pairing_health", "pairing_players", "pairing_roster", "send_pairings", "send_standings"}
"""Operations of pairing programs with the secret of an event (`tests/portal/api/test_pairing_programs.py`)."""


def says(world, row, column, about):
    """Return what the code says of a role and the actions of a row."""
    if column in world.secrets:
        key = valid_key(world.secrets[column])
        by_api = any(door.row == row for door in API_DOORS)
        return by_api and key is not None and all(may_by_key(key, action, about[name]) for action, name in CODE[row])
    user = world.users.get(column, AnonymousUser())
    return all(may(user, action, about[name]) for action, name in CODE[row]) and not lacks_second_factor(user)


def test_table_and_code_say_the_same_of_every_cell(world, settings):
    settings.SECOND_FACTOR = True
    event = Event.objects.get(pk=world.event.pk)
    about = {"": None, "event": event, "list": world.list, "case": Approval.objects.get(public_id=world.ids["case"]),
             "federation": world.list.federation}  # fmt: skip
    wrong = []
    for row, asked in CODE.items():
        states = STATES if any(name == "event" for _, name in asked) else "d"
        for state in states:
            event.state = STATES[state]
            wrong += [(row, column, STATES[state]) for column in COLUMNS
                      if says(world, row, column, about) != allows(row, column, state)]  # fmt: skip
    assert wrong == []


def test_rows_are_actions_of_the_code_or_explained():
    assert set(CODE) | NOT_ASKED == set(TABLE)
    assert {action for asked in CODE.values() for action, _ in asked} == set(RIGHTS) == set(Action)


def test_rights_name_known_roles_and_states():
    assert {role for roles in RIGHTS.values() for role in roles} == set(Role)
    states = {str(state) for roles in RIGHTS.values() for states in roles.values() for state in states}
    assert states == set(STATES.values()) == set(Event.State.values)


def test_every_row_has_a_door_and_every_door_a_row():
    assert {door.row for door in (*EVENT_DOORS, *OTHER_DOORS, *API_DOORS)} == set(TABLE)


def test_every_address_is_a_door_a_public_page_or_explained():
    """A new page fails here until it has a row, or a reason why it changes nothing."""
    names = {pattern.name for pattern in get_resolver().url_patterns if isinstance(pattern, URLPattern)}
    tried = {door.address.split()[0] for door in (*EVENT_DOORS, *OTHER_DOORS)}
    public = {name.split()[0] for name in PAGES}
    assert names - tried - public - set(CHANGES_NOTHING) == set()
    managing = {pattern.name for pattern in get_resolver().url_patterns if "organise/" in str(pattern.pattern)}
    assert managing <= tried | set(CHANGES_NOTHING)
    assert set(CHANGES_NOTHING) & tried == set()


def test_every_step_of_an_address_is_tried():
    """Addresses that do several things, as /organise/events/…/accept/, have a door for each."""
    several = {"event_act": 6, "approval_act": 14, "close_proposal": 2, "webhook_act": 8}
    for name, number in several.items():
        (pattern,) = [one for one in get_resolver().url_patterns if getattr(one, "name", "") == name]
        steps = {door.address for door in (*EVENT_DOORS, *OTHER_DOORS) if door.address.startswith(f"{name} ")}
        assert len(steps) == number
        assert all(step.split()[1] in str(pattern.pattern) for step in steps)


def test_every_operation_of_the_api_is_a_door_or_reads_what_is_public():
    tried = {door.address.removeprefix("api:") for door in API_DOORS}
    by_key, changing = set(), set()
    for _, router in api._routers:  # noqa: SLF001 - there is no other way
        for view in router.path_operations.values():
            for operation in view.operations:
                changing |= {operation.view_func.__name__} if set(operation.methods) - {"GET"} else set()
                by_key |= {operation.view_func.__name__} if operation.auth_callbacks else set()
    assert changing - READS_BY_POST <= by_key == tried | BY_SECRET


def test_organisers_of_an_event_are_alike():
    """The document has one column for them, apart from what belongs to one person."""
    own = ("revoke an API key of the organiser", doors.FILES)
    assert all(cells["own"] == cells["coo"] == cells["clb"] for row, cells in TABLE.items() if row not in own)


def test_closed_accounts_are_visitors():
    assert all(cells["ina"] == cells["vis"] for cells in TABLE.values())
    assert len(PERSONS) == 13


def test_document_follows_the_table():
    document = Path(__file__).parents[2] / "docs" / "rights.md"
    assert document.read_text() == written(), "run: python -m tests.rights.document"
