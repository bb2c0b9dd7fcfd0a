"""Every kind of public page of the demo federation in a browser: for everybody, on every screen, on paper, by keyboard."""

import gzip

import pytest
from axe_playwright_python.sync_playwright import Axe

from ratings.access import OFFICERS
from ratings.models import RatingList
from tests.factories import make_list
from tests.portal.results.way import person

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("demo")]  # one process builds the demo

PAPER = 718  # pixels between the margins of A4, 10 mm each, at 96 a inch
FOCUSABLE = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']"
UNSEEN = f"""() => [...document.querySelectorAll("{FOCUSABLE}")].filter((element) => {{
  if (element.closest("[aria-hidden=true]") || !element.checkVisibility() || element.disabled) return false;
  element.focus({{focusVisible: true}});
  const style = getComputedStyle(element);
  return document.activeElement !== element || element.tabIndex !== 0 || style.outlineStyle === "none";
}}).map((element) => element.outerHTML.slice(0, 120))"""
"""What the keyboard does not reach, or what does not show that it has."""
CUT = f"() => [...document.querySelectorAll('table')].filter((table) => table.getBoundingClientRect().right > {PAPER}).length"
SIDEWAYS = """() => [...document.querySelectorAll("body *")].filter((box) =>
  ["auto", "scroll"].includes(getComputedStyle(box).overflowX) && box.checkVisibility()
  && box.scrollWidth > box.clientWidth + 1 && !box.matches(".tabs, .bar")
  && !box.querySelector(".crosstable, .terms")
).map((box) => box.outerHTML.slice(0, 120))"""
"""Boxes that scroll sideways, but for those of a crosstable and of the arithmetic, and the rows of tabs and chips."""
OPEN_ALL = "document.querySelectorAll('main details').forEach((one) => { one.open = true; })"
KILOBYTES = {"document": 60, "script": 40, "stylesheet": 30}
"""What the page itself, its scripts and its stylesheets may have, each kind together."""
OF_LATIN_FONTS = "–—‘’“”„…→←↑↓−⁄·•\u2009\u202f\u00a0日本語"
"""Letters beyond Latin-1 in the fonts for Latin, and the name of a language, in the reader's own fonts."""
CONTENT = """() => [...document.querySelectorAll('main :is(h1, h2, h3, tr, dd, li)')]
  .filter((element) => element.checkVisibility())
  .map((element) => element.textContent.replace(/\\s+/g, ' ').trim())"""


@pytest.fixture
def site(page, demo_site):
    page.set_default_timeout(60_000)  # axe looks at everything of long pages
    return demo_site


def violations(page):
    found = Axe().run(page).response["violations"]
    return [(one["id"], one["nodes"][0]["html"][:200]) for one in found]


def test_links_of_lists_have_room_for_a_finger(page, site):
    page.set_viewport_size({"width": 390, "height": 844})
    small = {}
    for rating_list in RatingList.objects.filter(public=True):
        page.goto(rating_list.get_absolute_url())
        found = Axe().run(page, options={"runOnly": ["target-size"]}).response["violations"]
        small |= {rating_list.slug: [node["html"][:200] for one in found for node in one["nodes"]]}
    assert len(small) > 5
    assert {slug: links for slug, links in small.items() if links} == {}


def test_pages_are_accessible_in_light_and_dark(page, site):
    wrong = []
    for name, address in site.items():
        page.goto(address)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # no colour is measured on its way
            wrong += [(name, scheme, *one) for one in violations(page)]
    assert wrong == []


def test_pages_fit_narrow_screens_and_paper(page, site):
    wide, sideways, cut = [], [], []
    for name, address in site.items():
        page.set_viewport_size({"width": 320, "height": 640})
        page.goto(address)
        for width in (320, 390):
            page.set_viewport_size({"width": width, "height": 640})
            if page.evaluate("document.documentElement.scrollWidth") > width:
                wide.append((name, width))
            page.evaluate(OPEN_ALL)
            sideways += [(name, width, box) for box in page.evaluate(SIDEWAYS)]
        page.emulate_media(media="print")
        page.set_viewport_size({"width": PAPER, "height": 1000})
        shown = page.locator(".head, .foot, form").evaluate_all(
            "all => all.filter((one) => one.checkVisibility()).length"
        )
        if shown or page.evaluate(CUT):
            cut.append(name)
        page.emulate_media(media="screen")
    assert (wide, sideways, cut) == ([], [], [])


def load_without_cache(browser, base_url, address):
    """Load a page with empty caches; return its letters, and (kind, file, compressed size) of it and of its files."""
    context = browser.new_context(base_url=base_url)
    page, loaded = context.new_page(), []
    page.on("response", lambda answer: loaded.append(answer))  # noqa: PLW0108 - Playwright wants a function of its own
    page.goto(address)
    page.evaluate("document.fonts.ready")
    letters = set(page.locator("body").inner_text()) | set(page.title())
    files = [
        (answer.request.resource_type, answer.url.rpartition("/")[2], len(gzip.compress(answer.body())))
        for answer in loaded
    ]
    context.close()
    return letters, files


def test_pages_and_their_files_are_light(site, browser, live_server):
    """Sizes are those after compression; a page loads only the fonts whose letters it contains."""
    heavy, fonts = [], []
    for name, address in site.items():
        letters, files = load_without_cache(browser, live_server.url, address)
        for kind, kilobytes in KILOBYTES.items():
            size = sum(size for file_kind, _, size in files if file_kind == kind)
            heavy += [(name, kind, size)] if size > kilobytes * 1024 else []
        if all(letter <= "\u00ff" or letter in OF_LATIN_FONTS for letter in letters):
            fonts += [(name, file) for kind, file, _ in files if kind == "font" and "-latin-wght" not in file]
    assert (heavy, fonts) == ([], [])


def test_pages_are_complete_by_keyboard_and_without_javascript(page, site, browser, live_server):
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    plain = context.new_page()
    unseen, lacking = [], []
    for name, address in site.items():
        page.goto(address)
        plain.goto(address)
        without = [name] if not plain.locator("main h1").first.is_visible() else []
        lacking += without + [(name, text) for text in set(page.evaluate(CONTENT)) - set(plain.evaluate(CONTENT))]
        unseen += [(name, element) for element in page.evaluate(UNSEEN)]
    context.close()
    assert (unseen, lacking) == ([], [])


def test_graph_can_be_read_on_a_phone_without_javascript(browser, live_server, site):
    context = browser.new_context(
        base_url=live_server.url, java_script_enabled=False, viewport={"width": 320, "height": 800}
    )
    page = context.new_page()
    page.goto(site["player"])
    assert page.locator("#graph svg.narrow").bounding_box()["width"] == 288
    assert page.locator("#graph svg.broad").is_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    context.close()


def test_first_key_leads_past_the_header(page, live_server, transactional_db):
    page.goto("/privacy/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.locator("a.skip").bounding_box()["x"] >= 0
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.querySelector('main').contains(document.activeElement)")


def test_phone_reaches_all_sections_by_more_without_javascript(browser, live_server, transactional_db):
    make_list()
    context = browser.new_context(
        base_url=live_server.url, java_script_enabled=False, viewport={"width": 320, "height": 640}, locale="fr"
    )
    page = context.new_page()
    page.goto("/clubs/")
    row = page.locator(".head-2 nav > ul")
    assert row.locator("> li:visible").evaluate_all("all => new Set(all.map((one) => one.offsetTop)).size") == 1
    page.get_by_text("Plus", exact=True).click()
    shown = page.locator(".head-2 a:visible").all_inner_texts()
    assert shown == ["Classements", "Joueurs", "Tournois", "Promotions", "Clubs", "Statistiques", "Règles"]
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    context.close()


@pytest.mark.parametrize("width", [390, 320])
def test_phone_shows_two_sections_of_working_pages_and_the_rest_under_more(
    browser, live_server, transactional_db, width
):
    make_list()
    person("officer", OFFICERS)
    context = browser.new_context(
        base_url=live_server.url, java_script_enabled=False, viewport={"width": width, "height": 844}, locale="de"
    )
    page = context.new_page()
    page.goto("/accounts/login/?next=/organise/desk/")
    page.locator("[name=login]").fill("officer")
    page.locator("[name=password]").fill("secret")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.goto("/organise/desk/")
    row = page.locator(".head-2 nav > ul")
    assert row.locator("> li:visible").evaluate_all("all => new Set(all.map((one) => one.offsetTop)).size") == 1
    assert row.locator("> li:visible").count() == 3
    page.get_by_text("Mehr", exact=True).click()
    assert page.locator(".head-2 a:visible").count() == 9
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.locator("details.account summary").click()
    assert page.locator("details.account .menu :is(a, button):visible").count() == 4
    assert page.evaluate("document.documentElement.scrollWidth") == width
    context.close()


def test_chosen_theme_stays_without_javascript(browser, live_server, transactional_db):
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False, color_scheme="light")
    page = context.new_page()
    page.goto("/privacy/?from=here")
    assert context.cookies() == []
    page.get_by_role("button", name="Dark").click()
    assert page.url == f"{live_server.url}/privacy/?from=here"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(16, 21, 31)"
    assert [(cookie["name"], cookie["value"]) for cookie in context.cookies()] == [("theme", "dark")]
    page.get_by_role("button", name="Colours of the system").click()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert context.cookies() == []
    context.close()
