import datetime as dt
import re

import pytest
import time_machine

from portal.templatetags.portal_format import flag
from ratings.domain.lists.statistics import refresh_due
from ratings.models import Club, Event, Standing
from tests.factories import make_event, make_list, make_player
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def today():
    with time_machine.travel(dt.datetime(2024, 6, 1, tzinfo=dt.UTC), tick=False):
        yield


@pytest.fixture
def fesa():
    return make_list()


def rated(rating_list, rating, country, last="2024-03-01", **fields):
    player = make_player(country=country, **fields)
    Standing.objects.create(
        list=rating_list, player=player, rating=rating, games=20, category="established", published=True,
        last_played=last,
    )  # fmt: skip
    return player


def cell(code, name):
    return f'{flag(code)} <a href="/countries/{code}/">{name}</a>'


def lines(response):
    rows = response.context["listing"].rows
    return [[str(cell) for _, cell in row.items()] for row in rows]


def test_countries_show_players_clubs_and_events(client, fesa):
    """The ten best of Germany are rated 1510 to 1600 in steps of ten, on average 1555."""
    for number in range(11):
        rated(fesa, 1500 + 10 * number, "DE")
    rated(fesa, 1700, "FR", shown="anonymous")
    Club.objects.create(name="Lyon", country="FR")
    Club.objects.create(name="Oslo", country="NO")
    make_event(country="FR", lists=[fesa])
    make_event(country="FR", lists=[fesa], state=Event.State.DRAFT)
    refresh_due()
    assert re.search(r"FESA ·\s+as of 1 Jun 2024", markup(client.get("/countries/")))
    germany = [cell("DE", "Germany"), "11 active players", "11", "11", "1555", "0", "0"]
    france = [cell("FR", "France"), "1 active player · 1 club", "1", "1", "1700", "1", "1"]
    norway = [cell("NO", "Norway"), "0 active players · 1 club", "0", "0", "–", "1", "0"]
    assert lines(client.get("/countries/")) == [germany, france, norway]
    assert lines(client.get("/countries/?sort=name")) == [france, germany, norway]
    assert lines(client.get("/countries/?sort=-top")) == [france, germany, norway]
    assert lines(client.get("/countries/?sort=-clubs")) == [france, norway, germany]


def test_countries_of_another_list(client, fesa):
    make_list("chess", name="Chess", system="icu-1989")
    rated(fesa, 1500, "DE")
    refresh_due()
    assert client.get("/countries/").context["rating_list"] == fesa
    response = client.get("/countries/?list=chess")
    assert (response.context["rating_list"].slug, lines(response)) == ("chess", [])
    assert client.get("/countries/?list=nope").context["rating_list"] == fesa


def test_countries_without_figures_or_lists(client):
    assert "There is no rating list yet." in markup(client.get("/countries/"))
    make_list()
    assert "still being made" in markup(client.get("/countries/"))


@pytest.mark.parametrize("count", [1, 50])
def test_countries_need_the_same_queries_for_any_number(count, client, fesa, django_assert_num_queries):
    codes = [a + b for a in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" for b in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    known = [code for code in codes if code in KNOWN][:count]
    for code in known:
        rated(fesa, 1500, code)
    refresh_due()
    with django_assert_num_queries(5):
        response = client.get("/countries/")
    assert len(lines(response)) == count


KNOWN = [
    "AD",
    "AE",
    "AF",
    "AG",
    "AL",
    "AM",
    "AO",
    "AR",
    "AT",
    "AU",
    "AZ",
    "BA",
    "BB",
    "BD",
    "BE",
    "BF",
    "BG",
    "BH",
    "BI",
    "BJ",
    "BN",
    "BO",
    "BR",
    "BS",
    "BT",
    "BW",
    "BY",
    "BZ",
    "CA",
    "CH",
    "CI",
    "CL",
    "CM",
    "CN",
    "CO",
    "CR",
    "CU",
    "CY",
    "CZ",
    "DE",
    "DK",
    "DO",
    "DZ",
    "EC",
    "EE",
    "EG",
    "ES",
    "ET",
    "FI",
    "FJ",
    "FR",
]


@pytest.mark.parametrize("count", [1, 50])
def test_country_needs_the_same_queries_for_any_number(count, client, fesa, django_assert_num_queries):
    for number in range(count):
        rated(fesa, 1500 + number, "FR")
        make_event(country="FR", lists=[fesa])
        Club.objects.create(name=f"Club {number}", country="FR")
    refresh_due()
    with django_assert_num_queries(10):
        response = client.get("/countries/FR/")
    assert len(response.context["best"]) == min(count, 10)


def test_country_shows_its_best_with_their_ranks(client, fesa):
    """Equals share a rank, by name; who has not played for two years is left out."""
    rated(fesa, 2000, "DE")
    rated(fesa, 2100, "FR", last="2022-05-31")
    rated(fesa, 1900, "FR", family_name="Adam")
    rated(fesa, 1900, "FR", family_name="Zola")
    hidden = rated(fesa, 1800, "FR", family_name="Geheim", shown="anonymous")
    fesa.awards.create(player=hidden, day="2024-03-02", place=0, grade="2 Dan", how="given")
    refresh_due()
    response = client.get("/countries/FR/")
    assert [(one.standing.rank, one.standing.player.family_name) for one in response.context["best"]] == [
        (2, "Adam"), (2, "Zola"), (4, "Geheim")
    ]  # fmt: skip
    assert "Geheim" not in markup(response)
    assert f"Player {hidden.public_id}" in markup(response)


def test_country_shows_the_largest_or_requested_list(client, fesa):
    chess = make_list("chess", name="Chess", system="icu-1989")
    rated(fesa, 1500, "FR")
    for rating in (1600, 1700):
        rated(chess, rating, "FR")
    refresh_due()
    shown = {
        query: client.get(f"/countries/FR/{query}").context["rating_list"] for query in ("", "?list=fesa", "?list=x")
    }
    assert shown == {"": chess, "?list=fesa": fesa, "?list=x": chess}


def test_country_of_inactive_players_has_no_highest_rating(client, fesa):
    rated(fesa, 2100, "FR", last="2020-01-01")
    refresh_due()
    page = " ".join(markup(client.get("/countries/FR/")).split())
    assert "<dt>Highest rating</dt><dd>–</dd>" in page


def test_country_without_anything_says_so(client, fesa):
    assert "still being made" in markup(client.get("/countries/NZ/"))
    refresh_due()
    assert "No player of this country is on a list." in markup(client.get("/countries/NZ/"))


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("fr/", 301),
        ("XX/", 404),
        ("ZZ/", 404),
        ("FRA/", 404),
        ("%00/", 404),
        ("FR/?list=%00", 200),
        ("FR/?page=abc", 200),
    ],
)
def test_odd_countries(address, status, client, fesa):
    assert client.get(f"/countries/{address}").status_code == status


@pytest.mark.parametrize("query", ["sort=nope", "sort=--top", "list=%00", "page=99999", "list=" + "a" * 5000])
def test_countries_survive_odd_parameters(query, client, fesa):
    rated(fesa, 1500, "FR")
    refresh_due()
    assert client.get(f"/countries/?{query}").status_code == 200


def test_wrong_methods_are_refused(client):
    assert client.post("/countries/").status_code == 405
    assert client.post("/countries/FR/").status_code == 405
    assert client.post("/rules/").status_code == 405
