"""Two people with one form open: the second one is told what the first one changed, and overwrites nothing."""

import datetime as dt
import re
from html import unescape

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, User

from ratings.access import ORGANISERS
from ratings.admin.site.staff import StaffAdmin
from ratings.domain.players.visibility import set_visibility
from ratings.models import (
    Adjustment,
    Club,
    Decision,
    Event,
    ListPlayer,
    Membership,
    NameVisibility,
    Player,
    RatingList,
    Table,
)
from ratings.versioned_forms import VERSION_FIELD
from tests.admin.people import OFFICER, SUPERUSER, log_in
from tests.factories import give_rating, make_list, make_player, make_table, make_user
from tests.shared import reused

pytestmark = pytest.mark.django_db


@pytest.fixture
@reused
def rows():
    """One row of every model whose rows people change in the admin."""
    fesa, ada = make_list(), make_player("Ada", "Maria", birth_year=1970)
    table = make_table(fesa, [ada, make_player("Ben")], [(1, 1, 2, 1.0)], event_name="Cup")
    club = Club.objects.create(name="Lyon")
    return {
        "player": ada,
        "club": club,
        "membership": Membership.objects.create(player=ada, club=club),
        "ratinglist": fesa,
        "listplayer": ListPlayer.objects.create(list=fesa, player=ada, prior_grade="3 Kyu"),
        "adjustment": give_rating(fesa, ada, 1500),
        "decision": Decision.objects.create(
            list=fesa, player=ada, date="2024-01-01", grade="3 Kyu", ruling="given", reason="r"
        ),
        "event": table.event,
        "table": table,
        "user": make_user("somebody", first_name="Some", date_joined=dt.datetime(2024, 1, 1, tzinfo=dt.UTC)),
        "group": Group.objects.get(name=ORGANISERS),
    }


CHANGES = {
    "player": ("given_name", "Eva"),
    "club": ("city", "Graz"),
    "membership": ("start", "2020-01-01"),
    "ratinglist": ("name", "Other"),
    "listplayer": ("prior_evidence", "diploma"),
    "adjustment": ("reason", "other"),
    "decision": ("reason", "other"),
    "event": ("place", "Graz"),
    "table": ("name", "Final"),
    "user": ("first_name", "Other"),
    "group": ("name", "Organisers of events"),
}


def address_of(row):
    return f"/admin/{row._meta.app_label}/{row._meta.model_name}/{row.pk}/change/"


def form_of(client, row):
    """Return the fields that a browser sends when it submits the displayed form."""
    page = client.get(address_of(row))
    data = {}
    adminform = page.context["adminform"].form
    for form in [adminform, *(form for inline in page.context["inline_admin_formsets"] for form in inline.formset)]:
        for field in form:
            value = field.value()
            if hasattr(field.field.widget, "decompress"):
                for number, part in enumerate(field.field.widget.decompress(value)):
                    data[f"{field.html_name}_{number}"] = part or ""
            elif value is not None and value is not False:
                data[field.html_name] = [getattr(one, "pk", one) for one in value] if isinstance(value, list) else value
    for inline in page.context["inline_admin_formsets"]:
        management = inline.formset.management_form
        data |= {management.add_prefix(name): value for name, value in management.initial.items()}
    assert f'name="{VERSION_FIELD}"' in page.content.decode()
    return data


def messages_of(response):
    page = unescape(response.content.decode())
    return [
        re.sub(r"\d\d:\d\d", "12:00", message)
        for block in re.findall(r'<ul class="errorlist nonfield"[^>]*>(.*?)</ul>', page, re.DOTALL)
        for message in re.findall(r"<li>(.*?)</li>", block, re.DOTALL)
    ]


@pytest.mark.parametrize("model", CHANGES)
def test_admin_form_refuses_to_overwrite_a_newer_version(model, client, rows):
    officer, row = log_in(client, SUPERUSER), rows[model]
    field, value = CHANGES[model]
    first, second = form_of(client, row), form_of(client, row)
    assert client.post(address_of(row), first | {field: value}).status_code == 302
    response = client.post(address_of(row), second | {field: "2019-01-01" if field == "start" else "Mine"})
    assert response.status_code == 200
    message, *changes, hint = messages_of(response)
    assert (f"has been changed since you opened this form, by {officer} (12:00)" in message) == (model != "group")
    assert len(changes) == 1
    assert changes[0].endswith(f" is now: {value}")
    assert hint == "Nothing was saved, and what you typed is still in the form. Compare it, then save again."
    row.refresh_from_db()
    assert str(getattr(row, field)) == value
    typed = response.context["adminform"].form
    assert str(typed[field].value()) in {"Mine", "2019-01-01"}
    again = second | {field: typed[field].value(), VERSION_FIELD: typed[VERSION_FIELD].value()}
    assert client.post(address_of(row), again).status_code == 302
    row.refresh_from_db()
    assert str(getattr(row, field)) in {"Mine", "2019-01-01"}


@pytest.mark.parametrize("model", CHANGES)
def test_admin_form_without_a_version_saves_nothing(model, client, rows):
    log_in(client, SUPERUSER)
    row = rows[model]
    field, value = CHANGES[model]
    data = form_of(client, row)
    del data[VERSION_FIELD]
    response = client.post(address_of(row), data | {field: value})
    assert (response.status_code, len(messages_of(response))) == (200, 2)
    row.refresh_from_db()
    assert str(getattr(row, field)) != value


def test_every_admin_form_carries_a_version():
    screens = [type(screen) for screen in admin.site._registry.values()]  # noqa: SLF001 - there is no other way
    # made by allauth: administrators look at them, and delete them
    assert {screen.__name__ for screen in screens if not issubclass(screen, StaffAdmin)} <= {
        "AuthenticatorAdmin", "EmailConfirmationAdmin", "UserSessionAdmin",
    }  # fmt: skip


def test_outdated_player_form_keeps_the_choice_to_be_hidden(client, rows):
    ada = rows["player"]
    log_in(client, OFFICER)
    opened = form_of(client, ada)
    set_visibility(Player.objects.get(pk=ada.pk), NameVisibility.ANONYMOUS, birth_public=False)
    for forged in ({}, {"shown": "full", "birth_public": "on"}):
        response = client.post(address_of(ada), opened | {"country": "DE"} | forged)
        assert response.status_code == 200
        assert "has been changed since you opened this form" in messages_of(response)[0]
    again = form_of(client, ada) | {"country": "DE", "shown": "full", "birth_public": "on"}
    assert client.post(address_of(ada), again).status_code == 302
    ada.refresh_from_db()
    assert (ada.country, ada.shown, ada.birth_public) == ("DE", "anonymous", False)


def test_outdated_event_form_keeps_the_event_accepted(client, rows):
    cup = rows["event"]
    Event.objects.filter(pk=cup.pk).update(state="submitted")
    log_in(client, OFFICER)
    opened = form_of(client, cup)
    assert "state" not in opened
    Event.objects.filter(pk=cup.pk).update(state="accepted")
    assert client.post(address_of(cup), opened | {"place": "Graz", "state": "submitted"}).status_code == 200
    assert client.post(address_of(cup), form_of(client, cup) | {"place": "Graz", "state": "draft"}).status_code == 302
    assert Event.objects.values_list("state", "place").get(pk=cup.pk) == ("accepted", "Graz")


def test_new_event_is_a_draft_for_every_role(client, rows):
    log_in(client, SUPERUSER)
    data = {"name": "New", "start": "2024-02-01", "end": "2024-02-01", "mode": "board", "state": "accepted"}
    assert client.post("/admin/ratings/event/add/", data | {"lists": [rows["ratinglist"].pk]}).status_code == 302
    assert Event.objects.get(name="New").state == "draft"


def test_officers_change_visibility_by_actions(client, rows):
    ada = rows["player"]
    log_in(client, OFFICER)
    seen = []
    for action in (
        "show_initials", "show_birth_year", "show_anonymously", "show_gender", "hide_birth_year", "hide_gender", "show_in_full",
    ):  # fmt: skip
        client.post("/admin/ratings/player/", {"action": action, "_selected_action": [ada.pk]})
        seen.append(Player.objects.values_list("shown", "birth_public", "gender_public").get(pk=ada.pk))
    assert seen == [
        ("initials", False, False), ("initials", True, False), ("anonymous", True, False), ("anonymous", True, True),
        ("anonymous", False, True), ("anonymous", False, False), ("full", False, False),
    ]  # fmt: skip


def test_membership_changed_by_another_user_is_reported_in_the_players_form(client, rows):
    ada, membership = rows["player"], rows["membership"]
    log_in(client, OFFICER)
    opened = form_of(client, ada)
    assert opened[f"memberships-0-{VERSION_FIELD}"].startswith("1 ")
    membership.start = "2021-01-01"
    membership.save()
    response = client.post(address_of(ada), opened | {"memberships-0-start": "2019-01-01"})
    assert response.status_code == 200
    assert "is now: 2021-01-01" in unescape(response.content.decode())
    assert client.post(address_of(ada), form_of(client, ada) | {"country": "DE"}).status_code == 302
    assert str(Membership.objects.get().start) == "2021-01-01"


@pytest.mark.parametrize(
    "model", [Player, Club, Membership, RatingList, ListPlayer, Adjustment, Decision, Event, Table]
)
def test_version_counts_saves_and_updates(model, rows):
    row = rows[model._meta.model_name]
    versions = [model.objects.values_list("version", flat=True).get(pk=row.pk)]
    field, value = CHANGES[model._meta.model_name]
    for _ in range(2):
        row.save()
        versions.append(row.version)
    outdated = model.objects.get(pk=row.pk)
    model.objects.filter(pk=row.pk).update(**{field: value})
    outdated.save(update_fields=[field])
    versions.append(outdated.version)
    assert versions == [versions[0] + step for step in (0, 1, 2, 4)]


def test_version_ignores_derived_rows(rows):
    fesa = RatingList.objects.get()
    before, old = fesa.version, RatingList.objects.get()
    RatingList.objects.update(revision=77, problem="x", out_of_date_from=None)
    assert RatingList.objects.get().version == before
    old.name = "New"
    old.save()  # does not put an old revision back
    fresh = RatingList.objects.get()
    assert (fresh.version, fresh.revision, fresh.problem, fresh.name) == (before + 1, 77, "x", "New")


def test_version_counts_changes_of_related_rows(rows):
    friend = make_user("friend")
    before = Event.objects.get().version
    Event.objects.get().organisers.add(friend)
    friend.shared_events.remove(Event.objects.get())
    Event.objects.get().organisers.set([])
    assert Event.objects.get().version == before + 2


def test_form_of_a_deleted_row_is_reported(client, rows):
    log_in(client, SUPERUSER)
    row = rows["decision"]
    opened = form_of(client, row)
    row.delete()
    assert client.post(address_of(row), opened).status_code == 302  # to the start page, with a message
    assert not Decision.objects.exists()


def test_concurrent_change_of_a_users_groups_is_reported(client, rows):
    log_in(client, SUPERUSER)
    user = rows["user"]
    opened = form_of(client, user)
    user.groups.add(Group.objects.get(name=ORGANISERS))
    response = client.post(address_of(user), opened | {"first_name": "Mine"})
    assert [message for message in messages_of(response) if "is now" in message] == ["Groups is now: Organisers"]
    assert User.objects.get(pk=user.pk).groups.exists()
