"""Every table can be had in every format of its list, and read again it is the same table."""

import datetime as dt
import re

import pytest
from django.core.cache import cache

from ratings.domain.lists.adjustments import save_adjustment, save_list_player
from ratings.domain.results.corrections import build_content_from_table
from ratings.formats.event_head import Head
from ratings.formats.recognise import read_results_file
from ratings.models import Adjustment, Event, ListPlayer, Player
from tests.factories import give_rating, make_event, make_list, make_player, make_table

pytestmark = pytest.mark.django_db

EVEN = [(1, 1, 2, 1.0), (1, 3, None, 1.0), (2, 1, 3, 0.5), (2, 2, None, 0.0), (3, 3, 2, 0.0), (3, 1, None, 0.5)]
HANDICAPS = [(1, 1, 2, 1.0, {"handicap": "2p", "giver": "a"}), (1, 3, None, 1.0), (2, 2, 3, 0.0)]
COLOURS = [
    (1, 1, 2, 1.0, {"black": "b"}),
    (1, 3, None, 1.0),
    (2, 2, 3, 0.0, {"handicap": "r", "giver": "b", "black": "a"}),
]
STONES = [(1, 1, 2, 1.0, {"stones": 4, "black": "b"}), (1, 3, None, 1.0), (2, 2, 3, 0.0, {"black": "a"})]


@pytest.mark.parametrize(
    ("form", "games", "system"),
    [("grid.txt", EVEN, "fesa-2016"), ("grid.txt", HANDICAPS, "fesa-2016"), ("trf.trf", EVEN, "fesa-2016"),
     ("csv.csv", EVEN, "fesa-2016"), ("csv.csv", HANDICAPS, "fesa-2016"), ("xlsx.xlsx", HANDICAPS, "fesa-2016"),
     ("h9.h9", EVEN, "bgf"), ("h9.h9", STONES, "bgf"), ("csv.csv", STONES, "bgf"),
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
     (HANDICAPS, "fesa-2016", ["grid", "published", "csv", "xlsx"]), (STONES, "bgf", ["h9", "csv", "xlsx"]),
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
    assert "; PC[BE, Gent]" in lines
    assert [line.split()[3:5] for line in lines[-2:]] == [["3d", "BE"], ["1k", "NL"]]
