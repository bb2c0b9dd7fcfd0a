"""Marks of chosen sections, chips, suggestions, ranges and tabs where the system replaces the colours of a page."""

import pytest

from ratings.domain.runs.rerating import rerate
from tests.factories import make_list, make_player, make_table

pytestmark = pytest.mark.browser
SHAPE = """element => {
  const style = getComputedStyle(element), behind = getComputedStyle(document.body).backgroundColor;
  return [style.backgroundColor.replace(/^rgba.*, 0\\)$/, behind), style.borderBottom, style.borderLeft, style.outline].join();
}"""
"""What forced colours leave of a mark: shadows are gone, and a transparent background looks like that of the page."""


@pytest.fixture
def forced_page(browser, live_server, transactional_db):
    context = browser.new_context(
        base_url=live_server.url, viewport={"width": 1200, "height": 900}, forced_colors="active"
    )
    page = context.new_page()
    page.set_default_timeout(15_000)
    yield page
    context.close()


def shapes(page, chosen, others):
    """Return the shapes of what is chosen, and of the others that are seen beside it."""
    return [{one.evaluate(SHAPE) for one in page.locator(f"{css} >> visible=true").all()} for css in (chosen, others)]


def test_selected_items_are_visible_in_forced_colours(forced_page):
    page, fesa = forced_page, make_list("fesa", name="FESA list")
    players = [make_player("Müller", "Ann"), make_player("Müller", "Bob")]
    for day in ("2021-01-06", "2024-01-06"):
        make_table(fesa, players, [(1, 1, 2, 1.0), (2, 1, 2, 1.0)], day)
    rerate(fesa.pk)
    found = {}
    page.goto("/lists/fesa/?active=all")
    found["section"] = shapes(page, ".head-2 [aria-current]", ".head-2 a:not([aria-current])")
    found["lens"] = shapes(page, ".chip[aria-current]", "a.chip:not([aria-current], .plain)")
    found["filter"] = shapes(page, ".chip.on", "summary.chip:not(.on)")
    page.get_by_role("combobox", name="Find a player, club or event").fill("muller")
    page.get_by_role("option").first.wait_for()
    page.keyboard.press("ArrowDown")
    found["suggestion"] = shapes(page, "[role=option][aria-selected=true]", "[role=option]:not([aria-selected=true])")
    page.goto(players[0].get_absolute_url())
    found["range"] = shapes(page, ".ranges [aria-current]", ".ranges a:not([aria-current])")
    found["tab"] = shapes(page, "nav.tabs [aria-current]", "nav.tabs a:not([aria-current])")
    assert {name for name, (chosen, others) in found.items() if (len(chosen), len(others)) != (1, 1)} == set()
    assert {name for name, (chosen, others) in found.items() if chosen & others} == set()
