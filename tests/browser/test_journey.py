"""The whole way in a real browser: from the log-in to the arithmetic behind a rating."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import Group
from playwright.sync_api import expect

from ratings.access import OFFICERS
from ratings.domain.lists.adjustments import save_adjustment, save_list
from ratings.domain.lists.federations import get_or_create_federation
from ratings.domain.runs.rerating import rerate
from ratings.models import Adjustment, Club, Membership, RatingList, Standing
from ratings.queries.grades.awards import with_state
from ratings.queries.grades.certificates import certificate_codes
from tests.factories import give_rating, make_list, make_player, make_table, make_user

pytestmark = pytest.mark.browser


@pytest.fixture
def fesa(transactional_db):
    return make_list("fesa", name="FESA list")


def log_in(page, name):
    page.goto("/accounts/login/")
    page.locator("#id_login").fill(name)
    page.locator("#id_password").fill("secret")
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(lambda address: "/accounts/login/" not in address)


def test_tournament_is_entered_rated_and_explained(page, fesa):
    officer = make_user("officer", is_staff=True)
    officer.groups.add(Group.objects.get(name=OFFICERS))
    names = ["Adler Zoë", "Bauer Max", "Čapek Jan", "Dupont Léa", "Evans Tom"]
    players = [make_player(*name.split()) for name in names]
    for player, rating in zip(players, (1900, 1700, 1500, 1300, 1100), strict=True):
        give_rating(fesa, player, rating)

    log_in(page, "officer")

    page.goto("/admin/ratings/event/add/")
    page.locator("#id_name").fill("Five in Lyon")
    page.locator("#id_start").fill("2024-05-04")
    page.locator("#id_end").fill("2024-05-04")
    assert page.get_by_label("FESA list").is_checked()  # the only list
    page.get_by_role("button", name="Save and continue editing").click()
    page.get_by_role("link", name="Enter, check, preview and correct the results").click()
    page.locator("#id_players").fill("5")
    page.get_by_role("button", name="Create crosstable").click()

    for row, name in enumerate(names, 1):
        family, given = name.split()
        page.locator(f"#id_row-{row}-family").fill(family)
        page.locator(f"#id_row-{row}-given").fill(given)
    results = {1: ["2+", "3+", "4+", "5+", "0+"], 2: [None, "0+", "5+", "3=", "4+"], 3: ["4+", None, "0+", None, "5-"],
               4: [None, "5+", None, "0+", None]}  # fmt: skip
    for row, texts in results.items():
        for round_, text in enumerate(texts, 1):
            if text:
                page.locator(f"#id_row-{row}-round-{round_}").fill(text)
    page.get_by_role("button", name="Save and check").last.click()
    page.locator(".checked h2").get_by_text("1 error").wait_for()
    page.get_by_role("link", name="Round 1, Evans").click()
    page.locator("#id_row-5-round-1").fill("0+")
    page.get_by_role("button", name="Save and go back to the event").click()
    page.get_by_role("button", name="Submit to the rating officers").click()
    page.get_by_role("button", name="Accept", exact=True).click()
    page.get_by_text("Results accepted. The lists are being rated again.").wait_for()

    page.goto("/lists/fesa/?active=all")
    rows = page.locator("table.listing tbody tr")
    assert [rows.nth(i).locator("td.name").inner_text() for i in range(5)] == [
        name.replace(" ", ", ") for name in names
    ]
    first = rows.nth(0)
    assert first.locator("td").nth(10).inner_text() == "4 May 2024"
    assert first.locator("td").nth(7).inner_text().startswith("+")

    first.get_by_role("link", name="Adler, Zoë").click()
    page.wait_for_load_state()  # the graph's script listens now
    page.locator("#graph svg.broad").hover(position={"x": 60, "y": 50})
    expect(page.locator("#graph-note")).to_contain_text("opening")
    page.locator("section", has_text="Latest events").get_by_role("link", name="+").first.click()
    page.get_by_role("heading", name=re.compile("^Why .* became")).wait_for()
    expect(page.locator("table.terms tbody tr")).to_have_count(4)
    assert page.locator("dl.sum dt").all_inner_texts() == [
        "Rating before",
        "Sum of the games",
        "Exact result",
        "Rounded",
    ]


@pytest.fixture
def site(fesa, rate_all):
    """A little of everything; gives the addresses of every kind of page."""
    RatingList.objects.update(options={"corrections": "revised"})  # where certificates need no announcement
    a, b, c = (make_player(*name) for name in (("<script>x</script>", "A"), ("Müller", "Jürgen"), ("山本", "太一")))
    give_rating(fesa, a, 1799, grade="1 Kyu")
    give_rating(fesa, b, 1500, grade="3 Kyu")
    club = Club.objects.create(name="Shogi Lyon", country="FR")
    Membership.objects.create(player=a, club=club)
    games = [(1, 1, 2, 1.0), (1, 3, None, 1.0), (2, 1, 3, 0.5), (2, 2, None, 0.0)]
    table = make_table(fesa, [a, b, c], games, "2024-05-04", event_name="Cup")
    rate_all()
    explanations = [f"/lists/fesa/tables/{table.pk}/{player.public_id}/" for player in (a, c)]
    pages = [a, c, table.event, club]
    certificates = certificate_codes(Standing.objects.get(list=fesa, player=a), with_state(a.awards.all())).values()
    assert len(certificates) == 1
    return ["/", "/lists/fesa/?active=all", "/lists/fesa/promotions/", "/events/", "/clubs/", "/nothing/",
            *(page.get_absolute_url() for page in pages), *explanations, *other_systems(a, b, c),
            *(f"/certificates/{code}/" for code in certificates),
            "/lists/fesa/grades/", "/lists/bgf/grades/", "/lists/fesa/promotions/?grade=1+Dan",
            f"/players/{a.public_id}/calculator/?game-0-rating=&game-0-score=1&rows=2",
            f"/players/{a.public_id}/calculator/?game-0-rating=1850&game-0-score=1"]  # fmt: skip


def other_systems(*players):
    """Lists of the other systems with their rules, an explanation each, and a comparison."""
    addresses = []
    for system in ("icu-1989", "rif-1995", "rif-1997", "bgf"):
        made = make_list(system, system=system)
        for player, rating in zip(players, (400, 350, 310), strict=True):
            save_adjustment(Adjustment(list=made, player=player, date="2024-01-01", set={"rating": rating}, reason="r"))
        extra = {"stones": 2, "black": "b"} if system == "bgf" else {}
        games = [(1, 1, 2, 1.0, extra), (1, 3, None, 1.0), (2, 1, 3, 0.5), (2, 2, None, 0.0)]
        table = make_table(made, list(players), games, "2024-05-04", event_name=system)
        rerate(made.pk)
        addresses += [f"/lists/{system}/?active=all", f"/lists/{system}/rules/"]
        addresses += [f"{player.get_absolute_url()}?list={system}" for player in players[:1]]
        addresses.append(f"/lists/{system}/tables/{table.pk}/{players[0].public_id}/")
    first = RatingList(slug="first", name="First", federation=get_or_create_federation("F"), system="fesa-2000")
    first.comparison_to = RatingList.objects.get(slug="fesa")
    save_list(first)
    rerate(first.pk)
    return [*addresses, "/lists/first/?active=all", "/lists/first/comparison/", "/lists/fesa/rules/"]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1200), ("dark", 390)])
def test_every_page_is_accessible_and_fits_its_width(page, site, scheme, width):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    for address in site:
        if address != "/nothing/":  # its 404 is reported to the console
            page.goto(address)
            violations = Axe().run(page).response["violations"]
            assert [(found["id"], found["nodes"][0]["html"]) for found in violations] == [], address
            assert page.evaluate("document.documentElement.scrollWidth") <= width, address


def test_pages_are_complete_without_javascript(browser, live_server, site):
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(site[6])
    page.get_by_text("Show as table").click()
    expect(page.locator("details table tbody tr")).to_have_count(2)
    page.goto("/lists/fesa/?active=all")
    page.locator("#id_q").fill("muller")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("table.listing tbody tr")).to_have_count(1)
    assert "q=muller" in page.url
    context.close()
