"""Keyboard focus: it is visible, and it moves to new content."""

import pytest
from playwright.sync_api import expect

from ratings.domain.runs.rerating import rerate
from tests.factories import give_rating, make_list, make_player, make_table

pytestmark = pytest.mark.browser

COVERED = """() => {
  const focused = document.activeElement;
  if (!focused.closest("table")) return "";
  const seen = ({ left, right, top, bottom }) =>
    [left + 2, (left + right) / 2, right - 2].some((x) => focused.contains(document.elementFromPoint(x, (top + bottom) / 2)));
  return [...focused.getClientRects()].some(seen) ? "" : focused.outerHTML;
}"""
WIDE = "Maximiliane-Konstantine Hohenlohe-Langenburg-Schillingsfürst"


@pytest.fixture
def fesa(transactional_db):
    """Five players, of whom each met each other twice; one has a long name."""
    fesa = make_list("fesa", name="FESA list")
    names = [("Adler", "Zoë"), ("Bauer", "Max"), ("Čapek", "Jan"), ("Dupont", "Éva"), tuple(WIDE.split()[::-1])]
    players = [make_player(*name, country="AT") for name in names]
    for player in players:
        give_rating(fesa, player, 1500, "2023-01-01")
    meetings = [(a, b) for a in range(1, 6) for b in range(a + 1, 6)] * 2
    games = [(number, a, b, 1.0) for number, (a, b) in enumerate(meetings, 1)]
    make_table(fesa, players, games, "2026-03-01", event_name="Spring Cup")
    make_table(fesa, players, games[:10], "2026-04-01", event_name="April Cup")
    rerate(fesa.pk)
    return fesa


def narrow(page, width):
    page.set_viewport_size({"width": width, "height": 800})


def covered_backwards(page):
    """Return the elements that are covered while focused, from the end of the page to its start."""
    page.locator("footer a").first.focus()
    found = []
    for _ in range(200):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("!document.querySelector('main').contains(document.activeElement)"):
            return found
        found.append(page.evaluate(COVERED))
    raise AssertionError("no way out of the page")


@pytest.mark.parametrize("width", [390, 320])
def test_focus_is_never_beneath_columns_that_stay(page, fesa, width):
    narrow(page, width)
    player = fesa.standings.first().player
    event = player.entries.first().table.event
    for address in (event.get_absolute_url(), fesa.get_absolute_url(), player.get_absolute_url()):
        page.goto(address)
        met = covered_backwards(page)
        assert len(met) > 5
        assert set(met) == {""}


def test_only_scrolling_regions_are_keyboard_stops(page, fesa):
    page.goto("/")
    place = page.locator(".scroll").first
    expect(place).not_to_have_attribute("tabindex", "0")
    page.goto(fesa.get_absolute_url())
    expect(place).not_to_have_attribute("tabindex", "0")
    narrow(page, 320)
    expect(place).not_to_have_attribute("tabindex", "0")  # rows of a list fit a phone
    page.goto(fesa.standings.first().player.entries.first().table.event.get_absolute_url())
    expect(place).to_have_attribute("tabindex", "0")
    expect(place).to_have_class("scroll more")
    place.evaluate("element => element.scrollTo(9999, 0)")
    expect(place).to_have_class("scroll")


def test_curves_are_named_with_their_dashes_and_fit_narrow_screens(page, fesa):
    narrow(page, 320)
    comparison = make_list("other", name="Another list with a name of some length")
    for standing in fesa.standings.all():
        give_rating(comparison, standing.player, 1600, "2023-01-01")
    rerate(comparison.pk)
    ids = "&".join(f"player={one.player.public_id}" for one in fesa.standings.order_by("-player")[:2])
    page.goto(f"/compare/?list=fesa&list=other&{ids}")
    page.locator("#graph canvas").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    assert page.locator(".u-legend").count() == 0
    dashes = page.locator("ul.curves svg").evaluate_all(
        "all => all.map((one) => getComputedStyle(one).strokeDasharray)"
    )
    assert len(set(dashes)) == len(dashes) > 1


def test_answer_of_the_calculators_has_the_focus(page, fesa):
    def focused():
        return page.evaluate("document.activeElement.id")

    page.goto("/lists/fesa/calculator/")
    page.locator("#id_games").fill("1650+")
    page.get_by_role("button", name="Calculate").click()
    page.wait_for_url("**#result")
    assert focused() == "result"
    page.goto(f"/players/{fesa.standings.first().player.public_id}/calculator/")
    page.get_by_role("button", name="Calculate").first.click()
    page.wait_for_url("**#result")
    assert focused() == "result"
    page.get_by_role("button", name="Another game").click()
    page.wait_for_url("**#id_game-1-rating")
    assert focused() == "id_game-1-rating"
    page.goto("/lists/fesa/calculator/tournament/")
    page.locator("textarea").fill("number,last name,first name,country,r1\n1,Adler,Ina,DE,2+\n2,Brand,Leo,AT,1-")
    page.get_by_role("button", name="Calculate").click()
    page.wait_for_url("**#result")
    assert focused() == "result"


def test_graph_follows_the_colours_of_the_system(page, fesa):
    page.goto(fesa.standings.first().player.get_absolute_url())
    canvas = page.locator("#graph canvas")
    canvas.wait_for()
    page.emulate_media(color_scheme="light")
    light = canvas.evaluate("element => element.toDataURL()")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("light => document.querySelector('#graph canvas').toDataURL() !== light", arg=light)


def test_long_words_of_other_languages_fit(page, fesa):
    page.context.set_extra_http_headers({"Accept-Language": "de"})
    page.goto("/")
    assert page.locator(".head").bounding_box()["height"] < 110
    narrow(page, 390)
    assert page.locator(".scroll").evaluate_all("all => all.every((one) => one.scrollWidth <= one.clientWidth)")


def test_paper_shows_whole_graphs_and_which_page_it_is_of(page, fesa, monkeypatch):
    page.goto(fesa.standings.first().player.get_absolute_url())
    canvas = page.locator("#graph canvas")
    canvas.wait_for()
    page.emulate_media(media="print")
    page.locator("#graph").evaluate(
        "element => { element.style.width = '700px'; }"
    )  # no resize is told of a submission
    assert canvas.bounding_box()["width"] == 700
    page.emulate_media(media="screen")
    monkeypatch.setattr("portal.lists.views.lists.PER_PAGE", 3)
    page.goto(fesa.get_absolute_url())
    page.emulate_media(media="print")
    assert page.locator("nav.pages").inner_text() == "Page 1 of 2"


def test_invalid_choice_is_marked_and_folded_fields_have_a_button(page, fesa):
    page.goto(fesa.get_absolute_url() + "?country=XX&games=1")
    wrong = page.get_by_label("Country")
    assert wrong.get_attribute("aria-invalid") == "true"
    assert wrong.evaluate("element => getComputedStyle(element).borderTopWidth") == "2px"
    page.locator("main").get_by_role("button", name="Show").nth(1).click()
    page.wait_for_url("**games=1**")


def test_hint_of_the_mail_address_is_found(page, fesa):
    page.goto(f"/report/players/{fesa.standings.first().player.public_id}/")
    described = page.locator("#id_mail").get_attribute("aria-describedby")
    assert page.locator(f"#{described}").inner_text()


def test_crosstable_says_how_to_read_it(page, fesa):
    page.goto(fesa.standings.first().player.entries.first().table.event.get_absolute_url())
    page.get_by_text("What the columns and results say").click()
    guide = page.locator("dl.column-guide")
    expect(guide).to_be_visible()
    expect(guide).to_contain_text("3+")
    assert "stones" not in guide.inner_text()


def test_graph_shows_every_step_of_a_day(page, fesa, rate_all):
    player, day = fesa.standings.first().player, "2030-02-01"
    give_rating(fesa, player, 1700, day)
    give_rating(fesa, player, 1800, day)
    rate_all()
    page.goto(f"{player.get_absolute_url()}?range=1")
    page.locator("#graph canvas").wait_for()
    width = page.locator("#graph .u-over").bounding_box()["width"]
    notes = set()
    for x in range(0, int(width), 2):
        page.locator("#graph .u-over").hover(position={"x": x, "y": 50})
        notes.add(page.locator("#graph-note").inner_text())
    assert {rating for rating in (1700, 1800) if any(f"{day}: {rating} " in one for one in notes)} == {1700, 1800}
