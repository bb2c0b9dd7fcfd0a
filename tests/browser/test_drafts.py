"""Entries that the server has not saved stay on the device: lost session, closed tab, lost network, second tab."""

import re

import pytest
from django.contrib.auth.models import Group, User
from django.contrib.sessions.models import Session
from playwright.sync_api import expect

from ratings.access import ORGANISERS
from ratings.domain.results.submissions import create_blank_submission
from ratings.formats.sheet_content import content_from_json
from ratings.models import Event
from tests.browser.test_journey import log_in
from tests.factories import give_rating, make_event, make_list, make_player, make_user

pytestmark = pytest.mark.browser
CELL = "#id_row-1-round-1"


@pytest.fixture
def submission(page):
    fesa = make_list("fesa", name="FESA list")
    organiser = make_user("organiser")
    organiser.groups.add(Group.objects.get(name=ORGANISERS))
    for name in ("Adler", "Bauer"):
        give_rating(fesa, make_player(name), 2000)
    event = make_event("Cup", "2024-05-04", [fesa], state=Event.State.DRAFT, created_by=organiser)
    return create_blank_submission(event, 2, 1)


def stored(submission):
    submission.refresh_from_db()
    return content_from_json(submission.content).rows[0].cells


def opened(page, submission):
    log_in(page, "organiser")
    page.goto(submission.get_absolute_url())


def test_entries_are_restored_after_closing_the_tab(page, submission):
    opened(page, submission)
    page.fill(CELL, "2+ odd")
    page.goto("/")
    page.goto(submission.get_absolute_url())
    text = page.get_by_text("that were not saved are back in the form").inner_text()
    assert re.match(r"Entries from \d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d that", text)
    assert page.input_value(CELL) == "2+ odd"
    page.get_by_role("button", name="Save and check").last.click()
    page.locator(".checked h2").get_by_text(re.compile(r"\d+ errors?")).wait_for()
    assert stored(submission) == ["2+ odd"]
    page.goto(submission.get_absolute_url())
    expect(page.get_by_text("that were not saved")).to_have_count(0)


def test_saved_entries_are_not_restored_where_the_server_filled_an_emptied_cell(page, submission):
    opened(page, submission)
    for row, name in ((1, "Adler"), (2, "Bauer")):
        page.fill(f"#id_row-{row}-family", name)
    page.fill("#id_row-2-round-1", "1-")  # fills the opponent's cell
    page.fill(CELL, "")
    page.get_by_role("button", name="Save and check").last.click()
    page.get_by_text("No problems found.").or_(
        page.locator(".checked h2").get_by_text(re.compile(r"\d+ errors?"))
    ).first.wait_for()
    assert (page.input_value(CELL), stored(submission)) == ("2+", ["2+"])
    expect(page.get_by_text("were not saved")).to_have_count(0)
    page.goto(submission.get_absolute_url())
    expect(page.get_by_text("were not saved")).to_have_count(0)


def test_discarded_entries_are_not_restored(page, submission):
    opened(page, submission)
    page.fill(CELL, "2-")
    page.goto(submission.get_absolute_url())
    page.get_by_role("button", name="Discard them").click()
    page.wait_for_load_state()
    assert page.input_value(CELL) == ""
    page.goto(submission.get_absolute_url())
    assert page.input_value(CELL) == ""


def test_entries_survive_a_lost_session_and_signing_in_again(page, submission):
    log_in(page, "organiser")
    page = page.context.new_page()  # the answers 403 belong to this test
    page.goto(submission.get_absolute_url())
    page.fill(CELL, "2=")
    Session.objects.all().delete()
    with page.expect_response(lambda answer: answer.request.method == "POST") as answer:
        page.get_by_role("button", name="Save and check").last.click()
    assert answer.value.status == 403
    page.get_by_role("heading", name="Your entries are not saved yet").wait_for()
    with page.context.expect_page() as tab:
        page.get_by_role("link", name="Sign in in another tab").click()
    other = tab.value
    other.fill("#id_login", "organiser")
    other.fill("#id_password", "secret")
    other.get_by_role("button", name="Sign in", exact=True).click()
    other.get_by_text("that were not saved are back in the form").wait_for()
    assert other.input_value(CELL) == "2="
    other.close()
    page.get_by_role("button", name="Send again").click()
    page.get_by_text("You signed in after you opened the form").wait_for()  # the token is out of date
    page.get_by_role("button", name="Send again").click()
    page.get_by_role("heading", name="Cup").wait_for()
    assert stored(submission) == ["2="]


def test_entries_stay_in_the_page_without_network(page, submission):
    opened(page, submission)
    page.fill(CELL, "2+")
    page.context.set_offline(True)
    page.get_by_role("button", name="Save and check").last.click()
    page.get_by_text("your entries are kept on this device").wait_for()
    page.context.set_offline(False)
    page.get_by_role("button", name="Save and check").last.click()
    page.locator("p.draft.offline").wait_for(state="detached")
    assert stored(submission) == ["2+"]


def test_second_tab_does_not_overwrite_without_a_message(page, submission):
    opened(page, submission)
    other = page.context.new_page()
    other.goto(submission.get_absolute_url())
    page.fill(CELL, "2+")
    page.get_by_role("button", name="Save and check").last.click()
    page.locator(".checked h2").get_by_text(re.compile(r"\d+ errors?")).wait_for()
    other.fill(CELL, "2-")
    other.get_by_role("button", name="Save and check").last.click()
    other.get_by_text("These results were changed meanwhile by organiser; your entries are not saved.").wait_for()
    assert (stored(submission), other.input_value(CELL)) == (["2+"], "2-")
    other.get_by_role("button", name="Save and check").last.click()
    other.get_by_text("changed meanwhile").wait_for(state="detached")
    assert stored(submission) == ["2-"]
    other.close()


def test_entries_belong_to_one_account(page, submission):
    opened(page, submission)
    page.fill(CELL, "2+")
    second = make_user("second")
    second.groups.add(Group.objects.get(name=ORGANISERS))
    submission.event.organisers.add(User.objects.get(username="second"))
    page.context.clear_cookies()
    log_in(page, "second")
    page.goto(submission.get_absolute_url())
    assert (page.input_value(CELL), page.get_by_text("that were not saved").count()) == ("", 0)


@pytest.mark.parametrize(("remember", "hours"), [(False, 12), (True, 30 * 24)])
def test_entries_expire_sooner_on_a_device_where_nobody_stays_signed_in(remember, hours, page, submission):
    page.goto("/accounts/login/")
    page.fill("#id_login", "organiser")
    page.fill("#id_password", "secret")
    page.set_checked("#id_remember", remember)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(lambda address: "/accounts/" not in address)
    page.goto(submission.get_absolute_url())
    page.fill(CELL, "2+")
    draft = page.evaluate(
        "JSON.parse(localStorage.getItem(Object.keys(localStorage).find((key) => key.startsWith('draft/'))))"
    )
    assert draft["expires"] - draft["saved"] == hours * 3600 * 1000
    page.clock.install(time=(draft["expires"] + 1) / 1000)
    page.goto(submission.get_absolute_url())
    page.locator("table.sheet").wait_for()
    assert (page.input_value(CELL), page.get_by_text("that were not saved").count()) == ("", 0)
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('draft/'))") == []
