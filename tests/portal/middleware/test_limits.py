"""Machines that take everything are slowed; nobody else notices."""

import pytest
from django.core.cache import cache
from django.test import Client

from portal.middleware.limits import _warn_once, address_of

pytestmark = pytest.mark.django_db
VISITOR, OTHER = {"REMOTE_ADDR": "8.8.8.8"}, {"REMOTE_ADDR": "8.8.4.4"}


@pytest.fixture(autouse=True)
def rates(settings):
    settings.PAGE_RATE, settings.COSTLY_RATE = "3/5m", "2/5m"
    settings.WHITENOISE_USE_FINDERS = settings.WHITENOISE_AUTOREFRESH = True  # static files as they lie
    cache.clear()
    yield
    cache.clear()


def statuses(client, address, times, **more):
    return [client.get(address, **more).status_code for _ in range(times)]


def test_too_many_requests_get_a_retry_time(client):
    assert statuses(client, "/privacy/", 4, **VISITOR) == [200, 200, 200, 429]
    response = client.get("/events/", **VISITOR)
    assert 1 <= int(response["Retry-After"]) <= 300
    assert "Too many requests from your address" in response.content.decode()
    assert statuses(client, "/privacy/", 1, **OTHER) == [200]


def test_cached_page_makes_no_queries(client, django_assert_num_queries):
    statuses(client, "/privacy/", 3, **VISITOR)
    with django_assert_num_queries(0):
        assert client.get("/privacy/", **VISITOR).status_code == 429


@pytest.mark.parametrize("address", ["/robots.txt", "/calendar.ics", "/search/", "/players/X/calculator/", "/lists/x/history.json"])  # fmt: skip
def test_costly_pages_are_counted_apart(address, client):
    assert [status == 429 for status in statuses(client, address, 3, **VISITOR)] == [False, False, True]
    assert statuses(client, "/privacy/", 1, **VISITOR) == [200]


@pytest.mark.parametrize("address", ["/health/", "/organise/", "/admin/"])
def test_some_addresses_are_not_counted(address, client):
    assert 429 not in statuses(client, address, 5, **VISITOR)


def test_static_files_are_not_counted(client):
    css = [client.head("/static/portal/base.css", **VISITOR).status_code for _ in range(5)]
    assert css == [200] * 5


@pytest.mark.parametrize("own", ["127.0.0.1", "10.1.2.3", "192.168.0.7", "172.17.0.1", "::1", "fd00::1", ""])
def test_own_networks_are_not_counted(own, client):
    """There all visitors would be one: a proxy that nobody told us of."""
    assert statuses(client, "/privacy/", 5, REMOTE_ADDR=own) == [200] * 5


def test_address_is_the_one_before_our_own_proxies(client, settings):
    settings.TRUSTED_PROXIES = 1
    through = {"REMOTE_ADDR": "127.0.0.1"}
    for invented in ("1.1.1.1", "1.1.1.2", "1.1.1.3"):  # what a visitor writes himself does not count
        client.get("/privacy/", headers={"x-forwarded-for": f"{invented}, 8.8.8.8"}, **through)
    assert client.get("/privacy/", headers={"x-forwarded-for": "8.8.8.8"}, **through).status_code == 429
    assert client.get("/privacy/", headers={"x-forwarded-for": "8.8.4.4"}, **through).status_code == 200


def test_network_of_64_bits_is_one_visitor(client):
    for last in range(1, 4):
        client.get("/privacy/", REMOTE_ADDR=f"2a00:1450:4001:831::{last}")
    assert statuses(client, "/privacy/", 1, REMOTE_ADDR="2a00:1450:4001:831:ffff::1") == [429]
    assert statuses(client, "/privacy/", 1, REMOTE_ADDR="2a00:1450:4001:832::1") == [200]


def test_logged_in_people_are_counted_like_others(client, staff):
    assert statuses(client, "/privacy/", 4, **VISITOR) == [200, 200, 200, 429]


def test_empty_rate_is_no_limit(client, settings):
    settings.PAGE_RATE = None
    assert statuses(client, "/privacy/", 5, **VISITOR) == [200] * 5


@pytest.mark.parametrize("address", ["/privacy/", "/api/v1/lists"])
def test_limits_count_in_memory_without_redis(address, client, settings, without_redis):
    settings.API_RATE = 3
    assert statuses(client, address, 4, **VISITOR) == [200, 200, 200, 429]
    assert statuses(client, address, 1, **OTHER) == [200]


def test_ipv4_address_written_as_ipv6_counts_as_ipv4(client):
    mapped = [client.get("/privacy/", REMOTE_ADDR=f"::ffff:8.8.8.{last}").status_code for last in (8, 8, 8, 4, 8)]
    assert mapped == [200, 200, 200, 200, 429]
    assert statuses(client, "/privacy/", 1, **VISITOR) == [429]


@pytest.mark.parametrize(
    ("proxies", "request_from", "warnings"),
    [
        (0, {"REMOTE_ADDR": "10.0.0.1", "HTTP_X_FORWARDED_FOR": "8.8.8.8"}, 1),
        (1, {"REMOTE_ADDR": "10.0.0.1", "HTTP_X_FORWARDED_FOR": "8.8.8.8"}, 0),
        (0, {"REMOTE_ADDR": "10.0.0.1"}, 0),
        (0, {"REMOTE_ADDR": "8.8.8.8", "HTTP_X_FORWARDED_FOR": "8.8.4.4"}, 0),
    ],
)
def test_uncounted_proxy_is_logged_once(proxies, request_from, warnings, settings, caplog):
    _warn_once.cache_clear()
    settings.TRUSTED_PROXIES = proxies
    for _ in range(2):
        Client().get("/privacy/", **request_from)
    assert caplog.text.count("but TRUSTED_PROXIES is 0") == warnings


def test_account_limits_answer_429_with_a_page(client, settings):
    del settings.ACCOUNT_RATE_LIMITS
    responses = [client.post("/accounts/password/reset/", {"email": "x@example.org"}) for _ in range(24)]
    assert {response.status_code for response in responses} == {302, 429}
    assert "Too many attempts." in responses[-1].content.decode()


def test_signing_in_is_limited_without_redis(client, settings, without_redis):
    del settings.ACCOUNT_RATE_LIMITS
    pages = [client.post("/accounts/login/", {"login": "x", "password": "y"}) for _ in range(8)]
    assert {page.status_code for page in pages} == {200}
    assert "Too many failed login attempts" in pages[-1].content.decode()


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, None, "9.9.9.9"),
        (0, "1.1.1.1", "9.9.9.9"),  # no proxy is ours: the header is what the visitor wrote
        (1, None, "9.9.9.9"),
        (1, "1.1.1.1", "1.1.1.1"),
        (2, "1.1.1.1", "9.9.9.9"),  # fewer entries than proxies: it did not come through them
        (2, "1.1.1.1, 8.8.8.8", "1.1.1.1"),
        (2, "6.6.6.6, 1.1.1.1, 8.8.8.8", "1.1.1.1"),
        (3, "1.1.1.1, 8.8.8.8", "9.9.9.9"),
    ],
)
def test_address_needs_an_entry_of_every_trusted_proxy(proxies, forwarded, address, settings, rf):
    settings.TRUSTED_PROXIES = proxies
    header = {} if forwarded is None else {"HTTP_X_FORWARDED_FOR": forwarded}
    assert address_of("pages", rf.get("/", REMOTE_ADDR="9.9.9.9", **header)) == address
