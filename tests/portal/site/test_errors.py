"""Error pages, in the visitor's language."""

import re
from contextlib import nullcontext
from types import SimpleNamespace

import psycopg
import pytest
from django.db import OperationalError
from django.template.loader import render_to_string
from django.test import Client

from portal.site.remembered_heads import find_head
from portal.site.views import errors
from ratings.models import Federation
from tests.factories import make_list, make_user
from tests.markup import markup

pytestmark = pytest.mark.django_db
GERMAN = {"Accept-Language": "de"}


@pytest.fixture
def visitor():
    return Client(enforce_csrf_checks=True, raise_request_exception=False)


def test_server_error_page_needs_no_database_and_uses_the_readers_language(
    visitor, monkeypatch, django_assert_num_queries
):
    monkeypatch.setattr("portal.site.views.privacy.render", None)
    with django_assert_num_queries(0):
        response = visitor.get("/privacy/", headers=GERMAN)
    assert response.status_code == 500
    assert '<html lang="de"' in markup(response)
    assert "Something went wrong" in markup(visitor.get("/privacy/"))


def test_form_without_a_csrf_token_is_refused_on_a_normal_page(visitor):
    response = visitor.post("/accounts/login/", {"login": "x"}, headers=GERMAN)
    page = markup(response)
    assert (response.status_code, '<html lang="de"' in page, 'class="head"' in page) == (403, True, True)
    assert "DEBUG" not in page
    assert "This form was not accepted" in markup(visitor.post("/accounts/login/", {"login": "x"}))


def test_malformed_request_gets_a_plain_error_page(visitor):
    elsewhere = {"Host": "elsewhere.example"}
    response = visitor.get("/privacy/", headers=elsewhere)
    assert (response.status_code, "This request is invalid" in markup(response)) == (400, True)
    assert '<html lang="de"' in markup(visitor.get("/privacy/", headers=GERMAN | elsewhere))


def test_page_without_the_database_is_503_and_says_when_to_come_back(visitor, without_database):
    response = visitor.get("/events/", headers=GERMAN)
    assert (response.status_code, response["Retry-After"], response["Cache-Control"]) == (503, "30", "no-store")
    assert '<html lang="de"' in markup(response)


@pytest.mark.parametrize("address", ["/robots.txt", "/.well-known/security.txt"])
def test_fixed_files_need_no_database(address, visitor, without_database):
    assert visitor.get(address).status_code == 200


def test_api_without_the_database_answers_a_problem(visitor, without_database):
    response = visitor.get("/api/v1/lists")
    assert (response.status_code, response["Retry-After"], response.json()["status"]) == (503, "30", 503)
    assert response["Content-Type"] == "application/problem+json"


def test_form_can_be_sent_again_after_the_database_was_busy(visitor, without_database):
    visitor.handler.enforce_csrf_checks = False
    typed = {"text": '"><script>', "mail": "a@example.org"}
    page = markup(visitor.post("/report/players/ABC/?from=x", typed))
    assert '<form method="post" action="/report/players/ABC/?from=x">' in page
    assert '<input type="hidden" name="text" value="&quot;&gt;&lt;script&gt;">' in page
    assert '<input type="hidden" name="mail" value="a@example.org">' in page


def test_passwords_are_not_written_into_the_page(visitor, without_database):
    visitor.handler.enforce_csrf_checks = False
    response = visitor.post("/accounts/login/", {"login": "ada", "password": "secret"})
    assert (response.status_code, "secret" in markup(response)) == (503, False)


def test_other_errors_of_sqlite_are_errors_of_ours(visitor, db, monkeypatch):
    def fail(*arguments, **options):
        raise OperationalError("no such table: x")

    monkeypatch.setattr("portal.site.views.privacy.render", fail)
    monkeypatch.setattr("portal.site.views.errors.connection", SimpleNamespace(vendor="sqlite"))
    assert visitor.get("/privacy/").status_code == 500


@pytest.mark.parametrize("address", ["/nothing/", "/players/NOBODY/", "/organise/queue/"])
def test_error_pages_with_a_database_offer_search_and_the_front_page(address, visitor):
    fesa = make_list()
    if address == "/organise/queue/":
        visitor.force_login(make_user())
    response = visitor.get(address)
    page = markup(response)
    assert response.status_code in (403, 404)
    ways = (
        '<form action="/search/" class="fields"',
        'href="/">Front page</a>',
        f'href="{fesa.get_absolute_url()}">Rating',
    )
    assert [way for way in ways if way not in page] == []


def test_error_pages_without_a_database_offer_search_and_the_front_page(visitor, without_database):
    page = markup(visitor.get("/events/"))
    ways = ('<form action="/search/" class="fields"', 'href="/">Front page</a>', "Temporarily unavailable</h1>")
    assert [way for way in ways if way not in page] == []


@pytest.mark.parametrize(
    ("address", "house"),
    [
        ("/lists/go/nothing/", "pine"),
        ("/lists/go/dated/1999-01-01/", "pine"),
        ("/federations/low-countries/nothing/", "pine"),
        ("/lists/secret/nothing/", "slate"),
        ("/lists/none/", "slate"),
        ("/federations/none/", "slate"),
        ("/nothing/", "slate"),
    ],
)
def test_missing_page_has_the_head_of_the_federation_that_its_address_names(address, house, client):
    make_list()
    Federation.objects.create(name="Low Countries Go League", slug="low-countries", house="pine")
    make_list("go", system="bgf", federation="Low Countries Go League")
    make_list("secret", system="bgf", federation="Low Countries Go League", public=False)
    response = client.get(address)
    assert response.status_code == 404
    assert re.findall(r'data-house="(\w+)"', markup(response)) == [house]
    names = re.findall(r'<span class="long">(.*?)</span>', markup(response))
    assert names == (["Low Countries Go League"] if house == "pine" else [])


@pytest.fixture
def two_federations(client):
    """Two public lists of two federations; the list's page was read once, as by any visitor."""
    make_list()
    Federation.objects.create(name="Low Countries Go League", slug="low-countries", house="pine")
    go = make_list("go", system="bgf", federation="Low Countries Go League")
    client.get(go.get_absolute_url())
    return go


HEAD = re.compile(r'data-house="(\w+)".*?<span class="name">(?:<span class="long">)?([^<]*)<', re.DOTALL)
GO_HEAD, PORTAL_HEAD = ("pine", "Low Countries Go League"), ("slate", "Ratings")


@pytest.mark.parametrize(("address", "head"), [("/lists/go/?q=x", GO_HEAD), ("/privacy/", PORTAL_HEAD)])
def test_pages_without_the_database_have_the_head_that_pages_had_before(
    address, head, visitor, two_federations, without_database
):
    response = visitor.get(address, {"page": "2"})
    assert (response.status_code, HEAD.search(markup(response)).groups()) == (503, head)


@pytest.mark.parametrize(("address", "head"), [("/lists/go/", GO_HEAD), ("/federations/low-countries/", GO_HEAD)])
def test_server_error_has_the_head_of_the_federation(address, head, visitor, two_federations, monkeypatch):
    monkeypatch.setattr("portal.templatetags.portal_site.get_navigation", None)
    page = markup(visitor.get(address, {"page": "2"}))
    assert "Something went wrong" in page
    assert HEAD.search(page).groups() == head


def test_only_federation_heads_every_error_page(visitor, client):
    fesa = make_list()
    client.get("/privacy/")
    page = markup(visitor.post("/nothing/", "x", content_type="text/plain", headers={"Content-Length": "9" * 9}))
    assert "This is too large" in page
    assert HEAD.search(page).groups() == (fesa.federation.house, fesa.federation.name)
    make_list("go", system="bgf", federation="Low Countries Go League")
    client.get("/lists/go/")
    assert find_head("/privacy/") is None


def test_refused_pages_have_the_head_of_the_federation(client, two_federations):
    client.force_login(make_user())
    denied = client.get("/organise/federations/low-countries/")
    assert (denied.status_code, HEAD.search(markup(denied)).groups()) == (403, GO_HEAD)


@pytest.mark.parametrize("name", ["400", "403", "403_csrf", "404", "405", "413", "429", "500", "503"])
@pytest.mark.parametrize("context", [{}, {"was_sent": True, "again": [("a", "b")]}])
def test_error_page_has_one_filled_button_at_most(name, context, rf):
    page = render_to_string(f"{name}.html", context, request=rf.get("/"))
    main = re.search(r"<main.*</main>", page, re.DOTALL)[0]
    buttons = re.findall(r"<button\b[^>]*>|<a class=\"button[^>]*>", main)
    filled = [button for button in buttons if "outline" not in button]
    assert len(filled) == (name in ("400", "404", "405") or (name == "503" and "again" in context))


@pytest.mark.parametrize("name", ["400", "403", "403_csrf", "404", "405", "413", "429", "500", "503"])
def test_only_plain_error_pages_offer_the_desk_themselves(name, rf, django_assert_num_queries):
    is_plain = name in ("400", "413", "429", "500", "503")
    with nullcontext() if not is_plain else django_assert_num_queries(0):
        page = render_to_string(f"{name}.html", {}, request=rf.get("/"))
    main = re.search(r"<main.*</main>", page, re.DOTALL)[0]
    assert main.count('<a class="button outline" href="/desk/">Desk</a>') == is_plain


def test_errors_that_django_does_not_translate_are_temporary(monkeypatch):
    monkeypatch.setattr(errors, "connection", SimpleNamespace(vendor="postgresql"))
    assert errors.is_temporary(psycopg.OperationalError("PostgreSQL hangs"))
    assert not errors.is_temporary(psycopg.ProgrammingError("no such column"))
