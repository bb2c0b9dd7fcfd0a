"""The approvers' pages: queue, dossier on a page and as a PDF, what was sent, the answer with its letter."""

import datetime as dt
import io
import re
from dataclasses import replace

import pytest
from django.contrib.auth.models import Group, User
from django.core.files.uploadedfile import SimpleUploadedFile

from ratings.access import APPROVERS, OFFICERS
from ratings.domain.grades.approval_opening import update_all_approvals
from ratings.localize import join_clauses
from ratings.models import Approval, Award, Decision, Proposal, RatingList, Standing
from ratings.queries.grades import dossiers
from ratings.queries.grades.awards import unannounced_awards
from tests.factories import give_rating, make_list, make_player, make_table, make_user
from tests.portal.pdf.read import pages
from tests.shared import reused

pytestmark = pytest.mark.django_db


@pytest.fixture
def approver(client):
    user = make_user("approver")
    user.groups.add(Group.objects.get(name=APPROVERS))
    client.force_login(user)
    return user


@pytest.fixture
@reused
def case(rate_all):
    """Sato, a 4 Dan at 2432, beats an equal twice, and 5 Dan waits."""
    fesa = make_list(name="FESA list")
    sato, rival = make_player("Sato", "Ken", country="JP"), make_player("Rival", "Max")
    give_rating(fesa, sato, 2432, "2025-01-01", grade="4 Dan")
    give_rating(fesa, rival, 2430, "2025-01-01", grade="6 Dan")
    make_table(fesa, [sato, rival], [(1, 1, 2, 1.0), (2, 1, 2, 1.0)], "2025-02-01", event_name="Cup")
    make_table(fesa, [sato, rival], [(1, 1, 2, 0.5)], "2025-03-01", event_name="Later")
    rate_all()
    update_all_approvals()
    return Approval.objects.get()


def page_of(client, case):
    return client.get(f"/organise/approvals/{case.public_id}/")


def act(client, case, what, **data):
    return client.post(f"/organise/approvals/{case.public_id}/{what}/", data)


GRANTED = {"granted": "yes", "on": "2025-06-01", "effective": "2025-02-01", "signed_by": "A. Yonenaga"}


def test_queue_and_dossier_show_what_earned_the_grade(client, approver, case):
    assert list(client.get("/organise/approvals/").context["waiting"]) == [case]
    page = page_of(client, case)
    award = Award.objects.get(needs_approval=True)
    assert page.context["rule"] == (
        "5 Dan: a rating of at least 2440. For grades, the change of an event is spread evenly over its games:"
        " each of them moves the rating by the same number of points."
    )
    games = [(g.event.name, g.round, g.opponent, g.score) for g in page.context["dossier"].games]
    assert games == [("Cup", n, "Rival Max", 1.0) for n in range(1, award.game + 1)]
    assert [str(change.table.event) for change in page.context["dossier"].since] == ["Later"]


def test_dossier_as_a_pdf_shows_the_same(client, approver, case):
    file = client.get(f"/organise/approvals/{case.public_id}/dossier.pdf")
    assert file["Content-Type"] == "application/pdf"
    text = " ".join(" ".join(pages(file.content)).split())
    for part in ("Sato Ken: 5 Dan", "5 Dan: a rating of at least 2440", "1 Feb 2025", "Cup", "Rival Max", "Later"):
        assert part in text


def test_sent_and_answered_approval_gives_the_grade(client, approver, case, rate_all):
    assert act(client, case, "send", on="2025-05-01", reference="letter 3").status_code == 302
    letter = SimpleUploadedFile("nsr.pdf", b"%PDF-1.4 signed")
    assert act(client, case, "answer", **GRANTED, letter=letter).status_code == 302
    case.refresh_from_db()
    assert (case.state, case.sent_reference, case.signed_by, case.decided_by) == (
        "approved", "letter 3", "A. Yonenaga", approver
    )  # fmt: skip
    assert client.get(f"/organise/approvals/{case.public_id}/letter/").content == b"%PDF-1.4 signed"
    rate_all()
    assert Standing.objects.get(player=case.player).grade == "5 Dan"
    assert "<dd>A. Yonenaga</dd>" in page_of(client, case).content.decode()


@pytest.mark.parametrize(
    ("what", "data", "expected"),
    [
        ("send", {"on": "soon"}, "Enter a valid date."),
        ("answer", GRANTED | {"granted": "perhaps"}, "Select a valid choice."),
        ("answer", GRANTED | {"signed_by": ""}, "Enter the day from which the grade counts, and who signed."),
        ("answer", GRANTED | {"effective": "2024-01-01"}, "This day is before the day on which the grade was earned."),
        ("answer", {"granted": "no", "on": "2025-06-01"}, "Enter the reason for declining."),
        ("confirm", {}, "This has been settled meanwhile: waiting."),
    ],
)
def test_invalid_input_is_reported_and_nothing_is_saved(what, data, expected, client, approver, case):
    response = act(client, case, what, **data)
    assert (response.status_code, expected in response.content.decode()) == (422, True)
    case.refresh_from_db()
    assert (case.state, Decision.objects.count()) == ("waiting", 0)


def test_all_problems_of_an_answer_are_reported_at_once(client, approver, case):
    """Organisers' finding 10."""
    response = act(client, case, "answer", granted="yes", on="2999-01-01", effective="2024-01-01", signed_by="")
    assert (response.status_code, response.context["problems"]) == (422, [
        "Enter the day from which the grade counts, and who signed.",
        "The day cannot be in the future.",
        "This day is before the day on which the grade was earned.",
    ])  # fmt: skip


def test_invalid_fields_of_an_answer_hide_none_of_its_other_problems(client, approver, case):
    response = act(client, case, "answer", granted="yes", on="1 June", effective="2024-01-01", signed_by=" ")
    assert (response.status_code, response.context["answer_form"].errors, response.context["problems"]) == (
        422,
        {"on": ["Enter a valid date."]},
        ["Enter the day from which the grade counts, and who signed.",
         "This day is before the day on which the grade was earned."],
    )  # fmt: skip
    response = act(client, case, "answer", granted="yes", on="2025-06-01", effective="soon", signed_by="A. Yonenaga")
    assert (response.context["answer_form"].errors, response.context["problems"]) == (
        {"effective": ["Enter a valid date."]}, [],
    )  # fmt: skip


def test_dossier_that_was_not_sent_waits_again_and_keeps_the_step(client, approver, case):
    assert act(client, case, "unsend").status_code == 422
    act(client, case, "send", on="2025-05-01", reference="letter 3")
    assert act(client, case, "unsend").status_code == 302
    case.refresh_from_db()
    assert (case.state, case.sent_on, case.sent_reference, case.sent_by) == ("waiting", None, "", None)
    assert [str(step.what) for step in case.steps.all()] == ["sent", "not sent"]


def test_letter_that_is_too_large_is_refused(client, approver, case):
    letter = io.BytesIO(b"x" * (2 * 1024 * 1024 + 1))
    letter.name = "big.pdf"
    assert "The file is too large" in act(client, case, "answer", **GRANTED, letter=letter).content.decode()


def test_second_approver_confirms(client, approver, case):
    RatingList.objects.update(second_approver=True)
    act(client, case, "answer", **GRANTED)
    assert "Another approver must confirm it" in act(client, case, "confirm").content.decode()
    other = make_user("other")
    other.groups.add(Group.objects.get(name=APPROVERS))
    client.force_login(other)
    assert act(client, case, "confirm").status_code == 302
    case.refresh_from_db()
    assert (case.state, case.confirmed_by) == ("approved", other)


def test_second_approver_confirms_only_the_answer_on_the_page(client, approver, case):
    case.list.second_approver = True
    case.list.save()
    act(client, case, "answer", **GRANTED)
    second = make_user("second")
    second.groups.add(Group.objects.get(name=APPROVERS))
    client.force_login(second)
    seen = page_of(client, case).context["shown_version"]
    client.force_login(approver)
    act(client, case, "reopen", reason="x")
    act(client, case, "answer", **GRANTED | {"effective": "2025-03-01"})
    client.force_login(second)
    response = act(client, case, "confirm", shown_version=seen)
    assert (response.status_code, Approval.objects.get().state) == (422, "proposed")
    assert "this approval has been changed since you opened the page" in response.content.decode()
    assert f'name="shown_version" value="{response.context["shown_version"]}"' in response.content.decode()
    assert act(client, case, "confirm", shown_version=response.context["shown_version"]).status_code == 302
    assert Approval.objects.get().state == "approved"


def test_answer_from_an_outdated_page_is_given_back(client, approver, case):
    seen = page_of(client, case).context["shown_version"]
    act(client, case, "send", on="2025-05-01", reference="first")
    response = act(client, case, "send", on="2025-05-02", reference="second", shown_version=seen)
    assert (response.status_code, Approval.objects.get().sent_reference) == (422, "first")
    assert 'value="second"' in response.content.decode()
    response = act(client, case, "answer", **GRANTED, shown_version=seen)
    assert (response.status_code, Approval.objects.get().state) == (422, "sent")
    assert 'value="A. Yonenaga"' in response.content.decode()


def test_settled_approval_is_reopened_with_a_reason_and_lists_its_steps(client, approver, case, rate_all):
    letter = SimpleUploadedFile("nsr.pdf", b"signed")
    act(client, case, "answer", **GRANTED, letter=letter)
    rate_all()
    assert "This field is required." in act(client, case, "reopen").content.decode()
    assert act(client, case, "reopen", reason="another <person>").status_code == 302
    rate_all()
    assert Standing.objects.get(player=case.player).grade == "4 Dan"
    page = page_of(client, case)
    assert [(step.what, step.by, join_clauses(step.note)) for step in page.context["steps"]] == [
        ("reopened", approver, "another <person>; approved, counts from 1 Feb 2025; answer of 1 Jun 2025; A. Yonenaga"),
        ("answered", approver, "approved, counts from 1 Feb 2025; answer of 1 Jun 2025; A. Yonenaga"),
    ]
    assert "another &lt;person&gt;" in page.content.decode()
    german = client.get(f"/organise/approvals/{case.public_id}/", headers={"accept-language": "de"}).content.decode()
    assert re.findall("another &lt;person&gt;; (.*?); A. Yonenaga", german) == [
        "genehmigt, gilt ab 01.02.2025; Antwort vom 01.06.2025"
    ]
    step = page.context["steps"].first()
    assert client.get(f"/organise/approvals/{case.public_id}/steps/{step.pk}/letter/").content == b"signed"
    first = page.context["steps"].last()
    assert client.get(f"/organise/approvals/{case.public_id}/steps/{first.pk}/letter/").status_code == 404


def test_declined_grade_does_not_say_counts_from(client, approver, case, rate_all):
    data = {"granted": "no", "on": "2025-06-01", "effective": "2025-02-01", "reason": "too few games"}
    act(client, case, "answer", **data)
    for page in (client.get("/organise/approvals/"), page_of(client, case)):
        text = page.content.decode()
        assert ("declined" in text, "too few games" in text, "counts from" in text) == (True, True, False)


def test_officer_requests_the_approval_of_a_grade_held_elsewhere(client, staff, case):
    newcomer = make_player("Mori", "Aya")
    assert "Request approval" in client.get("/organise/approvals/").content.decode()
    data = {
        "list": case.list.slug,
        "player": "Mori",
        "grade": "5 Dan",
        "held_since": "2024-01-01",
        "evidence": "diploma 7",
    }
    assert client.post("/organise/approvals/request/", data | {"player": "Nobody"}).status_code == 422
    assert client.post("/organise/approvals/request/", data | {"grade": "4 Dan"}).status_code == 422
    response = client.post("/organise/approvals/request/", data)
    request = Approval.objects.get(player=newcomer)
    assert (response.url, request.evidence, request.requested_by) == (request.get_absolute_url(), "diploma 7", staff)
    page = client.get(request.get_absolute_url()).content.decode()
    assert "No result on this list earned the grade; it is held elsewhere." in page
    assert "is open already" in client.post("/organise/approvals/request/", data).content.decode()
    assert act(client, request, "withdraw").status_code == 422
    assert act(client, request, "withdraw", reason="another person").status_code == 302
    request.refresh_from_db()
    assert request.state == "withdrawn"
    assert act(client, request, "answer", **GRANTED).status_code == 403


def test_second_officer_confirms_what_the_admin_proposed(client, staff, case):
    RatingList.objects.update(four_eyes=True)
    mori = make_player("Mori", "Aya")
    data = {
        "list": case.list.pk,
        "player": mori.pk,
        "grade": "1 Dan",
        "ruling": "given",
        "date": "2025-01-01",
        "reason": "r",
    }
    assert client.post("/admin/ratings/decision/add/", data).url == "/organise/proposals/"
    page = client.get("/organise/proposals/").content.decode()
    assert ("It takes effect when a second person confirms it" in page, "1 Dan" in page) == (True, True)
    proposal = Proposal.objects.get()
    own = client.post(f"/organise/proposals/{proposal.pk}/confirm/")
    assert (own.status_code, "Another officer must confirm it" in own.content.decode()) == (422, True)
    assert Decision.objects.count() == 0
    second = make_user("second", is_staff=True)
    second.groups.add(Group.objects.get(name=OFFICERS))
    client.force_login(second)
    assert client.post(f"/organise/proposals/{proposal.pk}/confirm/").url == "/organise/proposals/"
    decision = Decision.objects.get()
    assert (decision.player, decision.grade, decision.made_by) == (mori, "1 Dan", staff)
    assert client.post(f"/admin/ratings/decision/{decision.pk}/delete/", {"post": "yes"}).url == "/organise/proposals/"
    removal = Proposal.objects.latest("pk")
    assert client.post(f"/organise/proposals/{removal.pk}/withdraw/").status_code == 302
    assert (Decision.objects.count(), "delete_selected" in client.get("/admin/ratings/decision/").content.decode()) == (
        1, False
    )  # fmt: skip
    assert client.post("/organise/proposals/999/confirm/").status_code == 404
    assert client.get(f"/organise/proposals/{removal.pk}/confirm/").status_code == 405


@pytest.mark.parametrize("superuser", [False, True])
def test_admin_says_why_it_refuses_a_grade(superuser, client, staff, case):
    User.objects.filter(pk=staff.pk).update(is_superuser=superuser)
    data = {"list": case.list.pk, "player": case.player.pk, "grade": "5 Dan", "ruling": "given", "date": "2025-03-01",
            "reason": "r", "source": "s"}  # fmt: skip
    page = client.post("/admin/ratings/decision/add/", data)
    assert (
        "5 Dan needs approval on FESA list: the list has rated tables, so request an approval" in page.content.decode()
    )
    assert Decision.objects.count() == 0


def test_bad_ids_and_methods(client, approver, case):
    assert client.get("/organise/approvals/NOBODY/").status_code == 404
    assert act(client, case, "crown").status_code == 404
    assert client.get(f"/organise/approvals/{case.public_id}/send/").status_code == 405
    assert client.get(f"/organise/approvals/{case.public_id}/letter/").status_code == 404


def test_officer_announces_the_chosen_grades(client, staff, case, rate_all):
    fesa = case.list
    kuma = make_player("Kuma")
    give_rating(fesa, kuma, 1690, "2025-01-01", grade="1 Kyu")
    make_table(fesa, [kuma, case.player], [(n, 1, 2, 1) for n in range(1, 9)], "2025-04-01", event_name="Open")
    rate_all()
    (award,) = client.get("/organise/grades/").context["open"][fesa]
    page = client.post("/organise/grades/", {"award": ["nonsense"]}, follow=True).content.decode()
    assert (Decision.objects.count(), "No grade was announced" in page) == (0, True)
    page = client.post("/organise/grades/", {"award": [award.pk]}, follow=True).content.decode()
    assert "Announced." in page
    decision = Decision.objects.get()
    assert (decision.player, decision.grade, decision.ruling, decision.made_by) == (kuma, award.grade, "kept", staff)
    rate_all()
    assert list(unannounced_awards(fesa)) == []


def test_dossier_rounds_ratings_alike_on_the_page_and_in_the_pdf(client, approver, case, monkeypatch):
    (game, *_) = dossiers.build_dossier(case).games
    games = [replace(game, after=after) for after in (2350.25, 2350.35, 2439.96)]
    monkeypatch.setattr(dossiers, "counted_games", lambda award: games)
    page = page_of(client, case).content.decode()
    text = " ".join(pages(client.get(f"/organise/approvals/{case.public_id}/dossier.pdf").content))
    shown = re.findall(r"<strong>(2\d\d\d\.\d)</strong></td></tr>", page)
    assert (len(shown), [one for one in shown if one in text]) == (3, shown)


def test_settled_approvals_are_sorted_by_the_day_of_the_answer(client, approver, case):
    def settle(name, on, state="approved", at=None):
        settled = Approval.objects.create(
            list=case.list, player=make_player(name), grade="5 Dan", earned_on="2025-01-01", state=state, answered_on=on
        )
        if at is not None:
            settled.steps.create(what="withdrawn")
            settled.steps.update(at=at)

    settle("Second", "2025-06-02")
    settle("First", "2025-06-04", "declined")
    settle("Last", "2025-05-01")
    settle("Withdrawn", None, "withdrawn", at=dt.datetime(2025, 6, 1, 12, tzinfo=dt.UTC))
    page = client.get("/organise/approvals/")
    assert [(str(each.player).split()[0], f"{each.settled_on}") for each in page.context["settled"]] == [
        ("First", "2025-06-04"), ("Second", "2025-06-02"), ("Withdrawn", "2025-06-01"), ("Last", "2025-05-01")
    ]  # fmt: skip
    days = re.findall(r'<li><time datetime="([^"]*)"', page.text)
    assert days == ["2025-06-04", "2025-06-02", "2025-06-01", "2025-05-01"]
