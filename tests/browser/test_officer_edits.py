"""The officer's way: correct a cell, comment, return; the organiser sees both, and the next event opens by itself."""

import pytest
from playwright.sync_api import expect

from ratings.access import OFFICERS, ORGANISERS
from ratings.formats.sheet_content import content_from_json
from ratings.models import Event
from tests.browser.test_journey import log_in
from tests.browser.test_officers import check_page
from tests.factories import give_rating, make_event, make_list, make_player
from tests.portal.results.way import CLEAN, act, make_waiting_event, paste, person

pytestmark = pytest.mark.browser


@pytest.fixture
def waiting(page, client):
    """A submission that waits, of an organiser and for an officer; another event waits too."""
    fesa = make_list("fesa", name="FESA list")
    for name, given, country in (("Adler", "Zoë", "FR"), ("Bauer", "Max", "DE"), ("Capek", "Jan", "CZ")):
        give_rating(fesa, make_player(name, given, country=country), 2000)
    organiser = person("organiser", ORGANISERS)
    person("officer", OFFICERS)
    event = make_event("Autumn Cup", "2024-05-04", [fesa], state=Event.State.DRAFT, created_by=organiser)
    client.force_login(organiser)
    paste(client, event, CLEAN)
    act(client, event, "submit")
    make_waiting_event("Winter Cup", fesa)
    return event.submissions.get()


@pytest.mark.parametrize(("scheme", "width"), [("light", 1200), ("dark", 390)])
def test_officer_corrects_a_cell_comments_and_returns(page, waiting, scheme, width):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    log_in(page, "officer")
    page.goto("/organise/queue/")
    check_page(page, width)
    page.get_by_role("article").filter(has_text="Autumn Cup").get_by_role("link", name="Correct or comment").click()
    page.get_by_label("Row 1, round 1", exact=True).fill("2=")
    page.get_by_label("Row 2, round 1", exact=True).fill("1=")
    page.get_by_label("Player", exact=True).select_option("3 Capek Jan")
    page.get_by_label("Round", exact=True).select_option("2")
    page.get_by_role("textbox", name="Comment", exact=True).fill("Who had White?")
    page.get_by_role("button", name="Add the comment").click()
    page.get_by_text("Changed by officer; the organisers receive an email.").wait_for()
    assert page.get_by_role("textbox", name="Comment", exact=True).input_value() == ""
    expect(page.locator(".draft")).to_have_count(0)  # nothing that was saved comes back from the device
    check_page(page, width)
    waiting.refresh_from_db()
    assert [row.cells for row in content_from_json(waiting.content).rows] == [["2=", "0+"], ["1=", "3+"], ["0-", "2-"]]
    page.get_by_role("link", name="Accept or return the results on the event's page").click()
    page.get_by_role("button", name="Return to the organisers").click()
    page.get_by_text("Autumn Cup: Returned. The organisers receive an email.").wait_for()
    assert page.get_by_role("heading", level=1).inner_text() == "Winter Cup"
    check_page(page, width)
    page.context.clear_cookies()
    log_in(page, "organiser")
    page.goto(waiting.get_absolute_url())
    page.get_by_text("Round 1: Adler Zoë:").wait_for()
    comments = page.get_by_role("region", name="Comments of the rating officers")
    assert "Capek Jan, round 2: Who had White?" in comments.inner_text()
    assert "Who had White?" in page.locator("tr.comments").inner_text()
    check_page(page, width)
    comments.get_by_role("button", name="Settled").click()
    page.get_by_text("1 settled or withdrawn comment").wait_for()
    expect(page.locator("tr.comments")).to_have_count(0)
