"""Other tasks of officers in a real browser: starting a list, and giving results to a namesake."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import Group
from playwright.sync_api import expect

from ratings.access import OFFICERS
from ratings.models import Adjustment, Entry, Player
from tests.browser.test_journey import log_in
from tests.factories import make_list, make_player, make_table, make_user
from tests.portal.results.way import make_waiting_event

pytestmark = pytest.mark.browser

CSV = "Last name;First name;Rating;Colour\nMuster;Anna;1860;red\nNovák;Petra;1400;blue\n"


@pytest.fixture
def fesa(page):
    make_user("officer").groups.add(Group.objects.get(name=OFFICERS))
    return make_list("fesa", name="FESA list")


def check_page(page, width):
    violations = Axe().run(page).response["violations"]
    assert [(found["id"], found["nodes"][0]["html"]) for found in violations] == [], page.url
    assert page.evaluate("document.documentElement.scrollWidth") <= width, page.url


@pytest.mark.parametrize(("scheme", "width"), [("light", 1200), ("dark", 390)])
def test_list_is_started_from_a_present_one(page, fesa, scheme, width):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    log_in(page, "officer")
    page.goto("/organise/queue/")
    page.locator("main").get_by_role("link", name="FESA list").click()
    check_page(page, width)
    page.get_by_label("File").set_input_files({"name": "list.csv", "mimeType": "text/csv", "buffer": CSV.encode()})
    page.get_by_label("Day").fill("2024-06-01")
    page.get_by_role("button", name="Check").click()
    page.get_by_text("the column “Colour” was not read").wait_for()
    check_page(page, width)
    assert Adjustment.objects.count() == 0
    page.get_by_role("button", name="Import").click()
    page.get_by_text("2 players given their ratings on fesa on 1 Jun 2024; 2 of them new").wait_for()
    check_page(page, width)
    assert [str(given.player) for given in Adjustment.objects.all()] == ["Muster Anna", "Novák Petra"]


@pytest.mark.parametrize(("scheme", "width"), [("dark", 1200), ("light", 390)])
def test_results_are_given_to_a_namesake_and_taken_back(page, fesa, scheme, width):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    ada, other, ben = make_player("Lo", "Ada"), make_player("Lo", "Ada", country="DE"), make_player("Ben")
    table = make_table(fesa, [ada, ben], [(1, 1, 2, 1.0)], event_name="Autumn Cup")
    log_in(page, "officer")
    page.goto(f"/organise/events/{table.event.public_id}/")
    page.get_by_label("Player of these results").select_option("Lo Ada (FR)")
    page.get_by_role("button", name="Choose the right player").click()
    assert page.get_by_label("Autumn Cup").is_checked()
    page.get_by_label("Name, or parts of it").fill("lo")
    page.get_by_role("button", name="Search for the name").click()
    page.get_by_label(other.public_id).check()
    page.get_by_label("Evidence").fill("the passport")
    page.get_by_role("button", name="Preview the changes").click()
    page.get_by_role("button", name="Move these results to Lo Ada").wait_for()
    check_page(page, width)
    page.get_by_role("button", name="Move these results to Lo Ada").click()
    page.get_by_text("Results moved. The lists are being rated again.").wait_for()
    assert Entry.objects.get(table=table, number=1).player == other
    page.goto("/organise/duplicates/")
    check_page(page, width)
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("Undone. The lists are being rated again.").wait_for()
    assert (Entry.objects.get(table=table, number=1).player, Player.objects.count()) == (ada, 3)


def test_bulk_buttons_show_number_of_selected_rows(page, fesa):
    for number in range(3):
        make_waiting_event(f"Cup {number}", fesa)
    log_in(page, "officer")
    page.goto("/organise/desk/")
    expect(page.get_by_role("button", name="Accept 3 selected events …")).to_be_visible()
    page.get_by_label("Choose Cup 0").uncheck()
    page.get_by_label("Choose Cup 1").uncheck()
    expect(page.get_by_role("button", name="Accept 1 selected event …")).to_be_visible()
    page.get_by_label("Choose Cup 2").uncheck()
    expect(page.get_by_role("button", name="Accept 0 selected events …")).to_be_visible()
    page.get_by_label("Choose Cup 1").check()
    page.get_by_role("button", name="Accept 1 selected event …").click()
    page.go_back()
    expect(page.get_by_role("button", name="Accept 1 selected event …")).to_be_visible()
    check_page(page, 1280)
