"""Keyboard focus: it is visible, and it moves to new content."""

import datetime as dt
import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from ratings.domain.lists.publishing import publish
from ratings.domain.runs.rerating import rerate
from ratings.models import DatedList
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
    page.goto(fesa.get_absolute_url())
    place = page.locator(".scroll").first
    expect(place).not_to_have_attribute("tabindex", "0")
    narrow(page, 320)
    expect(place).not_to_have_attribute("tabindex", "0")  # rows of a list fit a phone
    event = fesa.standings.first().player.entries.first().table.event
    page.goto(f"/events/{event.public_id}/crosstable/")
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
    assert page.evaluate("document.documentElement.scrollWidth") == 320
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
    page.get_by_role("button", name="Add a game").click()
    page.wait_for_url("**#id_game-1-rating")
    assert focused() == "id_game-1-rating"
    page.goto("/lists/fesa/calculator/tournament/")
    page.locator("textarea").fill("number,last name,first name,country,r1\n1,Adler,Ina,DE,2+\n2,Brand,Leo,AT,1-")
    page.get_by_role("button", name="Calculate").click()
    page.wait_for_url("**#result")
    assert focused() == "result"


def test_graph_follows_the_colours_of_the_system(page, fesa):
    page.goto(fesa.standings.first().player.get_absolute_url())
    line = page.locator("#graph svg.broad .g-line")
    colours = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        colours.append(line.evaluate("element => getComputedStyle(element).stroke"))
    assert len(set(colours)) == 2


def test_long_words_of_other_languages_fit(page, fesa):
    page.context.set_extra_http_headers({"Accept-Language": "de"})
    page.goto("/")
    assert page.locator(".head").bounding_box()["height"] < 110
    narrow(page, 390)
    assert page.locator(".scroll").evaluate_all("all => all.every((one) => one.scrollWidth <= one.clientWidth)")


def test_printed_pages_have_whole_graphs_and_page_numbers(page, fesa, monkeypatch):
    page.goto(fesa.standings.first().player.get_absolute_url())
    narrow(page, 390)
    page.emulate_media(media="print")
    assert [page.locator(f"#graph svg.{form}").is_visible() for form in ("broad", "narrow")] == [True, False]
    page.emulate_media(media="screen")
    monkeypatch.setattr("portal.lists.views.lists.PER_PAGE", 3)
    page.goto(fesa.get_absolute_url())
    page.emulate_media(media="print")
    assert page.locator("nav.pages").inner_text() == "Page 1 of 2"


def test_printed_list_has_its_federation_and_day_without_controls(page, fesa):
    published = DatedList(list=fesa, day=timezone.localdate() - dt.timedelta(days=30))
    publish(published)
    today, past = (f"{timezone.localdate() - dt.timedelta(days=days):%-d %b %Y}" for days in (0, 30))
    for address, head, title in [
        (f"{fesa.get_absolute_url()}?rows=all", f"{fesa.federation.name}, {today}", fesa.label),
        (f"{fesa.get_absolute_url()}?rows=all&on={published.day}", fesa.federation.name, f"{fesa.label} as of {past}"),
        (f"{published.get_absolute_url()}?rows=all", fesa.federation.name, f"{fesa.label}, {past}"),
    ]:
        page.goto(address)
        assert not page.locator(".only-print").is_visible()
        page.emulate_media(media="print")
        assert (page.locator(".only-print").inner_text(), page.locator("h1").inner_text()) == (head, title)
        controls = page.locator(":is(a, button, input, select, summary):not(table *):visible")
        assert controls.all_inner_texts() == []
        page.emulate_media(media="screen")


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
    page.get_by_text("About the columns").click()
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
    graph = page.locator("#graph")
    graph.focus()
    notes = set()
    page.keyboard.press("Home")
    for _ in range(4):
        notes.add(page.locator("#graph-note").text_content())
        page.keyboard.press("ArrowRight")
    assert {rating for rating in (1700, 1800) if any(one.startswith(f"{rating} ") for one in notes)} == {1700, 1800}


def test_graph_of_a_single_day_names_the_day_and_follows_the_pointer(page, fesa, rate_all):
    player = make_player("Erstmann", "Eva", country="AT")
    for rating in (1700, 1760):
        give_rating(fesa, player, rating, "2026-05-01")
    rate_all()
    for width, form in ((1200, "broad"), (390, "narrow")):
        narrow(page, width)
        page.goto(player.get_absolute_url())
        graph = page.locator(f"#graph svg.{form}")
        expect(graph.locator("text", has_text="1 May 2026")).to_have_count(1)
        box, points = graph.bounding_box(), graph.locator(".g-pt")
        expect(points).to_have_count(2)
        for number, rating in enumerate(("1700", "1760")):
            at = points.nth(number).bounding_box()
            page.mouse.move(at["x"], box["y"] + box["height"] / 2)
            assert page.locator("#graph-note").text_content().startswith(f"{rating} ")


def test_graph_is_read_zoomed_and_left_by_the_keyboard(page, fesa):
    player = fesa.standings.order_by("-games").first().player
    page.goto(player.get_absolute_url())
    graph, note = page.locator("#graph"), page.locator("#graph-note")
    graph.focus()
    page.keyboard.press("End")
    last = note.text_content()
    expect(page.locator("#graph .g-tip")).to_have_count(1)
    page.keyboard.press("ArrowLeft")
    assert note.text_content() != last
    page.keyboard.press("Escape")
    expect(page.locator("#graph .g-tip")).to_have_count(0)
    page.keyboard.press("End")
    page.keyboard.press("+")
    page.wait_for_url("**range=2*")
    expect(graph).to_be_focused()
    page.keyboard.press("Escape")
    page.wait_for_url("**range=all")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name=re.compile("^Why .* became|^How ")).wait_for()


def test_table_of_a_graph_shows_the_points_of_its_span_and_stays_open(page, fesa):
    player = fesa.standings.order_by("-games").first().player
    page.goto(f"{player.get_absolute_url()}?page=1")
    rows = page.locator("#graph-points tbody tr")
    expect(page.locator("#graph-points details")).to_have_attribute("open", "")
    expect(rows).to_have_count(3)
    page.locator("#graph").focus()
    page.keyboard.press("End")
    page.keyboard.press("+")
    page.wait_for_url("**range=2*")
    assert "page=" not in page.url
    expect(rows).to_have_count(2)
    expect(rows.first).to_be_visible()
    page.get_by_text("Show as table").click()
    page.locator("#graph").focus()
    page.keyboard.press("-")
    page.wait_for_url("**range=all")
    expect(rows).to_have_count(3)
    expect(rows.first).to_be_hidden()


@pytest.mark.parametrize(
    ("language", "months", "day"),
    [
        ("de", ["Feb. 2026", "März 2026", "April 2026"], "01.04.2026"),
        ("fr", ["fév. 2026", "mars 2026", "avr. 2026"], "1 avr. 2026"),
        ("ja", ["2026年2月", "2026年3月", "2026年4月"], "2026年4月1日"),
    ],
)
def test_zoomed_graph_has_months_and_days_of_the_language(page, fesa, language, months, day):
    page.set_extra_http_headers({"Accept-Language": language})
    page.goto(fesa.standings.order_by("-games").first().player.get_absolute_url())
    graph, labels = page.locator("#graph"), page.locator("#graph svg.broad .g-text[text-anchor=middle]")
    graph.focus()
    for shorter in ("**range=2025-0*", "**range=2026-0*"):
        page.keyboard.press("End")
        page.keyboard.press("+")
        page.wait_for_url(shorter)
    assert set(months) <= set(labels.all_text_contents())
    page.keyboard.press("End")
    assert day in page.locator("#graph-note").text_content()


def test_graph_is_zoomed_by_dragging_and_its_tooltip_pinned_by_a_tap(page, fesa):
    page.goto(fesa.standings.order_by("-games").first().player.get_absolute_url())
    box = page.locator("#graph svg.broad").bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.click(box["x"] + box["width"] * 0.85, middle)
    link = page.locator("#graph .g-tip a")
    assert link.get_attribute("href").startswith("/lists/fesa/tables/")
    page.mouse.move(box["x"] + box["width"] * 0.1, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.5, middle)
    page.mouse.move(box["x"] + box["width"] * 0.95, middle)
    page.mouse.up()
    page.wait_for_url("**range=2*..2*")
    expect(page.locator("#graph svg.broad .g-line")).to_have_count(1)
