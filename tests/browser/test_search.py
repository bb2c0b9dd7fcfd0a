"""The header's box in a browser: suggestions while one types, with the keys alone, on a phone, without JavaScript."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from ratings.domain.runs.rerating import rerate
from ratings.models import Club, Membership
from tests.factories import make_list, make_player, make_table

pytestmark = pytest.mark.browser


@pytest.fixture
def players(transactional_db):
    fesa = make_list("fesa", name="FESA list")
    players = [make_player("Müller", "Ann"), make_player("Müller", "Bob"), make_player("<script>alert(1)</script>")]
    make_table(fesa, players, [(1, 1, 2, 1.0), (2, 1, 3, 1.0)], event_name="Müller Cup")
    Club.objects.create(name="Müllers", city="Köln")
    rerate(fesa.pk)
    return players


def box(page):
    return page.get_by_role("combobox", name="Find a player, club or event")


def names(page):
    return [option.locator(".suggested").inner_text() for option in page.get_by_role("option").all()]


def test_player_is_found_with_the_keyboard_alone(page, players):
    page.goto("/")
    box(page).focus()
    page.keyboard.type("muller")
    page.get_by_role("option").first.wait_for()
    assert names(page) == ["Müller, Ann", "Müller, Bob", "Müllers", "Müller Cup"]
    assert page.locator("form.search [role=status]").inner_text() == "4 suggestions"
    assert box(page).get_attribute("aria-expanded") == "true"
    page.keyboard.press("ArrowUp")  # from the box to the last
    assert page.locator("[aria-selected=true] .suggested").inner_text() == "Müller Cup"
    for _ in range(3):
        page.keyboard.press("ArrowDown")  # back to the box, then the first and the second
    assert box(page).get_attribute("aria-activedescendant") == "search-suggestion-1"
    assert Axe().run(page).response["violations"] == []
    page.keyboard.press("Escape")
    assert not page.get_by_role("listbox").is_visible()
    assert box(page).input_value() == "muller"
    assert box(page).get_attribute("aria-activedescendant") is None
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{players[1].get_absolute_url()}")


def test_enter_without_a_choice_searches_and_a_click_follows(page, players):
    page.goto("/clubs/")
    box(page).fill("ann mul")
    page.get_by_role("option").first.wait_for()
    page.keyboard.press("Enter")
    page.wait_for_url("**/search/?q=ann+mul")
    assert box(page).input_value() == "ann mul"
    box(page).fill("bob")
    page.get_by_role("option", name="Müller, Bob").click()
    page.wait_for_url(f"**{players[1].get_absolute_url()}")


def test_names_in_suggestions_are_text(page, players):
    page.goto("/")
    box(page).fill("script")
    page.get_by_role("option").first.wait_for()
    assert names(page) == ["<script>alert(1)</script>"]


def test_only_the_last_text_is_answered(page, players):
    page.goto("/")
    box(page).press_sequentially("zzzzzz", delay=20)
    page.locator("form.search [role=status]", has_text="Nothing found").wait_for(state="attached")
    box(page).fill("ann")
    page.get_by_role("option").first.wait_for()
    assert names(page) == ["Müller, Ann"]
    box(page).fill("")
    page.get_by_role("listbox").wait_for(state="hidden")


def test_phone_shows_suggestions_within_its_width(page, players):
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto("/")
    box(page).fill("muller")
    page.get_by_role("option").first.wait_for()
    area = page.get_by_role("listbox").bounding_box()
    assert area["x"] >= 0
    assert area["x"] + area["width"] <= 320
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_suggestions_on_the_front_page_lie_over_what_follows(page, players):
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto("/")
    page.get_by_placeholder("Find yourself or anyone else").fill("muller")
    last = page.get_by_role("option").last
    last.wait_for()
    area, cover = last.bounding_box(), page.locator(".hero").bounding_box()
    assert area["y"] + area["height"] > cover["y"] + cover["height"]
    at = "([x, y]) => document.elementFromPoint(x, y).closest('[role=option]') !== null"
    assert page.evaluate(at, [area["x"] + 20, area["y"] + area["height"] - 8])


def test_name_boxes_suggest_players_and_a_choice_is_taken(page, players):
    ann, bob, _ = players
    page.goto(f"/players/{ann.public_id}/versus/")
    rival = page.get_by_role("combobox", name="Opponent")
    rival.press_sequentially("mull")
    page.get_by_role("option").first.wait_for()
    assert names(page) == ["Müller, Ann", "Müller, Bob"]
    assert Axe().run(page).response["violations"] == []
    rival.press("ArrowDown")
    rival.press("ArrowDown")
    rival.press("Enter")
    page.wait_for_url(f"**/players/{ann.public_id}/versus/{bob.public_id}/?list=fesa")
    page.goto(f"/compare/?list=fesa&player={ann.public_id}")
    page.get_by_role("combobox", name="Add a player").fill("bob")
    page.get_by_role("option", name="Müller, Bob").click()
    page.wait_for_url(f"**/compare/?list=fesa&player={ann.public_id}&add={bob.public_id}")
    assert page.locator("th.who a").all_inner_texts() == ["Müller, Ann", "Müller, Bob"]


def test_filters_suggest_names_and_keep_to_their_page(page, players):
    ann, bob, _ = players
    page.goto("/lists/fesa/?active=all&sort=name")
    name = page.get_by_role("combobox", name="Name", exact=True)
    name.press_sequentially("mull")
    page.get_by_role("option").first.wait_for()
    assert names(page) == ["Müller, Ann", "Müller, Bob"]
    assert Axe().run(page).response["violations"] == []
    name.press("ArrowDown")
    name.press("ArrowDown")
    name.press("Enter")
    page.wait_for_url(f"**/lists/fesa/?active=all&sort=name&q={bob.public_id}")
    assert page.locator("tbody td.who a").all_inner_texts() == ["Müller, Bob"]
    page.goto(f"/players/{ann.public_id}/games/?list=fesa")
    page.get_by_role("combobox", name="Opponent").fill("bob")
    page.get_by_role("option", name="Müller, Bob").click()
    page.wait_for_url(f"**/players/{ann.public_id}/games/?list=fesa&opponent={bob.public_id}")
    page.goto("/events/")
    page.get_by_role("combobox", name="Name", exact=True).fill("cup")
    page.get_by_role("option", name="Müller Cup").click()
    page.wait_for_url("**-muller-cup/")


@pytest.mark.parametrize("width", [1200, 320])
def test_clubs_of_large_lists_are_suggested_in_their_chip(page, players, monkeypatch, width):
    monkeypatch.setattr("ratings.queries.lists.choices.MAX_CLUBS", 0)
    club = Club.objects.get()
    Membership.objects.create(player=players[0], club=club)
    page.set_viewport_size({"width": width, "height": 640})
    page.goto("/lists/fesa/?active=all")
    page.locator("summary", has_text="Club").click()
    page.get_by_role("combobox", name="Club (name or public id)").fill("mull")
    option = page.get_by_role("option", name="Müllers")
    option.wait_for()
    assert Axe().run(page).response["violations"] == []
    area = option.bounding_box()
    at = "([x, y]) => document.elementFromPoint(x, y).closest('[role=option]') !== null"
    assert page.evaluate(at, [area["x"] + area["width"] - 8, area["y"] + area["height"] - 8])
    option.click()
    page.wait_for_url(f"**/lists/fesa/?active=all&club={club.public_id}")
    assert page.locator("tbody td.who a").all_inner_texts() == ["Müller, Ann"]
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("width", [390, 320])
def test_phone_shows_suggestions_of_a_filter_below_its_row(page, players, width):
    page.set_viewport_size({"width": width, "height": 640})
    page.goto("/lists/fesa/?active=all")
    page.get_by_role("combobox", name="Name", exact=True).fill("muller")
    page.get_by_role("option").last.wait_for()
    row, area = page.locator(".bar").bounding_box(), page.get_by_role("listbox").bounding_box()
    assert (area["x"], area["x"] + area["width"]) == (16, width - 16)
    field = page.get_by_role("combobox", name="Name", exact=True).bounding_box()
    assert field["y"] + field["height"] <= area["y"] < row["y"] + row["height"] + 16
    last = page.get_by_role("option").last.bounding_box()
    at = "([x, y]) => document.elementFromPoint(x, y).closest('[role=option]') !== null"
    assert page.evaluate(at, [last["x"] + 20, last["y"] + last["height"] - 8])
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_plain_form_without_javascript(browser, live_server, players):
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/")
    page.get_by_label("Find a player, club or event").fill("muller bob")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("main").get_by_role("link", name="Müller, Bob").click()
    assert page.url.endswith(f"{players[1].get_absolute_url()}?list=fesa")
    context.close()
