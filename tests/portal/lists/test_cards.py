"""Meta tags and cards of lists, published lists, federations and the front page."""

import datetime as dt

import pytest

from ratings.domain.lists.publishing import publish
from ratings.models import DatedList, Federation
from tests.cards import expected_meta, read_shared_meta
from tests.factories import give_rating, make_list, make_player, make_table
from tests.shared import reused

pytestmark = pytest.mark.django_db


@pytest.fixture
@reused
def fesa(rate_all):
    the_list = make_list(name="Shogi")
    Federation.objects.update(description="Official ratings")
    players = [make_player(name, "X") for name in ("Alm", "Berg", "Cole", "Dahl", "Ek", "Falk")]
    for number, player in enumerate(players):
        give_rating(the_list, player, 1800 - 200 * number, "2025-11-01")
    make_table(the_list, players, [(1, 1, 2, 0.5), (1, 3, 4, 0.5), (1, 5, 6, 0.5)], "2026-09-26")
    rate_all()
    return the_list


@pytest.fixture
def ratings(fesa):
    return [f"{standing.rating:.0f}" for standing in fesa.standings.order_by("-rating")]


def test_list_page_names_the_first_three(client, fesa, ratings):
    description = (
        f"Shogi has 6 active players. Highest ratings: 1. Alm X ({ratings[0]}), 2. Berg X ({ratings[1]}), 3. Cole X"
        f" ({ratings[2]})."
    )
    assert read_shared_meta(client.get("/lists/fesa/")) == expected_meta(
        "Shogi – Ratings – FESA", description, "/lists/fesa/", "/lists/fesa/card.png"
    )
    for query in ("?country=FR&q=Falk", "?sort=name", "?sort=rating"):
        assert read_shared_meta(client.get(f"/lists/fesa/{query}"))["description"] == "Shogi has 6 active players."


def test_list_card_has_the_first_five(drawn, fesa, ratings):
    texts = drawn("/lists/fesa/card.png")
    assert texts[:5] == ["Rating list", "FESA", "Official ratings", "Shogi", "6 players · results up to 26 Sep 2026"]
    grades = list(fesa.standings.order_by("-rating").values_list("grade", flat=True))
    names = ("Alm, X", "Berg, X", "Cole, X", "Dahl, X", "Ek, X")
    assert texts[5:] == [
        text
        for place, (name, grade, rating) in enumerate(zip(names, grades, ratings, strict=False), 1)
        for text in filter(None, [str(place), name, grade, rating])
    ]


def test_published_list_has_its_own_description_and_card(client, drawn, fesa, ratings):
    publish(DatedList(list=fesa, day=dt.date(2026, 10, 1)))
    description = (
        f"Shogi, published for 1 Oct 2026, has 6 players. Highest ratings: 1. Alm X ({ratings[0]}), 2. Berg X"
        f" ({ratings[1]}), 3. Cole X ({ratings[2]})."
    )
    address = "/lists/fesa/dated/2026-10-01/"
    assert read_shared_meta(client.get(address)) == expected_meta(
        "Shogi 1 Oct 2026 – FESA", description, address, f"{address}card.png"
    )
    texts = drawn(f"{address}card.png")
    assert texts[:7] == ["Rating list", "FESA", "Official ratings", "Shogi", "1 Oct 2026", "1", "Alm, X"]
    assert texts[-1] == ratings[4]


def test_cards_of_hidden_and_unknown_lists_are_404(client, staff, fesa):
    publish(DatedList(list=fesa, day=dt.date(2026, 10, 1)))
    assert client.get("/lists/fesa/dated/2026-10-02/card.png").status_code == 404
    fesa.public = False
    fesa.save()
    for path in ("lists/fesa/card.png", "lists/fesa/dated/2026-10-01/card.png", "federations/fesa/card.png"):
        assert client.get(f"/{path}").status_code == 404


def test_other_pages_have_the_card_of_the_federation_or_of_the_portal(client, drawn, fesa):
    assert read_shared_meta(client.get("/")) == expected_meta(
        "Ratings – FESA", "Ratings, events and promotions of FESA.", "/", "/federations/fesa/card.png"
    ) | {"og:image:alt": "FESA"}
    assert drawn("/federations/fesa/card.png") == ["FESA", "FESA", "Official ratings", "Shogi"]
    make_list("go", name="Go", federation="Low Countries Go League")
    assert read_shared_meta(client.get("/")) == expected_meta(
        "Ratings", "Ratings, events and promotions of several federations.", "/", "/card.png", site="Ratings"
    ) | {"og:image:alt": "Ratings"}  # fmt: skip
    assert drawn("/card.png") == ["Ratings", "Ratings", "FESA · Low Countries Go League"]


def test_list_without_active_players_says_so(client, drawn):
    make_list("new", name="New")
    assert read_shared_meta(client.get("/lists/new/"))["description"] == "New has 0 active players."
    assert drawn("/lists/new/card.png")[-2:] == ["0 players", "Nobody has played of late."]


def test_card_is_sent_again_only_when_it_changed(client, fesa):
    etag = client.get("/lists/fesa/card.png")["ETag"]
    assert client.get("/lists/fesa/card.png", headers={"If-None-Match": etag}).status_code == 304
    fesa.name = "Renamed"
    fesa.save()
    assert client.get("/lists/fesa/card.png", headers={"If-None-Match": etag}).status_code == 200
