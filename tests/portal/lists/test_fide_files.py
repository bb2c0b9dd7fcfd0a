"""Downloads of chess lists in FIDE's formats: what is public stands in them, and nothing else."""

import datetime as dt

import pytest
import time_machine
from django.utils import timezone

from ratings.domain.lists.adjustments import save_adjustment
from ratings.domain.lists.publishing import publish
from ratings.models import Adjustment, DatedList, OutsideId, Player
from tests.factories import make_list, make_player, make_table

pytestmark = pytest.mark.django_db
OPENED = dt.date(2024, 3, 1)


@pytest.fixture(autouse=True)
def today():
    with time_machine.travel(dt.datetime(2024, 6, 10, tzinfo=dt.UTC), tick=False):
        yield


def open_with(rating_list, player, rating):
    adjustment = Adjustment(list=rating_list, player=player, date=OPENED, reason="opening", set={"rating": rating})
    save_adjustment(adjustment)


@pytest.fixture
def chess(rate_all):
    """A standard list of four players: one publishes all, one nothing, one is shown by initials, one is a stranger."""
    standard = make_list("chess", system="fide-2024", federation="Chess")
    standard.federation.records_gender = True
    standard.federation.save()
    facts = {"birth_year": 2010, "gender": "female"}
    players = [
        make_player("Adler", "Änne", country="DE", birth_public=True, gender_public=True, **facts),
        make_player("Bauer", "Bea", country="FR", **facts),
        make_player("Curie", "Cleo", country="FR", birth_public=True, gender_public=True, shown="initials", **facts),
        make_player("Duval", "Dan", country="FR", birth_year=1980, gender="male", gender_public=True),
    ]
    for number, player in enumerate(players):
        open_with(standard, player, 1900 - 10 * number)
        OutsideId.objects.create(player=player, registry="fide", value=f"123456{number}", confirmed_at=timezone.now())
    OutsideId.objects.filter(player=players[3]).update(confirmed_at=None)
    make_table(standard, players[:2], [(1, 1, 2, 0.5)], "2024-05-05")
    rate_all()
    return standard, players


def own_id(player):
    return str(2_000_000_000 + player.pk)


def test_list_has_only_public_data_beside_public_names(chess, client):
    _standard, (_adler, _bauer, curie, duval) = chess
    response = client.get("/lists/chess/list.txt?active=all")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    title, *lines, end = response.content.decode("ascii").split("\r\n")
    assert (title[113:], end, {len(line) for line in lines}) == ("JUN24 Gms K  B-day Flag", "", {136})
    assert [(line[:15].strip(), line[15:76].strip(), line[76:84].strip(), line[113:]) for line in lines] == [
        ("1234560", "Adler, Anne", "GER F", "1900  1   40 2010  w   "),
        ("1234561", "Bauer, Bea", "FRA", "1890  1   40 0         "),
        (own_id(curie), "C., C.", "FRA", "1880  0   40 0         "),
        (own_id(duval), "Duval, Dan", "FRA M", "1870  0   20 0         "),
    ]


def test_xml_has_only_public_data_beside_public_names(chess, client):
    response = client.get("/lists/chess/list.xml?active=all")
    assert response["Content-Type"] == "application/xml; charset=utf-8"
    assert response["Content-Disposition"] == 'attachment; filename="chess-2024-06-10.xml"'
    adler, bauer, *_others = response.text.split("</player>")
    assert "<fideid>1234560</fideid>\n<name>Adler, Anne</name>\n<country>GER</country>\n<sex>F</sex>" in adler
    assert "<rating>1900</rating>\n<games>1</games>\n<k>40</k>\n<birthday>2010</birthday>\n<flag>w</flag>" in adler
    assert "<sex></sex>" in bauer
    assert "<k>40</k>\n<birthday>0</birthday>\n<flag></flag>" in bauer


@pytest.mark.parametrize("form", ["txt", "xml"])
def test_sex_needs_a_federation_that_records_it(form, chess, client):
    standard, _players = chess
    standard.federation.records_gender = False
    standard.federation.save()
    text = client.get(f"/lists/chess/list.{form}?active=all").text
    assert ("GER F" in text, "<sex>F</sex>" in text, "2010" in text) == (False, False, True)


def test_past_list_has_the_figures_of_its_month(chess, client):
    text = client.get("/lists/chess/list.txt?active=all&on=2024-05-31").text
    assert [line[113:126] for line in text.split("\r\n")[:2]] == ["MAY24 Gms K  ", "1900  0   40 "]


def test_other_games_have_no_xml(client):
    make_list("shogi")
    assert client.get("/lists/shogi/list.xml").status_code == 404
    assert "list.xml" not in client.get("/lists/shogi/").text


@pytest.fixture
def three(chess, rate_all):
    """The standard list with a rapid and a blitz list; Duval has a blitz rating only, after his standard one is gone."""
    standard, players = chess
    federation = {"system": "fide-2024", "federation": "Chess"}
    rapid = make_list("rapid", options={"chapter": "rapid"}, **federation)
    blitz = make_list("blitz", options={"chapter": "blitz"}, **federation)
    open_with(rapid, players[1], 1700)
    newcomer = make_player("Zola", "Zoe", country="CH")
    open_with(blitz, newcomer, 1500)
    open_with(blitz, players[1], 1650)
    rate_all()
    return [standard, rapid, blitz], players, newcomer


def test_combined_list_has_everybody_who_is_rated_on_any_list(three, client):
    _lists, (_adler, _bauer, curie, duval), newcomer = three
    title, *lines, end = client.get("/lists/chess/list.txt?chapters=all").content.decode("ascii").split("\r\n")
    assert (title[113:], end, {len(line) for line in lines}) == (
        "SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag", "", {162},
    )  # fmt: skip
    assert [(line[:15].strip(), line[15:76].strip(), line[113:]) for line in lines] == [
        ("1234560", "Adler, Anne", "1900  1   40 0     0   0  0     0   0  2010  w   "),
        ("1234561", "Bauer, Bea", "1890  1   40 1700  0   40 1650  0   40 0         "),
        (own_id(duval), "Duval, Dan", "1870  0   20 0     0   0  0     0   0  0         "),
        (own_id(newcomer), "Zola, Zoe", "0     0   0  0     0   0  1500  0   20 0         "),
        (own_id(curie), "C., C.", "1880  0   40 0     0   0  0     0   0  0         "),
    ]


def test_combined_xml_is_offered_beside_the_list(three, client):
    page = client.get("/lists/chess/").text
    for form in ("txt", "xml"):
        assert f'href="/lists/chess/list.{form}?chapters=all"' in page
    assert "chapters=all" not in client.get("/lists/rapid/").text
    text = client.get("/lists/chess/list.xml?chapters=all").text
    assert text.count("<player>") == 5
    assert "<k>40</k>\n<rapid_rating>1700</rapid_rating>" in text


def test_published_combined_list_keeps_published_ratings(three, client, rate_all):
    (standard, _rapid, _blitz), players, _newcomer = three
    day = dt.date(2024, 6, 1)
    publish(DatedList(list=standard, day=day))
    address = f"/lists/chess/dated/{day}/list.txt?chapters=all"
    before = client.get(address).text
    adjustment = Adjustment.objects.get(list=standard, player=players[1])
    adjustment.set = {"rating": 1850}
    save_adjustment(adjustment)
    rate_all()
    assert "1890  1   40 1700  0   40 1650  0   40" in before
    assert client.get(address).text == before
    assert "1853  1   40 1700  0   40 1650  0   40" in client.get("/lists/chess/list.txt?chapters=all").text


@pytest.mark.parametrize("address", ["/lists/rapid/list.txt?chapters=all", "/lists/chess/list.csv?chapters=all",
                                     "/lists/chess/dated/2024-06-02/list.txt?chapters=all"])  # fmt: skip
def test_missing_combined_files_are_404(address, three, client):
    assert client.get(address).status_code == 404


def test_combined_list_is_none_without_all_three_lists(three, client):
    (_standard, rapid, _blitz), _players, _newcomer = three
    rapid.public = False
    rapid.save()
    assert client.get("/lists/chess/list.txt?chapters=all").status_code == 404


@pytest.mark.parametrize("query", ["chapters=all&country=DE", "chapters=some"])
def test_combined_list_refuses_filters(query, three, client):
    response = client.get(f"/lists/chess/list.txt?{query}")
    assert (response.status_code, response.text) == (
        400, "The file of all chapters has no filters. Remove them from the address.\n",
    )  # fmt: skip


def test_chess_file_needs_the_same_queries_for_any_number_of_players(chess, client, django_assert_num_queries):
    client.get("/lists/chess/list.txt?active=all")
    for choice in ("?active=all", "?active=all&country=DE"):
        with django_assert_num_queries(7):
            client.get(f"/lists/chess/list.txt{choice}")


def test_erased_birth_year_is_in_no_file(chess, client):
    Player.objects.update(birth_public=False)
    for form in ("txt", "xml", "csv", "json"):
        assert "2010" not in client.get(f"/lists/chess/list.{form}?active=all").text
