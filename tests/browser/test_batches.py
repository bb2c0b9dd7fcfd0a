"""Files dropped on the page, and the ways of organisers and officers with their clicks counted.

The table in docs/decisions/2026-11-25-clicks.md shows the numbers.
"""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import Group
from playwright.sync_api import expect

from ratings.access import OFFICERS, ORGANISERS
from ratings.models import Event, Player, Submission
from tests.browser.person import Person
from tests.factories import give_rating, make_event, make_list, make_player, make_user
from tests.portal.results.way import CLEAN

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("several_steps")]
NAMES = [
    "Adler",
    "Bauer",
    "Capek",
    "Dupont",
    "Evans",
    "Fischer",
    "Gruber",
    "Hansen",
    "Ivanov",
    "Jensen",
    "Keller",
    "Lopez",
]


def make_grid(number, players=6):
    """Return a clean grid of one round, in which neighbours play each other, on a day of its own."""
    day = f"2024-{1 + (number - 1) // 28:02}-{1 + (number - 1) % 28:02}"
    rows = []
    for row in range(1, players + 1):
        cell = f"{row + 1}+ " if row % 2 else f"{row - 1}-"
        rows.append(f"{row} [{NAMES[(row - 1) % 12]}{(row - 1) // 12 or ''}] [Anna] FR [{cell}] {row % 2}")
    return f"[Meeting {number}, Lyon, France, {day}]\n[{day}]\n[Time control: 30min + 30sec]\n" + "\n".join(rows) + "\n"


@pytest.fixture
def organiser(page):
    user = make_user("organiser")
    user.groups.add(Group.objects.get(name=ORGANISERS))
    return user


@pytest.fixture
def fesa(page):
    page.set_default_timeout(90_000)  # without a worker, the server previews each submitted event before it answers
    return make_list("fesa", name="FESA list")


def test_23_grids_and_new_players_take_one_drop_and_one_confirmation(page, organiser, fesa):
    files = {f"{number}.txt": make_grid(number) for number in range(1, 24)}
    files["new-players.csv"] = "last_name,first_name,country\n" + "".join(f"{name},Anna,FR\n" for name in NAMES)
    person = Person(page)
    person.sign_in("organiser")
    page.goto("/desk/")
    person.drop(files)
    expect(page.get_by_role("heading", level=1)).to_have_text("Events from 24 files: 23", timeout=60_000)
    person.press("Submit the chosen events, 23 are ready")
    expect(page.locator("main > .message").first).to_contain_text("Submitted: Meeting 1", timeout=90_000)
    assert Event.objects.filter(state="submitted").count() == 23
    assert person.clicks == 3 + 2


def test_clean_grid_is_submitted_with_six_clicks(page, organiser, fesa):
    for name, country in (("Adler Zoë", "FR"), ("Bauer Max", "DE"), ("Capek Jan", "CZ")):
        give_rating(fesa, make_player(*name.split(), country=country), 1500)
    person = Person(page)
    person.sign_in("organiser")
    page.goto("/desk/")
    person.choose_file("Choose files", "cup.txt", CLEAN)
    person.press("Submit the chosen event")
    expect(page.locator("main > .message").first).to_contain_text("Submitted: Autumn Cup")
    assert Event.objects.get().state == "submitted"
    assert person.clicks == 6


def test_file_chosen_before_the_script_ran_is_sent(page, organiser, fesa):
    person = Person(page)
    person.sign_in("organiser")
    held = []

    def hold(route):
        held.append(route)

    page.route("**/drop*.js", hold)
    page.goto("/desk/", wait_until="commit")
    person.choose_file("Choose files", "cup.txt", CLEAN)
    (script,) = held
    script.continue_()
    expect(page.get_by_role("heading", level=1)).to_have_text("Events from 1 file: 1")


def test_first_grid_with_102_unknown_players_takes_less_than_20_clicks(page, organiser, fesa):
    person = Person(page)
    person.sign_in("organiser")
    page.goto("/desk/")
    person.choose_file("Choose files", "first.txt", make_grid(1, 102))
    person.press("Make all unknown names new players")
    person.press("Submit the chosen event")
    expect(page.locator("main > .message").first).to_contain_text("Submitted: Meeting 1", timeout=90_000)
    assert Submission.objects.get().state == "submitted"
    assert Player.objects.count() == 0
    assert person.clicks == 7


def test_ten_clean_submissions_are_accepted_with_less_than_15_clicks(page, organiser, fesa):
    officer = make_user("officer")
    officer.groups.add(Group.objects.get(name=OFFICERS))
    for name in NAMES[:6]:
        give_rating(fesa, make_player(name, "Anna", country="FR"), 1500)
    person = Person(page)
    person.sign_in("organiser")
    page.goto("/desk/")
    person.drop({f"{number}.txt": make_grid(number) for number in range(1, 11)})
    person.press("Submit the chosen events, 10 are ready")
    expect(page.locator("main > .message").first).to_be_visible(timeout=90_000)
    page.context.clear_cookies()
    person = Person(page)
    person.sign_in("officer")
    page.goto("/desk/")
    page.locator("button", has_text="Accept").first.wait_for()
    ticks = page.locator("input[name=event]")
    for number in range(ticks.count()):
        if not ticks.nth(number).is_checked():
            person.click(ticks.nth(number))
    person.click(page.get_by_role("button", name=re.compile("^Accept .* selected")).first)
    person.click(page.locator("main button[name=confirmed]"))
    expect(page.locator("main > .message").first).to_contain_text("Accepted: Meeting 1", timeout=90_000)
    assert Event.objects.filter(state="accepted").count() == 10
    assert person.clicks == 5


def test_nine_players_and_five_rounds_are_typed_with_120_keys(page, organiser, fesa):
    """Four games and a bye in each round; the cell of the second player of a game follows from the first."""
    event = make_event("Club night", "2024-05-04", [fesa], state=Event.State.DRAFT, created_by=organiser)
    person = Person(page)
    person.sign_in("organiser")
    page.goto(f"/organise/events/{event.public_id}/")
    page.get_by_label("Players").fill("9")
    person.press("Create crosstable")
    for row in range(1, 10):
        page.fill(f"#id_row-{row}-family", NAMES[row - 1])
    keys = person.keys
    for round_ in range(1, 6):
        order = [9, *range(1, 9)]
        order = [1 + (place + round_) % 9 for place in range(9)]
        pairs = {order[number]: order[number + 1] for number in range(1, 8, 2)}
        seconds = set(pairs.values())
        person.click(page.locator(f"#id_row-1-round-{round_}"))
        for row in range(1, 10):
            if row in pairs:
                person.type(f"{pairs[row]}+")
            elif row not in seconds:
                person.type("0+")
            person.hit("Enter")
    assert person.keys - keys == 95
    page.get_by_role("button", name="Save and check").last.click()
    page.locator(".checked h2").get_by_text("9 names to check").wait_for()
    cells = [row["cells"] for row in Submission.objects.get().content["rows"]]
    assert all(cell for row in cells for cell in row)


def test_page_of_files_is_accessible_and_never_scrolls_sideways(page, organiser, fesa):
    person = Person(page)
    person.sign_in("organiser")
    page.goto("/organise/files/")
    headless = "No,Name,Country,1\n1,Adler Anna,FR,2+\n2,Bauer Anna,FR,1-\n"
    person.drop({"a.txt": make_grid(1), "photo.gif": "GIF89a", "club.csv": headless})
    expect(page.get_by_role("heading", level=1)).to_have_text("Events from 3 files: 1")
    for width in (1200, 390, 320):
        page.set_viewport_size({"width": width, "height": 900})
        violations = Axe().run(page).response["violations"]
        assert [(found["id"], found["nodes"][0]["html"]) for found in violations] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_files_are_read_and_undone_without_a_script(browser, live_server, page, organiser, fesa):
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    plain = context.new_page()
    person = Person(plain)
    person.sign_in("organiser")
    plain.goto("/organise/")
    person.choose_file("Choose files", "a.txt", make_grid(1))
    person.press("Read files")
    expect(plain.get_by_role("heading", level=1)).to_have_text("Events from 1 file: 1")
    person.press("Undo the file")
    assert Event.objects.get().state == "deleted"
    context.close()


def test_unknown_names_of_13_files_are_answered_once(page, organiser, fesa):
    """The people of all files are on one page, and one click makes them new."""
    person = Person(page)
    person.sign_in("organiser")
    page.goto("/desk/")
    person.drop({f"{number}.txt": make_grid(number) for number in range(1, 14)})
    expect(page.get_by_role("heading", level=1)).to_have_text("Events from 13 files: 13", timeout=90_000)
    person.follow("Check the names of all files at once")
    expect(page.locator("tbody tr:not(.group)")).to_have_count(6)
    expect(page.locator("#people")).to_contain_text("13 events, first Meeting 1")
    for width in (1280, 390, 320):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function("width => document.documentElement.scrollWidth === width", arg=width)
    report = Axe().run(page)
    assert report.violations_count == 0, report.generate_report()
    person.press("Make all 6 unknown new")
    expect(page.locator(".message.good")).to_contain_text("6 unknown names are new.")
    person.press("Save and go to the files")
    expect(page.get_by_role("button", name="Submit the chosen events, 13 are ready")).to_be_visible(timeout=90_000)
    assert person.clicks == 3 + 4
