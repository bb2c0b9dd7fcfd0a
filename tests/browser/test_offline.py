"""Desks, dropped files and names without a connection: nothing is lost, nothing is sent twice, nobody sees another's page."""

import re
import time

import pytest
from django.contrib.auth.models import Group
from django.contrib.sessions.models import Session
from playwright.sync_api import expect

from portal.results.views import desk
from ratings.access import OFFICERS, ORGANISERS
from ratings.domain.site.roles import ensure_roles
from ratings.models import BatchFile, FileBatch, Submission
from tests.browser.person import drop_files
from tests.factories import make_event, make_list, make_player, make_user
from tests.portal.results.way import CLEAN

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SPRING = CLEAN.replace("Autumn", "Spring").replace("2024-05-04", "2024-06-01")


@pytest.fixture
def people(transactional_db):
    """An organiser, an officer, and a list with two players."""
    ensure_roles()  # emptied with the tables of the test before
    for name, group in (("paul", ORGANISERS), ("karin", OFFICERS)):
        make_user(name).groups.add(Group.objects.get(name=group))
    make_player("Adler", "Zoë", public_id="A2")
    make_player("Bauer", "Max", country="DE", public_id="B2")
    return make_list("fesa", name="FESA list")


@pytest.fixture
def page(browser, live_server, people):
    """A page whose scripts may not fail; without a connection, the browser itself complains."""
    context = browser.new_context(base_url=live_server.url, viewport={"width": 1200, "height": 900})
    page = context.new_page()
    page.set_default_timeout(20_000)
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: "Content Security Policy" in said.text and errors.append(said.text))
    yield page
    context.set_offline(False)
    page.wait_for_load_state("networkidle")  # tables are emptied when the server has answered
    context.close()
    assert errors == []


def sign_in(page, name, *, remember=True):
    page.goto("/accounts/login/")
    page.locator("#id_login").fill(name)
    page.locator("#id_password").fill("secret")
    if remember:
        page.locator("#id_remember").check()
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(lambda address: "/accounts/login/" not in address)


def sign_out(page):
    page.locator("details.account summary").click()
    page.locator("details.account .sign-out").click()
    page.wait_for_url(lambda address: "/organise/" not in address)


def open_and_store(page, address):
    """Open a page, and wait until it works without a connection."""
    page.goto(address)
    expect(page.locator("#connection[data-stored]")).to_be_attached()


def list_kept_pages(page):
    """Return the paths of the pages that this browser keeps."""
    return page.evaluate(
        """async () => {
          const names = (await caches.keys()).filter((name) => name.startsWith("organise-"));
          const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
          return requests.flat().map((request) => new URL(request.url).pathname).filter((path) => path.startsWith("/organise/")).sort();
        }"""
    )


@pytest.mark.parametrize(
    ("name", "address", "title"), [("karin", "/organise/desk/", "Desk"), ("paul", "/organise/", "My events")]
)
def test_desk_shows_its_last_page_with_the_time_and_waits_with_its_buttons(name, address, title, page):
    make_event("Cup", "2024-01-06", created_by=None)
    sign_in(page, name)
    open_and_store(page, address)
    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(page.locator("#connection")).to_contain_text(
        re.compile(r"No connection\. This page was saved on .*\d\d:\d\d")
    )
    expect(page.locator("#connection")).to_contain_text("Disabled buttons will work again when you are connected.")
    button = page.locator("main form:not([data-works-offline]) button, header form[role=search] button").first
    expect(button).to_have_attribute("aria-disabled", "true")
    before = page.url
    button.press("Enter")
    assert page.url == before
    page.context.set_offline(False)
    expect(page.locator("#connection")).to_be_hidden()
    expect(page.locator("html")).not_to_have_attribute("data-kept", re.compile(".*"))
    expect(button).not_to_have_attribute("aria-disabled", "true")


def test_connection_that_is_lost_on_an_open_desk_disables_its_buttons(page):
    sign_in(page, "karin")
    open_and_store(page, "/organise/desk/")
    page.context.set_offline(True)
    expect(page.locator("#connection")).to_contain_text("No connection since")
    button = page.locator("main form button").first
    expect(button).to_have_attribute("aria-disabled", "true")
    page.context.set_offline(False)
    expect(page.locator("#connection")).to_be_hidden()
    expect(button).not_to_have_attribute("aria-disabled", "true")


def test_signing_out_removes_the_kept_pages(page):
    sign_in(page, "karin")
    open_and_store(page, "/organise/desk/")
    assert list_kept_pages(page) == ["/organise/desk/"]
    sign_out(page)
    assert list_kept_pages(page) == []
    page.context.set_offline(True)
    with pytest.raises(Exception, match=r"ERR_INTERNET_DISCONNECTED|ERR_FAILED"):
        page.goto("/organise/desk/")


def test_page_of_one_person_is_never_shown_to_another(page):
    """Also if the first one's session ended elsewhere, so that nothing was removed when they signed out."""
    sign_in(page, "karin")
    open_and_store(page, "/organise/desk/")
    open_and_store(page, "/organise/")
    assert list_kept_pages(page) == ["/organise/", "/organise/desk/"]
    page.context.clear_cookies()
    sign_in(page, "paul")
    page.goto("/organise/files/")
    page.context.set_offline(True)
    with pytest.raises(Exception, match=r"ERR_INTERNET_DISCONNECTED|ERR_FAILED"):
        page.context.new_page().goto("/organise/desk/")
    page.goto("/organise/")
    expect(page.locator(".account-name")).to_have_text("paul")
    assert list_kept_pages(page) == ["/organise/", "/organise/files/"]


def test_page_that_asks_to_sign_in_removes_the_kept_pages(page):
    sign_in(page, "karin")
    open_and_store(page, "/organise/desk/")
    page.context.clear_cookies()
    page.goto("/organise/")
    assert "/accounts/login/" in page.url
    assert list_kept_pages(page) == []


def test_session_that_ends_with_the_browser_keeps_no_page(page):
    sign_in(page, "karin", remember=False)
    page.goto("/organise/desk/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Desk")
    page.wait_for_load_state("networkidle")
    assert list_kept_pages(page) == []
    assert page.evaluate("async () => (await navigator.serviceWorker.getRegistrations()).length") == 0


def test_files_dropped_without_a_connection_survive_a_reload_and_are_sent_once(page):
    sign_in(page, "paul")
    open_and_store(page, "/organise/files/")
    page.context.set_offline(True)
    drop_files(page, {"autumn.txt": CLEAN, "spring.txt": SPRING})
    kept = page.locator("[data-kept-files] li")
    expect(kept).to_contain_text("autumn.txt, spring.txt – on this device, will be sent when there is a connection")
    page.reload()
    expect(kept).to_contain_text("autumn.txt, spring.txt – on this device, will be sent when there is a connection")
    assert FileBatch.objects.count() == 0
    page.context.set_offline(False)
    expect(page.get_by_text("Sent: autumn.txt, spring.txt.")).to_be_visible()
    page.get_by_role("link", name="Review the uploaded results").click()
    page.wait_for_url(re.compile(r"/organise/files/\d+/"))
    assert (FileBatch.objects.count(), Submission.objects.count()) == (1, 2)
    page.goto("/organise/files/")
    page.get_by_role("button", name="Hide").click()
    expect(kept).to_have_count(0)
    page.reload()
    page.wait_for_load_state("networkidle")
    expect(kept).to_have_count(0)
    assert FileBatch.objects.count() == 1


def test_answer_that_is_lost_makes_no_second_batch(page):
    sign_in(page, "paul")
    page.goto("/organise/files/")
    lost = []

    def lose(route):
        if route.request.method != "POST" or lost:
            return route.continue_()
        lost.append(route.fetch().status)
        return route.abort()

    page.route("**/organise/files/", lose)
    drop_files(page, {"autumn.txt": CLEAN})
    expect(page.locator("[data-kept-files]")).to_contain_text(
        "autumn.txt – on this device, will be sent when there is a connection"
    )
    assert (lost, FileBatch.objects.count()) == ([201], 1)
    page.reload()
    expect(page.get_by_text("Sent: autumn.txt.")).to_be_visible()
    assert (FileBatch.objects.count(), BatchFile.objects.count(), Submission.objects.count()) == (1, 1, 1)


def test_kept_files_are_not_sent_by_another_person(page):
    sign_in(page, "paul")
    open_and_store(page, "/organise/files/")
    page.context.set_offline(True)
    drop_files(page, {"autumn.txt": CLEAN})
    expect(page.locator("[data-kept-files]")).to_contain_text(
        "autumn.txt – on this device, will be sent when there is a connection"
    )
    Session.objects.all().delete()
    page.context.set_offline(False)
    expect(page.locator("[data-kept-files]")).to_contain_text("will be sent when you sign in again")
    sign_in(page, "karin")
    page.goto("/organise/files/")
    page.wait_for_load_state("networkidle")
    expect(page.locator("[data-kept-files] li")).to_have_count(0)
    assert FileBatch.objects.count() == 0
    sign_out(page)
    sign_in(page, "paul")
    expect(page.get_by_text("Sent: autumn.txt.")).to_be_visible()
    assert [batch.made_by.username for batch in FileBatch.objects.all()] == ["paul"]


def test_kept_file_can_be_removed(page):
    sign_in(page, "paul")
    open_and_store(page, "/organise/files/")
    page.context.set_offline(True)
    drop_files(page, {"autumn.txt": CLEAN})
    page.get_by_role("button", name="Remove from this device").click()
    expect(page.locator("[data-kept-files] li")).to_have_count(0)
    page.context.set_offline(False)
    page.reload()
    page.wait_for_load_state("networkidle")
    assert FileBatch.objects.count() == 0


@pytest.fixture
def unsent(page):
    """A page from which Paul signs out, while a file that he dropped without a connection is not sent."""
    sign_in(page, "paul")
    open_and_store(page, "/organise/files/")
    page.context.set_offline(True)
    drop_files(page, {"autumn.txt": CLEAN})
    expect(page.locator("[data-kept-files] li")).to_have_count(1)
    page.goto("about:blank")  # which sends nothing
    page.context.set_offline(False)
    page.goto("/me/")
    page.locator("details.account summary").click()
    page.locator("details.account .sign-out").click()
    expect(page.get_by_role("heading", name="Files that were not sent")).to_be_visible()
    expect(page.locator("[data-names]")).to_have_text("autumn.txt")
    expect(page.locator("main").get_by_role("button", name="Sign out", exact=True)).to_be_hidden()
    return page


def test_signing_out_offers_to_send_files_first(unsent):
    unsent.get_by_role("link", name="Send them first").click()
    expect(unsent.get_by_text("Sent: autumn.txt.")).to_be_visible()
    sign_out(unsent)


def test_signing_out_keeps_files_on_the_device_if_asked_to(unsent):
    unsent.get_by_role("button", name="Sign out and keep them here").click()
    unsent.wait_for_url(lambda address: "/accounts/" not in address)
    sign_in(unsent, "karin")
    unsent.goto("/accounts/logout/")
    unsent.wait_for_load_state("networkidle")
    expect(unsent.get_by_role("heading", name="Files that were not sent")).to_be_hidden()
    unsent.locator("main").get_by_role("button", name="Sign out", exact=True).click()
    unsent.wait_for_url(lambda address: "/accounts/" not in address)
    sign_in(unsent, "paul")
    expect(unsent.get_by_text("Sent: autumn.txt.")).to_be_visible()


def test_signing_out_deletes_files_if_asked_to(unsent):
    unsent.get_by_role("button", name="Sign out and delete them").click()
    unsent.wait_for_url(lambda address: "/accounts/" not in address)
    sign_in(unsent, "paul")
    unsent.goto("/organise/files/")
    unsent.wait_for_load_state("networkidle")
    assert unsent.evaluate("storedFiles.read(document.querySelector('[data-dropzone]').dataset.owner)") == []


def test_choices_of_names_stay_on_the_device_until_the_server_has_them(page):
    sign_in(page, "paul")
    page.goto("/organise/files/")
    drop_files(page, {"autumn.txt": CLEAN.replace("[Bauer]", "[Baur]")})
    page.wait_for_url(re.compile(r"/organise/files/\d+/"))
    submission = Submission.objects.get()
    open_and_store(page, f"/organise/sheets/{submission.pk}/people/")
    page.context.set_offline(True)
    same = page.locator("#row-2 input[value=B2]")
    new = page.locator("#row-3 input[value=new]")
    same.check()
    new.check()
    notice = page.get_by_text("2 choices are saved on this device only. Save to send them.")
    expect(notice).to_be_visible()
    page.reload()
    expect(notice).to_be_visible()
    expect(same).to_be_checked()
    expect(new).to_be_checked()
    save = page.get_by_role("button", name="Save and leave")
    expect(save).to_have_attribute("aria-disabled", "true")
    save.press("Enter")
    expect(notice).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator("#connection")).to_be_hidden()
    expect(notice).to_be_visible()
    expect(same).to_be_checked()
    page.get_by_role("button", name="Save and leave").click()
    page.wait_for_url(re.compile(r"/organise/events/"))
    submission.refresh_from_db()
    rows = submission.content["rows"]
    assert [(row["player"], row["new"]) for row in rows[1:]] == [("B2", False), ("", True)]
    version = submission.version
    page.goto(f"/organise/sheets/{submission.pk}/people/?show=all")
    expect(page.locator("#people")).to_be_visible()
    expect(page.get_by_text("kept on this device until you save")).to_be_hidden()
    expect(same).to_be_checked()
    submission.refresh_from_db()
    assert submission.version == version


def test_choice_of_a_name_is_dropped_when_another_name_stands_in_its_row(page):
    sign_in(page, "paul")
    page.goto("/organise/files/")
    drop_files(page, {"autumn.txt": CLEAN.replace("[Bauer]", "[Baur]")})
    page.wait_for_url(re.compile(r"/organise/files/\d+/"))
    submission = Submission.objects.get()
    open_and_store(page, f"/organise/sheets/{submission.pk}/people/")
    page.context.set_offline(True)
    page.locator("#row-3 input[value=new]").check()
    swapped = submission.content | {"rows": [submission.content["rows"][place] for place in (0, 2, 1)]}
    Submission.objects.filter(pk=submission.pk).update(content=swapped, version=submission.version + 1)
    page.context.set_offline(False)
    expect(page.locator("#connection")).to_be_hidden()
    page.reload()
    expect(page.locator("#row-3 .written")).to_have_text("Baur Max")
    expect(page.locator("#row-3 input[value=new]")).not_to_be_checked()
    expect(page.get_by_text("saved on this device only")).to_be_hidden()


def test_choices_for_all_files_stay_on_the_device_until_the_server_has_them(page):
    sign_in(page, "paul")
    page.goto("/organise/files/")
    drop_files(
        page, {"autumn.txt": CLEAN.replace("[Bauer]", "[Baur]"), "spring.txt": SPRING.replace("[Bauer]", "[Baur]")}
    )
    page.wait_for_url(re.compile(r"/organise/files/\d+/"))
    address = f"{FileBatch.objects.get().get_absolute_url()}people/"
    open_and_store(page, address)
    same = page.locator("tr", has_text="Baur").locator("input[value=B2]")
    new = page.locator("tr", has_text="Capek").locator("input[value=new]")
    notice = page.get_by_text("2 choices are saved on this device only. Save to send them.")
    page.context.set_offline(True)
    same.check()
    new.check()
    expect(notice).to_be_visible()
    page.reload()  # without a connection
    for radio in (same, new):
        expect(radio).to_be_checked()
    page.context.set_offline(False)
    expect(page.locator("#connection")).to_be_hidden()
    page.goto("/organise/")  # the page is left
    other = page.context.new_page()  # a second tab
    other.goto(address)
    expect(other.locator("tr", has_text="Baur").locator("input[value=B2]")).to_be_checked()
    other.close()
    page.goto(address)
    page.route(
        f"**{address}*",
        lambda route: route.fulfill(status=500) if route.request.method == "POST" else route.continue_(),
    )
    save = page.get_by_role("button", name="Save", exact=True).last
    save.click()  # the server fails
    page.unroute(f"**{address}*")
    page.goto(address)
    expect(notice).to_be_visible()
    assert [row["player"] for draft in Submission.objects.all() for row in draft.content["rows"][1:2]] == ["", ""]
    page.get_by_role("button", name="Save", exact=True).last.click()
    expect(page.get_by_text("2 names are decided.")).to_be_visible()
    expect(notice).to_be_hidden()
    for draft in Submission.objects.all():
        rows = draft.content["rows"]
        assert [(row["player"], row["new"]) for row in rows[1:]] == [("B2", False), ("", True)]
    assert page.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('draft/'))") == []


def test_slow_server_shows_the_page_after_one_copy(page, monkeypatch):
    monkeypatch.setattr("portal.results.views.desk.PATIENCE", 1500)
    make_event("Cup", "2024-01-06", created_by=None)
    sign_in(page, "karin")
    open_and_store(page, "/organise/desk/")
    make_page = desk.render_desk

    def answer_late(*arguments, **more):
        time.sleep(2.5)
        return make_page(*arguments, **more)

    monkeypatch.setattr(desk, "render_desk", answer_late)
    loads = []
    page.on("load", lambda *_: loads.append(page.evaluate("'kept' in document.documentElement.dataset")))
    page.goto("/organise/desk/")
    expect(page.locator("html")).not_to_have_attribute("data-kept", re.compile(".*"))
    expect(page.locator("#connection")).to_be_hidden()
    page.wait_for_timeout(8000)  # longer than the pause before the page asks again
    assert loads in ([False], [True, False])
    expect(page.locator("main form:not([data-works-offline]) button").first).not_to_have_attribute(
        "aria-disabled", "true"
    )
