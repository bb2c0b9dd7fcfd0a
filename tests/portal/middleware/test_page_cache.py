"""Whole answers are given again only where nothing that they hang on is another."""

import gzip
import json
import re
from threading import Event, Thread

import pytest
from django.core.cache import cache
from django.db import connection
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.translation import override
from time_machine import travel

from portal.middleware import cached_pages, page_cache
from portal.middleware.page_cache import PageCache
from ratings.domain.players.erasing import erase_person
from ratings.domain.players.merging import merge_players
from ratings.domain.players.visibility import set_visibility
from ratings.domain.results.deleting import delete_event
from ratings.models import RatingList
from ratings.queries.site.page_generation import GENERATION
from tests.factories import make_event, make_player
from tests.pages import addresses
from tests.thorough import take_share_of

AS_BROWSERS = {"accept-encoding": "gzip, deflate, br"}


@pytest.fixture
def rows(settings):
    """Cache pages, as a site with Redis does."""
    settings.PAGE_CACHE_SECONDS = 10


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

    def request_page(self, address="/x/", *, method="get", cookies=(), headers=AS_BROWSERS):
        request = getattr(RequestFactory(), method)(address, headers=headers)
        request.COOKIES.update(cookies)
        return int(PageCache(self)(request).content)


@pytest.fixture
def site(rows):
    return Numbered()


def test_page_is_cached_for_ten_seconds(site):
    with travel("2026-03-01T12:00:00Z", tick=False):
        assert [site.request_page(), site.request_page(), site.request_page("/x/?page=2")] == [1, 1, 2]
    with travel("2026-03-01T12:00:09Z", tick=False):
        assert site.request_page() == 1
    with travel("2026-03-01T12:00:11Z", tick=False):
        assert [site.request_page(), site.request_page()] == [3, 3]


def test_pages_are_not_cached_where_processes_share_no_cache(settings):
    settings.PAGE_CACHE_SECONDS = 0
    site = Numbered()
    assert [site.request_page(), site.request_page()] == [1, 2]


def test_invented_addresses_cannot_fill_the_cache(site, monkeypatch):
    monkeypatch.setattr(cached_pages, "SLOTS", 3)
    assert [site.request_page(f"/x/?{number}") for number in range(9)] == list(range(1, 10))
    assert len(cache.get_many([f"page:{number}" for number in range(10)])) <= 3


def test_cached_page_is_bytes_with_a_head_of_json(site, monkeypatch):
    monkeypatch.setattr(cached_pages, "SLOTS", 1)
    site.request_page()
    head, _line, content = cache.get("page:0").partition(b"\n")
    actual = json.loads(head)
    assert (actual["status"], dict(actual["headers"])["Cache-Control"], content) == (200, "no-cache", b"1")


def test_answers_are_apart_by_language_colours_and_host(site, settings):
    settings.ALLOWED_HOSTS = ["*"]
    with override("de"):
        assert site.request_page() == 1
    with override("ja"):
        assert site.request_page() == 2
    assert [site.request_page(cookies={"theme": theme}) for theme in ("", "dark", "light", "no such")] == [3, 4, 5, 3]
    assert site.request_page(headers=AS_BROWSERS | {"host": "other.example"}) == 6


@pytest.mark.parametrize(
    "requested",
    [
        {"cookies": {"sessionid": "x"}},
        {"cookies": {"csrftoken": "x", "theme": "dark"}},
        {"headers": AS_BROWSERS | {"authorization": "Bearer x"}},
        {"headers": {}},  # who does not take what is compressed
        {"method": "post"},
    ],
)
def test_signed_in_and_conditional_requests_are_not_cached(requested, site):
    assert site.request_page() == 1
    assert [site.request_page(**requested), site.request_page(**requested), site.request_page()] == [2, 3, 1]


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
def test_private_responses_are_not_cached(site, rows):
    assert [site.request_page(), site.request_page()] == [1, 2]


def test_addresses_are_distinguished_as_they_are_written(site):
    assert [
        site.request_page("/x/"),
        site.request_page("/y/../x/"),
        site.request_page("/x/?"),
        site.request_page("/y/../x/"),
    ] == [1, 2, 1, 2]


@pytest.mark.parametrize("address", ["/health/", "/organise/queue/", "/admin/", "/accounts/logout/", "/me/"])
def test_uncacheable_request_does_not_read_the_cache(address, monkeypatch, rows):
    monkeypatch.setattr(page_cache, "look_up", None)
    site = Numbered()
    assert [site.request_page(address), site.request_page(address)] == [1, 2]


def test_large_response_is_not_cached(site, monkeypatch):
    monkeypatch.setattr(page_cache, "AT_MOST", 0)
    assert [site.request_page(), site.request_page()] == [1, 2]


def body(response):
    compressed = response.headers.get("Content-Encoding") == "gzip"
    return gzip.decompress(response.content) if compressed else response.content


def headers_of(response):
    """Return the headers without the request's id, the cache status and those of compressing, whose length is random."""
    left_out = ("Content-Length", "Content-Encoding", "X-Request-Id", "Cache-Status")
    actual = {name: value for name, value in response.headers.items() if name not in left_out}
    return actual | {"ETag": response.get("ETag", "").removeprefix("W/")}


@pytest.mark.django_db
def test_every_address_answers_as_before(hostile, rows):
    """But what nobody may keep: forms, which set a cookie, and the state of the site's machines."""
    for name, address in take_share_of(addresses("page", "file", "form").items(), 0, 2):
        with travel(timezone.now(), tick=False):  # a slow machine takes longer than the cache keeps
            first = Client().get(address, headers=AS_BROWSERS)
            with CaptureQueriesContext(connection) as queries:
                again = Client().get(address, headers=AS_BROWSERS)
        made_anew = bool(again.cookies) or name == "health"
        assert (name, again.status_code, len(queries) > 0) == (name, 200, made_anew)
        if not made_anew:
            assert (name, body(again), headers_of(again)) == (name, body(first), headers_of(first))


@pytest.mark.django_db
def test_cached_api_reply_has_the_current_rate_limit(hostile, rows):
    first, again = (Client().get("/api/v1/lists", headers=AS_BROWSERS) for _ in range(2))
    assert body(again) == body(first)
    assert again["ETag"] == first["ETag"]
    assert int(again["RateLimit-Remaining"]) == int(first["RateLimit-Remaining"]) - 1
    known = AS_BROWSERS | {"if-none-match": first["ETag"]}
    assert Client().get("/api/v1/lists", headers=known).status_code == 304


@pytest.mark.django_db
def test_current_etag_gets_304(hostile, rows):
    address = addresses("file")["list_file csv"]
    first = Client().get(address, headers=AS_BROWSERS)
    again = Client().get(address, headers=AS_BROWSERS | {"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.django_db
def test_browser_with_the_current_page_is_answered_304(hostile, rows):
    first = Client().get("/events/", headers=AS_BROWSERS)
    again = Client().get("/events/", headers=AS_BROWSERS | {"if-none-match": first["ETag"]})
    assert (first["Cache-Control"], again.status_code, again.content, again["ETag"]) == (
        "no-cache", 304, b"", first["ETag"]
    )  # fmt: skip
    assert again["Content-Security-Policy"] == first["Content-Security-Policy"]


@pytest.mark.django_db
def test_signed_in_people_see_the_present_state(hostile, rows, staff, client):
    event = make_event("Before Cup", "2026-05-01")
    address = event.get_absolute_url()
    Client().get(address, headers=AS_BROWSERS)
    type(event).objects.filter(pk=event.pk).update(place="Elsewhere")
    seen = [b"Elsewhere" in body(one.get(address, headers=AS_BROWSERS)) for one in (Client(), client)]
    assert seen == [False, True]


def test_every_page_works_without_redis(client, hostile, without_redis):
    known = take_share_of(addresses("page", "file", "form").values(), 1, 2)
    assert {client.get(address, headers=AS_BROWSERS).status_code for address in known} == {200}
    assert client.get("/nowhere/").status_code == 404


@pytest.fixture
def away(monkeypatch):
    """Take the database away when called; cached pages are old by then."""

    def take():
        def refuse(request):
            return HttpResponse(status=503)

        age = page_cache.Page.age.fget
        monkeypatch.setattr(page_cache.Page, "age", property(lambda page: age(page) + 60))
        monkeypatch.setattr(
            "django.core.handlers.base.BaseHandler._get_response", lambda self, request: refuse(request)
        )

    return take


@pytest.mark.django_db
def test_copy_of_a_page_is_shown_while_the_database_is_away(hostile, rows, away):
    page = body(Client().get("/events/", headers=AS_BROWSERS)).decode()
    away()
    response = Client().get("/events/", headers=AS_BROWSERS)
    copy = body(response).decode()
    note = re.search(r'<main id="main"><p class="message">(.*?)</p>', copy)
    assert note[1].startswith("The database is not available at the moment. This page is a copy from ")
    assert copy.replace(f'<p class="message">{note[1]}</p>', "") == page
    assert (response.status_code, response["Cache-Control"], response["Age"].isdecimal()) == (200, "no-store", True)


@pytest.mark.django_db
def test_page_without_a_copy_is_503_while_the_database_is_away(hostile, rows, away):
    Client().get("/events/", headers=AS_BROWSERS)
    away()
    browser = Client(raise_request_exception=False)
    for address in ("/clubs/", "/events/?country=FR"):
        assert browser.get(address, headers=AS_BROWSERS).status_code == 503
    assert browser.get("/events/", headers=AS_BROWSERS | {"accept-language": "de"}).status_code == 503


@pytest.mark.parametrize("address", ["/api/v1/lists", "/reports/ABC/", "/me/", "/organise/"])
def test_only_public_pages_are_copied(address):
    assert not page_cache.may_be_copied(RequestFactory().get(address))


@pytest.mark.django_db
@pytest.mark.parametrize("change", ["visibility", "merge", "erase", "save", "delete", "list", "event"])
def test_copies_are_forgotten_when_somebody_is_hidden(
    change, hostile, rows, away, monkeypatch, django_capture_on_commit_callbacks
):
    with travel("2026-03-01T12:00:00Z", tick=False):
        Client().get("/events/", headers=AS_BROWSERS)
    with travel("2026-03-01T12:01:00Z", tick=False), django_capture_on_commit_callbacks(execute=True):
        if change == "visibility":
            set_visibility(hostile, "anonymous")
        elif change == "merge":
            merge_players(make_player(), hostile, reason="one person")
        elif change == "erase":
            erase_person(hostile, reason="asked by mail")
        elif change == "save":
            hostile.save()
        elif change == "delete":
            make_player().delete()
        elif change == "event":
            delete_event(make_event("Cup", "2026-05-01", state="draft"))
        else:
            RatingList.objects.first().save()
    away()
    with travel("2026-03-01T12:02:00Z", tick=False):
        assert Client(raise_request_exception=False).get("/events/", headers=AS_BROWSERS).status_code == 503


@pytest.mark.django_db
def test_new_player_forgets_no_copies(hostile, rows, away, django_capture_on_commit_callbacks):
    Client().get("/events/", headers=AS_BROWSERS)
    with django_capture_on_commit_callbacks(execute=True):
        make_player()
    away()
    assert Client().get("/events/", headers=AS_BROWSERS).status_code == 200


class Watched(Numbered):
    """A site that runs a function while it makes a page."""

    def __init__(self, meanwhile, **answer):
        super().__init__(**answer)
        self.meanwhile = meanwhile

    def __call__(self, request):
        response = super().__call__(request)
        self.meanwhile(self)
        return response


@pytest.mark.parametrize(
    ("answer", "made"), [({}, [1, 1]), ({"status": 404}, [1, 2]), ({"headers": {"Cache-Control": "private"}}, [1, 2])]
)
def test_page_asked_for_while_it_is_made_is_made_once_if_it_is_cached(answer, made, rows, monkeypatch):
    waits, seen = Event(), []
    thread = Thread(target=lambda: seen.append(site.request_page()))

    def ask_again(site):
        if site.made == 1:
            thread.start()
            assert waits.wait(10)

    monkeypatch.setattr(cached_pages, "LOCK_SECONDS", 60)
    monkeypatch.setattr(cached_pages.time, "sleep", lambda seconds: waits.set())
    site = Watched(ask_again, **answer)
    first = site.request_page()
    thread.join(10)
    assert [first, *seen] == made


def test_page_of_an_ended_process_is_made_after_the_lock_seconds(rows, monkeypatch):
    site = Numbered()
    monkeypatch.setattr(cached_pages, "LOCK_SECONDS", 0.05)
    monkeypatch.setattr(page_cache, "release_lock", lambda found: None)  # as if the process had ended
    monkeypatch.setattr(page_cache, "AT_MOST", 0)
    assert [site.request_page(), site.request_page()] == [1, 2]


def test_page_begun_before_a_purge_is_not_waited_for(rows, monkeypatch):
    monkeypatch.setattr(cached_pages.time, "sleep", None)
    site = Watched(lambda site: site.made == 1 and (cache.delete(GENERATION), site.request_page()))
    assert (site.request_page(), site.made) == (1, 2)


def test_page_made_between_look_up_and_lock_is_not_made_again(rows, monkeypatch):
    site, acquire = Numbered(), page_cache.acquire_lock

    def acquire_late(found):
        monkeypatch.setattr(page_cache, "acquire_lock", acquire)
        assert site.request_page() == 1  # of another request
        return acquire(found)

    monkeypatch.setattr(page_cache, "acquire_lock", acquire_late)
    assert [site.request_page(), site.made] == [1, 1]


def test_lock_that_expired_is_not_taken_from_another_request(rows, monkeypatch):
    locks = []

    def lock_again(site):
        found = cached_pages.look_up(RequestFactory().get("/x/", headers=AS_BROWSERS))
        cache.delete(found.lock)
        assert page_cache.acquire_lock(found)
        locks.append(found.lock)

    Watched(lock_again).request_page()
    assert locks
    assert locks[0] in cache


def test_failed_page_releases_its_lock(rows):
    def fail(site):
        if site.made == 1:
            raise ValueError

    site = Watched(fail)
    with pytest.raises(ValueError):
        site.request_page()
    assert [site.request_page(), site.request_page()] == [2, 2]


def test_cache_status_tells_how_a_page_was_found(rows, monkeypatch):
    def find_status():
        request = RequestFactory().get("/x/", headers=AS_BROWSERS)
        return PageCache(Numbered())(request).headers.get("Cache-Status")

    assert [find_status(), find_status()] == ["portal; fwd=miss", "portal; hit"]
    etag = PageCache(Numbered())(RequestFactory().get("/x/", headers=AS_BROWSERS))["ETag"]
    unchanged = PageCache(Numbered())(RequestFactory().get("/x/", headers=AS_BROWSERS | {"If-None-Match": etag}))
    assert (unchanged.status_code, unchanged["Cache-Status"]) == (304, "portal; hit")
    cache.clear()
    acquire = page_cache.acquire_lock

    def lose(found):
        monkeypatch.setattr(page_cache, "acquire_lock", acquire)
        find_status()  # of another request, which makes the page now
        return False

    monkeypatch.setattr(page_cache, "acquire_lock", lose)
    assert find_status() == "portal; fwd=miss; collapsed"
