"""Positions on a phone: players and graphs are visible at once below every notice, in long languages too."""

import datetime as dt

import pytest
from playwright.sync_api import expect

from ratings.domain.lists.publishing import publish
from ratings.domain.runs.rerating import rerate
from ratings.models import DatedList, Player, RatingList
from tests.factories import give_rating, make_list, make_player, make_table, rate_every_list

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [390, 320])
def test_first_player_of_a_list_is_within_240_pixels_of_a_phone(page, fesa, width):
    page.set_viewport_size({"width": width, "height": 844})
    page.goto("/lists/fesa/")
    assert page.locator("table.listing tbody tr").first.bounding_box()["y"] < 240
    assert page.evaluate("document.documentElement.scrollWidth") == width
    expect(page.get_by_role("row")).to_have_count(4)  # the roles stay although rows are grids, and the heads are hidden
    expect(page.get_by_role("row").nth(1).get_by_role("cell")).to_have_count(5)
    page.locator("summary", has_text="Country").click()
    page.get_by_label("Country").select_option("DE")
    page.locator("details[open]").get_by_role("button", name="Show").click()
    expect(page.locator("table.listing td.name")).to_have_text(["Bauer, Max"])


@pytest.mark.parametrize("width", [390, 320])
def test_graph_of_a_player_is_within_460_pixels_of_a_phone(page, fesa, width):
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(fesa.standings.order_by("-rating").first().player.get_absolute_url())
    assert page.locator("#graph").bounding_box()["y"] < 460
    assert page.evaluate("document.documentElement.scrollWidth") == width


LONG_NAME = ("Wolfeschlegelsteinhausen-Bergerdorff", "Maximiliana")
LONG_TITLE = "International Federation of Amateur Shogi Associations, Rapid and Blitz"


@pytest.fixture
def long_names(fesa):
    """A list with a long title, and on it the highest player with a long name and a native name."""
    RatingList.objects.filter(pk=fesa.pk).update(name=LONG_TITLE)
    family, given = LONG_NAME
    player = make_player(family, given, country="DE", native_name="山本 太一")
    give_rating(fesa, player, 2100, "2023-01-01", grade="3 Dan")
    make_table(
        fesa, [player, Player.objects.get(family_name="Adler")], [(1, 1, 2, 1.0)], "2026-05-01", event_name="May"
    )
    rerate(fesa.pk)
    return player


@pytest.mark.parametrize("width", [390, 320])
def test_long_titles_and_names_keep_the_first_player_and_the_graph_in_view(page, fesa, long_names, width):
    page.set_viewport_size({"width": width, "height": 844})
    page.goto("/lists/fesa/")
    expect(page.locator("h1")).to_contain_text(LONG_TITLE)
    first = page.locator("table.listing tbody tr").first
    expect(first.locator("td.who a")).to_have_text(", ".join(LONG_NAME))
    list_is_at, list_is_wide = first.bounding_box()["y"], page.evaluate("document.documentElement.scrollWidth")
    page.goto(long_names.get_absolute_url())
    graph_is_at, player_is_wide = (
        page.locator("#graph").bounding_box()["y"],
        page.evaluate("document.documentElement.scrollWidth"),
    )
    assert (list_is_wide, player_is_wide) == (width, width)
    assert list_is_at < 240, list_is_at
    assert graph_is_at < 460, graph_is_at


@pytest.fixture
def phone(browser, live_server, fesa):
    """Return a function that opens an address on a phone of a width, in a language."""
    contexts = []

    def open_page(address, width, language):
        contexts.append(
            browser.new_context(
                base_url=live_server.url, locale=language, viewport={"width": width, "height": 844}, is_mobile=True
            )
        )
        opened = contexts[-1].new_page()
        opened.goto(address)
        assert opened.locator("html").get_attribute("lang") == language
        return opened

    yield open_page
    for context in contexts:
        context.close()


def open_current_list(_fesa):
    return "/lists/fesa/"


def compare(fesa):
    make_list(
        "first", name="FESA list, first edition", system="fesa-2000", comparison_to=fesa, federation=fesa.federation
    )
    RatingList.objects.update(out_of_date_from=dt.date(2023, 1, 1))
    rate_every_list()
    return "/lists/first/"


def go_out_of_date(fesa):
    RatingList.objects.filter(pk=fesa.pk).update(out_of_date_from=dt.date(2026, 3, 1))
    return "/lists/fesa/"


def open_past_list(_fesa):
    return "/lists/fesa/?on=2026-03-15"


def publish_list(fesa):
    publish(DatedList.objects.create(list=fesa, day=dt.date(2026, 3, 31)))
    return "/lists/fesa/dated/2026-03-31/"


def continue_list(fesa):
    RatingList.objects.filter(pk=fesa.pk).update(
        successor=make_list("next", name="FESA list of 2027", begins_on=dt.date(2027, 1, 1), federation=fesa.federation)
    )
    return "/lists/fesa/"


def filter_list(_fesa):
    return "/lists/fesa/?country=AT"


@pytest.mark.parametrize(("width", "language"), [(390, "en"), (390, "fr"), (320, "de"), (320, "ja")])
@pytest.mark.parametrize(
    "prepare", [open_current_list, compare, go_out_of_date, open_past_list, publish_list, continue_list, filter_list]
)
def test_first_player_is_visible_below_every_notice(phone, fesa, prepare, width, language):
    page = phone(prepare(fesa), width, language)
    has_notice = prepare not in (open_current_list, filter_list)
    expect(page.locator("main .message")).to_have_count(int(has_notice))
    first = page.locator("table.listing tbody tr").first.bounding_box()["y"]
    assert (first < 240, page.evaluate("document.documentElement.scrollWidth")) == (True, width), first


def open_current_player(_fesa, adler):
    return adler.get_absolute_url()


def become_anonymous(_fesa, adler):
    Player.objects.filter(pk=adler.pk).update(shown=Player.Shown.ANONYMOUS)
    return adler.get_absolute_url()


def become_inactive(fesa, _adler):
    old = [make_player("Olsen", "Ove", country="DK"), make_player("Palm", "Per", country="SE")]
    for day in ("2011-05-01", "2012-05-01"):
        make_table(fesa, old, [(1, 1, 2, 1.0)], day, event_name=f"Open Championship of {day[:4]}")
    rerate(fesa.pk)
    return old[0].get_absolute_url()


def open_past_player(_fesa, adler):
    return f"{adler.get_absolute_url()}?on=2026-04-02"


def open_comparison_player(fesa, adler):
    compare(fesa)
    return f"{adler.get_absolute_url()}?list=first"


def open_uncertain_player(_fesa, adler):
    months = make_list("months", name="Monthly list", system="glicko-2", options={"period": "month"})
    for day, name in (("2026-01-10", "Winter Cup"), ("2026-04-11", "Spring Cup of the Monthly List")):
        make_table(months, [adler, *make_opponents()], [(1, 1, 2, 1.0), (2, 1, 3, 0.5)], day, event_name=name)
    rerate(months.pk)
    return f"{adler.get_absolute_url()}?list=months"


def make_opponents():
    return list(Player.objects.exclude(family_name="Adler").order_by("family_name"))


@pytest.mark.parametrize(("width", "language"), [(390, "en"), (390, "fr"), (320, "de"), (320, "ja")])
@pytest.mark.parametrize(
    "prepare",
    [
        open_current_player,
        become_anonymous,
        become_inactive,
        open_past_player,
        open_comparison_player,
        open_uncertain_player,
    ],
)
def test_graph_is_visible_below_every_notice(phone, fesa, prepare, width, language):
    page = phone(prepare(fesa, Player.objects.get(family_name="Adler")), width, language)
    has_notice = prepare in (become_anonymous, become_inactive, open_past_player)
    expect(page.locator("main .message.slim")).to_have_count(int(has_notice))
    graph = page.locator("#graph").bounding_box()["y"]
    assert (graph < 460, page.evaluate("document.documentElement.scrollWidth")) == (True, width), graph
