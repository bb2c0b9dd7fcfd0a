"""Every table can be had in every format of its list, and read again it is the same table."""

import datetime as dt
import re

import pytest
from django.core.cache import cache
from django.utils import timezone

from ratings.domain.lists.adjustments import save_adjustment, save_list_player
from ratings.domain.results.table_versions import build_content_from_table
from ratings.formats.event_head import Head
from ratings.formats.recognise import read_results_file
from ratings.models import Adjustment, Event, ListPlayer, OutsideId, Player
from tests.factories import give_rating, make_event, make_list, make_player, make_table

pytestmark = pytest.mark.django_db

EVEN = [(1, 1, 2, 1.0), (1, 3, None, 1.0), (2, 1, 3, 0.5), (2, 2, None, 0.0), (3, 3, 2, 0.0), (3, 1, None, 0.5)]
HANDICAPS = [(1, 1, 2, 1.0, {"handicap": "2p", "giver": "a"}), (1, 3, None, 1.0), (2, 2, 3, 0.0)]
COLOURS = [
    (1, 1, 2, 1.0, {"black": "b"}),
    (1, 3, None, 1.0),
    (2, 2, 3, 0.0, {"handicap": "r", "giver": "b", "black": "a"}),
]
WINS = [(1, 1, 2, 1.0, {"stones": 4, "black": "b"}), (2, 2, 3, 0.0, {"black": "a"})]
STONES = [(1, 1, 2, 1.0, {"stones": 4, "black": "b"}), (1, 3, None, 1.0), (2, 2, 3, 0.0, {"black": "a"})]


@pytest.mark.parametrize(
    ("form", "games", "system"),
    [("grid.txt", EVEN, "fesa-2016"), ("grid.txt", HANDICAPS, "fesa-2016"), ("trf.trf", EVEN, "fesa-2016"),
     ("csv.csv", EVEN, "fesa-2016"), ("csv.csv", HANDICAPS, "fesa-2016"), ("xlsx.xlsx", HANDICAPS, "fesa-2016"),
     ("h9.h9", EVEN, "bgf"), ("h9.h9", STONES, "bgf"), ("opengotha.xml", STONES, "bgf"), ("csv.csv", STONES, "bgf"),
     ("trf.trf", COLOURS[:2], "icu-1989"), ("csv.csv", COLOURS, "icu-1989"), ("xlsx.xlsx", COLOURS, "fesa-2016")],
)  # fmt: skip
def test_exported_table_read_again_is_the_same(form, games, system, client):
    players = [make_player("Adler", "Zoë"), make_player("van Beispiel", "Jan", country="NL"), make_player("Ito", "Ken")]
    rating_list = make_list(system=system)
    event = make_event("Cup", "2024-05-04", [rating_list])
    table = make_table(None, players, games, "2024-05-04", event=event)
    response = client.get(f"/events/{event.public_id}/{table.pk}/{form}")
    assert response.status_code == 200
    found = read_results_file(response.content, Head("Cup", table.first_day, table.last_day), table.last_day)
    assert [problem for problem in found.problems.all if problem.level == "error"] == []
    stored = build_content_from_table(table)
    assert [[c.token() + c.mark for c in row.cells] for row in found.table.rows] == [row.cells for row in stored.rows]


@pytest.mark.parametrize(
    ("games", "system", "offered"),
    [(EVEN, "fesa-2016", ["grid", "published", "trf", "csv", "xlsx"]), (EVEN, "bgf", ["h9", "trf", "csv", "xlsx"]),
     (HANDICAPS, "fesa-2016", ["grid", "published", "csv", "xlsx"]), (STONES, "bgf", ["h9", "opengotha", "csv", "xlsx"]),
     (WINS, "bgf", ["h9", "opengotha", "aga", "csv", "xlsx"]),
     (COLOURS[:2], "icu-1989", ["trf", "csv", "xlsx"]), (COLOURS, "icu-1989", ["csv", "xlsx"])],
)  # fmt: skip
def test_only_formats_in_which_nothing_is_lost_are_offered(games, system, offered, client):
    event = make_event("Cup", "2024-05-04", [make_list(system=system)])
    table = make_table(None, [make_player(), make_player(), make_player()], games, "2024-05-04", event=event)
    page = client.get(event.get_absolute_url())
    assert re.findall(rf"/{table.pk}/(\w+)\.\w+", page.content.decode()) == offered
    for form, extension in (("grid", "txt"), ("trf", "trf"), ("csv", "csv")):
        address = f"/events/{event.public_id}/{table.pk}/{form}.{extension}"
        assert (address in page.content.decode()) == (form in offered)
        if form not in offered and system != "bgf":
            assert client.get(address).status_code == 404


@pytest.mark.parametrize("lacking", ["country", "rating"])
def test_published_table_is_offered_only_if_all_its_rows_can_be_read(lacking, client, rate_all):
    fesa, players = make_list(), [make_player("A"), make_player("B")]
    for player in players:
        give_rating(fesa, player, 1500)
    event = make_event("Cup", "2024-05-04", [fesa])
    table = make_table(None, players, [(1, 1, 2, 1.0)], "2024-05-04", event=event)
    rate_all()
    address = f"/events/{event.public_id}/{table.pk}/published.txt"
    assert client.get(address).status_code == 200
    if lacking == "country":
        Player.objects.filter(pk=players[0].pk).update(country="")
    else:
        save_list_player(ListPlayer(list=fesa, player=players[0], withdrawn=True))
    rate_all()
    cache.clear()
    assert address not in client.get(event.get_absolute_url()).content.decode()
    assert client.get(address).status_code == 404


def test_unknown_form_or_extension_is_404(client):
    event = make_event("Cup", lists=[make_list()], state=Event.State.ACCEPTED)
    table = make_table(None, [make_player(), make_player()], [(1, 1, 2, 1.0)], event=event)
    for name in ("pdf.pdf", "grid.csv", "csv.txt"):
        assert client.get(f"/events/{event.public_id}/{table.pk}/{name}").status_code == 404


def test_wall_list_of_go_has_country_and_grades(client, rate_all):
    go, a, b = make_list("go", system="bgf"), make_player("Adler", country="BE"), make_player("Bauer", country="NL")
    for player, rating in ((a, 250), (b, -50)):
        given = {"list": go, "player": player, "date": dt.date(2019, 1, 1), "reason": "opening"}
        save_adjustment(Adjustment(set={"rating": rating}, **given))
    event = make_event("Cup", "2024-05-04", [go], place="Gent", country="BE")
    table = make_table(None, [a, b], [(1, 1, 2, 1.0, {"black": "b"})], "2024-05-04", event=event)
    rate_all()
    lines = client.get(f"/events/{event.public_id}/{table.pk}/h9.h9").content.decode().splitlines()
    assert "; PC[BE,Gent]" in lines
    assert [line[36:42] for line in lines[-2:]] == [" 3D BE", " 1K NL"]


@pytest.mark.parametrize(
    ("minutes", "increment", "mode", "given", "head"),
    [(60, None, "board", "", ["CL[B]", "TM[60]"]), (45, 20, "board", "", ["CL[A]", "TM[85]"]), (45, 20, "online", "", ["CL[D]", "TM[85]"]),
     (10, None, "board", "", ["CL[X]", "TM[10]"]), (45, 20, "board", "B", ["CL[B]", "TM[85]"]), (None, None, "board", "", [])],
)  # fmt: skip
def test_wall_list_of_go_has_class_and_adjusted_time(minutes, increment, mode, given, head, client):
    event = make_event("Cup", "2024-05-04", [make_list("go", system="egf-2021")], mode=mode)
    players = [make_player("Adler", "A"), make_player("Bauer", "B")]
    games = [(1, 1, 2, 1.0, {"black": "b"})]
    table = make_table(
        None, players, games, "2024-05-04", event=event, minutes=minutes, increment=increment, time_class=given
    )
    lines = client.get(f"/events/{event.public_id}/{table.pk}/h9.h9").content.decode().splitlines()
    assert [line[2:] for line in lines if line[2:4] in ("CL", "TM")] == head


def test_french_results_have_licences_and_are_read_again(client, rate_all):
    go = make_list("go", system="bgf")
    players = [
        make_player("Adler", "Zoë", country="FR"),
        make_player("Bauer", "Bea", country="DE"),
        make_player("Ito", "Ken", country="JP"),
    ]
    licence = {"registry": "national", "country": "FR", "value": "2600001"}
    OutsideId.objects.create(player=players[0], confirmed_at=timezone.now(), **licence)
    event = make_event("Cup", "2024-05-04", [go], place="Lyon")
    table = make_table(None, players, STONES, "2024-05-04", event=event)
    rate_all()
    address = f"/events/{event.public_id}/{table.pk}/tou.tou"
    assert address in client.get(event.get_absolute_url()).text
    response = client.get(address)
    assert response["Content-Type"] == "text/plain; charset=iso-8859-1"
    assert response.content.decode("latin-1").split("\r\n") == [
        ";name=Cup", ";date=04/05/2024", ";vill=Lyon", ";Num Nom Prenom               Niv Licence Club",
        "   1 ADLER Zoë                  - 2600001 xxxx    2+w4      0-",
        "   2 BAUER Bea                  - ------- DE      1-b4    3-b0",
        "   3 ITO Ken                    - ------- JP        0+    2+w0",
        "",
    ]  # fmt: skip
    found = read_results_file(response.content, Head("Cup", table.first_day, table.last_day), table.last_day)
    stored = build_content_from_table(table)
    assert [[c.token() + c.mark for c in row.cells] for row in found.table.rows] == [row.cells for row in stored.rows]
    assert [row.outside for row in found.table.rows] == [{"FR": "2600001"}, {}, {}]
    gotha = client.get(f"/events/{event.public_id}/{table.pk}/opengotha.xml").content
    found = read_results_file(gotha, Head("Cup", table.first_day, table.last_day), table.last_day)
    assert [row.outside for row in found.table.rows] == [{"FR": "2600001"}, {}, {}]


def test_extension_of_a_wall_list_tells_how_stones_follow_from_the_ranks(client, rate_all):
    go, a, b = make_list("go", system="bgf"), make_player("Adler", "A"), make_player("Bauer", "B")
    for player, rating in ((a, 250), (b, -50)):
        given = {"list": go, "player": player, "date": dt.date(2019, 1, 1), "reason": "opening"}
        save_adjustment(Adjustment(set={"rating": rating}, **given))
    event = make_event("Cup", "2024-05-04", [go])
    table = make_table(None, [a, b], [(1, 1, 2, 1.0, {"black": "b", "stones": 2})], "2024-05-04", event=event)
    rate_all()
    response = client.get(f"/events/{event.public_id}/{table.pk}/h9.h9")
    assert response["Content-Disposition"] == f'attachment; filename="{event.public_id}-{table.pk}-h9.h1"'
    assert "; HA[h1]" in response.text.splitlines()


def test_files_of_results_have_the_confirmed_ids_of_players_who_are_shown_by_name(client, rate_all):
    go = make_list("go", system="bgf")
    players = [make_player(name, "A") for name in ("Adler", "Bauer", "Dupont")]
    for number, player in enumerate(players):
        given = {"list": go, "player": player, "date": dt.date(2019, 1, 1), "reason": "opening"}
        save_adjustment(Adjustment(set={"rating": 250}, **given))
        for registry, value in (("egd", f"1000000{number}"), ("fide", f"150301{number}")):
            OutsideId.objects.create(player=player, registry=registry, value=value, confirmed_at=timezone.now())
    OutsideId.objects.filter(player=players[1]).update(confirmed_at=None)
    Player.objects.filter(pk=players[2].pk).update(shown="initials")
    event = make_event("Cup", "2024-05-04", [go])
    table = make_table(None, players, [(1, 1, 2, 1.0), (1, 3, None, 1.0)], "2024-05-04", event=event)
    rate_all()
    h9, trf = (
        client.get(f"/events/{event.public_id}/{table.pk}/{name}").content.decode().splitlines()[-3:]
        for name in ("h9.h9", "trf.trf")
    )
    assert [line.partition("|")[2] for line in h9] == ["10000000", "", ""]
    assert [line[57:68].strip() for line in trf] == ["1503010", "", ""]


def test_results_for_the_american_association_have_its_ids(client, rate_all):
    go = make_list("go", system="bgf")
    players = [make_player("Adler", "Zoë"), make_player("Bauer", "Bea"), make_player("Ito", "Ken")]
    for number, player in enumerate(players[:2], 1):
        confirmed = timezone.now() if number == 1 else None
        OutsideId.objects.create(player=player, registry="aga", value=f"48{number}", confirmed_at=confirmed)
    event = make_event("Cup", "2024-05-04", [go], place="Gent", country="BE")
    table = make_table(None, players, WINS, "2024-05-04", event=event)
    rate_all()
    response = client.get(f"/events/{event.public_id}/{table.pk}/aga.txt")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert [" ".join(line.split()[:3]) for line in response.text.splitlines()[6:9]] == [
        "481 Adler, Zoë", "99999 Bauer, Bea", "99998 Ito, Ken"]  # fmt: skip
    assert response.text.splitlines()[9:] == ["GAMES 1", "481 99999 W 4 0", "GAMES 2", "99998 99999 W 0 7", "END"]
