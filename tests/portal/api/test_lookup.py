"""Many players looked up by one request."""

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ratings.domain.players.visibility import set_visibility
from ratings.models import OutsideId
from tests.factories import make_player

pytestmark = pytest.mark.django_db
WRITES = ("INSERT", "UPDATE", "DELETE")


@pytest.fixture
def post(client):
    def ask(body, status=200, slug="fesa"):
        response = client.post(f"/api/v1/lists/{slug}/lookup", body, "application/json")
        assert response.status_code == status, response.content
        return response.json()

    return ask


def test_reply_has_the_player_or_the_candidates_for_each_text(site, post):
    OutsideId.objects.create(player=site.ada, registry="egd", value="12345678", confirmed_at=dt.datetime.now(dt.UTC))
    ada = {
        "id": "AAA22",
        "name": "Łukasz Zoë",
        "country": "PL",
        "url": f"http://testserver{site.ada.get_absolute_url()}",
        "native_name": "",
        "outside_ids": [{"registry": "egd", "country": "", "value": "12345678"}],
    }
    replies = post({"players": ["Zoe Lukasz", "Lukasz", "EGD 12345678", "Nobody"]})
    first = replies[0]["player"]
    line = site.ada.standings.get(list=site.list)
    assert {key: first[key] for key in ada} | {"url": ada["url"]} == ada
    assert first["url"].endswith(site.ada.get_absolute_url())
    assert (first["club"]["id"], first["club"]["name"]) == (site.club.public_id, "Shogi Lyon")
    assert first["standing"] == {
        "rank": 1,
        "rating": round(line.rating),
        "deviation": None,
        "grade": line.grade,
        "category": line.category,
        "games": line.games,
        "last_played": "2024-03-01",
    }
    assert replies == [
        {"text": "Zoe Lukasz", "verdict": "found", "similar": False, "player": first, "candidates": []},
        {"text": "Lukasz", "verdict": "similar", "similar": False, "player": None, "candidates": [first]},
        {"text": "EGD 12345678", "verdict": "found", "similar": False, "player": first, "candidates": []},
        {"text": "Nobody", "verdict": "unknown", "similar": False, "player": None, "candidates": []},
    ]


def test_player_who_is_not_on_the_list_has_no_standing(site, post):
    make_player("Unlisted", "Una", public_id="CCC22")
    (reply,) = post({"players": ["ccc22"]})
    assert (reply["verdict"], reply["player"]["id"], reply["player"]["standing"]) == ("found", "CCC22", None)


@pytest.mark.parametrize(("shown", "name"), [("initials", "Ł. Z."), ("anonymous", "Player AAA22")])
def test_hidden_player_is_found_by_the_public_id_only(shown, name, site, post):
    site.ada.native_name = "山本 太一"
    site.ada.save()
    set_visibility(site.ada, shown)
    unknown = {"verdict": "unknown", "similar": False, "player": None, "candidates": []}
    texts = ["Łukasz, Zoë", "Zoe Lukasz", "Lukasz", "山本 太一"]
    assert post({"players": texts}) == [{"text": text, **unknown} for text in texts]
    (reply,) = post({"players": ["aaa22"]})
    assert (reply["player"]["name"], reply["player"]["native_name"]) == (name, "")
    assert (reply["player"]["club"] is None) == (shown == "anonymous")


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"players": []}, "wanted.players"),
        ({"players": ["x"] * 201}, "wanted.players"),
        ({"players": ["x" * 101]}, "wanted.players.0"),
        ({"players": ["x\0"]}, "wanted.players.0"),
        ({"players": [1]}, "wanted.players.0"),
        ({"players": "x"}, "wanted.players"),
        ({}, "wanted.players"),
    ],
)
def test_invalid_body_is_refused(body, where, site, post):
    reply = post(body, 422)
    assert (reply["status"], [each["where"] for each in reply["errors"]]) == (422, [where.removeprefix("wanted.")])


def test_broken_text_is_refused(site, client):
    for body in (b'{"players": ["\\ud800"]}', b'{"players": ["\xff"]}', b"[", b""):
        response = client.post("/api/v1/lists/fesa/lookup", body, "application/json")
        assert response.status_code in (400, 422), body
        assert response["Content-Type"] == "application/problem+json"


def test_unknown_or_closed_list_and_wrong_method_are_refused(site, post, client):
    post({"players": ["AAA22"]}, 404, slug="none")
    site.list.public = False
    site.list.save()
    post({"players": ["AAA22"]}, 404)
    assert client.get("/api/v1/lists/fesa/lookup").status_code == 405


def test_many_requests_are_refused_for_a_minute(site, client):
    send = lambda: client.post("/api/v1/lists/fesa/lookup", {"players": ["AAA22"]}, "application/json")  # noqa: E731
    assert [send().status_code for _ in range(21)] == [200] * 20 + [429]
    response = send()
    assert response.json()["detail"].startswith("At most 20 look-ups; again in ")
    assert int(response["Retry-After"]) > 0


def test_nothing_is_stored(site, post):
    with CaptureQueriesContext(connection) as queries:
        post({"players": ["AAA22", "Zoe Lukasz", "Lukasz", "Nobody", "EGD 12345678"]})
    assert [query["sql"] for query in queries if query["sql"].startswith(WRITES)] == []
