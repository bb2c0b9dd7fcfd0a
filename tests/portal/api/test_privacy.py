"""Nothing of a player that the public may not see, by no address."""

import pytest

from ratings.domain.lists.adjustments import save_list_player
from ratings.domain.players.visibility import set_visibility
from ratings.models import Correction, ListPlayer, NameVisibility

pytestmark = pytest.mark.django_db


def addresses(site):
    event, table = site.event.public_id, site.table.pk
    return [
        "/lists/fesa/standings", "/lists/fesa/ratings?on=2024-05-01", "/lists/fesa/changes", "/lists/fesa/corrections",
        "/lists/fesa/promotions", "/lists/fesa/runs", "/players", "/players/AAA22", "/players/AAA22/changes",
        "/players/AAA22/games", "/players/BBB33/games?list=fesa", f"/events/{event}/tables/{table}",
        "/players?q=aaa22", "/lists/fesa/calculator?player=AAA22&game=1500:1", "/lists/fesa/checkpoints",
        "/lists/fesa/proposals", "/players/AAA22/proofs", "/feeds",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("shown", "name"), [(NameVisibility.INITIALS, "Ł. Z."), (NameVisibility.ANONYMOUS, "Player AAA22")]
)
def test_hidden_name_is_nowhere(shown, name, site, client):
    site.ada.native_name, site.ada.birth_date = "山本 太一", "1970-05-01"
    site.ada.save()
    Correction.objects.create(run=site.list.runs.first(), player=site.ada, before=1, after=2)
    set_visibility(site.ada, shown)
    named = 0
    for address in addresses(site):
        actual = client.get(f"/api/v1{address}")
        assert actual.status_code == 200, address
        text = actual.content.decode()
        named += name in text
        for hidden in ("Łukasz", "lukasz", "Zoë", "zoe", "山本", "1970"):
            assert hidden not in text, (address, hidden)
    assert named == len(addresses(site)) - 6  # no promotions; runs, logs, proposals and feeds name nobody


@pytest.mark.parametrize("public", [False, True])
def test_gender_is_nowhere(public, site, client):
    site.list.federation.records_gender = True
    site.list.federation.save()
    type(site.ada).objects.update(gender="female", gender_public=public)
    found = [address for address in addresses(site) if "female" in client.get(f"/api/v1{address}").content.decode()]
    assert found == []


def test_hidden_player_is_not_found_by_name(site, get):
    set_visibility(site.ada, NameVisibility.INITIALS)
    assert get("/players?q=lukasz")["items"] == []
    assert [one["name"] for one in get("/players?q=AAA22")["items"]] == ["Ł. Z."]


def test_anonymous_player_is_in_no_club(site, get):
    club = f"/lists/fesa/standings?club={site.club.public_id}"
    assert get("/players/AAA22")["club"]["name"] == "Shogi Lyon"
    set_visibility(site.ada, NameVisibility.ANONYMOUS)
    assert get("/players/AAA22")["club"] is None
    assert get(club)["items"] == []
    assert get("/lists/fesa/standings")["items"][0]["club"] is None


def test_withdrawn_rating_is_nowhere(site, get, rate_all):
    save_list_player(ListPlayer(list=site.list, player=site.ada, withdrawn=True))
    rate_all()
    others = {"BBB33"}
    for address in ("standings", "changes", "ratings?on=2024-05-01"):
        assert {row["player"]["id"] for row in get(f"/lists/fesa/{address}")["items"]} == others
    assert get("/players/AAA22")["standings"] == []
    assert get("/players/AAA22/standings?on=2024-05-01") == []
    get("/players/AAA22/changes", 404)
    get("/lists/fesa/calculator?player=AAA22&game=1500:1", 404)
    games = get("/players/BBB33/games?list=fesa")["items"]
    assert [(game["a"]["rating"], game["b"]["rating"]) for game in games] == [(None, 2000.0)]
    row = get(f"/events/{site.event.public_id}/tables/{site.table.pk}")["rows"][0]
    assert (row["before"], row["after"], row["change"], row["grade_before"]) == (None, None, None, "")


def test_list_that_is_not_open_is_nowhere(site, get, client, organiser):
    site.list.public = False
    site.list.save()
    organiser.is_superuser = True
    organiser.save()
    client.force_login(organiser)
    assert get("/lists") == []
    for address in ("", "/standings", "/ratings?on=2024-05-01", "/changes", "/promotions", "/corrections", "/runs",
                    "/dated", "/dated/2024-01-01", "/calculator?player=AAA22&game=1500:1", "/checkpoints", "/checkpoints/1",
                    "/proposals", "/proposals/1", "/proposals/1/effects"):  # fmt: skip
        get(f"/lists/fesa{address}", 404)
    assert get("/players/AAA22")["standings"] == []
    get("/players/AAA22/games?list=fesa", 404)
    get("/players/AAA22/changes?list=fesa", 404)
    assert [one["lists"] for one in get("/events")["items"]] == [[]]
    assert get("/events?list=fesa")["items"] == []
    actual = get(f"/events/{site.event.public_id}/tables/{site.table.pk}")
    assert (actual["list"], {row["after"] for row in actual["rows"]}) == (None, {None})


def test_withdrawn_event_is_not_in_the_api(site, get):
    type(site.event).objects.update(state="draft")
    assert get("/events")["items"] == []
    assert get("/players/AAA22/games")["items"] == []
    assert {change["event"] for change in get("/lists/fesa/changes")["items"]} == {None}
    get(f"/events/{site.event.public_id}", 404)
    get(f"/events/{site.event.public_id}/tables/{site.table.pk}", 404)
