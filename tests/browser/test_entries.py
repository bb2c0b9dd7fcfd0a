"""Entries in a browser: a player enters with a click, a visitor by the form on a phone, the organiser confirms."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from ratings.access import ORGANISERS
from ratings.domain.results.submitting import announce_event
from ratings.models import EntryList, Event, EventEntry
from tests.factories import make_event, make_list, make_player, make_user
from tests.portal.results.way import person

pytestmark = pytest.mark.browser


@pytest.fixture
def event(page, transactional_db):
    organiser = person("organiser", ORGANISERS)
    event = make_event(
        "Cup", "2999-06-01", [make_list()], state="draft", created_by=organiser, public_id="CUP", rounds=3
    )
    announce_event(event)
    EntryList.objects.create(event=event, limit=8)
    return Event.objects.get()


def sign_in(page, name):
    page.goto("/accounts/login/")
    page.locator("[name=login]").fill(name)
    page.locator("[name=password]").fill("secret")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda address: "/accounts/" not in address)


def fits(page):
    """Return whether a loaded page has no horizontal scroll bar."""
    page.locator("footer").first.wait_for()
    return page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_player_enters_and_withdraws_with_one_click_each(page, event):
    make_player("Adler", "Ada", account=make_user("ada"))
    sign_in(page, "ada")
    page.goto(event.get_absolute_url())
    page.get_by_role("button", name="Enter this event").click()
    expect(page.get_by_role("table", name="Entered players")).to_contain_text("Adler")
    page.get_by_role("button", name="Withdraw my entry").click()
    expect(page.locator("main")).to_contain_text("Your entry is withdrawn.")
    assert EventEntry.objects.get().state == "withdrawn"


@pytest.mark.parametrize("width", [390, 320])
def test_visitor_enters_on_a_phone_and_the_organiser_confirms(page, event, width):
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(event.get_absolute_url())
    page.get_by_role("link", name="Enter this event").click()
    assert fits(page)
    for label, text in (("Family name", "Brand"), ("Given name", "Leo"), ("Email address", "leo@example.org")):
        page.get_by_label(label).fill(text)
    page.wait_for_timeout(2100)  # faster senders are machines
    page.get_by_role("button", name="Send entry").click()
    expect(page.locator("main")).to_contain_text("The organisers have not answered yet.")
    sign_in(page, "organiser")
    page.goto("/organise/")
    page.get_by_role("link", name="Confirm entries").click()
    assert fits(page)
    page.get_by_role("button", name="Confirm Brand Leo").click()
    expect(page.get_by_role("table", name="Entered players")).to_contain_text("Brand")
    assert fits(page)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Refuse Brand Leo")).to_be_visible()
    assert Axe().run(page).response["violations"] == []


def test_organiser_adds_players_by_the_keyboard_and_downloads_the_template(page, event):
    make_player("Adler", "Ada", public_id="ADA")
    sign_in(page, "organiser")
    page.goto("/organise/events/CUP/entries/")
    assert Axe().run(page).response["violations"] == []
    box = page.get_by_role("combobox", name="Search a player")
    box.fill("adl")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Add Adler Ada")).to_be_visible()
    box.fill("ad")
    page.get_by_role("option", name="Adler, Ada").wait_for()
    assert Axe().run(page).response["violations"] == []
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/entries/?q=ADA#add")
    page.get_by_role("button", name="Add Adler Ada").press("Enter")
    expect(page.get_by_role("table", name="Entered players")).to_contain_text("Adler")
    page.get_by_text("The player is not on the list yet").click()
    page.get_by_label("Family name").fill("New")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator("main")).to_contain_text("New is entered.")
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    lines = download.value.path().read_text("utf-8-sig").splitlines()
    assert lines[-3:] == [
        "Nr,Player ID,Last name,First name,Country,New,MM,1,2,3,Points",
        "1,ADA,Adler,Ada,FR,,",
        "2,,New,,,N,",
    ]
