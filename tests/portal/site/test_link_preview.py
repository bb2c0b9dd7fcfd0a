"""Tags of all public pages that other sites read when a link is shared."""

import pytest
from django.conf import settings

from portal.charts import card_pictures
from portal.site.link_preview import OF_LIST, OTHERS
from ratings.models import RatingList
from tests.cards import expected_meta, read_meta, read_shared_meta
from tests.factories import make_list
from tests.pages import PAGES, addresses

pytestmark = pytest.mark.django_db


def test_every_page_has_a_whole_description_and_a_card(client, hostile, monkeypatch):
    monkeypatch.setattr(card_pictures, "card_as_png", str.encode)
    pages = {name: read_shared_meta(client.get(address, follow=True)) for name, address in addresses("page").items()}
    tags = expected_meta("", "", "", "").keys()
    assert {name: tags ^ meta.keys() for name, meta in pages.items() if tags != meta.keys()} == {}
    assert [name for name, meta in pages.items() if not meta["description"].endswith(".")] == []
    assert [name for name, meta in pages.items() if meta["title"] != meta["og:title"]] == []
    cards = {meta["og:image"].removeprefix(settings.SITE_ADDRESS) for meta in pages.values()}
    assert {card: client.get(card).status_code for card in cards} == dict.fromkeys(cards, 200)


def test_descriptions_are_of_pages_that_there_are():
    assert {*OF_LIST, *OTHERS} <= PAGES.keys()


def test_page_of_a_list_is_described_by_its_list(client):
    make_list(name="Shogi")
    meta = read_shared_meta(client.get("/lists/fesa/rules/"))
    assert meta["description"] == "How the ratings of Shogi are computed, rule by rule."
    assert (meta["og:image"], meta["og:image:alt"]) == ("http://127.0.0.1:8000/federations/fesa/card.png", "FESA")


def test_card_has_an_address_of_its_own_for_every_content(client):
    def read_card(address):
        return read_meta(client.get(address))["og:image"]

    fesa = make_list(name="Shogi")
    first = {address: read_card(address) for address in ("/lists/fesa/", "/lists/fesa/rules/")}
    assert {address: read_card(address) for address in first} == first
    assert client.get(first["/lists/fesa/rules/"].removeprefix(settings.SITE_ADDRESS)).status_code == 200
    RatingList.objects.update(revision=fesa.revision + 1)
    second = {address: read_card(address) for address in first}
    assert [second[address] == first[address] for address in first] == [False, False]
    fesa.federation.house = "pine"
    fesa.federation.save()
    assert [read_card(address) == second[address] for address in first] == [False, False]
