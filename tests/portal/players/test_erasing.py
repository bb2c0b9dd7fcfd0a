"""Pages on which people request to be erased, and officers confirm or decline that."""

import pytest
from django.contrib.messages import get_messages

from ratings.access import OFFICERS
from ratings.models import Player, RecordedStep
from tests.factories import make_list, make_player, make_table, make_user
from tests.markup import markup
from tests.portal.results.way import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna():
    return make_player("Anders", "Anna", account=make_user("anna", email="anna@mail.example"), birth_year=1980)


@pytest.fixture
def officer():
    return person("officer", OFFICERS)


def texts(response):
    return [str(message) for message in get_messages(response.wsgi_request)]


def test_person_requests_and_withdraws_the_erasure(client, anna):
    client.force_login(anna.account)
    assert "/me/erase/" in markup(client.get("/me/"))
    page = markup(client.get("/me/erase/"))
    assert ("The birth date or birth year" in page, f"public id {anna.public_id}" in page) == (True, True)
    response = client.post("/me/erase/", {"reason": "I stopped"})
    assert (response["Location"], texts(response)) == (
        "/me/", ["The erasure was requested. An officer will answer."],
    )  # fmt: skip
    again = client.post("/me/erase/", {"reason": "typed again"})
    assert (again.status_code, "already requested" in markup(again)) == (422, True)
    step = RecordedStep.objects.get()
    assert f"/me/undo/{step.pk}/" in markup(client.get("/me/erase/"))
    client.post(f"/me/undo/{step.pk}/")
    step.refresh_from_db()
    assert step.undone_at is not None
    assert (client.put("/me/erase/").status_code, client.post("/me/erase/", {}).status_code) == (405, 302)


def test_request_page_says_what_stays_for_lists_that_rate_by_age(client, anna, rate_all):
    ireland = make_list("icu", system="icu-1989")
    make_table(ireland, [anna, make_player(birth_date="1960-01-01")], [(1, 1, 2, 1.0)])
    rate_all()
    client.force_login(anna.account)
    page = markup(client.get("/me/erase/"))
    assert ("a list rates by age" in page, "The birth date or birth year" in page) == (True, False)


def test_erasure_request_of_a_user_without_a_player_is_refused(client):
    client.force_login(make_user("other"))
    assert "You have no player page yet" in markup(client.get("/me/erase/"))
    assert client.post("/me/erase/", {"reason": "x"}).status_code == 422


def test_officer_erases_a_person_who_requested_it(client, anna, officer):
    address = f"/organise/players/{anna.public_id}/erase/"
    client.force_login(officer)
    assert client.get(address).status_code == 403
    RecordedStep.objects.create(what="erasure requested", player=anna, values={"own": True}, by=anna.account)
    page = markup(client.get("/organise/erasures/"))
    assert ("Anders Anna" in page, address in page) == (True, True)
    assert client.get("/organise/queue/").context["counts"]["erasures"] == 1
    assert 'value="requested on 20' in markup(client.get(address))
    response = client.post(address, {"reason": "requested", "public_id": anna.public_id})
    assert texts(response) == ["The person was erased. Their results stay without a name."]
    assert "Nothing is waiting." in markup(client.get("/organise/erasures/"))


def test_officer_requests_and_declines(client, anna, officer):
    address = f"/organise/players/{anna.public_id}/request-erasure/"
    client.force_login(officer)
    assert address in markup(client.get(f"/organise/players/{anna.public_id}/history/"))
    assert client.post(address, {"reason": ""}).status_code == 422
    assert client.post(address, {"reason": "letter of 1 May"})["Location"] == "/organise/erasures/"
    assert "The erasure was already requested." in markup(client.get(address))
    assert f"/organise/players/{anna.public_id}/erase/" not in markup(client.get("/organise/erasures/"))
    client.force_login(person("second", OFFICERS))
    step = RecordedStep.objects.get()
    client.post(f"/organise/steps/{step.pk}/undo/", {"reason": "", "next": "/organise/erasures/"})
    step.refresh_from_db()
    assert step.undone_at is None
    client.post(f"/organise/steps/{step.pk}/undo/", {"reason": "no such letter", "next": "/organise/erasures/"})
    step.refresh_from_db()
    assert (step.undone_at is None, step.undone_reason, Player.objects.get(pk=anna.pk).erased_at) == (
        False, "no such letter", None,
    )  # fmt: skip


@pytest.mark.parametrize("count", [2, 8])
def test_list_of_requests_needs_the_same_queries_for_any_number(count, client, officer, django_assert_num_queries):
    users = make_user("other"), officer
    for number in range(count):
        player = make_player(f"Player{number}")
        RecordedStep.objects.create(what="erasure requested", player=player, values={}, by=users[number % 2])
    client.force_login(officer)
    with django_assert_num_queries(6):
        page = markup(client.get("/organise/erasures/"))
    assert page.count("Erase this person …") == count / 2


def test_pages_of_requests_refuse_people_who_are_not_officers(client, anna):
    addresses = ("/organise/erasures/", f"/organise/players/{anna.public_id}/request-erasure/")
    assert [client.get(address).status_code for address in addresses] == [302, 302]
    client.force_login(anna.account)
    assert [client.get(address).status_code for address in addresses] == [403, 403]
    assert client.post(addresses[1], {"reason": "x"}).status_code == 403
    client.force_login(person("officer", OFFICERS))
    assert client.get("/organise/players/NOBODY/request-erasure/").status_code == 404
    assert client.post("/organise/erasures/").status_code == 405
    assert client.put(addresses[1]).status_code == 405
