"""The names of a submission, decided with the keyboard alone, and with suggestions while typing."""

import pytest
from django.contrib.auth.models import Group
from playwright.sync_api import expect

from ratings.access import ORGANISERS
from ratings.domain.results.submissions import create_submission
from ratings.formats.sheet_content import SheetContent, SheetRow, content_from_json
from ratings.models import Event
from tests.browser.test_journey import log_in
from tests.factories import give_rating, make_event, make_list, make_player, make_user

pytestmark = pytest.mark.browser


@pytest.fixture
def submission(page):
    organiser = make_user("organiser")
    organiser.groups.add(Group.objects.get(name=ORGANISERS))
    fesa = make_list("fesa", name="FESA list")
    for family, given, country, id in (("Bauer", "Maximilian", "DE", "B2"), ("Martin", "Hua", "FR", "M2")):
        give_rating(fesa, make_player(family, given, country=country, public_id=id), 2000)
    event = make_event("Cup", "2024-05-04", [fesa], state=Event.State.DRAFT, created_by=organiser)
    rows = [("Bauerr", "Maximilian", "DE"), ("Nobody", "Atall", "FR"), ("Someone", "Else", "FR")]
    submission = create_submission(
        event, SheetContent(1, [SheetRow(*row, cells=["0-"]) for row in rows]), days=(event.start, event.end)
    )
    log_in(page, "organiser")
    page.goto(f"{submission.get_absolute_url()}people/")
    return submission


def choices(submission):
    submission.refresh_from_db()
    return [row.player or ("new" if row.new else "") for row in content_from_json(submission.content).rows]


def test_all_names_are_decided_with_the_keyboard(page, submission):
    page.get_by_role("button", name="Accept 1 likely").press("Enter")
    expect(page.locator("p.message.good")).to_contain_text("1 likely player surer than 95 % was accepted.")
    assert choices(submission) == ["B2", "", ""]
    page.locator("p.message.good").get_by_role("button", name="Undo").press("Enter")
    expect(page.get_by_role("button", name="Accept 1 likely")).to_be_visible()
    assert choices(submission) == ["", "", ""]
    page.locator("[name=row-1-choice]").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[name=row-1-choice][value=other]")).to_be_checked()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[name=row-1-choice][value=new]")).to_be_checked()
    page.get_by_role("button", name="Make all 2 unknown new").press("Enter")
    expect(page.locator("p.message.good")).to_contain_text("2 unknown players are new.")
    assert choices(submission) == ["new", "new", "new"]
    page.get_by_role("button", name="Save names and check results").press("Enter")
    expect(page).to_have_url(f"{page.url.split('/organise/')[0]}{submission.get_absolute_url()}")


def test_another_player_is_suggested_while_typing_and_found_by_enter(page, submission):
    page.set_viewport_size({"width": 390, "height": 800})
    panel = page.locator("#other-2")
    expect(panel).to_be_hidden()
    page.locator("[name=row-2-choice][value=other]").focus()
    page.keyboard.press("Space")
    expect(panel).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.type("mart")
    expect(panel.get_by_text("Martin Hua")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("#id_row-2-q")).to_have_value("mart")
    expect(page.locator("[name=row-2-choice][value=other]")).to_be_checked()
    page.locator("[name=row-2-other]").focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Save and leave").press("Enter")
    page.wait_for_url(f"**/organise/events/{submission.event.public_id}/")
    assert choices(submission) == ["", "M2", ""]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
