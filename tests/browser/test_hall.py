"""In the hall on a phone: the network is cut and restored, two helpers tap, pages are reloaded; nothing is lost or doubled."""

import datetime as dt
import re
from zoneinfo import ZoneInfo

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import expect

from ratings.domain.results.hall.links import make_link, revoke_link, sign_link
from ratings.domain.results.hall.pairing import save_typed_pairings
from ratings.domain.results.hall.recording import Device
from ratings.models import HallBoard, HallLink, HallResult
from tests.domain.results.hall.halls import summarise
from tests.domain.results.hall.halls import tap as enter
from tests.portal.results.way import make_hall_of_organiser

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 390, "height": 800}


@pytest.fixture
def hall(transactional_db):
    return make_hall_of_organiser()


@pytest.fixture
def phone(browser, live_server, hall):
    """Return a function that opens a phone of a helper who joins by a link, and waits until it works offline."""
    contexts, errors = [], []

    def open_phone(name):
        context = browser.new_context(base_url=live_server.url, viewport=PHONE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: "Content Security Policy" in message.text and errors.append(message.text))
        page.goto(f"/hall/join/{sign_link(make_link(hall, name))}/")
        page.get_by_role("button", name="Start").click()
        expect(page.locator("#hall[data-stored]")).to_be_attached()
        return page

    yield open_phone
    for context in contexts:
        context.close()
    assert errors == []


def tap(page, name):
    page.get_by_role("button", name=name, exact=True).first.click()


def sign_in(page):
    page.goto("/accounts/login/")
    page.locator("[name=login]").fill("paul")
    page.locator("[name=password]").fill("secret")
    page.locator("[name=password]").press("Enter")
    page.wait_for_url(lambda address: "/accounts/" not in address)


def expect_state(page, board, text):
    expect(page.locator(".boards > li").nth(board - 1).locator(".end")).to_contain_text(text)


def results():
    return list(HallResult.objects.order_by("pk").values_list("board__number", "code", "name"))


def test_tap_is_sent_and_shown_on_the_other_phone(hall, phone):
    tim, eva = phone("Tim"), phone("Eva")
    tap(tim, "Adler won")
    expect_state(tim, 1, "sent")
    assert results() == [(1, "first", "Tim")]
    eva.reload()
    expect_state(eva, 1, "sent by Tim")
    expect(eva.get_by_role("button", name="Adler won")).to_have_attribute("aria-pressed", "true")
    tap(tim, "Adler won")
    expect(tim.get_by_role("button", name="Adler won")).to_have_attribute("aria-pressed", "false")
    expect(tim.locator(".rounds [aria-current] small")).to_have_text("0 of 2")
    expect(tim.locator(".boards > li").first.locator(".end")).to_have_text("")
    assert summarise(hall, 1) == (None, [])


def test_results_without_a_connection_survive_a_reload_and_are_sent_once(hall, phone):
    page = phone("Tim")
    page.context.set_offline(True)
    tap(page, "Adler won")
    page.locator(".boards > li").nth(1).get_by_role("button", name="Draw").click()
    expect(page.locator("#connection")).to_contain_text("2 results are safe on this phone and will be sent.")
    expect_state(page, 1, "on this phone")
    page.reload()
    expect(page.get_by_role("button", name="Adler won")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#connection")).to_contain_text("No connection since")
    expect(page.locator("#connection")).to_contain_text("2 results are safe on this phone and will be sent.")
    assert results() == []
    page.context.set_offline(False)
    expect_state(page, 1, "sent")
    expect_state(page, 2, "sent")
    expect(page.locator("#connection")).to_be_hidden()
    assert results() == [(1, "first", "Tim"), (2, "draw", "Tim")]
    page.reload()
    expect_state(page, 1, "sent")
    assert len(results()) == 2


def test_answer_that_is_lost_does_not_store_the_result_twice(hall, phone):
    page = phone("Tim")
    lost = []

    def lose(route):
        if lost:
            return route.continue_()
        lost.append(route.fetch().status)
        return route.abort()

    page.route("**/results/", lose)
    tap(page, "Brand won")
    expect(page.locator("#connection")).to_contain_text("1 result is safe on this phone and will be sent.")
    expect_state(page, 1, "sent")
    assert (lost, results()) == ([200], [(1, "second", "Tim")])


def test_server_that_does_not_answer_gets_the_result_later(hall, phone):
    page = phone("Tim")
    refused = []

    def refuse(route):
        if refused:
            return route.continue_()
        refused.append(503)
        return route.fulfill(status=503, body="away")

    page.route("**/results/", refuse)
    tap(page, "Adler won")
    expect(page.locator("#connection")).to_contain_text("The server does not answer. 1 result is safe on this phone")
    expect_state(page, 1, "sent")
    assert (refused, results()) == ([503], [(1, "first", "Tim")])


def test_browser_that_stores_nothing_sends_the_form(hall, phone):
    page = phone("Tim")
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('full'); }; }")
    tap(page, "Adler won")
    expect_state(page, 1, "sent")
    assert results() == [(1, "first", "Tim")]


def test_two_phones_that_disagree_without_a_connection_ask_who_won(hall, phone):
    tim, eva = phone("Tim"), phone("Eva")
    for page in (tim, eva):
        page.context.set_offline(True)
    tap(tim, "Lind won")
    tap(eva, "Maes won")
    tim.context.set_offline(False)
    expect_state(tim, 2, "sent")
    eva.context.set_offline(False)
    expect_state(eva, 2, "two different results")
    expect(eva.locator(".decide")).to_contain_text("Tim entered Lind won. You entered Maes won. Who won?")
    expect(eva.locator(".boards [aria-pressed=true]")).to_have_count(0)
    tim.reload()
    expect_state(tim, 2, "two different results")
    tim.locator(".decide").get_by_role("button", name="Lind").click()
    expect_state(tim, 2, "sent")
    eva.reload()
    expect(eva.get_by_role("button", name="Lind won")).to_have_attribute("aria-pressed", "true")
    assert summarise(hall, 2)[0] == "first"
    assert len(results()) == 3


def test_ended_link_leaves_the_results_on_the_phone_until_a_new_link(hall, phone, live_server):
    page = phone("Tim")
    page.context.set_offline(True)
    tap(page, "Adler won")
    revoke_link(HallLink.objects.get())
    page.context.set_offline(False)
    expect(page.locator("#connection")).to_contain_text(
        "This link has ended, or you are signed out. 1 result stays on this phone."
    )
    page.reload()
    expect(page.get_by_role("heading", name="This link has ended")).to_be_visible()
    expect(page.locator("#refused")).to_contain_text("Round 1, board 1: Adler won")
    assert results() == []
    page.goto(f"/hall/join/{sign_link(make_link(hall, 'again'))}/")
    page.get_by_role("button", name="Start").click()
    expect_state(page, 1, "sent")
    assert results() == [(1, "first", "Tim")]


def test_nothing_but_the_hall_is_kept_for_times_without_a_connection(hall, phone):
    page = phone("Tim")
    page.goto("/privacy/")
    page.goto(f"/hall/{hall.event.public_id}/")
    names = page.evaluate("""async () => (await Promise.all((await caches.keys()).map(async (name) =>
        (await (await caches.open(name)).keys()).map((request) => new URL(request.url).pathname)))).flat()""")
    others = [name for name in names if not name.startswith(("/static/", f"/hall/{hall.event.public_id}/"))]
    assert others == []
    assert any(name.endswith("hall.js") for name in names)
    page.wait_for_load_state("networkidle")  # no request is left that would meet an emptied database
    page.context.set_offline(True)
    with pytest.raises(Exception, match="ERR_INTERNET_DISCONNECTED"):
        page.goto("/privacy/")


def test_names_and_buttons_fit_a_phone(hall, phone):
    page = phone("Tim")
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") == width
        for name in ("Adler won", "Brand won"):
            box = page.get_by_role("button", name=name).bounding_box()
            assert box["height"] >= 64
            assert 0 <= box["x"] <= box["x"] + box["width"] <= width


def test_pages_of_the_hall_are_accessible(hall, page):
    link = make_link(hall, "Tim")
    tapped = [Device("tim", "Tim"), Device("eva", "Eva")]
    for device, code in zip(tapped, ("first", "second"), strict=True):
        enter(hall, device, 1, code)
    page.set_viewport_size(PHONE)
    sign_in(page)
    for address in (f"/hall/{hall.event.public_id}/", f"/hall/join/{sign_link(link)}/",
                    f"/organise/events/{hall.event.public_id}/hall/links/",
                    f"/organise/events/{hall.event.public_id}/hall/links/{link.key}/",
                    f"/organise/events/{hall.event.public_id}/hall/",
                    f"/organise/events/{hall.event.public_id}/hall/pairings/2/"):  # fmt: skip
        page.goto(address)
        report = Axe().run(page)
        assert report.violations_count == 0, f"{address}: {report.generate_report()}"


def test_organiser_invites_a_helper_until_a_time_of_their_own_zone(hall, browser, live_server, settings):
    settings.TIME_ZONE = "UTC"
    context = browser.new_context(base_url=live_server.url, viewport=PHONE, timezone_id="Asia/Tokyo")
    page = context.new_page()
    sign_in(page)
    page.goto(f"/hall/{hall.event.public_id}/")
    expect(page.get_by_label("Day and time")).to_be_hidden()
    page.get_by_label("At another time").check()
    expect(page.locator("[data-zone-name]")).to_have_text("Asia/Tokyo")
    day = timezone.now().date() + dt.timedelta(days=2)
    page.get_by_label("Day and time").fill(f"{day}T08:30")
    page.get_by_role("button", name="Invite a helper").click()
    expect(page.get_by_role("img", name="QR code of the address for helpers")).to_be_visible()
    expect(page.locator(".hall-poster time")).to_have_text(f"{day} 08:30")
    link = HallLink.objects.get()
    assert link.expires_at == dt.datetime.combine(day, dt.time(8, 30), tzinfo=ZoneInfo("Asia/Tokyo"))
    address = page.locator(".address-words").inner_text()
    assert address == f"{live_server.url}/hall/join/{sign_link(link)}/"
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Revoke")).to_be_hidden()
    context.close()


def test_desk_with_helpers_says_nothing_of_the_connection(hall, page):
    make_link(hall, "Tim")
    sign_in(page)
    page.goto("/organise/")
    expect(page.locator("time[data-local]")).to_have_text(re.compile(r"^([-\d]{10} )?\d\d:\d\d$"))  # the script has run
    expect(page.locator("#connection")).to_be_hidden()


def test_waiting_result_is_sent_from_a_round_without_pairings(hall, phone):
    tim = phone("Tim")
    tim.route("**/results/", lambda route: route.abort())
    tap(tim, "Adler won")
    expect_state(tim, 1, "on this phone")
    tim.goto(f"/hall/{hall.event.public_id}/?round=3")
    expect(tim.locator("#connection")).to_be_visible()
    tim.unroute("**/results/")
    expect(tim.locator("#connection")).to_be_hidden()
    assert results() == [(1, "first", "Tim")]


@pytest.fixture
def organiser_phone(browser, live_server, hall):
    """The phone of the organiser in the hall, which works without a connection."""
    context = browser.new_context(base_url=live_server.url, viewport=PHONE)
    page, errors = context.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: "Content Security Policy" in message.text and errors.append(message.text))
    sign_in(page)
    page.goto(f"/hall/{hall.event.public_id}/")
    expect(page.locator("#hall[data-stored]")).to_be_attached()
    yield page
    expect(
        page.locator("#hall[data-stored]")
    ).to_be_attached()  # no request is left that would meet an emptied database
    context.close()
    assert errors == []


def pairings(round_):
    boards = HallBoard.objects.filter(round=round_).order_by("number")
    return list(boards.values_list("number", "first", "second"))


def test_pairings_typed_without_a_connection_survive_a_reload_and_are_sent_once(hall, organiser_phone):
    page = organiser_phone
    page.context.set_offline(True)
    tap(page, "Adler won")
    tap(page, "Lind won")
    page.get_by_role("link", name=re.compile("2.*no pairings yet")).click()
    page.get_by_label("Pairings").fill("Adler – Lind\nBrand – Maes")
    page.reload()
    expect(page.get_by_label("Pairings")).to_have_value("Adler – Lind\nBrand – Maes")
    page.get_by_role("button", name="Save the pairings").click()
    expect(page.locator("[data-pairs-state]")).to_have_text("on this phone")
    page.reload()
    expect(page.get_by_label("Pairings")).to_have_value("Adler – Lind\nBrand – Maes")
    expect(page.locator("#connection")).to_contain_text(
        "2 results are safe on this phone and will be sent. The pairings of round 2 are safe on this phone and will be sent."
    )
    assert (results(), pairings(2)) == ([], [])
    page.context.set_offline(False)
    expect(page.get_by_role("button", name="Brand won")).to_be_visible()
    expect(page.locator("#connection")).to_be_hidden()
    expect(page.get_by_label("Pairings")).to_have_count(0)
    assert pairings(2) == [(1, 1, 3), (2, 2, 4)]
    assert [(number, code) for number, code, _name in results()] == [(1, "first"), (2, "first")]
    page.reload()
    tap(page, "Brand won")
    expect_state(page, 2, "sent")
    assert pairings(2) == [(1, 1, 3), (2, 2, 4)]
    assert page.evaluate("Object.keys(localStorage).filter((key) => localStorage[key] !== '[]')") == []


def test_answer_to_pairings_that_is_lost_does_not_store_them_twice(hall, organiser_phone):
    page, lost = organiser_phone, []

    def lose(route):
        if lost or route.request.method != "POST":
            return route.continue_()
        lost.append(route.fetch().status)
        return route.abort()

    page.route("**/pairings/2/", lose)
    page.goto(f"/hall/{hall.event.public_id}/?round=2")
    page.get_by_label("Pairings").fill("Adler – Lind\nBrand – Claes, Nina")
    page.get_by_role("button", name="Save the pairings").click()
    expect(page.locator("#connection")).to_contain_text("The pairings of round 2 are safe on this phone")
    expect(page.get_by_role("button", name="Claes won")).to_be_visible()
    assert (lost, pairings(2)) == ([200], [(1, 1, 3), (2, 2, 5)])
    hall.refresh_from_db()
    assert len(hall.people) == 5


def test_conflicting_pairings_are_stored_until_resolved(hall, organiser_phone):
    page = organiser_phone
    page.goto(f"/hall/{hall.event.public_id}/?round=2")
    page.context.set_offline(True)
    page.get_by_label("Pairings").fill("Adler – Maes")
    page.get_by_role("button", name="Save the pairings").click()
    expect(page.locator("[data-pairs-state]")).to_have_text("on this phone")
    save_typed_pairings(hall, 2, "Adler – Lind\nBrand – Maes")
    page.context.set_offline(False)
    expect(page.locator("#refused")).to_contain_text(
        "Pairings of round 2: Adler – Maes – Round 2 already has different pairings"
    )
    assert pairings(2) == [(1, 1, 3), (2, 2, 4)]
    page.reload()
    expect(page.get_by_role("button", name="Brand won")).to_be_visible()
    expect(page.locator("#refused")).to_contain_text("Adler – Maes")
    page.get_by_role("button", name="Remove from this phone").click()
    expect(page.locator("#refused")).to_be_hidden()


def test_pairings_with_an_unknown_name_are_corrected_and_sent(hall, organiser_phone):
    page = organiser_phone
    page.goto(f"/hall/{hall.event.public_id}/?round=2")
    page.get_by_label("Pairings").fill("Adler – Smet")
    page.get_by_role("button", name="Save the pairings").click()
    expect(page.locator("#refused")).to_contain_text("“Smet” is not among the players.")
    expect(page.get_by_label("Pairings")).to_have_value("Adler – Smet")
    page.get_by_label("Pairings").fill("Adler – Maes")
    page.get_by_role("button", name="Save the pairings").click()
    expect(page.get_by_label("Pairings")).to_have_count(0)
    expect(page.get_by_role("button", name="Maes won")).to_be_visible()
    expect(page.locator("#refused")).to_be_hidden()
    assert pairings(2) == [(1, 1, 4)]


def test_results_of_waiting_pairings_survive_a_reload_and_are_sent_once(hall, organiser_phone):
    page = organiser_phone
    page.goto(f"/hall/{hall.event.public_id}/?round=2")
    page.context.set_offline(True)
    page.get_by_label("Pairings").fill("Lind – Adler\n2-4 /b\nClaes, Nina – bye")
    page.get_by_role("button", name="Save the pairings").click()
    groups = page.locator(".boards [role=group]").evaluate_all("all => all.map((one) => one.ariaLabel)")
    assert groups == ["Board 1: Lind against Adler", "Board 2: Brand against Maes", "Board 3: Claes, Nina, bye"]
    tap(page, "Lind won")
    tap(page, "Draw")
    tap(page, "Lind won")
    tap(page, "Adler won")
    page.locator(".boards > li").nth(1).get_by_role("button", name="Draw").click()
    page.get_by_role("button", name="No point").click()
    for _time in range(2):
        expect_state(page, 1, "on this phone")
        pressed = page.locator(".boards [aria-pressed=true]").evaluate_all("all => all.map((one) => one.ariaLabel)")
        assert pressed == ["Adler won", "Draw", "No point"]
        expect(page.locator(".rounds [aria-current] small")).to_have_text("3 of 3")
        expect(page.locator("#connection")).to_contain_text(
            "6 results are safe on this phone and will be sent. The pairings of round 2 are safe on this phone"
        )
        expect(page.locator(".hall-foot")).to_contain_text("on this phone")
        page.reload()
    report = Axe().run(page)
    assert report.violations_count == 0, report.generate_report()
    page.goto(f"/hall/{hall.event.public_id}/?round=3")
    expect(page.locator("#connection")).to_be_visible()
    assert (results(), pairings(2)) == ([], [])
    page.context.set_offline(False)
    expect(page.locator("#connection")).to_be_hidden()
    assert pairings(2) == [(1, 3, 1), (2, 2, 4), (3, 5, None)]
    assert [(number, code) for number, code, _name in results()] == [
        (1, "first"), (1, "draw"), (1, "first"), (1, "second"), (2, "draw"), (3, "second")
    ]  # fmt: skip
    page.context.set_offline(True)
    page.goto(f"/hall/{hall.event.public_id}/?round=2")
    expect(page.get_by_role("group", name="Board 1: Lind against Adler")).to_be_visible()
    page.context.set_offline(False)
    page.reload()
    expect(page.get_by_role("button", name="Adler won")).to_have_attribute("aria-pressed", "true")
    assert len(results()) == 6
    assert page.evaluate("Object.keys(localStorage).filter((key) => localStorage[key] !== '[]')") == []


def test_results_of_waiting_pairings_go_to_the_boards_of_somebody_else(hall, organiser_phone):
    page = organiser_phone
    page.goto(f"/hall/{hall.event.public_id}/?round=2")
    page.context.set_offline(True)
    page.get_by_label("Pairings").fill("Adler – Lind\nBrand – bye")
    page.get_by_role("button", name="Save the pairings").click()
    tap(page, "Adler won")
    page.get_by_role("button", name="No point").click()
    save_typed_pairings(hall, 2, "Brand – Maes\nLind – Adler")
    enter(hall, Device("eva", "Eva"), 2, "first", round_=2)
    page.context.set_offline(False)
    expect_state(page, 2, "two different results")
    expect(page.locator(".decide")).to_contain_text("Eva entered Lind won. You entered Adler won. Who won?")
    expect(page.locator(".boards [role=group]")).to_have_count(2)
    expect(page.locator("#refused li")).to_have_count(2)
    expect(page.locator("#refused")).to_contain_text("Round 2 already has different pairings")
    expect(page.locator("#refused")).to_contain_text(
        "Round 2, board 2: no point – This board no longer exists: the pairings were changed."
    )
    assert (pairings(2), results()) == (
        [(1, 2, 4), (2, 3, 1)], [(2, "first", "Eva"), (2, "second", "paul")]
    )  # fmt: skip


def test_results_of_refused_pairings_wait_for_the_corrected_ones(hall, organiser_phone):
    page = organiser_phone
    page.goto(f"/hall/{hall.event.public_id}/?round=2")
    page.context.set_offline(True)
    page.get_by_label("Pairings").fill("Adler – Lind\nBrand – Smet")
    page.get_by_role("button", name="Save the pairings").click()
    tap(page, "Adler won")
    tap(page, "Smet won")
    page.context.set_offline(False)
    expect(page.locator("#refused")).to_contain_text("“Smet” is not among the players.")
    expect(page.get_by_role("button", name="Adler won")).to_have_attribute("aria-pressed", "true")
    page.get_by_label("Pairings").fill("Adler – Lind\nBrand – Maes")
    page.get_by_role("button", name="Save the pairings").click()
    expect_state(page, 1, "sent")
    expect(page.locator("#refused")).to_have_text(
        re.compile("Round 2, board 2: Smet won – This board no longer exists: the pairings were changed.")
    )
    assert [(number, code) for number, code, _name in results()] == [(1, "first")]
    page.get_by_role("button", name="Remove from this phone").click()
    expect(page.locator("#refused")).to_be_hidden()


def test_answer_to_pairings_that_is_lost_keeps_their_results(hall, organiser_phone):
    page, lost = organiser_phone, []
    page.goto(f"/hall/{hall.event.public_id}/?round=2")
    page.context.set_offline(True)
    page.get_by_label("Pairings").fill("Adler – Lind")
    page.get_by_role("button", name="Save the pairings").click()
    tap(page, "Lind won")

    def lose(route):
        if lost or route.request.method != "POST":
            return route.continue_()
        lost.append(route.fetch().status)
        return route.abort()

    page.route("**/pairings/2/", lose)
    page.context.set_offline(False)
    expect_state(page, 1, "sent")
    assert (lost, pairings(2)) == ([200], [(1, 1, 3)])
    assert [(number, code) for number, code, _name in results()] == [(1, "second")]


def test_organiser_pairs_taps_and_submits(hall, page):
    page.set_viewport_size(PHONE)
    sign_in(page)
    page.goto(f"/hall/{hall.event.public_id}/")
    tap(page, "Adler won")
    tap(page, "Lind won")
    page.get_by_role("link", name="Pair round 2").click()
    page.get_by_label("Pairings").fill("Adler – Lind\nBrand – Maes")
    page.get_by_role("button", name="Save the pairings").click()
    tap(page, "Lind won")
    tap(page, "Brand won")
    expect_state(page, 1, "sent")
    expect_state(page, 2, "sent")
    page.get_by_role("link", name=re.compile("3.*no pairings yet")).click()
    page.get_by_role("button", name="Check and submit the results").click()
    expect(page.get_by_role("heading", name="Names")).to_be_visible()
