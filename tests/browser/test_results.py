"""The way of a result in a real browser, by organiser and officer; and a tournament typed with the keyboard alone."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import Group

from ratings.access import OFFICERS, ORGANISERS
from ratings.models import Event, Game, Standing
from tests.browser.test_journey import log_in
from tests.factories import give_rating, make_event, make_list, make_player, make_table, make_user

pytestmark = pytest.mark.browser

NAMES = ("Adler Zoë", "Bauer Max", "Capek Jan", "Dupont Léa", "Evans Tom")
FAULTY = """[Autumn Cup, Lyon, France, 2024-05-04]
[2024-05-04]
[Time control: 30min + 30sec]
1 [Adler][Zoë] FR [2+ 3+ 4+] 3
2 [Bauer][Max] FR [1+ 4+ 3=] 3/2
3 [Capek][Jan] FR [4+ 1- 2=] 3/2
4 [Dupond][Léa] FR [3- 2- 0-] 0
"""


@pytest.fixture
def event(page):
    fesa = make_list("fesa", name="FESA list")
    people = {}
    for name, group in (("organiser", ORGANISERS), ("officer", OFFICERS)):
        people[name] = make_user(name)
        people[name].groups.add(Group.objects.get(name=group))
    for name in NAMES:
        give_rating(fesa, make_player(*name.split()), 2000)
    return make_event("Autumn Cup", "2024-05-04", [fesa], state=Event.State.DRAFT, created_by=people["organiser"])


def switch_to(page, name):
    page.context.clear_cookies()
    log_in(page, name)


def rating_of(name):
    return Standing.objects.get(player__family_name=name).rating


def confirm_all(page):
    for field in page.locator("ol.findings input:enabled").all():
        field.fill("it was so")
    page.get_by_role("button", name="Save and check").last.click()


def test_results_go_all_the_way_and_are_corrected(page, event):
    address = f"/organise/events/{event.public_id}/"
    log_in(page, "organiser")
    page.goto(address)
    page.locator("#id_file").set_input_files(
        {"name": "turnering.txt", "mimeType": "text/plain", "buffer": FAULTY.encode()}
    )
    page.get_by_role("heading", name="Names", exact=True).wait_for()
    page.locator(".crumbs").get_by_role("link", name="Results").click()
    page.locator(".checked h2").get_by_text("1 name to check, 2 errors").wait_for()
    page.locator("button[value^='win:']").first.click()  # 2+ against 1+
    page.get_by_role("button", name="Not played: 0+ and 0-").first.click()  # 4+ against nobody
    page.get_by_label("Player, row 4").select_option(index=1)  # Dupont Léa
    page.get_by_role("button", name="Save and check").last.click()
    confirm_all(page)
    page.get_by_text("No problems found.").wait_for()
    page.get_by_role("button", name="Preview the ratings").click()
    page.get_by_role("heading", name="FESA list: what would change").wait_for()
    page.get_by_role("button", name="Save and go back to the event").click()
    page.get_by_role("button", name="Submit to the rating officers").click()
    page.get_by_text("Submitted. The rating officers receive an email").wait_for()
    assert rating_of("Adler") == 2000

    switch_to(page, "officer")
    page.goto("/organise/queue/")
    page.get_by_role("link", name="Autumn Cup").first.click()
    page.get_by_label("Changes to make").fill("Was Léa ill in round 3?")
    page.get_by_role("button", name="Return to the organisers").click()
    page.get_by_text("Returned. The organisers receive an email.").wait_for()

    switch_to(page, "organiser")
    page.goto(address)
    page.get_by_text("Was Léa ill in round 3?").wait_for()
    page.get_by_role("button", name="Submit to the rating officers").click()

    switch_to(page, "officer")
    page.goto(address)
    page.get_by_role("button", name="Accept").click()
    page.get_by_text("Results accepted. The lists are being rated again.").wait_for()
    before = rating_of("Adler")
    assert before > 2000
    page.goto("/lists/fesa/?active=all")
    assert page.locator("table.listing tbody tr td.name").first.inner_text() == "Adler, Zoë"

    correct(page, event, address)


def correct(page, event, address):
    """The officer corrects a result of a past event, after which others have played."""
    later = make_event("Later", "2024-06-01", [event.lists.get()])
    players = [entry.player for entry in event.tables.get().entries.all()]
    make_table(None, players[:2], [(1, 1, 2, 1.0)], "2024-06-01", event=later)
    before = rating_of("Capek")
    page.goto(address)
    page.get_by_role("button", name="Correct the results").click()
    page.get_by_label("Row 3, round 1").fill("4-")
    page.get_by_label("Row 4, round 1").fill("3+")
    page.get_by_label("Reason for the correction").fill("The slip was read the wrong way round")
    page.get_by_role("button", name="Save and check").last.click()
    confirm_all(page)
    page.get_by_role("button", name="Save and go back to the event").click()
    page.get_by_role("button", name="Submit to the rating officers").click()
    page.get_by_role("button", name="Accept").click()
    page.get_by_text("Results accepted. The lists are being rated again.").wait_for()
    assert rating_of("Capek") < before
    page.goto("/lists/fesa/corrections/")
    page.get_by_text("Autumn Cup was changed").first.wait_for()


def test_five_players_are_typed_with_the_keyboard_alone(page, event):
    log_in(page, "organiser")
    page.goto(f"/organise/events/{event.public_id}/")
    page.locator("#id_players").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("5")
    page.keyboard.press("Tab")
    page.keyboard.press("Control+A")
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    page.locator("#id_row-5-family").wait_for()
    page.locator("#id_row-1-family").focus()
    for name in NAMES:
        family, given = name.split()
        page.keyboard.type(family)
        page.keyboard.press("Tab")
        page.keyboard.type(given)
        row = page.evaluate("document.activeElement.name.split('-')[1]")
        if row != "5":
            page.locator(f"#id_row-{int(row) + 1}-family").focus()
    # a round robin of five, each round from the top: the other side fills itself
    columns = {
        1: ["0+", "5+", "4+"],
        2: ["5+", "0+", "4-"],
        3: ["4=", "3+", None, None, "0+"],
        4: ["3+", "4-", None, None, "0+"],
        5: ["2+", None, "5-", "0+"],
    }
    for round_, cells in columns.items():
        page.locator(f"#id_row-1-round-{round_}").focus()
        for cell in cells:
            if cell:
                page.keyboard.press("Control+A")
                page.keyboard.type(cell)
            page.keyboard.press("ArrowDown")
    assert page.locator("#id_row-5-round-1").input_value() == "2-"
    assert page.locator("tr:nth-child(1) td.points").inner_text() == "4.5"
    page.reload()
    assert page.locator("#id_row-5-round-1").input_value() == "2-"  # nothing was sent yet, nothing is lost
    page.locator("#id_row-5-round-5").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Save and check").last.focus()
    page.keyboard.press("Enter")
    page.get_by_text("No problems found.").or_(page.get_by_text("Answer each question")).wait_for()
    page.get_by_role("button", name="Save and go back to the event").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Submit to the rating officers").wait_for()
    assert Game.objects.count() == 0


@pytest.mark.parametrize(("scheme", "width"), [("light", 1200), ("dark", 390)])
def test_managing_pages_are_accessible_and_fit_their_width(page, event, scheme, width):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    log_in(page, "officer")
    own = f"/organise/events/{event.public_id}/"
    page.goto(own)
    page.get_by_text("Or paste the text").first.click()
    page.locator("#id_text").fill(FAULTY)
    page.get_by_role("button", name="Upload").click()
    page.get_by_role("heading", name="Names", exact=True).wait_for()
    page.locator(".crumbs").get_by_role("link", name="Results").click()
    page.locator(".checked h2").get_by_text("1 name to check, 2 errors").wait_for()
    submission = page.url
    for address in ("/organise/", "/organise/queue/", own, f"{own}edit/", submission, "/calendar/", "/accounts/login/",
                    "/accounts/signup/", "/accounts/email/", "/accounts/2fa/", "/accounts/sessions/"):  # fmt: skip
        page.goto(address)
        violations = Axe().run(page).response["violations"]
        assert [(found["id"], found["nodes"][0]["html"]) for found in violations] == [], address
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address
