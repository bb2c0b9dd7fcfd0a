"""Players that are suggested to organisers while they type a name."""

import pytest

from ratings.access import ORGANISERS
from tests.factories import give_rating, make_event, make_list, make_player
from tests.portal.results.way import person

pytestmark = pytest.mark.django_db
ADDRESS = "/organise/players/"


@pytest.fixture
def organiser(client):
    user = person("organiser", ORGANISERS)
    client.force_login(user)
    return user


def test_suggestions_are_those_of_name_boxes_with_true_names(client, organiser):
    make_player("Adler", "Ina", public_id="INA", country="FR", native_name="伊奈", shown="anonymous")
    make_player("Madonna", "", public_id="MAD", country="")
    found = client.get(ADDRESS, {"q": "adl"}).json()
    assert found == {
        "message": "1 suggestion",
        "suggestions": [
            {
                "public_id": "INA",
                "family": "Adler",
                "given": "Ina",
                "country": "FR",
                "described": "Adler Ina (FR, no event yet)",
                "name": "Adler, Ina",
                "bold": "Adler",
                "native": "伊奈",
                "details": "FR, no event yet",
            }
        ],
    }
    (single,) = client.get(ADDRESS, {"q": "madonna"}).json()["suggestions"]
    assert (single["name"], single["bold"], single["details"]) == ("Madonna", "Madonna", "no event yet")
    assert client.get(ADDRESS, {"q": "nobody"}).json() == {"message": "Nothing found", "suggestions": []}


def test_player_is_suggested_by_public_id(client, organiser):
    make_player("Adler", "Ina", public_id="INA2345")
    found = [client.get(ADDRESS, {"q": id}).json()["suggestions"] for id in ("INA2345", " ina2345 ", "INA234")]
    assert [[each["name"] for each in suggestions] for suggestions in found] == [["Adler, Ina"], ["Adler, Ina"], []]


def test_players_on_the_lists_of_an_event_come_first(client, organiser, rate_all):
    fesa = make_list()
    event = make_event("Cup", "2999-06-01", [fesa], state="draft", created_by=organiser)
    make_player("Adler", "Ada", public_id="ADA")
    give_rating(fesa, make_player("Adler", "Ina", public_id="INA"), 1500)
    rate_all()
    orders = [
        [each["public_id"] for each in client.get(ADDRESS, {"q": "adler", **query}).json()["suggestions"]]
        for query in ({}, {"event": event.public_id})
    ]
    assert orders == [["ADA", "INA"], ["INA", "ADA"]]


def test_events_of_others_and_unknown_ones_are_refused(client, organiser):
    event = make_event("Cup", "2999-06-01", state="draft", created_by=person("other", ORGANISERS))
    answers = [client.get(ADDRESS, {"q": "a", "event": key}).status_code for key in (event.public_id, "NONE", "A\0")]
    assert answers == [403, 404, 404]
