"""Pictures and files of a player's ratings."""

import csv
import datetime as dt
import io

import pytest
from defusedxml import ElementTree
from PIL import Image

from ratings.domain.lists.adjustments import save_adjustment
from ratings.models import Adjustment, Change, NameVisibility
from tests.factories import give_rating, make_list, make_player, make_table
from tests.shared import reused

pytestmark = pytest.mark.django_db


@pytest.fixture
@reused
def ana(rate_all):
    fesa, ana, bo = make_list(), make_player("Ana $1$"), make_player("<script>")
    give_rating(fesa, ana, 1600, "2022-01-01")
    make_table(fesa, [ana, bo], [(1, 1, 2, 1.0)], "2023-05-01", event_name="=1+1")
    rate_all()
    return ana


@pytest.mark.parametrize("theme", ["", "light", "dark", "none"])
def test_graph_is_a_picture_that_runs_nothing(theme, client, ana):
    response = client.get(f"/players/{ana.public_id}/graph.svg", {"theme": theme, "range": "1"})
    assert response["Content-Type"] == "image/svg+xml"
    policy = {part.strip() for part in response["Content-Security-Policy"].split(";")}
    assert policy == {"default-src 'none'", "style-src 'unsafe-inline'", "frame-ancestors 'none'"}
    tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(response.content).iter()}
    assert "polyline" in tags
    assert not tags & {"script", "foreignObject", "image"}


def test_picture_has_its_size(client, ana):
    response = client.get(f"/players/{ana.public_id}/graph.png")
    assert Image.open(io.BytesIO(response.content)).size == (1560, 792)


def test_history_holds_every_step(client, ana):
    response = client.get(f"/players/{ana.public_id}/history.csv")
    change = Change.objects.get(player=ana, table__isnull=False)
    assert list(csv.reader(io.StringIO(response.content.decode()))) == [
        ["date", "event", "before", "after", "change", "games", "grade", "category", "deviation"],
        ["2022-01-01", "opening", "", "1600", "", "0", change.grade_before, change.category, ""],
        [
            "2023-05-01",
            "'=1+1",
            "1600",
            f"{change.after:.0f}",
            f"{change.change:.0f}",
            "1",
            change.grade,
            change.category_after,
            "",
        ],
    ]


@pytest.mark.parametrize("file", ["graph.svg", "graph.png", "graph.csv", "card.png", "history.csv"])
def test_files_are_sent_again_only_when_they_changed(file, client, ana, rate_all):
    address = f"/players/{ana.public_id}/{file}"
    etag = client.get(address)["ETag"]
    known = client.get(address, headers={"If-None-Match": etag})
    assert (known.status_code, known["Content-Security-Policy"]) == (
        304,
        client.get(address)["Content-Security-Policy"],
    )
    ana.shown = NameVisibility.INITIALS
    ana.save()
    renamed = client.get(address, headers={"If-None-Match": etag})
    assert renamed.status_code == 200
    give_rating(ana.standings.get().list, ana, 1700, "2024-01-01")
    rate_all()
    assert client.get(address, headers={"If-None-Match": renamed["ETag"]}).status_code == 200


def test_picture_is_another_one_by_the_name_of_the_list_and_the_language(client, ana):
    address, the_list = f"/players/{ana.public_id}/graph.svg", ana.standings.get().list
    tags = [client.get(address)["ETag"], client.get(address, headers={"accept-language": "ja"})["ETag"]]
    the_list.name = "Renamed"
    the_list.save()
    assert len({*tags, client.get(address)["ETag"]}) == 3


@pytest.mark.parametrize("file", ["graph.svg", "graph.png", "graph.csv", "history.csv"])
def test_files_of_unknown_players_are_404(file, client, ana):
    outsider = make_player()
    assert client.get(f"/players/NOBODY/{file}").status_code == 404
    assert client.get(f"/players/{outsider.public_id}/{file}").status_code == 404
    assert client.get(f"/players/{ana.public_id}/{file}?on=1492-01-01").status_code == 404
    assert client.post(f"/players/{ana.public_id}/{file}").status_code == 405


@pytest.mark.parametrize("form", ["svg", "png", "csv"])
def test_compared_graph_is_a_picture(form, client, ana):
    response = client.get(f"/compare/graph.{form}", {"list": "fesa", "player": ana.public_id, "range": "5"})
    assert response.status_code == 200
    assert client.get(f"/compare/graph.{form}", {"list": "fesa"}).status_code == 404


def test_history_has_the_decimals_of_the_list(client, rate_all):
    go, a, b = make_list("go", system="bgf"), make_player(), make_player()
    for player, rating in ((a, -1329.3667469178777), (b, -1300)):
        save_adjustment(
            Adjustment(list=go, player=player, date=dt.date(2022, 1, 1), set={"rating": rating}, reason="opening")
        )
    make_table(go, [a, b], [(1, 1, 2, 1.0)], "2023-05-01")
    rate_all()
    lines = list(csv.DictReader(io.StringIO(client.get(f"/players/{a.public_id}/history.csv").content.decode())))
    change = Change.objects.get(player=a, table__isnull=False)
    assert [(line["before"], line["after"], line["change"]) for line in lines] == [
        ("", "-1329.4", ""), ("-1329.4", f"{change.after:.1f}", f"{round(change.after, 1) + 1329.4:.1f}"),
    ]  # fmt: skip
