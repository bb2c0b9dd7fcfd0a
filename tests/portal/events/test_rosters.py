"""Rosters of announced events, with the ratings of the list that is valid on the first day."""

import csv
import datetime as dt
import io
import json

import openpyxl
import pytest
import time_machine
from django.utils import timezone

from ratings.domain.lists.publishing import publish
from ratings.domain.players.merging import merge_players
from ratings.formats.ffg.rating_list import read_ffg_list
from ratings.models import DatedLine, DatedList, EntryList, Event, EventEntry, OutsideId, Player
from tests.factories import give_rating, make_event, make_list, make_player, make_table, make_user, set_state
from tests.markup import markup

pytestmark = pytest.mark.django_db
FILE, API = "/events/CUP/roster.{}", "/api/v1/events/CUP/roster"


@pytest.fixture(autouse=True)
def today():
    with time_machine.travel("2024-05-04 12:00", tick=False):
        yield


def make_cup(fesa, **fields):
    event = make_event(
        "Cup", "2024-06-01", [fesa], state="draft", public_id="CUP", announced_at=timezone.now(), **fields
    )
    EntryList.objects.create(event=event)
    return event


def enter(event, player=None, **fields):
    return EventEntry.objects.create(event=event, player=player, state=EventEntry.State.CONFIRMED, **fields)


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
def event(fesa, rate_all):
    """Two rated players, one with an EGD PIN; one without a rating, one typed name, and one who only asked."""
    ada = make_player("Adler", "Ada", country="AT", public_id="ADA22")
    give_rating(fesa, ada, 1500, "2024-01-01", grade="1 Dan")
    bo = make_player("Brand", "Bo", country="DE", public_id="BBB33")
    give_rating(fesa, bo, 1700, "2024-02-01", grade="2 Dan")
    OutsideId.objects.create(player=bo, registry="egd", value="10000017", confirmed_at=timezone.now())
    for country, value in (("FR", "2600001"), ("DE", "77")):
        national = {"registry": "national", "country": country, "value": value}
        OutsideId.objects.create(player=bo, confirmed_at=timezone.now(), **national)
    OutsideId.objects.create(player=ada, registry="fide", value="1503014")  # not confirmed
    rate_all()
    event = make_cup(fesa)
    for player in (ada, bo, make_player("Czar", "Cy", country="", public_id="CCC44")):
        enter(event, player)
    enter(event, family_name="Dorn", given_name="Di", country="CH", club="Bern")
    EventEntry.objects.create(event=event, player=make_player("Asked"))
    return event


def publish_on(fesa, day):
    publish(DatedList(list=fesa, day=dt.date.fromisoformat(day)))


def read_csv(client, query=""):
    response = client.get(FILE.format("csv") + query)
    assert response.status_code == 200
    return [list(row) for row in csv.reader(io.StringIO(response.content.decode()))]


def test_roster_has_entered_players_by_rating_with_their_ids(client, event):
    assert read_csv(client) == [
        ["ID", "Last name", "First name", "Country", "Club", "Grade", "Rating", "Games", "EGD PIN", "FIDE id", "AGA id",
         "US Chess id", "RIF id", "FESA id", "National ids"],
        ["BBB33", "Brand", "Bo", "DE", "", "2 Dan", "1700", "100", "10000017", "", "", "", "", "", "DE 77; FR 2600001"],
        ["ADA22", "Adler", "Ada", "AT", "", "1 Dan", "1500", "100", "", "", "", "", "", "", ""],
        ["CCC44", "Czar", "Cy", "", "", "", "", "0", "", "", "", "", "", "", ""],
        ["", "Dorn", "Di", "CH", "Bern", "", "", "0", "", "", "", "", "", "", ""],
    ]  # fmt: skip


def test_ratings_are_those_of_the_list_published_last_up_to_the_first_day(client, event, fesa):
    with time_machine.travel("2024-06-10 12:00", tick=False):
        for day in ("2024-04-01", "2024-06-01", "2024-06-02"):
            publish_on(fesa, day)
        reply = client.get(API).json()
    assert (reply["list_day"], reply["list_url"]) == (
        "2024-06-01",
        "http://127.0.0.1:8000/lists/fesa/dated/2024-06-01/",
    )
    assert [(row["id"], row["rating"]) for row in reply["players"][:2]] == [("BBB33", 1700), ("ADA22", 1500)]


def test_published_ratings_stay_when_later_results_correct_them(client, event, fesa, rate_all):
    """Active players have the published rating, inactive ones, who are not on the list, the one of its day."""
    ada = Player.objects.get(public_id="ADA22")
    make_table(fesa, [ada, make_player()], [(1, 1, 2, 1.0)], "2024-03-01")
    rate_all()
    publish_on(fesa, "2024-04-01")
    published = DatedLine.objects.get(player=ada).rating
    give_rating(fesa, ada, 1900, "2024-02-01")
    rate_all()
    ratings = {row["id"]: row["rating"] for row in client.get(API).json()["players"]}
    assert ratings == {"ADA22": round(published), "BBB33": 1700, "CCC44": None, None: None}


def test_ratings_without_a_published_list_are_those_of_the_day_before(client, event, fesa, rate_all):
    ada = Player.objects.get(public_id="ADA22")
    give_rating(fesa, ada, 1600, "2024-05-31")
    give_rating(fesa, ada, 1900, "2024-06-01")
    rate_all()
    with time_machine.travel("2024-06-10 12:00", tick=False):
        reply = client.get(API).json()
        rows = read_csv(client)
    assert (reply["list_day"], reply["list_url"]) == ("2024-05-31", "http://127.0.0.1:8000/lists/fesa/?on=2024-05-31")
    assert [row["rating"] for row in reply["players"]] == [1700, 1600, None, None]
    assert [row[6] for row in rows[1:]] == ["1700", "1600", "", ""]


def test_json_file_and_api_say_the_same(client, event):
    file, reply = client.get(FILE.format("json")), client.get(API)
    assert json.loads(file.content) == reply.json()
    assert file.headers["Content-Disposition"] == 'attachment; filename="CUP-roster.json"'
    assert reply.json()["players"][0] == {
        "id": "BBB33", "family_name": "Brand", "given_name": "Bo", "country": "DE", "club": "", "grade": "2 Dan",
        "rating": 1700.0, "games": 100, "outside_ids": {"egd": "10000017", "DE": "77", "FR": "2600001"},
    }  # fmt: skip
    assert (reply.json()["list"], reply.json()["unnamed"], reply.json()["players"][3]["id"]) == ("fesa", 0, None)


def test_workbook_and_text_have_the_same_players(client, event):
    sheet = openpyxl.load_workbook(io.BytesIO(client.get(FILE.format("xlsx")).content)).active
    assert [row[1] for row in sheet.iter_rows(values_only=True)] == ["Last name", "Brand", "Adler", "Czar", "Dorn"]
    lines = client.get(FILE.format("txt")).content.decode("latin-1").splitlines()
    assert [line[4:12].strip() for line in lines[3:]] == ["Brand", "Adler"]  # FESA's text has no unrated players


def test_french_columns_have_players_without_a_rating(client, rate_all):
    go = make_list("go", system="egf-2021")
    set_state(go, ada := make_player("Adler", "Ada", country="FR"), rating=2150)
    rate_all()
    event = make_cup(go)
    for player in (ada, make_player("Brand", "Bo", country="FR")):
        enter(event, player)
    lines = client.get(FILE.format("ffg")).content.decode("latin-1").split("\r\n")[1:]
    assert [(line[:9], line[38:43]) for line in lines] == [("ADLER Ada", "  100"), ("BRAND Bo ", "-9999")]
    parsed, _problems = read_ffg_list(client.get(FILE.format("ffg")).content)
    assert [player.rating for player in parsed.players] == [2150]


def test_fide_columns_have_players_without_a_rating(client, rate_all):
    chess = make_list("chess", system="fide-2024")
    set_state(chess, ada := make_player("Adler", "Ada", country="FR"), rating=1800, games=30)
    rate_all()
    event = make_cup(chess)
    for player in (ada, make_player("Brand", "Bo", country="FR")):
        enter(event, player)
    lines = client.get(FILE.format("txt")).content.decode().splitlines()[1:]
    assert [(line[15:27].strip(), line[113:117].strip()) for line in lines] == [
        ("Adler, Ada", "1800"),
        ("Brand, Bo", "0"),
    ]
    assert client.get(FILE.format("xml")).content.count(b"<player>") == 2


def test_unknown_formats_and_lists_are_404(client, event):
    for address in (FILE.format("ffg"), FILE.format("xml"), FILE.format("exe"), FILE.format("csv") + "?list=none"):
        assert client.get(address).status_code == 404
    assert client.get(API + "?list=none").status_code == 404
    assert client.post(FILE.format("csv")).status_code == 405
    assert client.get("/events/NONE/roster.csv").status_code == 404


def test_roster_names_nobody_who_is_not_listed(client, event):
    Player.objects.filter(public_id="BBB33").update(shown="anonymous")
    Player.objects.filter(public_id="ADA22").update(shown="initials")
    EventEntry.objects.filter(family_name="Dorn").update(is_listed=False)
    merged = make_player("Merged", "Mo", public_id="MMM55")
    enter(event, merged)
    merge_players(merged, make_player("Secret", "Sue", shown="anonymous"), reason="r")
    reply = client.get(API).json()
    assert ([row["id"] for row in reply["players"]], reply["unnamed"]) == (["ADA22", "CCC44"], 3)
    for address in (*map(FILE.format, ("csv", "json", "txt")), API):
        text = client.get(address).content.decode("latin-1")
        assert [name for name in ("Brand", "Adler", "Dorn", "Secret", "Sue", "10000017") if name in text] == []


@pytest.mark.parametrize("change", [{"announced_at": None}, {"state": "accepted"}, {"state": "void"}])
def test_roster_is_public_only_while_the_event_is_announced(client, event, change):
    assert client.get(API).status_code == 200
    Event.objects.update(**change)
    with time_machine.travel("2024-05-04 12:10", tick=False):
        assert (client.get(API).status_code, client.get(FILE.format("csv")).status_code) == (404, 404)


def test_roster_is_public_only_with_public_entries(client, event):
    EntryList.objects.update(is_public=False)
    assert (client.get(API).status_code, client.get(FILE.format("csv")).status_code) == (404, 404)


def test_organisers_get_full_names(client, event):
    Player.objects.filter(public_id="BBB33").update(shown="anonymous")
    EventEntry.objects.filter(family_name="Dorn").update(is_listed=False)
    address = "/organise/events/CUP/roster.csv"
    assert client.get(address).status_code == 302
    client.force_login(make_user("stranger"))
    assert client.get(address).status_code == 403
    client.force_login(make_user("root", is_superuser=True))
    rows = list(csv.reader(io.StringIO(client.get(address).content.decode())))
    assert [row[1] for row in rows] == ["Last name", "Brand", "Adler", "Czar", "Dorn"]
    assert [row[8] for row in rows] == ["EGD PIN", "", "", "", ""]  # ids stay with names that are shown in full
    assert client.get("/organise/events/NONE/roster.csv").status_code == 404
    assert client.post(address).status_code == 405


def test_page_of_entries_links_the_roster(client, event):
    page = markup(client.get("/events/CUP/entries/"))
    assert '<a href="/events/CUP/roster.csv?list=fesa">CSV</a>' in page
    assert "roster.ffg" not in page


def test_page_of_an_event_links_the_list_of_its_first_day(client, event, fesa):
    page = markup(client.get(event.get_absolute_url()))
    assert '<a href="/lists/fesa/?on=2024-05-04">FESA, 4 May 2024</a>' in page
    publish_on(fesa, "2024-05-01")
    with time_machine.travel("2024-05-04 12:10", tick=False):
        page = markup(client.get(event.get_absolute_url()))
    assert '<a href="/lists/fesa/dated/2024-05-01/">FESA, 1 May 2024</a>' in page
    assert '<a href="/lists/fesa/dated/2024-05-01/list.csv">CSV</a>' in page
    assert client.get("/lists/fesa/dated/2024-05-01/list.csv").status_code == 200


def test_api_names_the_lists_of_an_accepted_event(client, event, fesa):
    publish_on(fesa, "2024-05-01")
    Event.objects.update(state="accepted")
    assert client.get("/api/v1/events/CUP").json()["valid_lists"] == [
        {
            "list": "fesa", "day": "2024-05-01", "url": "http://127.0.0.1:8000/lists/fesa/dated/2024-05-01/",
            "csv": "http://127.0.0.1:8000/lists/fesa/dated/2024-05-01/list.csv",
        }
    ]  # fmt: skip


def test_roster_costs_a_fixed_number_of_queries(client, event, django_assert_num_queries):
    client.get(API)
    for _ in range(20):
        enter(event, make_player())
    with time_machine.travel("2024-05-04 12:10", tick=False), django_assert_num_queries(9):
        assert len(client.get(API).json()["players"]) == 24
