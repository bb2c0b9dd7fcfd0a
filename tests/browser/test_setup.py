"""The first day in the browser: from an empty database to a public list with one rated event, with every click counted."""

import re

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from django.core import mail
from django.core.management import call_command
from playwright.sync_api import expect

from ratings.models import RatedTable, Standing
from tests.browser.person import Person
from tests.browser.test_journey import log_in
from tests.factories import make_list, make_player

pytestmark = pytest.mark.browser

CREST = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 34 34"><rect width="34" height="34" fill="#e3f2ec"/></svg>'
)
MEMBERS = "Name;Vorname;Land;GoR\nEgger;Nora;AT;144\nBaumann;Luca;DE;-87\nColombo;Giulia;IT;-455\nDupont;Léa;FR;-500\n"
RESULTS = (
    "Nr;Last name;First name;Country;1;2\n1;Egger;Nora;AT;2+;3+\n2;Baumann;Luca;DE;1-;4+\n"
    "3;Colombo;Giulia;IT;4+;1-\n4;Dupont;Léa;FR;3-;2-\n"
)


@pytest.fixture
def anna(page):
    anna = User.objects.create_superuser("anna", "anna@aga.example", "secret")
    anna.emailaddress_set.create(email=anna.email, verified=True, primary=True)
    return anna


def check_page(page):
    """Check the page for accessibility, and that no width needs sideways scrolling."""
    for width in (1200, 390, 320):
        page.set_viewport_size({"width": width, "height": 900})
        violations = Axe().run(page).response["violations"]
        assert [(found["id"], found["nodes"][0]["html"]) for found in violations] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size({"width": 1200, "height": 900})


@pytest.fixture
def empty_portal(page, settings, monkeypatch):
    """A portal with the rules of a public site, and an administrator who was created on the command line."""
    settings.SECOND_FACTOR = settings.SIGN_IN_AGAIN = True
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "secret")
    call_command("createsuperuser", username="anna", email="anna@aga.example", interactive=False, verbosity=0)


def sign_in_first(person):
    """Sign in as a new administrator: confirm the mail address, and set up a second factor."""
    page = person.page
    page.goto("/")
    person.follow("Sign in")
    person.click(page.locator("#id_login"))
    page.locator("#id_login").fill("anna")
    person.fill("Password", "secret")
    person.press("Sign in")
    page.get_by_role("heading", name="Check your mail").wait_for()
    check_page(page)
    address = re.search(r"https?://\S+", mail.outbox[-1].body)[0]
    person.clicks += 2  # the mail, and the link in it
    page.goto(address)
    check_page(page)
    person.press("Confirm address")
    page.get_by_role("heading", name="Second factor").wait_for()
    check_page(page)
    person.follow("Set up authenticator app")
    person.fill("Password", "secret")  # the address was confirmed without it
    person.press("Confirm")
    page.get_by_role("heading", name="Set up authenticator app").wait_for()
    check_page(page)
    secret = page.locator("code.secret").inner_text()
    person.fill("Code in the app", format_hotp_value(hotp_value(secret, next(yield_hotp_counters_from_time()))))
    person.press("Activate")
    page.get_by_role("heading", name="Recovery codes").wait_for()
    check_page(page)
    with page.expect_download():
        person.follow("Download codes")
    person.follow("Desk")


def test_set_up_leads_to_a_public_list_with_a_rated_event_in_less_than_forty_clicks(page, empty_portal):
    person = Person(page)
    sign_in_first(person)
    check_page(page)
    person.fill("Name", "Alpine Go Association")
    person.click(page.get_by_label("pine"))
    person.choose_file("Crest", "aga.svg", CREST)
    person.press("Save and go on")
    check_page(page)
    person.fill("Name of the list", "Go")
    person.click(page.get_by_label("Belgian Go Federation rating"))
    person.press("Save and go on")
    person.choose_file("File of the present list", "members.csv", MEMBERS)
    page.get_by_label("Day of these ratings").fill("2026-01-01")
    person.clicks += 1
    person.press("Check the file")
    check_page(page)
    person.press("Import 4 players")
    page.locator("#id_invite-0-mail").fill("nora@aga.example")
    person.clicks += 1
    person.press("Send the invitations")
    person.press("Make public")
    page.get_by_text("Go is public now.").wait_for()
    check_page(page)
    person.follow("Announce an event")
    person.fill("Name", "Spring Cup")
    page.locator("#id_start").fill("2026-02-07")
    person.clicks += 1
    person.press("Save")
    person.clicks += 2
    page.locator("#id_file").set_input_files({"name": "cup.csv", "mimeType": "text/csv", "buffer": RESULTS.encode()})
    person.press("Save and go back to the event")
    person.press("Submit to the rating officers")
    person.press("Accept")
    page.get_by_text("Results accepted. The lists are being rated again.").wait_for()
    assert (RatedTable.objects.count(), Standing.objects.filter(games__gt=0).count()) == (1, 4)
    page.goto("/organise/setup/")
    page.get_by_text("6 of 6 steps are done.").wait_for()
    page.context.clear_cookies()
    page.goto("/lists/go/")
    expect(page.locator("table.listing tbody tr")).to_have_count(4)
    assert person.clicks == 39


def test_first_step_works_with_the_keyboard_alone_and_without_scripts(browser, live_server, page, anna):
    log_in(page, "anna")
    context = browser.new_context(
        base_url=live_server.url, java_script_enabled=False, storage_state=page.context.storage_state()
    )
    plain = context.new_page()
    plain.goto("/organise/setup/")
    plain.get_by_label("Name", exact=True).focus()
    plain.keyboard.type("Alpine Go Association")
    plain.keyboard.press("Enter")
    plain.get_by_text("The federation is saved.").wait_for()
    plain.get_by_label("Name of the list").focus()
    plain.keyboard.type("Go")
    for _ in range(8):
        plain.keyboard.press("Tab")  # days of publication, shortest time, four tie-breaks, membership, systems
    plain.keyboard.press("Space")
    assert plain.get_by_text("Options of FESA/USSF Elo system (2016)").is_visible()
    assert not plain.get_by_text("Options of Belgian Go Federation rating").is_visible()
    plain.keyboard.press("Enter")
    plain.get_by_text("The list is saved.").wait_for()
    context.close()


def test_columns_are_chosen_and_names_answered_without_scripts(browser, live_server, page, anna):
    rating_list = make_list("go", system="bgf", public=False)
    for country in ("SE", "FI"):
        make_player("Lind", "Ada", country=country)
    log_in(page, "anna")
    context = browser.new_context(
        base_url=live_server.url, java_script_enabled=False, storage_state=page.context.storage_state()
    )
    plain = context.new_page()
    person = Person(plain)
    plain.goto("/organise/setup/#people")
    person.choose_file(
        "File of the present list", "a.csv", "Spieler;Stärke;Seit\nLind, Ada;144;2014\nNeu, Eva;-87;2018\n"
    )
    person.press("Check the file")
    plain.get_by_label("Spieler").select_option(label="Last name, first name")
    plain.get_by_label("Stärke").select_option(label="Rating")
    person.clicks += 4
    person.press("Read with these columns")
    person.click(plain.get_by_label("the same person: Lind Ada (FI"))
    person.press("Save the answers")
    person.press("Import 2 players")
    plain.get_by_text("2 players are on the list.").wait_for()
    rated = rating_list.standings.values_list("player__family_name", "player__country", "rating")
    assert sorted(rated) == [("Lind", "FI", 144), ("Neu", "", -87)]
    assert person.clicks == 11
    context.close()


def test_questions_about_a_file_are_accessible_at_every_width(page, anna):
    make_list("go", system="bgf", public=False)
    make_player("Lind", "Ada", country="SE")
    log_in(page, "anna")
    page.goto("/organise/setup/#people")
    text = "Spieler;Last name;GoR\nx;Lind, Ada;144\ny;Neu;-87\n"
    Person(page).choose_file("File of the present list", "a.csv", text)
    page.get_by_role("button", name="Check the file").click()
    page.get_by_text("Names that are known").wait_for()
    check_page(page)
    page.goto("/organise/lists/go/import/")
    page.locator("#id_file").set_input_files({"name": "a.csv", "mimeType": "text/csv", "buffer": text.encode()})
    page.locator("#id_day").fill("2026-01-01")
    page.get_by_role("button", name="Check", exact=True).click()
    page.get_by_text("Names that are known").wait_for()
    check_page(page)
