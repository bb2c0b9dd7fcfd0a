"""Machines that take everything are slowed; nobody else notices."""

import pytest
from django.core.cache import cache

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


def test_too_many_pages_are_told_when_to_come_back(client):
    assert statuses(client, "/privacy/", 4, **VISITOR) == [200, 200, 200, 429]
    response = client.get("/events/", **VISITOR)
    assert 1 <= int(response["Retry-After"]) <= 300
    assert "has asked for very many pages" in response.content.decode()
    assert statuses(client, "/privacy/", 1, **OTHER) == [200]


def test_told_page_asks_the_database_for_nothing(client, django_assert_num_queries):
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
    css = [client.head("/static/portal/portal.css", **VISITOR).status_code for _ in range(5)]
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
def test_site_is_there_when_nobody_counts(address, client, without_redis):
    assert statuses(client, address, 5, **VISITOR) == [200] * 5
