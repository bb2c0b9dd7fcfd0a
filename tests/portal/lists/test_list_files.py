import csv
import datetime as dt
import io
import json

import openpyxl
import pytest
import time_machine
from django.utils import timezone

from ratings.domain.lists.adjustments import save_adjustment
from ratings.domain.lists.publishing import publish
from ratings.models import Adjustment, Club, DatedList, Membership, OutsideId, Player
from tests.factories import give_rating, make_list, make_player, make_table
from tests.shared import reused

pytestmark = pytest.mark.django_db
DAY = dt.date(2024, 3, 31)


@pytest.fixture(autouse=True)
def today():
    with time_machine.travel(dt.datetime(2024, 6, 1, tzinfo=dt.UTC), tick=False):
        yield


@pytest.fixture
@reused
def four(rate_all):
    """A published list; one is shown by initials, one not at all, one with a name that browsers would run."""
    fesa = make_list()
    players = [
        make_player("Abel", "Ann", country="FR"), make_player("Secret", "Sue", shown="initials"),
        make_player("Hidden", "Hal", shown="anonymous"), make_player("<script>alert(1)</script>", country="DE"),
    ]  # fmt: skip
    club = Club.objects.create(name="=Club")
    for number, player in enumerate(players):
        give_rating(fesa, player, 2000 - 100 * number, grade="3 Dan")
        Membership.objects.create(player=player, club=club)
    games = [(round_, 1, 2, 0.5) for round_ in (1, 2)]
    make_table(fesa, [players[0], players[3]], games, "2024-03-01")
    make_table(fesa, [players[1], players[2]], games, "2024-03-02")
    rate_all()
    publish(DatedList(list=fesa, day=DAY))
    return fesa, players


def csv_rows(response):
    return list(csv.DictReader(io.StringIO(response.content.decode())))


def test_csv_is_the_list_as_the_public_sees_it(four, client):
    _, (abel, secret, hidden, script) = four
    response = client.get("/lists/fesa/list.csv")
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"] == 'attachment; filename="fesa-2024-06-01.csv"'
    titles = ("Rank", "ID", "Last name", "First name", "Club")
    assert [tuple(row[title] for title in titles) for row in csv_rows(response)] == [
        ("1", abel.public_id, "Abel", "Ann", "'=Club"),
        ("2", secret.public_id, "S.", "S.", "'=Club"),
        ("3", hidden.public_id, "Player", hidden.public_id, ""),
        ("4", script.public_id, "<script>alert(1)</script>", "", "'=Club"),
    ]


@pytest.mark.parametrize("place", ["", "dated/2024-03-31/"])
@pytest.mark.parametrize("form", ["csv", "txt", "json"])
def test_no_file_reveals_hidden_names(place, form, four, client):
    text = client.get(f"/lists/fesa/{place}list.{form}").content.decode()
    assert "Abel" in text
    assert [word for word in ("Secret", "Sue", "Hidden", "Hal") if word in text] == []


def test_workbook_reveals_no_hidden_names(four, client):
    book = openpyxl.load_workbook(io.BytesIO(client.get("/lists/fesa/list.xlsx").content))
    names = [row[2].value for row in book.active.iter_rows(min_row=2)]
    assert names == ["Abel", "S.", "Player", "<script>alert(1)</script>"]


def test_files_obey_the_filters_of_the_page(four, client):
    for address in ("/lists/fesa/list.csv?country=DE", "/lists/fesa/dated/2024-03-31/list.csv?country=DE"):
        assert [(row["Rank"], row["Last name"]) for row in csv_rows(client.get(address))] == [
            ("4", "<script>alert(1)</script>")
        ]
    assert csv_rows(client.get("/lists/fesa/list.csv?on=2024-02-01&active=all"))[0]["Rating"] == "2000"
    assert csv_rows(client.get("/lists/fesa/list.csv?on=2019-02-01&active=all")) == []


@pytest.mark.parametrize("file", ["list.csv", "dated/2024-03-31/list.json", "list.csv?on=2024-02-01"])
@pytest.mark.parametrize("asked", ["country=XX", "games=many", "grade=99+Dan"])
def test_choice_that_cannot_be_gives_no_file(file, asked, four, client):
    response = client.get(f"/lists/fesa/{file}{'&' if '?' in file else '?'}{asked}")
    assert (response.status_code, response["Content-Type"]) == (400, "text/plain; charset=utf-8")
    label = {"country": "Country", "games": "Games at least", "grade": "Grade"}[asked.split("=")[0]]
    assert response.text.startswith(f"{label}: ")


def test_country_without_players_gives_an_empty_file(four, client):
    assert csv_rows(client.get("/lists/fesa/list.csv?country=SE")) == []
    assert "No player" in client.get("/lists/fesa/?country=SE").text


def test_json_names_list_and_day(four, client):
    actual = json.loads(client.get("/lists/fesa/dated/2024-03-31/list.json").content)
    assert {key: value for key, value in actual.items() if key != "players"} == {
        "list": "fesa", "name": "FESA", "federation": "FESA", "system": "fesa-2016", "day": "2024-03-31",
    }  # fmt: skip
    assert [player["rank"] for player in actual["players"]] == [1, 2, 3, 4]


def test_text_is_in_the_columns_of_the_federation(rate_all, client):
    fesa, a, b = make_list(), make_player("Müller", "Ann", country="DE"), make_player("B", country="FR")
    give_rating(fesa, a, 2000, grade="3 Dan")
    give_rating(fesa, b, 2000, grade="3 Dan")
    make_table(fesa, [a, b], [(1, 1, 2, 1.0)], "2024-03-01")
    rate_all()
    response = client.get("/lists/fesa/list.txt")
    assert response["Content-Type"] == "text/plain; charset=iso-8859-1"
    assert response.content.decode("latin-1").splitlines()[2:] == [
        "    Name                               Grades       Elo #games Nationality",
        "  1 Müller            Ann              3 Dan        2010 101     DE",
        "  2 B                                  3 Dan        1990 101     FR",
    ]


@pytest.mark.parametrize(("system", "begins"), [("bgf", "(01 Jun 2024)\n 9"), ("icu-1989", "ID Number      Name")])
def test_text_fits_the_game(system, begins, rate_all, client):
    rating_list = make_list("other", system=system)
    given = {"list": rating_list, "player": make_player(), "date": DAY, "reason": "opening"}
    save_adjustment(Adjustment(set={"rating": 500}, **given))
    rate_all()
    assert client.get("/lists/other/list.txt?active=all").content.decode().startswith(begins)


@pytest.mark.parametrize(("system", "rating"), [("bgf", "2550"), ("egf-2021", " 500")])
def test_text_of_a_go_list_has_ratings_on_the_databases_scale(system, rating, rate_all, client):
    given = {"list": make_list("go", system=system), "player": make_player(), "date": DAY, "reason": "opening"}
    save_adjustment(Adjustment(set={"rating": 500}, **given))
    rate_all()
    assert client.get("/lists/go/list.txt?active=all").content.decode().splitlines()[1][71:75] == rating


def test_text_of_a_go_list_has_confirmed_pins_of_players_who_are_shown_by_name(rate_all, client):
    go = make_list("go", system="bgf")
    players = {name: make_player(name, "A") for name in ("Adler", "Bauer", "Dupont")}
    for number, player in enumerate(players.values()):
        opening = {"list": go, "player": player, "date": DAY, "reason": "opening"}
        save_adjustment(Adjustment(set={"rating": 300 - number}, **opening))
        OutsideId.objects.create(player=player, registry="egd", value=f"1000000{number}", confirmed_at=timezone.now())
    OutsideId.objects.filter(player=players["Bauer"]).update(confirmed_at=None)
    make_table(go, [players["Adler"], players["Bauer"]], [(1, 1, 2, 1.0)], "2024-05-01")
    Player.objects.filter(family_name="Dupont").update(shown="initials")
    rate_all()
    lines = client.get("/lists/go/list.txt?active=all").content.decode().splitlines()[1:]
    own = {name: str(90_000_000 + player.pk) for name, player in players.items()}
    assert {line[11:20].strip(): (line[1:9], line[77:]) for line in lines} == {
        "Adler A": ("10000000", "   1  T240501"),
        "Bauer A": (own["Bauer"], "   1  T240501"),
        "D. A.": (own["Dupont"], "   0  T000000"),
    }


def test_french_text_of_a_go_list_has_confirmed_licences_of_players_who_are_shown_by_name(rate_all, client):
    go = make_list("go", system="bgf")
    players = {name: make_player(name, "A", country="FR") for name in ("Adler", "Bauer", "Dupont")}
    for number, player in enumerate(players.values()):
        opening = {"list": go, "player": player, "date": DAY, "reason": "opening"}
        save_adjustment(Adjustment(set={"rating": 300 - number}, **opening))
        licence = {"registry": "national", "country": "FR", "value": f"260000{number}"}
        OutsideId.objects.create(player=player, confirmed_at=timezone.now(), **licence)
    OutsideId.objects.filter(player=players["Bauer"]).update(confirmed_at=None)
    Player.objects.filter(family_name="Dupont").update(shown="initials")
    rate_all()
    response = client.get("/lists/go/list.ffg?active=all")
    assert (response["Content-Type"], response["Content-Disposition"]) == (
        "text/plain; charset=iso-8859-1", 'attachment; filename="go-2024-06-01-ffg.txt"',
    )  # fmt: skip
    assert response.content.decode("latin-1").split("\r\n") == [
        "#Echelle au 01/06/2024 00:00:00",
        "ADLER A                                 300 - 2600000 xxxx FR",
        "BAUER A                                 299 - ------- xxxx FR",
        "D. A.                                   298 - ------- xxxx FR",
    ]
    assert 'href="/lists/go/list.ffg?active=all"' in client.get("/lists/go/?active=all").text


def test_lists_of_other_games_have_no_french_text(four, client):
    assert client.get("/lists/fesa/list.ffg").status_code == 404
    assert "list.ffg" not in client.get("/lists/fesa/").text


def test_latest_leads_to_the_newest_dated_list(four, client):
    for address, target in (
        ("latest/", "dated/2024-03-31/"),
        ("latest/?country=FR", "dated/2024-03-31/?country=FR"),
        ("latest/list.csv?category=settled", "dated/2024-03-31/list.csv?category=settled"),
    ):
        response = client.get(f"/lists/fesa/{address}")
        assert (response.status_code, response["Location"]) == (302, f"/lists/fesa/{target}")
        assert response["Cache-Control"] == "no-cache"
        assert client.get(response["Location"]).status_code == 200


def test_latest_is_the_live_list_while_none_is_published(client, db):
    make_list()
    assert client.get("/lists/fesa/latest/")["Location"] == "/lists/fesa/"
    assert client.get("/lists/fesa/latest/list.json")["Location"] == "/lists/fesa/list.json"


def test_file_is_sent_again_when_a_name_was_corrected(four, client):
    _, (abel, *_) = four
    first = client.get("/lists/fesa/list.csv")
    headers = {"If-None-Match": first["ETag"]}
    assert client.get("/lists/fesa/list.csv", headers=headers).status_code == 304
    abel.family_name = "Able"
    abel.save()
    assert client.get("/lists/fesa/list.csv", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "address",
    ["list.pdf", "list.", "dated/2024-02-01/list.csv", "dated/2024-03-31/list.exe", "dated/2024-13-01/list.csv"],
)
def test_missing_files_are_404(address, four, client):
    assert client.get(f"/lists/fesa/{address}").status_code == 404


def test_files_are_only_read(four, client):
    assert [client.post(f"/lists/fesa/{one}").status_code for one in ("list.csv", "latest/", "latest/list.csv")] == [
        405
    ] * 3


def test_files_of_a_closed_list_are_closed(four, client):
    fesa, _ = four
    fesa.public = False
    fesa.save()
    for address in ("list.csv", "latest/", "latest/list.csv", "dated/2024-03-31/list.csv", "moves/"):
        assert client.get(f"/lists/fesa/{address}").status_code == 404


@pytest.mark.parametrize("place", ["", "dated/2024-03-31/"])
def test_workbook_of_too_many_is_refused_in_words(place, four, client, monkeypatch):
    monkeypatch.setattr("ratings.formats.list_rows.WORKBOOK_AT_MOST", 3)
    response = client.get(f"/lists/fesa/{place}list.xlsx")
    assert (response.status_code, response.content.decode()) == (
        400, "Too many players for a workbook; take CSV, or choose fewer.",
    )  # fmt: skip
    assert client.get(f"/lists/fesa/{place}list.xlsx?country=DE").status_code == 200


def test_file_needs_the_same_queries_for_any_number_of_players(four, client, django_assert_num_queries):
    for address, number in (("list.csv", 2), ("dated/2024-03-31/list.csv", 3)):
        client.get(f"/lists/fesa/{address}")
        for choice in ("", "?country=DE"):
            with django_assert_num_queries(number):
                client.get(f"/lists/fesa/{address}{choice}")
