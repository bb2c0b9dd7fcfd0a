"""The crosstable under pointer, keyboard and finger."""

import pytest
from playwright.sync_api import expect

from portal.events import crosstable_games
from tests.factories import make_list, make_player, make_table

pytestmark = pytest.mark.browser


@pytest.fixture
def cup(transactional_db, rate_all):
    """Ada meets two others, Dora meets Cora only; they finish in the order Cora, Ada, Dora, <script>."""
    players = [make_player(name) for name in ("Ada", "<script>x</script>", "Cora", "Dora")]
    games = [(1, 1, 2, 1.0), (1, 3, 4, 0.5), (2, 1, 3, 0.0)]
    table = make_table(make_list(), players, games, "2024-05-04", event_name="Cup")
    rate_all()
    return f"/events/{table.event.public_id}/crosstable/"


def marked(page):
    """Return the marked rows with their classes, and the marked cells of games."""
    rows = page.locator("table.crosstable tbody tr")
    cells = page.locator("table.crosstable td.meeting")
    return [row.get_attribute("class") or "" for row in rows.all()], cells.all_inner_texts()


ADA = (["opponent", "chosen", "", "opponent"], ["2+", "2−"])
DORA = (["opponent", "", "chosen", ""], ["3="])
NOTHING = (["", "", "", ""], [])


def test_opponents_are_marked_on_hover_and_on_focus(page, cup):
    page.goto(cup)
    assert marked(page) == NOTHING
    rows = page.locator("table.crosstable tbody tr")
    rows.nth(1).locator("td").first.hover()
    assert marked(page) == ADA
    assert rows.nth(1).locator('a[href="#r4"]').get_attribute("title") == "<script>x</script>"
    rows.nth(2).locator("td").first.hover()
    assert marked(page) == DORA
    page.locator("h1").hover()
    assert marked(page) == NOTHING
    rows.nth(1).get_by_role("link", name="Ada").focus()
    assert marked(page) == ADA
    for _ in range(4):  # her two games, her ±, the next player
        page.keyboard.press("Tab")
    assert marked(page) == DORA
    page.locator("main details summary").focus()
    assert marked(page) == NOTHING


def test_tap_marks_until_the_next_one(browser, live_server, cup):
    context = browser.new_context(
        base_url=live_server.url, viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.goto(cup)
    rows = page.locator("table.crosstable tbody tr")
    rows.nth(1).locator("td").first.tap()
    assert marked(page) == ADA
    rows.nth(2).locator("td").first.tap()
    assert marked(page) == DORA
    rows.nth(2).locator("td").first.tap()
    assert marked(page) == NOTHING
    context.close()


def test_number_and_name_stay_while_the_rounds_pass(page, cup):
    page.set_viewport_size({"width": 320, "height": 800})
    page.goto(cup)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    cells = [page.locator("table.crosstable tbody tr").first.locator(kind).first for kind in ("td", "th")]
    before = [cell.bounding_box()["x"] for cell in cells]
    page.locator(".scroll").first.evaluate("element => element.scrollBy(200, 0)")
    assert page.locator(".scroll").first.evaluate("element => element.scrollLeft") > 100
    assert [cell.bounding_box()["x"] for cell in cells] == before


@pytest.mark.parametrize(
    ("max_rows", "games"),
    [(4, ["won against <script>x</script>, 4+", "lost to Cora, 1−"]), (3, ["4+ won", "1− lost"])],
)
def test_screen_readers_get_games_in_words(page, cup, monkeypatch, max_rows, games):
    monkeypatch.setattr(crosstable_games, "MAX_ROWS_WITH_NAMES", max_rows)
    page.goto(cup)
    table = page.get_by_role("table", name="Cup")
    row = table.get_by_role("row").filter(has=page.get_by_role("rowheader", name="Ada", exact=True))
    for game in games:
        cell = row.get_by_role("cell", name=game, exact=True)
        expect(cell.get_by_role("link", name=game, exact=True)).to_be_visible()
    expect(table.get_by_role("columnheader", name="Round 2", exact=True)).to_have_text("2")
