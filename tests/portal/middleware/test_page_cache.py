"""Whole answers are given again only where nothing that they hang on is another."""

import gzip
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override
from time_machine import travel

from portal import kept_pages
from portal.kept_pages import KeptPages
from ratings.domain.rerating import rerate
from ratings.models import Player
from tests.factories import make_list, make_player, make_table
from tests.pages import addresses

AS_BROWSERS = {"accept-encoding": "gzip, deflate, br"}


@pytest.fixture
def rows(monkeypatch):
    """What the database says that it holds; in the transaction of a test it says nothing."""
    told = {"state": "700:700:"}
    monkeypatch.setattr(kept_pages, "navigation", lambda: ([], told["state"]))
    return told


class Numbered:
    """A site whose answers are numbered in the order in which they were made."""

    def __init__(self, cookie="", **answer):
        self.made, self.cookie, self.answer = 0, cookie, answer

    def __call__(self, request):
        self.made += 1
        response = HttpResponse(f"{self.made}", **self.answer)
        if self.cookie:
            response.set_cookie(self.cookie, "x")
        return response

    def asked(self, address="/x/", *, method="get", cookies=(), headers=AS_BROWSERS):
        request = getattr(RequestFactory(), method)(address, headers=headers)
        request.COOKIES.update(cookies)
        return int(KeptPages(self)(request).content)


@pytest.fixture
def site(rows):
    return Numbered()


def test_answer_is_given_again_while_nothing_is_written(site, rows):
    assert [site.asked(), site.asked(), site.asked("/x/?page=2")] == [1, 1, 2]
    rows["state"] = "700:701:"
    assert [site.asked(), site.asked()] == [3, 3]


def test_answers_are_made_each_time_where_the_database_does_not_tell(site, rows):
    rows["state"] = None
    assert [site.asked(), site.asked()] == [1, 2]


def test_answer_of_another_day_is_another(site):
    with travel("2026-03-01T23:59:50Z", tick=False):
        assert [site.asked(), site.asked()] == [1, 1]
    with travel("2026-03-02T00:00:10Z", tick=False):
        assert site.asked() == 2


def test_answers_are_apart_by_language_colours_and_host(site, settings):
    settings.ALLOWED_HOSTS = ["*"]
    with override("de"):
        assert site.asked() == 1
    with override("ja"):
        assert site.asked() == 2
    assert [site.asked(cookies={"theme": theme}) for theme in ("", "dark", "light", "no such")] == [3, 4, 5, 3]
    assert site.asked(headers=AS_BROWSERS | {"host": "other.example"}) == 6


@pytest.mark.parametrize(
    "asked",
    [
        {"cookies": {"sessionid": "x"}},
        {"cookies": {"csrftoken": "x", "theme": "dark"}},
        {"headers": AS_BROWSERS | {"authorization": "Bearer x"}},
        {"headers": {}},  # who does not take what is compressed
        {"headers": AS_BROWSERS | {"if-none-match": "x"}},
        {"headers": AS_BROWSERS | {"if-modified-since": "Sat, 06 Jan 2024 00:00:00 GMT"}},
        {"method": "post"},
    ],
)
def test_who_is_somebody_or_asks_otherwise_is_answered_for_himself(asked, site):
    assert site.asked() == 1
    assert [site.asked(**asked), site.asked(**asked), site.asked()] == [2, 3, 1]


@pytest.mark.parametrize(
    "site",
    [
        Numbered(status=404),
        Numbered(status=302),
        Numbered(headers={"Cache-Control": "no-store"}),
        Numbered(headers={"Cache-Control": "max-age=0, private"}),
        Numbered(cookie="csrftoken"),
    ],
)
def test_what_is_not_for_everybody_is_not_kept(site, rows):
    assert [site.asked(), site.asked()] == [1, 2]


def test_addresses_are_told_apart_as_they_are_written(site):
    assert [site.asked("/x/"), site.asked("/y/../x/"), site.asked("/x/?"), site.asked("/y/../x/")] == [1, 2, 1, 2]


@pytest.mark.parametrize("address", ["/health/", "/organise/queue/", "/admin/", "/accounts/logout/", "/me/"])
def test_what_is_never_kept_asks_the_database_for_nothing(address, monkeypatch):
    monkeypatch.setattr(kept_pages, "navigation", None)
    site = Numbered()
    assert [site.asked(address), site.asked(address)] == [1, 2]


def test_large_answer_is_not_kept(site, monkeypatch):
    monkeypatch.setattr(kept_pages, "AT_MOST", 0)
    assert [site.asked(), site.asked()] == [1, 2]


def body(response):
    compressed = response.headers.get("Content-Encoding") == "gzip"
    return gzip.decompress(response.content) if compressed else response.content


def headers_of(response):
    """But those of compressing: it adds a random length, so that a short file is longer by it now and then."""
    compressing = ("Content-Length", "Content-Encoding")
    told = {name: value for name, value in response.headers.items() if name not in compressing}
    return told | {"ETag": response.get("ETag", "").removeprefix("W/")}


@pytest.mark.django_db
def test_every_address_answers_again_what_it_did(hostile, rows):
    """But what nobody may keep: forms, which set a cookie, and the state of the site's machines."""
    for name, address in addresses("page", "file", "form").items():
        first = Client().get(address, headers=AS_BROWSERS)
        with CaptureQueriesContext(connection) as queries:
            again = Client().get(address, headers=AS_BROWSERS)
        made_anew = bool(again.cookies) or name == "health"
        assert (name, again.status_code, len(queries) > 0) == (name, 200, made_anew)
        if not made_anew:
            assert (name, body(again), headers_of(again)) == (name, body(first), headers_of(first))


@pytest.mark.django_db
def test_reply_of_the_api_is_given_again_with_what_is_left(hostile, rows):
    first, again = (Client().get("/api/v1/lists", headers=AS_BROWSERS) for _ in range(2))
    assert body(again) == body(first)
    assert again["ETag"] == first["ETag"]
    assert int(again["RateLimit-Remaining"]) == int(first["RateLimit-Remaining"]) - 1
    known = AS_BROWSERS | {"if-none-match": first["ETag"]}
    assert Client().get("/api/v1/lists", headers=known).status_code == 304


@pytest.mark.django_db
def test_who_has_a_kept_file_is_told_so(hostile, rows):
    address = addresses("file")["list_file csv"]
    first = Client().get(address, headers=AS_BROWSERS)
    again = Client().get(address, headers=AS_BROWSERS | {"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def standing_of(name):
    """The line of a player on the live list, as strangers get it: twice, so that it could be an old one."""
    for _ in range(2):
        page = body(Client().get("/lists/fesa/?active=all", headers=AS_BROWSERS)).decode()
    return " ".join(page[page.index(name) :].split("</tr>")[0].split())


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_page_is_made_once_until_something_is_written():
    make_list()

    def is_made():
        with CaptureQueriesContext(connection) as queries:
            Client().get("/clubs/", headers=AS_BROWSERS)
        return len(queries) > 1  # the first asks what was written

    assert [is_made() for _ in range(3)] == [True, False, False]
    Player.objects.create(family_name="Anybody")
    assert [is_made() for _ in range(2)] == [True, False]


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_list_is_never_older_than_a_run_or_a_name():
    fesa, a, b = make_list(), make_player("First"), make_player("Second")
    seen = []
    for day in ("2024-01-06", "2024-02-03", "2024-03-02"):
        make_table(fesa, [a, b], [(1, 1, 2, 1.0)], day)
        rerate(fesa.pk)
        seen.append(standing_of("First"))
    assert len(set(seen)) == 3
    Player.objects.filter(pk=a.pk).update(family_name="Renamed")
    assert standing_of("Renamed") == seen[-1].replace("First", "Renamed").replace("first", "renamed")


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_what_another_is_writing_is_told_when_it_is_written():
    make_list()
    player = make_player("Before")

    def name():
        page = body(Client().get("/players/" + player.public_id + "-before/", headers=AS_BROWSERS)).decode()
        return page[page.index("<h1>") :].split("</h1>")[0].removeprefix("<h1>")

    def write():
        with transaction.atomic():
            Player.objects.filter(pk=player.pk).update(family_name="After")
            with ThreadPoolExecutor(1) as reader:
                names = [reader.submit(read).result() for _ in range(2)]
        return names

    def read():
        try:
            return name()
        finally:
            connection.close()

    assert [name(), *write()] == ["Before"] * 3
    moved = Client().get(f"/players/{player.public_id}-before/", headers=AS_BROWSERS)
    assert moved.headers["Location"] == f"/players/{player.public_id}-after/"


def test_every_page_is_there_without_redis(client, hostile, without_redis):
    known = addresses("page", "file", "form")
    assert {client.get(address, headers=AS_BROWSERS).status_code for address in known.values()} == {200}
    assert client.get("/nowhere/").status_code == 404
