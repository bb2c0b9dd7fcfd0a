"""Staff approve 5 Dan from the queue with the dossier open; the public page changes, the certificate is confirmed."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import Group
from django.core import mail
from playwright.sync_api import expect

from ratings.access import APPROVERS, OFFICERS, ORGANISERS
from ratings.domain.grades.approval_opening import update_all_approvals
from ratings.domain.site.outbox import deliver_outbox
from ratings.models import RatingList
from tests.browser.test_journey import log_in
from tests.factories import give_rating, make_list, make_player, make_table, make_user

pytestmark = pytest.mark.browser


@pytest.fixture
def sato(transactional_db, rate_all):
    fesa = make_list(name="FESA list")
    player, rival = make_player("Sato", "Ken", country="JP"), make_player("Rival", "Max")
    give_rating(fesa, player, 2432, "2025-01-01", grade="4 Dan")
    give_rating(fesa, rival, 2430, "2025-01-01", grade="6 Dan")
    make_table(fesa, [player, rival], [(1, 1, 2, 1.0), (2, 1, 2, 1.0)], "2025-02-01", event_name="Cup")
    rate_all()
    update_all_approvals()
    for name, group in (("approver", APPROVERS), ("organiser", ORGANISERS), ("officer", OFFICERS), ("player", None)):
        user = make_user(name)
        if group:
            user.groups.add(Group.objects.get(name=group))
    return player


def test_staff_approve_5_dan_and_everybody_can_check_it(page, sato):
    public = sato.get_absolute_url()
    page.goto(public)
    assert "5 Dan earned" in page.locator("main").inner_text()
    log_in(page, "approver")
    page.goto("/organise/approvals/")
    page.get_by_role("link", name="Sato Ken").click()
    page.get_by_role("heading", name="The games that count").wait_for()
    assert page.get_by_text("5 Dan: a rating of at least 2440").is_visible()
    for width in (1200, 390):
        page.set_viewport_size({"width": width, "height": 900})
        violations = Axe().run(page).response["violations"]
        assert [(found["id"], found["nodes"][0]["html"]) for found in violations] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_label("Approve 5 Dan").check()
    page.get_by_label("Day of the answer").fill("2025-06-01")
    page.get_by_label("Counts from", exact=True).fill("2025-02-01")
    page.get_by_label("Signer on the certificate").fill("A. Yonenaga")
    page.get_by_role("button", name="Give this answer").click()
    page.get_by_text("Saved.").wait_for()
    page.goto(f"/players/{sato.public_id}/grades/")
    grades = page.locator("section", has=page.get_by_role("heading", name="Grade history"))
    assert "5 Dan" in page.locator("dl.facts").first.inner_text()
    address = grades.get_by_role("link", name=re.compile("certificate", re.IGNORECASE)).first.get_attribute("href")
    page.goto(address.removesuffix(".pdf").rstrip("/") + "/")
    page.get_by_text("This certificate is confirmed").wait_for()


@pytest.mark.parametrize(("who", "reached"), [("organiser", False), ("player", False), ("officer", True)])
def test_organisers_and_players_reach_none_of_it(page, sato, who, reached):
    log_in(page, who)
    case = sato.approvals.get()
    for address in ("/organise/approvals/", case.get_absolute_url(), f"{case.get_absolute_url()}dossier.pdf"):
        assert (page.request.get(address).status == 200) == reached
    if who == "officer":
        page.goto(case.get_absolute_url())
        expect(page.get_by_role("button", name="Give this answer")).to_have_count(0)


def test_approving_body_answers_by_link_and_code_on_a_phone(page, browser, sato):
    RatingList.objects.update(approving_person="Hayashi Naoko", approving_mail="grades@nsr.example")
    case = sato.approvals.get()
    log_in(page, "approver")
    page.goto(case.get_absolute_url())
    page.get_by_role("button", name="Send the letter").click()
    code = page.locator(".code").inner_text()
    deliver_outbox()
    link = re.findall(r"/answer/\S+/", mail.outbox[-1].body)[0]
    outside = browser.new_context(viewport={"width": 390, "height": 800}).new_page()
    outside.goto(f"{page.url.partition('/organise/')[0]}{link}")
    violations = Axe().run(outside).response["violations"]
    assert [(found["id"], found["nodes"][0]["html"]) for found in violations] == []
    assert outside.evaluate("document.documentElement.scrollWidth") <= 390
    outside.get_by_label("Approve 5 Dan").check()
    outside.get_by_label("Code told by phone").fill(code)
    outside.get_by_role("button", name="Give this answer").click()
    outside.get_by_text("your answer was saved").wait_for()
    page.goto(case.get_absolute_url())
    for width in (1200, 390):
        page.set_viewport_size({"width": width, "height": 900})
        violations = Axe().run(page).response["violations"]
        assert [(found["id"], found["nodes"][0]["html"]) for found in violations] == []
    page.get_by_role("button", name="Confirm the answer").click()
    page.get_by_text("Saved.").wait_for()
    case.refresh_from_db()
    assert case.state == "approved"
