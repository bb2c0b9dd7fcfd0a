"""Typing results with the keyboard: Enter moves down, and a check returns to the field where the person was."""

import re

import pytest
from django.contrib.auth.models import Group
from playwright.sync_api import expect

from ratings.access import ORGANISERS
from ratings.domain.results.submissions import create_blank_submission
from ratings.models import Event
from tests.browser.test_journey import log_in
from tests.factories import make_event, make_list, make_user

pytestmark = pytest.mark.browser


@pytest.fixture
def submission(page):
    organiser = make_user("organiser")
    organiser.groups.add(Group.objects.get(name=ORGANISERS))
    lists = [make_list("fesa", name="FESA list")]
    event = make_event("Cup", "2024-05-04", lists, state=Event.State.DRAFT, created_by=organiser)
    submission = create_blank_submission(event, 3, 2)
    log_in(page, "organiser")
    page.goto(submission.get_absolute_url())
    return submission


@pytest.mark.parametrize("field", ["family", "given", "country", "macmahon", "round-1"])
def test_enter_moves_one_row_down_and_submits_nothing(field, page, submission):
    page.fill("#id_row-1-family", "Adler")
    for row in (1, 2, 3):
        page.press(f"#id_row-{row}-{field}", "Enter")
        expect(page.locator(f"#id_row-{min(row + 1, 3)}-{field}")).to_be_focused()
    submission.refresh_from_db()
    assert (submission.version, page.input_value("#id_row-1-family")) == (0, "Adler")


def test_check_returns_to_the_field_where_the_person_was(page, submission):
    page.fill("#id_row-2-family", "Bauer")
    page.fill("#id_row-2-given", "Max")
    page.get_by_role("button", name="Save and check").last.click()
    page.locator(".checked h2").get_by_text(re.compile(r"\d+ errors?")).wait_for()
    expect(page.locator("#id_row-2-given")).to_be_focused()
    page.fill("#id_name", "Group A")
    page.press("#id_name", "Enter")
    expect(page.locator("h1")).to_contain_text("Group A")
    expect(page.locator("#id_name")).to_be_focused()


def test_check_returns_to_the_reason_of_a_warning(page, submission):
    page.fill("#id_row-1-family", "Neu")
    page.select_option("#id_row-1-player", "new")
    page.get_by_role("button", name="Save and check").last.click()
    reason = page.locator("input[name^=confirm-]").first
    reason.fill("born abroad")
    name = reason.get_attribute("id")
    reason.press("Enter")
    expect(page.locator(f"#{name}[value='born abroad']")).to_be_focused()  # the attribute is the server's answer


def test_names_stay_beside_the_last_round_on_a_phone(page, submission):
    submission = create_blank_submission(submission.event, 4, 9)
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(submission.get_absolute_url())
    name, last = page.locator("#id_row-1-family"), page.locator("#id_row-1-round-9")
    start = name.bounding_box()["x"]
    assert last.bounding_box()["x"] > 390
    last.focus()
    assert page.locator("table.sheet").evaluate("table => table.parentElement.scrollLeft") > 0
    field = last.bounding_box()
    assert field["x"] + field["width"] <= 390
    assert 0 <= name.bounding_box()["x"] <= start
    at = [name.bounding_box()[side] for side in ("x", "y")]
    assert page.evaluate("([x, y]) => document.elementFromPoint(x + 5, y + 5).id", at) == "id_row-1-family"


def test_results_are_typed_on_a_phone_with_the_names_in_view(browser, live_server, page, submission):
    """Organisers' finding 27: results began at x = 602, the head took 200 px, and + needed the keyboard of symbols."""
    context = browser.new_context(
        base_url=live_server.url,
        viewport={"width": 390, "height": 800},
        has_touch=True,
        is_mobile=True,
        storage_state=page.context.storage_state(),
    )
    phone = context.new_page()
    phone.goto(submission.get_absolute_url())
    assert phone.locator("header").bounding_box()["height"] < 120
    first, name = phone.locator("#id_row-1-round-1"), phone.locator("#id_row-1-family")
    assert first.bounding_box()["x"] + first.bounding_box()["width"] < 390
    expect(phone.locator("#id_row-1-given")).to_be_hidden()
    signs = phone.get_by_role("group", name="Result")
    expect(signs).to_be_hidden()
    first.tap()
    assert first.evaluate("field => field.inputMode") == "numeric"
    phone.keyboard.type("2")
    signs.get_by_role("button", name="won").tap()
    expect(first).to_be_focused()
    expect(phone.locator("#id_row-2-round-1")).to_have_value("1-")
    last = phone.locator("#id_row-3-round-2")
    last.tap()
    assert name.bounding_box()["x"] >= 0  # in view beside the last round
    signs.get_by_role("button", name="Letters").tap()
    assert last.evaluate("field => field.inputMode") == "text"
    expect(last).to_be_focused()
    name.fill("Adler")
    phone.get_by_role("button", name="Save and check").last.tap()
    expect(phone.locator("#id_row-1-round-1[value='2+']")).to_be_visible()
    phone.get_by_label("Show first names, nationalities and players, too").check()
    expect(phone.locator("#id_row-1-given")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()
