"""Properties of all replies: limits, caching, CORS, cookies, errors."""

import datetime as dt
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
import time_machine
from django.test import Client

from portal.api.site import api
from tests.factories import make_player

pytestmark = pytest.mark.django_db
PROBLEM = "application/problem+json"


def test_reading_sets_no_cookie_and_looks_at_none(site, client, organiser):
    client.force_login(organiser)
    response = client.get("/api/v1/players/AAA22", headers={"Accept-Language": "de"})
    assert (response.status_code, response.cookies, response.headers.get("Vary")) == (
        200,
        {},
        "origin, Accept-Encoding",
    )


def cors_headers(response):
    return {name: value for name, value in response.headers.items() if name.startswith("access-control-")}


READABLE = {
    "access-control-allow-origin": "*",
    "access-control-expose-headers": (
        "ETag, Last-Modified, Link, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset"
    ),
}


@pytest.mark.parametrize("origin", ["https://x.example", "http://localhost:3000", "null"])
@pytest.mark.parametrize(
    ("path", "status"),
    [("lists", 200), ("players/AAA22", 200), ("players/nope", 404), ("lists/fesa/standings?size=0", 422)],
)
def test_scripts_of_any_website_may_read(path, status, origin, site, client):
    for ask in (client.get, client.head):
        response = ask(f"/api/v1/{path}", headers={"Origin": origin})
        assert (response.status_code, cors_headers(response)) == (status, READABLE)
        assert response.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
        assert "origin" in response.headers["Vary"].split(", ")


def test_scripts_can_read_that_nothing_has_changed_and_when_to_come_back(site, client, settings):
    settings.API_RATE = 2
    here = {"Origin": "https://x.example"}
    known = {"If-None-Match": client.get("/api/v1/lists", headers=here).headers["ETag"]}
    unchanged = client.get("/api/v1/lists", headers=here | known)
    assert (unchanged.status_code, cors_headers(unchanged)) == (304, READABLE)
    refused = client.get("/api/v1/lists", headers=here)
    assert (refused.status_code, cors_headers(refused)) == (429, READABLE)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_browsers_are_allowed_to_read_and_nothing_else(method, site, client):
    preflight = {"Origin": "https://x.example", "Access-Control-Request-Method": method}
    response = client.options("/api/v1/events", headers=preflight)
    assert (response.status_code, response.content) == (200, b"")
    assert cors_headers(response) == READABLE | {
        "access-control-allow-methods": "GET, HEAD, OPTIONS",
        "access-control-allow-headers": "If-None-Match",
        "access-control-max-age": "86400",
    }


def test_methods_are_told_without_an_origin(site, client):
    response = client.options("/api/v1/lists")
    assert (response.status_code, response.content) == (204, b"")
    assert response.headers["Allow"] == "GET, HEAD, OPTIONS, POST"
    assert "RateLimit-Remaining" in response.headers


def test_results_are_not_given_by_scripts_of_other_websites(site, client, bearer):
    response = client.post("/api/v1/events", {}, "application/json", headers=bearer | {"Origin": "https://x.example"})
    assert (response.status_code, cors_headers(response)) == (422, {})


@pytest.mark.parametrize("path", ["/", "/lists/fesa/", "/api/", "/accounts/login/", "/admin/login/", "/health/"])
def test_pages_are_not_open_to_other_websites(path, site, client):
    origin = {"Origin": "https://x.example", "Access-Control-Request-Method": "GET"}
    for ask in (client.get, client.options):
        response = ask(path, headers=origin)
        assert cors_headers(response) == {}
        assert "origin" not in response.headers.get("Vary", "")


def test_known_reply_is_not_sent_again(site, client):
    first = client.get("/api/v1/players/AAA22")
    assert first.headers["Cache-Control"] == "public, max-age=60, must-revalidate"
    known = {"If-None-Match": first.headers["ETag"]}
    again = client.get("/api/v1/players/AAA22", headers=known)
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", first.headers["ETag"])
    assert "RateLimit-Remaining" in again.headers
    site.ada.family_name = "Lukasiewicz"
    site.ada.save()
    assert client.get("/api/v1/players/AAA22", headers=known).status_code == 200


def test_last_modified_header_is_the_time_of_the_last_change(site, settings):
    settings.PAGE_CACHE_SECONDS = 10
    client = Client()

    def since(minute):
        with time_machine.travel(dt.datetime(2026, 1, 1, 1, minute, tzinfo=dt.UTC), tick=False):
            return client.get("/api/v1/players/AAA22").headers["Last-Modified"]

    assert [since(1), since(2)] == ["Thu, 01 Jan 2026 01:01:00 GMT"] * 2
    site.ada.family_name = "Lukasiewicz"
    site.ada.save()
    assert [since(3), since(4)] == ["Thu, 01 Jan 2026 01:03:00 GMT"] * 2
    alone = {"If-Modified-Since": "Sun, 01 Feb 2026 12:00:00 GMT"}
    assert client.get("/api/v1/players/AAA22", headers=alone).status_code == 200


def test_head_request_returns_the_length_only(site, client):
    whole = client.get("/api/v1/players/AAA22")
    head = client.head("/api/v1/players/AAA22")
    assert (head.status_code, head.content, head.headers["ETag"]) == (200, b"", whole.headers["ETag"])
    assert head.headers["Content-Length"] == str(len(whole.content))


def test_limit_is_reported_and_enforced(site, client, settings):
    settings.API_RATE = 2
    left = [client.get("/api/v1/lists").headers["RateLimit-Remaining"] for _ in range(2)]
    refused = client.get("/api/v1/lists")
    wait = refused.headers["Retry-After"]
    assert (left, refused.status_code, refused.headers["Content-Type"]) == (["1", "0"], 429, PROBLEM)
    assert 0 <= int(wait) <= 60
    assert refused.headers["RateLimit-Limit"] == "2"
    assert refused.json() == {"type": "about:blank", "title": "Too Many Requests", "status": 429, "errors": [],
                              "detail": f"At most 2 requests; again in {wait} seconds."}  # fmt: skip
    assert client.get("/api/v1/lists", REMOTE_ADDR="192.0.2.7").status_code == 200
    assert client.get("/lists/fesa/").status_code == 200


def test_unknown_addresses_and_wrong_keys_are_counted(site, client, settings):
    settings.API_RATE = 3
    wrong = {"Authorization": "Bearer rk_wrong"}
    asked = [client.get("/api/v1/nope"), client.options("/api/v1/lists"), client.post("/api/v1/events", headers=wrong)]
    assert [response.status_code for response in asked] == [404, 204, 401]
    assert client.post("/api/v1/events", headers=wrong).status_code == 429


def test_limit_is_exact_for_simultaneous_requests(site, settings):
    settings.API_RATE = 50

    def ask(_):
        return Client().options("/api/v1/lists").status_code  # without the database, whose tests have one connection

    with ThreadPoolExecutor(8) as pool:
        statuses = Counter(pool.map(ask, range(200)))
    assert statuses == {204: 50, 429: 150}


@pytest.mark.parametrize("path", ["", "nope", "lists/nope", "players/nope", "events/nope", "lists/fesa/dated/2024-01-01",
                                  "players/%00", "events/x/tables/1", "lists/fesa/nope/", "players/" + "a" * 3000])  # fmt: skip
def test_missing_objects_are_reported_in_json(path, site, client):
    response = client.get(f"/api/v1/{path}")
    actual = response.json()
    assert (response.status_code, response.headers["Content-Type"], actual["status"]) == (404, PROBLEM, 404)
    assert actual["title"] == "Not Found"
    assert actual["detail"]


def test_address_beside_the_version_is_reported_in_json(client):
    assert client.get("/api/v2/lists").headers["Content-Type"] == PROBLEM


@pytest.mark.parametrize(
    ("query", "where"),
    [("size=0", "size"), ("size=201", "size"), ("size=abc", "size"), ("country=fr", "country"), ("active=x", "active"),
     ("grade=%00", "grade"), ("club=%00", "club"), ("cursor=" + "a" * 401, "cursor")],
)  # fmt: skip
def test_wrong_value_is_named(query, where, site, client):
    response = client.get(f"/api/v1/lists/fesa/standings?{query}")
    assert (response.status_code, response.headers["Content-Type"]) == (422, PROBLEM)
    assert [fault["where"] for fault in response.json()["errors"]] == [where]


@pytest.mark.parametrize(("query", "where"), [("game=x", "game.0"), ("game=1500:1&game=", "game.1"), ("", "game")])
def test_wrong_game_is_named_as_the_parameter(query, where, site, get):
    actual = get(f"/lists/fesa/calculator?player=AAA22&{query}", 422)
    assert [fault["where"] for fault in actual["errors"]] == [where]


@pytest.mark.parametrize("on", ["", "1492", "0", "2024-02-30", "20240101", "2024-13-01", "x" * 500, "２０２４-01-01"])
def test_day_is_iso_or_nothing(on, site, client):
    assert client.get("/api/v1/lists/fesa/ratings", {"on": on}).status_code == 422


@pytest.mark.parametrize(
    "since",
    ["", "2024", "99999999999", "-1", "1717200000.5", "2024-06-01", "2024-06-01T00:00:00", "20240601T000000Z",
     "2024-06-01T25:00:00Z", "２０２４-06-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"],
)  # fmt: skip
def test_time_is_iso_or_nothing(since, site, client):
    response = client.get("/api/v1/lists/fesa/runs", {"since": since})
    assert (response.status_code, [fault["where"] for fault in response.json()["errors"]]) == (422, ["since"])


def test_day_of_1492_has_no_ratings(site, get):
    assert get("/lists/fesa/ratings?on=1492-10-12")["items"] == []
    assert get("/lists/fesa/changes?since=0001-01-01&size=1")["items"] != []


@pytest.mark.parametrize("cursor", ["x", "W10:x", "bnVsbA:", "%00", "2"])
def test_forged_cursor_is_refused(cursor, site, client):
    response = client.get(f"/api/v1/lists/fesa/standings?cursor={cursor}")
    assert (response.status_code, response.headers["Content-Type"]) == (400, PROBLEM)
    assert response.json()["detail"] == "Invalid cursor: expected the one in “next” or “previous” of another page."


def test_cursor_of_another_order_is_refused(site, client, get):
    cursor = get("/players?size=1")["next"].partition("cursor=")[2]
    assert client.get(f"/api/v1/lists/fesa/standings?cursor={cursor}").status_code == 400


@pytest.mark.parametrize("method", ["put", "patch", "delete", "post"])
def test_other_methods_are_refused(method, site, client):
    response = getattr(client, method)("/api/v1/lists")
    assert (response.status_code, response.headers["Content-Type"], response.headers["Allow"]) == (405, PROBLEM, "GET")


def test_server_error_is_reported_without_a_traceback(site, monkeypatch):
    def fail(*_):
        raise RuntimeError("secret")

    monkeypatch.setattr("portal.api.players.get_player", fail)
    response = Client(raise_request_exception=False).get("/api/v1/players/AAA22")
    assert (response.status_code, response.headers["Content-Type"]) == (500, PROBLEM)
    assert "secret" not in response.content.decode()


@pytest.mark.parametrize("game", ["x:1", "1500:2", "1500", "9999:1", "nan:1", "1e9:1", "1500:1:1", "-5:1", "%00:1"])
def test_impossible_game_is_refused(game, site, client):
    response = client.get(f"/api/v1/lists/fesa/calculator?player=AAA22&game={game}")
    assert (response.status_code, response.headers["Content-Type"]) == (422, PROBLEM)


def test_more_games_than_the_page_takes_are_refused(site, client):
    games = "&".join(["game=1500:1"] * 11)
    assert client.get(f"/api/v1/lists/fesa/calculator?player=AAA22&{games}").status_code == 422


def test_search_survives_odd_words(site, get):
    make_player("O'Neil (jr.) [*")
    for words in ("[(*", "%25", "O'Neil (", "\U0001f600", "a" * 100):
        get(f"/players?q={words}")


@pytest.mark.parametrize(
    ("method", "path"),
    [(method, path) for path, operations in api.get_openapi_schema()["paths"].items() for method in operations],
)
def test_every_address_refuses_unknown_parameters(method, path, client, db):
    address = re.sub(r"\{\w+\}", "1", path)
    response = getattr(client, method)(f"{address}?hello=1", content_type="application/json")
    assert (response.status_code, response.headers["Content-Type"]) == (422, PROBLEM)
    (error,) = response.json()["errors"]
    assert (error["where"], error["message"].partition(";")[0]) == ("hello", "Unknown parameter")
