"""The ways people take through the public site, with a mouse, by the keyboard alone and without JavaScript."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from ratings.domain.runs.rerating import rerate
from ratings.models import Change, Correction, Player
from tests.factories import make_table

pytestmark = pytest.mark.browser


@pytest.fixture
def plain(browser, live_server, fesa):
    """A browser without JavaScript."""
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    yield context.new_page()
    context.close()


def expect_title(page, text):
    expect(page.locator("main h1").first).to_have_text(text)


def expect_names(page, names):
    """On the rating list, where a comma divides family name and given name."""
    expect(page.locator("table.listing td.name")).to_have_text(names)


def expect_arithmetic(page):
    """The opponent's line of the explanation, with the figures of the rules."""
    expect_title(page, "Why 1900 became 1912")
    assert page.locator("table.terms tbody tr").first.locator("th, td").all_inner_texts()[:7] == ARITHMETIC


ARITHMETIC = ["Bauer, Max", "1888", "1", "1900.00", "0.5173", "24", "+11.59"]
"""Adler beat Bauer, both of 1900: by the rules of FESA (K 24 from 1560; opponents as they are after the table, 1888 and
1912) he expects 1 / (1 + 10^(-12/400)) = 0.5173 and wins 24 × 0.4827 = 11.59, rounded 12. His draw with Čapek (1706 after
it) then costs 24 × (0.7662 - 0.5) = 6.39: 1906."""


def test_player_is_compared_with_their_rival(page, fesa):
    page.goto("/search/?q=adler")
    page.get_by_role("link", name="Adler, Zoë").click()
    page.get_by_role("link", name="Head to head").click()
    page.get_by_label("Opponent").fill("bauer")
    page.locator("main").get_by_role("button", name="Show").click()
    page.get_by_role("heading", name="Adler, Zoë against Bauer, Max").wait_for()
    assert page.locator(".duel .score").inner_text() == "1 – 0"
    expect(page.locator("#graph svg.broad polyline.g-line")).to_have_count(2)
    page.wait_for_load_state()  # its script listens now
    page.locator("#graph").focus()
    page.keyboard.press("End")
    assert page.locator("#graph .g-tip text").first.text_content() == "1 Apr 2026"
    page.get_by_role("link", name="Compare with more players").click()
    page.wait_for_url("**/compare/**")
    expect(page.locator("#graph svg.broad polyline.g-line")).to_have_count(2)
    assert page.locator("ul.curves li").all_inner_texts() == ["Adler, Zoë", "Bauer, Max"]
    page.get_by_text("Show as table").click()
    expect(page.locator("#graph-points tbody tr").first).to_have_text(re.compile(r"^1 Apr 2026\s*Adler, Zoë\s*1906"))
    page.get_by_text("Ratings at the end of each year").click()
    assert page.locator(".yearly").get_by_role("row", name="2026").locator("td.wide").all_inner_texts() == [
        "1906",
        "1888",
    ]
    page.get_by_label("Add a player").fill("capek")
    page.get_by_role("button", name="Add").click()
    page.wait_for_url("**add=capek")
    assert page.locator("th.who a").all_inner_texts() == ["Adler, Zoë", "Bauer, Max", "Čapek, Jan"]


def test_event_leads_to_its_crosstable_and_a_games_explanation(page, fesa):
    page.goto("/")
    page.get_by_role("link", name="Spring Cup").click()
    assert page.locator("table.crosstable tbody tr").first.locator("th a").inner_text() == "Adler, Zoë"
    row = page.locator("table.stack tbody tr").first
    assert row.locator("td.name").inner_text().strip() == "Adler, Zoë"
    row.get_by_role("link", name="+12").click()
    expect_arithmetic(page)


def focus_on(page, name, within="body"):
    """Press the tab key until an element with this text, inside of what the selector finds, has the focus."""
    _press_tab(
        page, name, "within => document.activeElement.closest(within) && document.activeElement.textContent", within
    )


def focus_on_field(page, label):
    """Press the tab key until the field with this label has the focus."""
    _press_tab(page, label, "() => document.activeElement.labels?.[0]?.textContent")


def _press_tab(page, wanted, find_text, argument=None):
    for _ in range(80):
        page.keyboard.press("Tab")
        if (page.evaluate(find_text, argument) or "").strip() == wanted:
            return
    raise AssertionError(f"no way to {wanted}")


def test_own_page_is_reached_from_front_page_in_two_steps_by_keyboard(page, fesa):
    opened = []
    page.on("framenavigated", lambda frame: opened.append(urlsplit(frame.url).path))
    page.goto("/")
    focus_on_field(page, "Find a player, club or event")
    page.keyboard.type("zoe adl")  # the first step
    expect(page.get_by_role("option")).to_have_text([re.compile("^Adler, Zoë player · Austria")])
    assert page.get_by_role("option").locator("b").all_inner_texts() == ["Adler"]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")  # the second step
    page.wait_for_url(f"**{Player.objects.get(family_name='Adler').get_absolute_url()}")
    expect_title(page, "Adler, Zoë")
    facts = page.locator("header.player").inner_text()
    assert "1 of 3" in facts
    assert "1 Apr 2026" in facts
    assert opened == ["/", urlsplit(page.url).path]  # nothing between the front page and one's own


def test_filtered_list_is_shared_by_its_address_by_the_keyboard_alone(page, fesa, browser, live_server):
    page.goto("/lists/fesa/")
    expect_names(page, ["Adler, Zoë", "Bauer, Max", "Čapek, Jan"])
    focus_on(page, "Country")
    page.keyboard.press("Enter")
    focus_on_field(page, "Country")
    page.keyboard.type("Ger")
    focus_on(page, "Show", within="details[open]")
    page.keyboard.press("Enter")
    page.wait_for_url("**country=DE**")
    expect_names(page, ["Bauer, Max"])
    another = browser.new_context(base_url=live_server.url).new_page()
    another.goto(page.url)
    rows = [shown.locator("table.listing tbody tr").all_text_contents() for shown in (page, another)]
    expect(another.locator("summary.chip.on")).to_have_text("Country: Germany (DE)")
    another.context.close()
    assert len(rows[0]) == 1
    assert rows[0] == rows[1]


def test_list_player_event_and_explanation_are_read_by_the_keyboard_alone(page, fesa):
    page.goto("/")
    focus_on(page, "Ratings")
    page.keyboard.press("Enter")
    page.wait_for_url("**/lists/fesa/")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # past the header
    focus_on(page, "Adler, Zoë")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Adler, Zoë").wait_for()
    focus_on(page, "Spring Cup")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Spring Cup").wait_for()
    focus_on(page, "+12")
    page.keyboard.press("Enter")
    expect_arithmetic(page)


def test_why_a_rating_changed_and_which_game_mattered_is_read_by_the_keyboard_alone(page, fesa):
    adler, bauer, capek = Player.objects.order_by("pk")
    games = [(1, 1, 2, 0.0), (2, 1, 3, 1.0)]
    table = make_table(fesa, [bauer, capek, adler], games, "2026-05-01", event_name="May Cup")
    rerate(fesa.pk)
    change = Change.objects.get(table=table, player=bauer)
    page.goto(bauer.get_absolute_url())
    focus_on(page, f"Why {change.change:+.0f}?".replace("-", "−"))
    page.keyboard.press("Enter")
    expect_title(page, f"Why {change.before:.0f} became {change.after:.0f}")
    expect(page.locator(".message.honour")).to_contain_text(
        re.compile(
            "^The loss to Čapek, Jan cost .* points, more than any other game changed. The win against Adler, Zoë"
        )
    )
    focus_on(page, "May Cup")
    page.keyboard.press("Enter")
    expect_title(page, "May Cup")


def test_correction_leads_to_the_event_that_caused_it_by_the_keyboard_alone(page, fesa):
    adler, bauer, capek = Player.objects.order_by("pk")
    wins = [(round_, 1, 2, 1.0) for round_ in range(1, 9)]
    make_table(fesa, [adler, bauer], wins, "2026-03-15", event_name="Late Cup")
    rerate(fesa.pk)
    correction = Correction.objects.get(player=capek)
    page.goto(capek.get_absolute_url())
    focus_on(page, f"{correction.change:+.0f}".replace("-", "−"))
    page.keyboard.press("Enter")
    expect_title(page, f"Why {correction.before:.0f} became {correction.after:.0f}")
    expect(page.locator(".say")).to_contain_text("The correction reached Čapek, Jan through Adler, Zoë.")
    assert page.locator("table.path tbody td.who").all_inner_texts()[-1] == "Rating on the list"
    focus_on(page, "Late Cup")
    page.keyboard.press("Enter")
    expect_title(page, "Late Cup")


def test_player_is_compared_with_a_rival_in_two_steps_by_the_keyboard_alone(page, fesa):
    adler, bauer, _ = Player.objects.order_by("pk")
    page.goto(adler.get_absolute_url())
    focus_on(page, "Head to head")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/players/{adler.public_id}/versus/?list=fesa")
    focus_on_field(page, "Opponent")
    page.keyboard.type("bau")
    page.get_by_role("option").first.wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/players/{adler.public_id}/versus/{bauer.public_id}/?list=fesa")
    expect_title(page, "Adler, Zoë against Bauer, Max")


def test_rival_of_former_games_is_chosen_by_the_keyboard_alone(page, fesa):
    adler, bauer, _ = Player.objects.order_by("pk")
    page.goto(adler.get_absolute_url())
    focus_on(page, "Head to head")
    page.keyboard.press("Enter")
    page.wait_for_url("**/versus/?list=fesa")
    focus_on(page, "Bauer, Max")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/versus/{bauer.public_id}/?list=fesa")
    expect_title(page, "Adler, Zoë against Bauer, Max")


def test_results_crosstable_and_explanation_are_navigable_by_keyboard(page, fesa):
    page.goto("/events/")
    focus_on(page, "Spring Cup")
    page.keyboard.press("Enter")
    expect_title(page, "Spring Cup")
    results = page.url
    focus_on(page, "Crosstable")
    page.keyboard.press("Enter")
    page.wait_for_url("**/crosstable/")
    crosstable = page.url
    focus_on(page, "+12", within="table.crosstable")
    page.keyboard.press("Enter")
    expect_arithmetic(page)
    for address in (crosstable, results):
        page.go_back()  # as Alt and the left arrow do, which a browser without a window does not read
        page.wait_for_url(address)
        expect_title(page, "Spring Cup")
    focus_on(page, "Crosstable")
    page.keyboard.press("Enter")
    page.wait_for_url(crosstable)
    focus_on(page, "+12", within="table.crosstable")
    page.keyboard.press("Enter")
    expect_arithmetic(page)
    focus_on(page, "Spring Cup")  # the crumb leads back to the results
    page.keyboard.press("Enter")
    page.wait_for_url(f"{results}?list=fesa")


def test_all_of_it_works_without_javascript(plain):
    plain.goto("/")
    plain.get_by_label("Find a player, club or event").fill("zoe adl")
    plain.get_by_role("button", name="Search").click()
    plain.get_by_role("link", name="Adler, Zoë").click()
    expect_title(plain, "Adler, Zoë")
    graph = plain.locator("#graph svg.broad")
    expect(graph).to_be_visible()
    expect(graph).to_have_attribute("aria-label", re.compile("^Rating of Adler, Zoë: "))
    plain.get_by_role("link", name="1 year").click()
    expect(plain.get_by_role("link", name="1 year")).to_have_attribute("aria-current", "true")
    plain.get_by_role("link", name="Head to head").click()
    plain.get_by_label("Opponent").fill("max bauer")
    plain.locator("main").get_by_role("button", name="Show").click()
    expect_title(plain, "Adler, Zoë against Bauer, Max")
    plain.get_by_role("link", name="Spring Cup").click()
    plain.locator("table.stack").get_by_role("link", name="+12").click()
    expect_arithmetic(plain)
    plain.goto("/lists/fesa/")
    plain.locator("summary", has_text="Country").click()
    plain.get_by_label("Country").select_option("CZ")
    plain.locator("details[open]").get_by_role("button", name="Show").click()
    expect_names(plain, ["Čapek, Jan"])
