"""The points of graphs as tables and as CSV files, which have the same rows and columns."""

import csv
import datetime as dt
import io
import re
from html import unescape

import pytest
from django.utils.html import strip_tags

from ratings.domain.lists.adjustments import save_adjustment, save_list_player
from ratings.models import Adjustment, ListPlayer, Table
from tests.approvals import earn_5_dan
from tests.factories import give_rating, make_list, make_player, make_table
from tests.markup import markup
from tests.shared import reused

pytestmark = pytest.mark.django_db
LABELS = {"Date": "date", "Name": "name", "Rating": "rating", "Deviation": "deviation", "±": "change",
          "Event": "event", "Grade": "grade", "State": "state"}  # fmt: skip
STATES = {"promoted": "promotion", "demoted": "demotion", "earned, needs approval": "waiting"}


@pytest.fixture
@reused
def players(rate_all):
    """Ana and Bo, rated on the list FESA; Ana also on Go, with a decimal."""
    fesa, go, ana, bo = make_list(), make_list("go", name="Go", system="bgf"), make_player("Ana"), make_player("=Bo")
    give_rating(fesa, ana, 1600, "2022-01-01")
    give_rating(fesa, bo, 1700, "2022-01-01")
    opening = {"list": go, "player": ana, "date": dt.date(2024, 1, 1), "reason": "opening"}
    save_adjustment(Adjustment(set={"rating": -3.26}, **opening))
    make_table(fesa, [ana, bo], [(1, 1, 2, 1.0)], "2023-05-01", event_name="=Spring")
    make_table(fesa, [bo, ana], [(1, 1, 2, 1.0)], "2024-05-01", event_name="May")
    rate_all()
    return ana, bo


def read_table(client, address):
    """Return the columns and the rows of all pages of the table of a graph, and the addresses of its files."""
    rows, number, separator = [], 1, "&" if "?" in address else "?"
    while True:
        page = markup(client.get(f"{address}{separator}page={number}" if number > 1 else address))
        part = page.partition('<div id="graph-points">')[2].partition("</section>")[0]
        columns = [LABELS[label] for label in re.findall(r"<th [^>]*>([^<]*)</th>", part.partition("</thead>")[0])]
        body = part.partition('<tbody role="rowgroup">')[2].partition("</tbody>")[0]
        rows += [
            [unescape(strip_tags(cell)) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row)]
            for row in body.split("</tr>")[:-1]
        ]
        if 'rel="next"' not in part:
            links = re.findall(r'<a href="([^"]*)"(?: download)?>(CSV|SVG|PNG)</a>', part)
            return columns, rows, {name: unescape(address) for address, name in links}
        number += 1


def read_file(client, address):
    first, *rows = csv.reader(io.StringIO(client.get(address).text))
    return first, rows


def as_in_file(columns, row):
    """Return a row of the table as the file writes it."""
    values = dict(zip(columns, row, strict=True))
    values["date"] = dt.datetime.strptime(values["date"], "%d %b %Y").date().isoformat()  # noqa: DTZ007 - a day
    for name in ("rating", "deviation", "change"):
        if name in values:
            values[name] = re.sub("^[+±]", "", values[name].replace("\N{MINUS SIGN}", "-"))
    for name in ("name", "event"):
        if values.get(name, "").startswith("="):
            values[name] = f"'{values[name]}"
    if "state" in values:
        values["state"] = STATES.get(values["state"], "")
    return [*values.values()]


def assert_same(client, address):
    """Return the columns and the rows of a graph, whose table and file must be equal."""
    columns, rows, files = read_table(client, address)
    assert (columns, [as_in_file(columns, row) for row in rows]) == read_file(client, files["CSV"])
    assert [client.get(files[format]).status_code for format in ("SVG", "PNG")] == [200, 200]
    return columns, rows


def test_points_of_a_player_are_a_table_and_a_file(client, players):
    columns, rows = assert_same(client, players[0].get_absolute_url())
    assert columns == ["date", "rating", "change", "event", "grade", "state"]
    assert [(row[0], row[3]) for row in rows] == [
        ("1 May 2024", "May"), ("1 May 2023", "=Spring"), ("1 Jan 2022", "opening"),
    ]  # fmt: skip
    assert assert_same(client, f"{players[0].get_absolute_url()}?range=2022-12-01..2023-12-01")[1] == [rows[1]]


def test_changes_of_points_lead_to_their_explanations(client, players):
    ana, bo = players
    page = markup(client.get(f"/compare/?list=fesa&player={ana.public_id}&player={bo.public_id}"))
    rows = page.partition('<div id="graph-points">')[2].partition('<tbody role="rowgroup">')[2].partition("</tbody>")[0]
    links = re.findall(r'<a class="change (\w+)" href="([^"]*)">', rows)
    tables = Table.objects.order_by("-event__end").values_list("pk", flat=True)
    assert sorted(links) == sorted(
        (tone, f"/lists/fesa/tables/{table}/{player.public_id}/")
        for table, tones in zip(tables, (("loss", "gain"), ("gain", "loss")), strict=True)
        for player, tone in zip((ana, bo), tones, strict=True)
    )
    assert [client.get(address).status_code for _tone, address in links] == [200] * 4


def test_points_have_grades_and_their_states(client):
    sato, _ = earn_5_dan(make_list())
    columns, rows = assert_same(client, sato.get_absolute_url())
    assert columns == ["date", "rating", "change", "event", "grade", "state"]
    assert [row[4:] for row in rows] == [["5 Dan", "earned, needs approval"], ["", ""]]


def test_points_of_compared_players_name_their_curves(client, players):
    ana, bo = players
    columns, rows = assert_same(client, f"/compare/?list=fesa&player={ana.public_id}&player={bo.public_id}")
    assert columns == ["date", "name", "rating", "change", "event", "grade", "state"]
    assert [(row[0], row[1]) for row in rows] == [
        (day, name) for day in ("1 May 2024", "1 May 2023", "1 Jan 2022") for name in ("Ana", "=Bo")
    ]
    _columns, rows = assert_same(client, f"/compare/?list=fesa&list=go&player={ana.public_id}")
    assert [row[1:3] for row in rows if row[0] == "1 Jan 2024"] == [["Go", "\N{MINUS SIGN}3.3"]]


def test_points_of_two_players_head_to_head(client, players, rate_all):
    ana, bo = players
    address = f"/players/{ana.public_id}/versus/{bo.public_id}/"
    assert len(assert_same(client, address)[1]) == 6
    assert len(assert_same(client, f"{address}?range=2023-01-01..2024-12-31")[1]) == 4
    save_list_player(ListPlayer(list=ana.standings.get(list__slug="fesa").list, player=bo, withdrawn=True))
    rate_all()
    assert {row[1] for row in assert_same(client, address)[1]} == {"Ana"}


def test_files_of_two_players_follow_a_merge_and_exist_for_players_with_a_common_list_only(client, players):
    ana, bo = players
    gone, outsider = make_player("Gone", merged_into=bo), make_player("Zoe")
    for format in ("svg", "png", "csv"):
        merged = client.get(f"/players/{ana.public_id}/versus/{gone.public_id}/graph.{format}")
        address = f"/players/{ana.public_id}/versus/{bo.public_id}/graph.{format}"
        assert (merged.status_code, merged["Location"]) == (302, address)
        assert client.post(address).status_code == 405
        for one, other in ((ana, ana), (bo, gone), (ana, outsider)):
            missing = f"/players/{one.public_id}/versus/{other.public_id}/graph.{format}"
            assert (missing, client.get(missing).status_code) == (missing, 404)
        assert client.get(f"/players/{ana.public_id}/versus/NOBODY/graph.{format}").status_code == 404


def test_more_points_than_fit_are_on_further_pages(client, players, monkeypatch):
    monkeypatch.setattr("portal.players.graph_points.PER_PAGE", 2)
    ana, bo = players
    for address, number in ((ana.get_absolute_url(), 3), (f"/players/{ana.public_id}/versus/{bo.public_id}/", 6)):
        assert len(assert_same(client, address)[1]) == number
        first, second = (markup(client.get(f"{address}{query}")) for query in ("", "?page=2"))
        assert ["<details open>" in page for page in (first, second)] == [False, True]
        assert '<a rel="next" href="?page=2#graph-points">' in first
        assert 'href="?range=5#graph-title"' in second  # another span begins on its first page


def test_file_is_named_after_players_and_list(client, players):
    ana, bo = players
    names = {
        f"/players/{ana.public_id}/graph.csv": f"{ana.public_id}-fesa.csv",
        f"/compare/graph.csv?list=fesa&player={ana.public_id}&player={bo.public_id}":
            f"{ana.public_id}-{bo.public_id}-fesa.csv",
    }  # fmt: skip
    for address, name in names.items():
        response = client.get(address)
        assert response["Content-Disposition"] == f'attachment; filename="{name}"'
        assert response["Content-Type"] == "text/csv; charset=utf-8"
