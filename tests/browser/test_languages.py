"""Pages in several languages and with names of several scripts: accessible on a phone, and with few fonts."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from ratings.domain.runs.rerating import rerate
from tests.browser.test_quality import load_without_cache
from tests.factories import give_rating, make_list, make_player, make_table

pytestmark = pytest.mark.browser

LATIN = {"inter-latin-wght-normal.woff2", "source-serif-4-latin-wght-normal.woff2"}
BEYOND = {"inter": "inter-latin-ext-wght-normal.woff2", "serif": "source-serif-4-latin-ext-wght-normal.woff2"}
"""Fonts of the letters beyond Latin-1 that European languages need, by family."""


@pytest.fixture
def players(transactional_db):
    fesa = make_list("fesa", name="FESA")
    players = [
        make_player("Müller", "Jürgen", country="DE"),
        make_player("Kovács", "Jenő", country="HU"),
        make_player("Wiśniewska", "Ola", country="PL"),
        make_player("Yamamoto", "Taichi", native_name="山本 太一", country="JP"),
    ]
    for player, rating in zip(players, (1900, 1800, 1700, 1600), strict=True):
        give_rating(fesa, player, rating, "2023-01-01")
    games = [(1, 1, 2, 1.0), (1, 3, 4, 0.5), (2, 1, 4, 0.0)]
    players[0].table = make_table(fesa, players, games, "2026-03-01", event_name="Cup")
    rerate(fesa.pk)
    return players


@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_pages_of_each_kind_are_accessible_on_the_narrowest_phone(browser, live_server, players, language):
    first, table = players[0], players[0].table
    addresses = (
        "/",
        "/lists/fesa/",
        first.get_absolute_url(),
        table.event.get_absolute_url(),
        f"/events/{table.event.public_id}/crosstable/?sort=-points",
        f"/lists/fesa/tables/{table.pk}/{first.public_id}/",
    )
    context = browser.new_context(
        base_url=live_server.url, locale=language, viewport={"width": 320, "height": 640}, reduced_motion="reduce"
    )
    page, wrong = context.new_page(), []
    for address in addresses:
        page.goto(address)
        assert page.locator("html").get_attribute("lang") == language
        found = Axe().run(page).response["violations"]
        wrong += [(address, one["id"], one["nodes"][0]["html"][:200]) for one in found]
        if page.evaluate("document.documentElement.scrollWidth") != 320:
            wrong.append((address, "too wide"))
    context.close()
    assert wrong == []


def test_pages_load_the_fonts_of_their_letters_only(browser, live_server, players):
    # these pages name only their player, in the heading; Japanese is shown in the reader's own fonts
    expected = [LATIN, LATIN | {BEYOND["serif"]}, LATIN | {BEYOND["serif"]}, LATIN]
    found = []
    for player in players:
        letters, files = load_without_cache(browser, live_server.url, f"/players/{player.public_id}/events/")
        assert set(player.public_name.replace(" ", "")) <= letters
        found.append({name for kind, name, _size in files if kind == "font"})
    assert found == expected


def test_list_loads_the_fonts_of_all_names_on_it(browser, live_server, players):
    letters, files = load_without_cache(browser, live_server.url, "/lists/fesa/")
    assert {"ő", "ś", "山"} <= letters
    assert {name for kind, name, _size in files if kind == "font"} == LATIN | {BEYOND["inter"]}
