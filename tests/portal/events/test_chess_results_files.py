"""Results in the XML of chess-results.com on the page of an event, with public ids, ratings and places."""

import pytest
from defusedxml import ElementTree

from tests.factories import make_player

from .chess_tables import make_chess_list, make_table_with_ids

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(rate_all):
    chess = make_chess_list()
    chess.federation.records_gender = True
    chess.federation.save()
    players = [
        make_player("Adler", "Änne", country="DE", gender="female", gender_public=True),
        make_player("Bauer", "Bea", country="FR", gender="female"),
        make_player("Curie", "Cleo", country="FR", gender="female", gender_public=True, shown="initials"),
    ]
    made = make_table_with_ids(chess, players, "fide", "123456")
    rate_all()
    return made


def address_of(table):
    return f"/events/{table.event.public_id}/{table.pk}/chessresults.xml"


def test_file_has_ratings_places_and_only_public_data(client, table):
    response = client.get(address_of(table))
    assert (response.status_code, response["Content-Type"]) == (200, "application/xml; charset=utf-8")
    name = f"{table.event.public_id}-{table.pk}-chessresults.xml"
    assert response["Content-Disposition"] == f'attachment; filename="{name}"'
    root = ElementTree.fromstring(response.content)
    assert root.find("tournamentdata/tournament").attrib == {
        "name": "Cup", "rounds": "2", "currentround": "2", "rankinground": "2", "from": "04.05.2024", "to": "04.05.2024",
        "type": "0", "federation": "BEL",
    }  # fmt: skip
    assert [player.attrib for player in root.findall("players/player")] == [
        {"no": "1", "lastname": "Adler", "firstname": "Änne", "fed": "GER", "fideid": "1234560", "rtg": "1900", "sex": "w",
         "pts": "1,5", "rank": "1"},
        {"no": "2", "lastname": "Bauer", "firstname": "Bea", "fed": "FRA", "rtg": "1890", "pts": "0,5", "rank": "3"},
        {"no": "3", "lastname": "C.", "firstname": "C.", "fed": "FRA", "rtg": "1880", "pts": "1,5", "rank": "2"},
    ]  # fmt: skip
    assert [" ".join(f"{key}={value}" for key, value in each.items()) for each in root.iter("pairing")] == [
        "blackno=2 pairing=1 resblack=0 reswhite=1 round=1 whiteno=1",
        "blackno=-1 pairing=2 resblack=0 reswhite=1 round=1 whiteno=3",
        "blackno=1 pairing=1 resblack=0,5 reswhite=0,5 round=2 whiteno=3",
        "blackno=-2 pairing=2 resblack=0 reswhite=0,5 round=2 whiteno=2",
    ]


def test_file_is_offered_where_all_colours_are_known(client, table):
    page = f"/events/{table.event.public_id}/"
    assert address_of(table) in client.get(page, follow=True).text
    table.games.filter(round=2).update(black=None)
    assert client.get(address_of(table)).status_code == 404
