"""Guided set-up: from an empty database to a public list, step by step."""

import datetime as dt

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group, User
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.mail.backends.locmem import EmailBackend

from ratings.access import OFFICERS, ORGANISERS
from ratings.domain.site.roles import ensure_roles
from ratings.models import Adjustment, Federation, LogKey, Player, RatingList, Upload
from ratings.systems import SYSTEMS
from tests.factories import make_list, make_player, make_table, make_user
from tests.versions import opened

pytestmark = pytest.mark.django_db(transaction=True)

ADDRESS = "/organise/setup/"
FEDERATION = {
    "step": "federation", "name": "Alpine Go Association", "short_name": "AGA", "house": "pine", "time_zone": "Europe/Zurich",
}  # fmt: skip
LIST = {"step": "list", "name": "Go", "system": "bgf"}
CSV = "Name;Vorname;Land;GoR;Seit\nEgger;Nora;AT;144;2014\nBaumann;Luca;DE;-87;2018\n"


@pytest.fixture
def anna(client):
    """Return an administrator who is signed in and whose address is not confirmed."""
    ensure_roles()
    anna = User.objects.create_superuser("anna", "anna@aga.example", "secret")
    client.force_login(anna)
    return anna


def people_file(text=CSV, name="members.csv"):
    data = text if isinstance(text, bytes) else text.encode()
    return {"step": "people", "file": SimpleUploadedFile(name, data), "day": ""}


def rows(*mails, role=ORGANISERS):
    data = {"step": "invitations", "invite-TOTAL_FORMS": "2", "invite-INITIAL_FORMS": "0"}
    for number, address in enumerate(mails):
        data |= {f"invite-{number}-mail": address, f"invite-{number}-role": role}
    return data


def set_up(client, until="people"):
    """Do the first steps as a person would."""
    client.post(ADDRESS, FEDERATION)
    if until != "federation":
        client.post(ADDRESS, LIST)
    if until == "people":
        checked = client.post(ADDRESS, people_file())
        store = {"step": "people", "store": "1", "upload": checked.context["opening"].upload.pk}
        client.post(ADDRESS, store | {"day": f"{checked.context['opening'].day}"})


def messages(response):
    return [str(message) for message in response.context["messages"]]


def test_empty_portal_opens_the_first_step(client, anna):
    page = client.get(ADDRESS)
    assert (page.context["open_step"], page.context["state"].done) == ("federation", [])
    assert "0 of 6 steps are done." in " ".join(page.text.split())


def test_steps_lead_one_to_the_next(client, anna):
    answers = [client.post(ADDRESS, FEDERATION), client.post(ADDRESS, LIST)]
    assert [answer["Location"] for answer in answers] == [f"{ADDRESS}#list", f"{ADDRESS}#people"]
    federation, rating_list = Federation.objects.get(), RatingList.objects.get()
    assert (federation.slug, federation.label, federation.house) == ("alpine-go-association", "AGA", "pine")
    assert (rating_list.slug, rating_list.system, rating_list.public) == ("go", "bgf", False)
    page = client.get(ADDRESS)
    assert (page.context["open_step"], page.context["state"].done) == ("people", ["federation", "list"])


def test_step_sent_twice_changes_no_more_than_once(client, anna):
    set_up(client, "list")
    again = [client.post(ADDRESS, data) for data in (FEDERATION, LIST)]
    assert [answer.status_code for answer in again] == [302, 302]
    outdated = client.post(ADDRESS, FEDERATION | {"name": "Other"})  # from the page as it was without a federation
    assert (outdated.status_code, "has been changed since" in outdated.text) == (422, True)
    assert (Federation.objects.get().name, RatingList.objects.count()) == ("Alpine Go Association", 1)


def test_preview_shows_the_head_and_saves_nothing(client, anna):
    page = client.post(ADDRESS, FEDERATION | {"preview": "1"})
    assert (page.status_code, Federation.objects.count()) == (200, 0)
    assert page.context["previewed"].name == "Alpine Go Association"
    assert 'class="mini" data-house="pine"' in page.text


def test_federation_without_a_name_is_refused_beside_its_field(client, anna):
    page = client.post(ADDRESS, FEDERATION | {"name": ""})
    assert (page.status_code, page.context["open_step"]) == (422, "federation")
    assert page.context["federation_form"].errors == {"name": ["This field is required."]}


def test_options_of_the_chosen_system_are_saved_and_those_of_others_are_not(client, anna):
    set_up(client, "federation")
    client.post(ADDRESS, LIST | {"bgf-option-bonus": "epsilon", "icu-1989-option-cap": "nonsense"})
    assert RatingList.objects.get().options == {"bonus": "epsilon"}


def test_bad_option_is_refused_beside_its_field_and_what_was_typed_stays(client, anna):
    set_up(client, "federation")
    page = client.post(ADDRESS, LIST | {"system": "icu-1989", "icu-1989-option-cap": "high"})
    message = "Invalid value “high”: expected a rating from 1 to 5000."
    assert (page.status_code, page.context["list_form"].errors) == (422, {"icu-1989-option-cap": [message]})
    assert 'value="high"' in page.text
    assert RatingList.objects.count() == 0


@pytest.mark.parametrize("field", [{"name": ""}, {"system": ""}, {"system": "no-such"}, {"publish_on": "13-40"},
                                   {"least_time": "soon"}])  # fmt: skip
def test_list_with_invalid_values_is_refused(field, client, anna):
    set_up(client, "federation")
    page = client.post(ADDRESS, LIST | field)
    assert (page.status_code, list(page.context["list_form"].errors)) == (422, list(field))


def test_system_of_a_list_with_ratings_is_locked_with_the_reason(client, anna):
    set_up(client)
    rating_list = RatingList.objects.get()
    page = client.post(ADDRESS, LIST | {"system": "icu-1989"} | opened(rating_list))
    assert (page.status_code, list(page.context["list_form"].errors)) == (422, ["system"])
    assert "The rating system is fixed, because players have starting ratings on this list." in page.text
    renamed = client.post(ADDRESS, LIST | {"name": "Go ratings"} | opened(rating_list))
    rating_list.refresh_from_db()
    assert (renamed.status_code, rating_list.name, rating_list.system) == (302, "Go ratings", "bgf")


def test_options_of_a_list_with_results_are_left_to_their_preview(client, anna, rate_all):
    fesa = make_list()
    make_table(fesa, [make_player("A"), make_player("B")], [(1, 1, 2, 1.0)])
    rate_all()
    data = LIST | {"name": "FESA", "system": "fesa-2016", "fesa-2016-option-corrections": "revised"}
    assert client.post(ADDRESS, data | opened(fesa)).status_code == 302
    fesa.refresh_from_db()
    assert fesa.options == {}
    assert f'href="/admin/ratings/ratinglist/{fesa.pk}/system/"' in client.get(ADDRESS).text


def test_every_option_of_every_system_is_a_field_of_set_up_and_admin(client, anna):
    """Organisers' finding 23: options are no raw JSON."""
    set_up(client, "list")
    form = client.get(ADDRESS).context["list_form"]
    for key, system in SYSTEMS.items():
        expected = [option.key for option in system.options]
        found = [name.removeprefix(f"{key}-option-") for name in form.fields if name.startswith(f"{key}-option-")]
        rating_list = make_list(f"list-{key}", system=key)
        page = client.get(f"/admin/ratings/ratinglist/{rating_list.pk}/change/")
        fields = page.context["adminform"].form.fields
        own = [name.removeprefix("option_") for name in fields if name.startswith("option_")]
        assert (found, own, "options" in fields) == (expected, expected, False), key


def test_people_are_checked_then_imported_and_the_list_shows_all_of_them(client, anna):
    set_up(client, "list")
    checked = client.post(ADDRESS, people_file())
    assert (checked.status_code, Player.objects.count()) == (200, 0)
    assert checked.context["sheet"]["heads"] == [
        ("Name", "family"), ("Vorname", "given"), ("Land", "country"), ("GoR", "rating"), ("Seit", ""),
    ]  # fmt: skip
    opening = checked.context["opening"]
    store = {"step": "people", "store": "1", "upload": opening.upload.pk, "day": f"{opening.day}"}
    stored = client.post(ADDRESS, store)
    assert stored["Location"] == f"{ADDRESS}#invitations"
    assert {str(row.date) for row in Adjustment.objects.all()} == {f"{dt.datetime.now(dt.UTC).date()}"}
    page = client.get("/lists/go/")
    assert page.context["listing"].paginator.count == 2
    assert "No event has been rated yet." in page.text
    again = client.post(ADDRESS, store)
    assert (again.status_code, again.context["people_problems"]) == (
        422, ["This file was imported already, or has expired: choose it again."],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "problem", "waiting"),
    [
        ("Name;Club\nEgger;Wien\n", "the first line names the columns; “Rating” or “Elo” is missing", 1),
        ("Name;GoR\nEgger;strong\n", "rating “strong” is not a number", 1),
        (b"%PDF-1.7\x00", "no known rating list: expected FESA's text", 0),
    ],
)
def test_file_that_cannot_be_read_is_refused_with_all_problems(text, problem, waiting, client, anna):
    """A file with columns waits, so that they can be chosen."""
    set_up(client, "list")
    page = client.post(ADDRESS, people_file(text))
    assert (page.status_code, Upload.objects.count(), Player.objects.count()) == (422, waiting, 0)
    assert problem in page.text.replace("&#x27;", "'")


@pytest.mark.parametrize("data", [{}, {"upload": "x", "day": ""}, {"upload": "99", "day": "2024-01-01"}])
def test_import_of_a_file_that_does_not_wait_is_refused(data, client, anna):
    set_up(client, "list")
    page = client.post(ADDRESS, {"step": "people", "store": "1"} | data)
    assert (page.status_code, len(page.context["people_problems"])) == (422, 1)


def test_columns_are_chosen_and_names_answered_in_the_set_up(client, anna):
    set_up(client, "list")
    known = make_player("Egger", "Nora", country="DE")
    page = client.post(ADDRESS, people_file("Spieler;Stärke\nEgger, Nora;144\nBaumann, Luca;-87\n"))
    sent = {"step": "people", "upload": page.context["opening"].upload.pk, "day": f"{page.context['opening'].day}"}
    page = client.post(ADDRESS, sent | {"column": ["full_name", "rating"], "shown_columns": ",,titles", "read": "1"})
    assert (page.status_code, page.context["open_names"], page.context["open_step"]) == (200, 1, "people")
    page = client.post(ADDRESS, sent | {"line-2": "new"})
    assert page.context["opening"].is_ready
    assert client.post(ADDRESS, sent | {"store": "1"})["Location"] == f"{ADDRESS}#invitations"
    names = Adjustment.objects.order_by("pk").values_list("player__family_name", "player__given_name")
    assert list(names) == [("Egger", "Nora"), ("Baumann", "Luca")]
    assert not known.adjustments.exists()


def test_people_without_a_file_are_refused(client, anna):
    set_up(client, "list")
    page = client.post(ADDRESS, {"step": "people"})
    assert (page.status_code, list(page.context["people_form"].errors)) == (422, ["file"])


def test_people_are_invited_with_their_roles(client, anna):
    set_up(client, "list")
    client.post(ADDRESS, rows("nora@aga.example", "luca@aga.example", role=OFFICERS))
    assert sorted(sent.to[0] for sent in mail.outbox) == ["luca@aga.example", "nora@aga.example"]
    assert "with this role: rating officer (" in mail.outbox[0].body
    page = client.get(ADDRESS)
    assert [user.email for user in page.context["state"].staff] == ["luca@aga.example", "nora@aga.example"]
    assert "invitations" in page.context["state"].done


def test_invitations_are_sent_for_all_rows_or_none(client, anna):
    bad = client.post(ADDRESS, rows("nora@aga.example", "nonsense"))
    gone = make_user("gone", email="gone@aga.example", is_active=False)
    closed = client.post(ADDRESS, rows("nora@aga.example", gone.email))
    empty = client.post(ADDRESS, rows("", ""))
    assert [page.status_code for page in (bad, closed, empty)] == [422, 422, 422]
    assert empty.context["invite_problem"] == "Enter at least one email address."
    assert (mail.outbox, User.objects.filter(email="nora@aga.example").exists()) == ([], False)


def test_accepted_test_mail_finishes_its_step(client, anna):
    answer = client.post(ADDRESS, {"step": "mail", "to": "anna@aga.example"})
    assert (answer["Location"], mail.outbox[0].to) == (f"{ADDRESS}#mail", ["anna@aga.example"])
    assert client.get(ADDRESS).context["state"].done == ["mail"]


def test_refused_test_mail_shows_the_servers_answer_and_what_to_change(client, anna, monkeypatch):
    def refuse(backend, messages):
        raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr(EmailBackend, "send_messages", refuse)
    page = client.post(ADDRESS, {"step": "mail", "to": "anna@aga.example"})
    text = " ".join(page.text.split())
    assert "The mail server answered: “[Errno 111] Connection refused”." in text
    assert "No mail server answers there. Check host name and port in EMAIL_URL." in text
    assert page.context["state"].mail_works is False
    assert client.post(ADDRESS, {"step": "mail", "to": "nobody"}).status_code == 422


def test_mail_works_once_an_administrator_has_confirmed_an_address(client, anna):
    EmailAddress.objects.create(user=anna, email=anna.email, verified=True, primary=True)
    assert client.get(ADDRESS).context["state"].mail_works is True


def test_list_is_made_public_when_nothing_is_missing(client, anna):
    set_up(client)
    refused = client.post(ADDRESS, {"step": "public"}, follow=True)
    assert messages(refused)[-1:] == ["Some steps are still missing. Nothing was made public."]
    client.post(ADDRESS, {"step": "mail", "to": "anna@aga.example"})
    done = client.post(ADDRESS, {"step": "public"}, follow=True)
    assert (messages(done)[-1], RatingList.objects.get().public) == ("Go is public now.", True)
    assert LogKey.objects.count() == 1
    client.post(ADDRESS, {"step": "public"})
    assert LogKey.objects.count() == 1
    client.logout()
    assert client.get("/lists/go/").context["listing"].paginator.count == 2


def test_later_steps_wait_for_the_earlier_ones(client, anna):
    for data in (LIST, people_file()):
        page = client.post(ADDRESS, data, follow=True)
        assert messages(page) == ["Do the earlier steps first."]
    assert RatingList.objects.count() == 0


@pytest.mark.parametrize("step", ["", "nonsense"])
def test_form_without_a_known_step_is_refused(step, client, anna):
    assert client.post(ADDRESS, {"step": step}).status_code == 400


def test_further_federation_is_set_up_beside_the_first(client, anna):
    set_up(client, "list")
    assert client.get(f"{ADDRESS}?federation=new").context["open_step"] == "federation"
    answer = client.post(f"{ADDRESS}?federation=new", FEDERATION | {"name": "Alpine Shogi"})
    assert answer["Location"] == f"{ADDRESS}?federation=alpine-shogi#list"
    second = client.get(f"{ADDRESS}?federation=alpine-shogi").context["state"]
    first = client.get(ADDRESS).context["state"]
    assert (second.done, first.done) == (["federation"], ["federation", "list"])
    assert client.get(f"{ADDRESS}?federation=no-such").status_code == 404


@pytest.mark.parametrize("group", [None, OFFICERS, ORGANISERS])
def test_set_up_is_for_administrators(group, client):
    ensure_roles()
    assert client.get(ADDRESS)["Location"] == f"/accounts/login/?next={ADDRESS}"
    user = make_user()
    if group:
        user.groups.add(Group.objects.get(name=group))
    client.force_login(user)
    assert [client.get(ADDRESS).status_code, client.post(ADDRESS, FEDERATION).status_code] == [403, 403]
    assert Federation.objects.count() == 0


@pytest.mark.parametrize("method", ["put", "delete", "patch"])
def test_set_up_takes_no_other_method(method, client, anna):
    assert getattr(client, method)(ADDRESS).status_code == 405


def test_set_up_needs_the_same_queries_for_any_number_of_people(client, anna, django_assert_num_queries):
    set_up(client)
    for number in range(2):
        client.post(ADDRESS, rows(f"a{number}@aga.example", f"b{number}@aga.example"))
        client.get(ADDRESS)  # takes the messages
        with django_assert_num_queries(24):  # two ask whether the administrator is an officer too
            page = client.get(ADDRESS)
        assert len(page.context["state"].staff) == 2 * number + 2


def test_set_up_shows_the_health_of_the_site(client, anna):
    rating_list = make_list()
    RatingList.objects.filter(pk=rating_list.pk).update(problem="broken")
    page = client.get(ADDRESS)
    lines = [(line.label, line.works, line.detail) for line in page.context["health"]]
    assert lines[:6] == [
        ("Database", True, ""),
        ("Queue of tasks", True, "not used"),
        ("Background worker", True, "not used"),
        ("Rating lists", False, "cannot be rated: fesa"),
        ("Outgoing email", True, ""),
        ("Webhooks", True, ""),
    ]
    assert [label for label, _works, _detail in lines[6:]] == ["Disk space"]
    assert 'lang="en">cannot be rated: fesa</span>' in page.text
    assert 'href="/organise/health/"' in page.text


def test_front_page_of_an_empty_portal_names_the_first_command(client):
    page = client.get("/")
    assert "manage.py createsuperuser" in page.text
    assert f'href="/accounts/login/?next={ADDRESS}"' in page.text


def test_front_page_without_a_list_leads_to_the_set_up(client, anna):
    assert f'href="{ADDRESS}"' in client.get("/").text
    client.logout()
    page = client.get("/").text
    assert (f'href="/accounts/login/?next={ADDRESS}"' in page, "createsuperuser" in page) == (True, False)


def test_signing_in_leads_an_administrator_to_the_set_up_until_a_list_is_public(client, anna):
    assert client.get("/desk/")["Location"] == ADDRESS
    rating_list = make_list()
    assert client.get("/desk/")["Location"] == "/organise/health/"
    rating_list.officers.add(anna)
    assert client.get("/desk/")["Location"] == "/organise/desk/"
    rating_list.officers.clear()
    anna.groups.add(Group.objects.get(name=OFFICERS))
    assert client.get("/desk/")["Location"] == "/organise/desk/"
