"""Reports for US Chess on the page of an event, with ids, ratings and time control of the portal."""

import io
import zipfile

import pytest

from tests.factories import make_player

from .chess_tables import make_chess_list, make_table_with_ids

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(rate_all):
    chess = make_chess_list()
    players = [
        make_player("Adler", "Anne", country="US"),
        make_player("Bauer", "Bea"),
        make_player("Curie", "Cleo", shown="initials"),
    ]
    made = make_table_with_ids(chess, players, "uscf", "1234567", minutes=90, increment=30)
    rate_all()
    return made


def read(client, table):
    response = client.get(f"/events/{table.event.public_id}/{table.pk}/uschess.zip")
    assert (response.status_code, response["Content-Type"]) == (200, "application/zip")
    name = f"{table.event.public_id}-{table.pk}-uschess.zip"
    assert response["Content-Disposition"] == f'attachment; filename="{name}"'
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        return {name: archive.read(name).decode("ascii", "replace") for name in archive.namelist()}


def test_report_has_confirmed_ids_of_players_shown_by_full_name(client, table):
    files = read(client, table)
    assert list(files) == ["THEXPORT.DBF", "TSEXPORT.DBF", "TDEXPORT.DBF"]
    players = files["TDEXPORT.DBF"].partition("\r")[2].rstrip("\x1a")
    assert [" ".join(players[start : start + 79].split()) for start in range(0, len(players), 79)] == [
        "1 1 12345670ADLER, ANNE 1900W2W D3B",
        "1 2 BAUER, BEA 1890L1B H0",
        "1 3 C., C. 1880B0 D1W",
    ]
    assert "G/90;+30" in files["TSEXPORT.DBF"]


def test_report_is_offered_where_all_colours_are_known(client, table):
    page = f"/events/{table.event.public_id}/"
    address = f"/events/{table.event.public_id}/{table.pk}/uschess.zip"
    assert address in client.get(page, follow=True).text
    table.games.filter(round=2).update(black=None)
    assert client.get(address).status_code == 404
    assert client.get(address.replace(".zip", ".txt")).status_code == 404
