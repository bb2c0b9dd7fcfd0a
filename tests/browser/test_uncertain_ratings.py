"""A player whose rating has a deviation: both bands of the graph, the periods, and phones."""

import pytest
from playwright.sync_api import expect

from ratings.domain.runs.rerating import rerate
from tests.factories import make_list, make_player, make_table

pytestmark = pytest.mark.browser


@pytest.fixture
def player(transactional_db):
    """A player of a list rated by months, who plays in January and April."""
    months = make_list("months", name="Monthly list", system="glicko-2", options={"period": "month"})
    player, others = make_player("Hinterhuber-Zauchensee", "Maximiliane"), [make_player("Bel"), make_player("Cem")]
    for day, name in (("2026-01-10", "International Winter Championship of the Alps"), ("2026-04-11", "Spring Cup")):
        make_table(months, [player, *others], [(1, 1, 2, 1.0), (2, 1, 3, 0.5), (3, 2, 3, 0.5)], day, event_name=name)
    rerate(months.pk)
    return player


def read_heights(page, css):
    """The heights of a shape's first and last corner on the screen, in pixels."""
    corners = "[shape.points[0], shape.points[shape.points.length - 1]]"
    script = f"(shape) => {corners}.map((at) => at.matrixTransform(shape.getScreenCTM()).y)"
    return page.locator(f"#graph svg.broad .{css}").evaluate(script)


def test_outer_band_is_twice_as_wide_as_the_inner_one(page, player):
    page.goto(player.get_absolute_url())
    rating = read_heights(page, "g-line")[0]
    inner, outer = ([height - rating for height in read_heights(page, css)] for css in ("g-sure", "g-sure2"))
    assert inner[0] < -20 < 20 < inner[1]  # 350 points above and below the first rating
    assert outer == pytest.approx([2 * height for height in inner], abs=0.3)
    assert page.locator("#graph svg.broad .g-sure2").evaluate("(shape) => getComputedStyle(shape).opacity") == "0.1"
    expect(page.locator("#graph svg.broad .g-pt.idle")).to_have_count(2)
    swatches = page.locator(".graph-legend > span")
    expect(swatches).to_have_text(
        ["One deviation to both sides: 2 chances in 3", "Two deviations: 95 in 100", "no games", "Highest rating"]
    )


def test_tooltip_names_the_deviation_and_zooming_keeps_the_bands(page, player):
    page.goto(player.get_absolute_url())
    page.locator("#graph").focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#graph-note")).to_contain_text("no games, 31 Mar 2026 · deviation ±")
    page.keyboard.press("+")
    page.wait_for_url("**range=2*")
    expect(page.locator("#graph svg.broad .g-sure2")).to_have_count(1)


@pytest.mark.parametrize("width", [1280, 390, 320])
@pytest.mark.parametrize("address", ["", "events"])
def test_pages_do_not_scroll_sideways(page, player, address, width):
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"/players/{player.public_id}/{address}/" if address else player.get_absolute_url())
    assert page.evaluate("document.documentElement.scrollWidth") == width
    expect(page.get_by_role("cell", name="February 2026 – March 2026 no games")).to_be_visible()
