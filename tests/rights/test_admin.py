"""Every cell of the table of rights at the screens of the admin: lists, rows, forms, deletions, files and actions."""

import pytest
from django.contrib import admin
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import RequestFactory
from django.urls import NoReverseMatch, reverse

from tests.admin.site.test_versions import form_of
from tests.thorough import take_share_of
from tests.versions import opened

from .doors import CHANGE, DRAFT, MAKE, REVIEW, VOID
from .preparing import NEW_EVENT
from .screens import ACTIONS, CHANGED, added, chosen, object_of
from .table import PERSONS, SCREENS, STAFF_LETTERS, STATES, allows, staff_allows
from .trying import name_of_table, undone

pytestmark = pytest.mark.django_db
REGISTRY = admin.site._registry  # noqa: SLF001 - there is no other way
MODELS = {model._meta.model_name: model for model in REGISTRY}
OF_LISTS = {"listplayer", "adjustment", "decision", "datedlist"}
"""Officers of other lists open the form as well; it refuses this list."""
EVENTS = [
    (CHANGE, "event", "change", "dsrav"),
    (CHANGE, "table", "change", "dsrav"),
    (CHANGE, "table", "add", "dsrav"),
    (DRAFT, "event", "delete", "dr"),
    (DRAFT, "event", "delete_selected", "dr"),
    (VOID, "table", "delete", "av"),
    (VOID, "table", "delete_selected", "av"),
    (REVIEW, "event", "accept_submitted", "sa"),
]
"""Ways to do an action of the table in the admin, and the states in which each does it."""
DELETED_BY_ACTION = sorted(set(SCREENS) - {"event", "table"})


def address_of(model, what, row=None):
    return reverse(f"admin:{MODELS[model]._meta.app_label}_{model}_{what}", args=[] if row is None else [row.pk])


def request_of(model, operation, world, client):
    """Return method, address and data of an operation on a screen; `client` is an administrator's browser."""
    row = object_of(model, world)
    shows = {"list": ("changelist",), "see": ("change", row), "export": ("export",)}
    if operation in shows:
        return "get", address_of(model, *shows[operation]), None
    if operation == "add":
        return "post", address_of(model, "add"), added(world).get(model, {})
    if operation == "change":
        data = form_of(client, row) | CHANGED[model] if model in CHANGED else {}
        return "post", address_of(model, "change", row), data
    if operation == "delete":
        return "post", address_of(model, "delete", world.spare.get(model, row)), {"post": "yes"}
    file = SimpleUploadedFile("x.csv", b"public_id\n")
    return "post", address_of(model, "import"), {"import_file": file, "format": "0"}


def problem_of(answer, model, operation, *, allowed, opened=False):
    """Return what is wrong with an answer of the admin; empty if it is right."""
    if not allowed:
        is_refused = answer.refused or (opened and answer.status == 200)
        return "" if is_refused and not answer.changed else f"not refused: {answer}"
    if answer.refused or answer.status >= 400:
        return f"refused: {answer}"
    changes = operation == "delete" or (operation in ("add", "change") and model in CHANGED)
    table = name_of_table(MODELS[model]._meta.db_table)
    return "" if not changes or table in answer.changed else f"not done: {answer}"


@pytest.mark.parametrize("model", SCREENS)
def test_screen_keeps_to_the_table(model, trials):
    trials.world.put("accepted")
    trials.remember()
    wrong = {}
    for number, operation in enumerate(SCREENS[model], list(SCREENS).index(model)):
        try:
            asked = request_of(model, operation, trials.world, trials.client("adm"))
        except NoReverseMatch:
            assert SCREENS[model][operation] == "-", operation
            continue
        if model in ("event", "table") and operation in ("add", "change", "delete"):
            continue  # by the rows of RIGHTS, below
        for column in take_share_of(PERSONS, number, 6):
            if operation == "import":
                asked[2]["import_file"].seek(0)
            answer = trials.send(column, *asked)
            opened = column == "of2" and operation == "add" and model in OF_LISTS
            allowed = staff_allows(model, operation, column)
            if problem := problem_of(answer, model, operation, allowed=allowed, opened=opened):
                wrong[operation, column] = problem
    assert wrong == {}


def event_request(model, operation, world, client):
    row = object_of(model, world)
    if (model, operation) == ("table", "add"):
        data = {
            "event": world.event.pk,
            "name": "New",
            "first_day": "2024-05-04",
            "last_day": "2024-05-04",
            "position": "0",
        }
        return "post", address_of(model, "add"), data
    if operation in ("change", "delete"):
        if world.event.state == "deleted" and operation == "change":
            return "post", address_of(model, "change", row), {"name": "Final"}  # there is no form
        return request_of(model, operation, world, client)
    data = {"action": operation, "_selected_action": [row.pk], "post": "yes"}
    return "post", address_of(model, "changelist"), data


@pytest.mark.parametrize("door", EVENTS, ids=lambda door: " ".join(door[1:3]))
def test_events_and_tables_keep_to_the_table_in_every_state(door, trials):
    right, model, operation, works = door
    wrong = {}
    for turn, (state, name) in enumerate(take_share_of(STATES.items(), EVENTS.index(door), 9)):
        if (model, state) == ("event", "x"):
            continue  # deleted events are not in the admin
        with undone():
            trials.world.put(name)
            asked = event_request(model, operation, trials.world, trials.client("adm"))
            trials.remember()
            for column in take_share_of(PERSONS, turn, 3):
                answer = trials.send(column, *asked)
                allowed = allows(right, column, state) and column in STAFF_LETTERS
                is_refused = answer.refused or (operation not in CHANGED and answer.status in (200, 302))
                if not allowed and (answer.changed or not is_refused):
                    wrong[name, column] = f"not refused: {answer}"
                table = "submission" if operation == "accept_submitted" else model
                if allowed and (state in works) != (table in answer.changed):
                    wrong[name, column] = f"wrong: {answer}"
    assert wrong == {}


def test_deleted_events_are_not_in_the_admin(trials):
    trials.world.put("deleted")
    for column in ("own", "of1", "adm"):
        assert trials.send(column, "get", address_of("event", "change", trials.world.event)).refused


def test_event_added_in_the_admin_keeps_to_the_table(trials):
    data = NEW_EVENT | {"lists": [trials.world.list.pk]}
    for column in PERSONS:
        answer = trials.send(column, "post", address_of("event", "add"), data)
        if allows(MAKE, column) and column != "of2":
            assert "event" in answer.changed, (column, answer)
        else:  # officers put events on their own lists
            assert not answer.changed, (column, answer)


@pytest.mark.parametrize("name", ACTIONS)
def test_action_keeps_to_the_table(name, trials):
    model, action = name.split()
    letters, changes = ACTIONS[name]
    row = chosen(model, trials.world)
    trials.remember()
    data = {"action": action, "_selected_action": [row.pk]}
    for column in take_share_of(PERSONS, list(ACTIONS).index(name), 4):
        answer = trials.send(column, "post", address_of(model, "changelist"), data)
        if STAFF_LETTERS.get(column, "?") in letters:
            assert (answer.status, changes in answer.changed or not changes) == (302, True), (column, answer)
        else:
            assert not answer.changed, (column, answer)


@pytest.mark.parametrize("model", DELETED_BY_ACTION)
def test_chosen_rows_are_deleted_by_those_who_delete_one(model, trials):
    row = trials.world.spare.get(model, object_of(model, trials.world))
    data = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
    table = name_of_table(MODELS[model]._meta.db_table)
    for column in take_share_of(PERSONS, DELETED_BY_ACTION.index(model), 4):
        answer = trials.send(column, "post", address_of(model, "changelist"), data)
        assert (table in answer.changed) == staff_allows(model, "delete", column), (column, answer)


def test_officers_cannot_appoint_users_by_the_form_of_a_list(trials):
    world = trials.world
    address, data = address_of("ratinglist", "change", world.list), form_of(trials.client("adm"), world.list)
    appointed = {"officers": [world.users["of2"].pk], "approvers": [world.users["of1"].pk], "four_eyes": "on"}
    for column, table in (("of1", set()), ("adm", {"ratinglist_officers", "ratinglist_approvers"})):
        answer = trials.send(column, "post", address, data | appointed | {"name": "Other"})
        assert answer.status == 302
        assert answer.changed & {"ratinglist_officers", "ratinglist_approvers"} == table, column


def test_import_is_confirmed_by_officers_only(trials):
    for model in ("player", "club"):
        for column in PERSONS:
            answer = trials.send(column, "post", address_of(model, "process_import"), {})
            assert answer.refused != staff_allows(model, "import", column), (model, column, answer)


def test_options_of_a_list_are_changed_by_its_officers(trials):
    data = {"option_corrections": "revised", "_confirm": "1"} | opened(trials.world.list)
    for column in PERSONS:
        answer = trials.send(column, "post", address_of("ratinglist", "system", trials.world.list), data)
        assert ("ratinglist" in answer.changed) == staff_allows("ratinglist", "change", column), (column, answer)


def test_passwords_are_set_by_administrators(trials):
    data = {"password1": "a long new word", "password2": "a long new word", "usable_password": "true"}
    address = reverse("admin:auth_user_password_change", args=[trials.world.helper.pk])
    for column in PERSONS:
        answer = trials.send(column, "post", address, data)
        assert ("auth_user" in answer.changed) == (column == "adm"), (column, answer)


def test_every_screen_and_action_of_the_admin_is_in_the_tables(trials):
    assert set(MODELS) == set(SCREENS)
    request = RequestFactory().get("/")
    request.user = trials.world.users["adm"]
    known = {"event accept_submitted", *ACTIONS}
    offered = {
        f"{model._meta.model_name} {action}"
        for model, screen in REGISTRY.items()
        for action in screen.get_actions(request)
        if action != "delete_selected"
    }
    assert offered == known
    views = {"changelist", "add", "history", "delete", "change", "export", "import", "process_import"}
    others = {
        pattern.name.removeprefix(f"{model._meta.app_label}_{model._meta.model_name}_")
        for model, screen in REGISTRY.items()
        for pattern in screen.get_urls()
        if pattern.name
    }
    assert others - views == {"system", "password_change"}
