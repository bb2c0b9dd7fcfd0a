"""The letter to the approving body on the approval's page, and the page of the link in it."""

import re

import pytest
from django.contrib.auth.models import Group
from django.core import mail

from ratings.access import APPROVERS, OFFICERS
from ratings.domain.site.outbox import deliver_outbox
from ratings.localize import format_moment
from ratings.models import AnswerLink, Approval, ApprovalStep, Parcel, RatingList, Standing, Submission
from ratings.queries.grades.case_checks import CaseChecks
from tests.approvals import earn_5_dan, rated
from tests.factories import make_list, make_user
from tests.portal.pdf.read import pages
from tests.shared import reused

pytestmark = pytest.mark.django_db
ANSWER = {"granted": "yes", "on": "2025-06-01", "effective": "2025-02-02", "signed_by": "Hayashi Naoko"}


@pytest.fixture
def fesa():
    return make_list(
        approving_person="Hayashi Naoko",
        approving_office="Chair",
        approving_mail="grades@nsr.example",
        signer="Karin Nilsson",
        signer_office="Rating officer",
    )


@pytest.fixture
@reused
def case(fesa):
    earn_5_dan(fesa)
    return Approval.objects.get()


@pytest.fixture
def approver(client):
    user = make_user("approver")
    user.groups.add(Group.objects.get(name=APPROVERS))
    client.force_login(user)
    return user


def send_letter(client, case):
    """Send the letter from the approval's page; return the path of the link in the mail, and the code on the page."""
    page = client.get(case.get_absolute_url())
    data = {"reference": "FESA-7", "shown_version": page.context["shown_version"]}
    assert client.post(f"{case.get_absolute_url()}parcel/", data).status_code == 302
    deliver_outbox()
    code = client.get(case.get_absolute_url()).context["code"]
    return re.findall(r"(/answer/[^\s]+/)", mail.outbox[-1].body)[0], code


def test_letter_names_list_event_days_player_rule_figures_and_what_happens_next(client, approver, case):
    path, code = send_letter(client, case)
    text = mail.outbox[-1].body
    for part in (
        "Dear Hayashi Naoko,",
        "List: FESA, FESA",
        "Player: Sato Ken, Japan",
        "Grade: 5 Dan",
        "Event: Cup, 1 Feb 2025",
        "Rule: 5 Dan: a rating of at least 2440. For grades, the change of an event is spread evenly over its games:"
        " each of them moves the rating by the same number of points.",
        ", won 2, and reached a rating of 244",
        "What happens next: an approver of the federation checks and confirms your answer",
        "Our reference: FESA-7",
        f"http://127.0.0.1:8000{path}",
    ):
        assert part in text
    assert code not in text


def test_page_shows_the_letter_as_sent_with_its_files(client, approver, case):
    path, _code = send_letter(client, case)
    page = client.get(case.get_absolute_url())
    text = page.content.decode()
    parcel = Parcel.objects.get()
    assert "Hayashi Naoko, grades@nsr.example" in text
    assert f"sent {format_moment(parcel.sent_at)} by" in text
    assert ("accepted by the mail server" in text, "[the link is only in the mail]" in text) == (True, True)
    assert path not in text
    for name, part in (("dossier", "Sato Ken: 5 Dan"), ("certificate", "Ken Sato")):
        file = client.get(f"{case.get_absolute_url()}letters/{parcel.pk}/{name}.pdf")
        assert part in " ".join(" ".join(pages(file.content)).split())


def test_code_is_shown_once_and_only_to_the_approver_who_sent_the_letter(client, approver, case):
    _path, code = send_letter(client, case)
    assert "code" not in client.get(case.get_absolute_url()).context
    assert code not in client.get(case.get_absolute_url()).content.decode()


def test_letter_is_sent_again_with_a_new_link(client, approver, case):
    old, _ = send_letter(client, case)
    new, _ = send_letter(client, case)
    assert [client.get(path).status_code for path in (old, new)] == [410, 200]
    assert [parcel.person for parcel in client.get(case.get_absolute_url()).context["parcels"]] == ["Hayashi Naoko"] * 2


def test_draft_of_the_certificate_leads_to_the_confirmed_one(client, approver, case, fesa):
    path, code = send_letter(client, case)
    draft = " ".join(pages(bytes(Parcel.objects.get().certificate)))
    assert ("Draft" in draft, "FESA-7" in draft, "Karin Nilsson" in draft) == (True, True, True)
    address = re.findall(r"certificates/\S+", draft)[0]
    assert "5 Dan waits for approval" in client.get(f"/{address}").content.decode()
    client.post(path, ANSWER | {"code": code})
    client.post(f"{case.get_absolute_url()}confirm/")
    rated(fesa)
    text = client.get(f"/{address}").content.decode()
    assert "This certificate is confirmed: Ken Sato holds 5 Dan" in text
    assert ("Approved by Nihon Shogi Renmei on 1 Jun 2025." in text, "FESA-7" in text) == (True, True)


def test_list_without_a_person_says_so_and_takes_letters_by_post(client, approver, case):
    RatingList.objects.update(approving_mail="")
    page = client.get(case.get_absolute_url()).content.decode()
    assert "The list names nobody who answers for Nihon Shogi Renmei" in page
    assert client.post(f"{case.get_absolute_url()}parcel/", {"reference": "x"}).status_code == 422
    assert client.post(f"{case.get_absolute_url()}send/", {"on": "2025-06-01"}).status_code == 302


def test_approver_revokes_the_link(client, approver, case):
    path, _ = send_letter(client, case)
    client.post(f"{case.get_absolute_url()}links/{AnswerLink.objects.get().pk}/revoke/")
    assert "This link has ended: revoked" in client.get(path).content.decode()
    assert ApprovalStep.objects.last().what == "revoked"


def test_person_answers_by_link_and_code_without_an_account(client, approver, case, fesa):
    path, code = send_letter(client, case)
    client.logout()
    page = client.get(path)
    assert (page.status_code, page.context["form"].initial["signed_by"]) == (200, "Hayashi Naoko")
    assert {"no-store", "private"} <= set(page["Cache-Control"].split(", "))
    assert Approval.objects.get().state == "sent"
    done = client.post(path, ANSWER | {"code": code})
    assert (done.status_code, "your answer was saved" in done.content.decode()) == (200, True)
    case.refresh_from_db()
    assert (case.state, case.signed_by, case.answered_link.person) == ("proposed", "Hayashi Naoko", "Hayashi Naoko")
    assert client.get(path).status_code == 410
    rated(fesa)
    assert Standing.objects.get(player=case.player).grade == "4 Dan"


def test_wrong_code_keeps_what_was_typed(client, approver, case):
    path, _ = send_letter(client, case)
    page = client.post(path, ANSWER | {"code": "1", "reference": "NSR 118"})
    assert (page.status_code, 'value="NSR 118"' in page.content.decode()) == (422, True)
    assert "Wrong code. Attempts left: 4." in page.content.decode()
    assert "Enter the reason for declining." in client.post(path, {"granted": "no", "code": "1"}).content.decode()


def test_link_that_is_wrong_is_not_found(client, db):
    page = client.get("/answer/abc/")
    assert (page.status_code, "This link is not one of this site" in page.content.decode()) == (404, True)
    assert client.put("/answer/abc/").status_code == 405


def test_answers_are_limited_per_address(client, approver, case, settings):
    settings.RATELIMIT_ENABLE = True
    got = [client.post("/answer/abc/", {}, REMOTE_ADDR="203.0.113.9").status_code for _ in range(21)]
    assert got == [404] * 20 + [429]


@pytest.mark.parametrize("group", [OFFICERS, None])
def test_others_send_no_letter(group, client, case):
    user = make_user("other")
    if group:
        user.groups.add(Group.objects.get(name=group))
    client.force_login(user)
    assert client.post(f"{case.get_absolute_url()}parcel/", {"reference": "x"}).status_code == 403
    assert Parcel.objects.count() == 0


def test_approver_confirms_what_was_answered_by_link(client, approver, case):
    path, code = send_letter(client, case)
    client.post(path, ANSWER | {"code": code})
    page = client.get(case.get_absolute_url())
    first, second = page.context["persons"]
    assert (first.name, first.is_done, second.is_reader) == ("Hayashi Naoko", True, True)
    assert "by link and with a code told by phone" in page.content.decode()
    assert client.post(f"{case.get_absolute_url()}confirm/").status_code == 302
    assert Approval.objects.get().state == "approved"


def test_page_says_what_the_portal_checked(client, approver, case, fesa):
    page = client.get(case.get_absolute_url())
    assert page.context["checks"] == CaseChecks(True, 2, True, 0, "Rival", 2)
    assert "2 of the 2 games are against one opponent, Rival" in " ".join(page.content.decode().split())
    Submission.objects.create(event=case.event, table=case.table, first_day=case.earned_on, last_day=case.earned_on,
                              content={"rounds": 0, "rows": []}, state="submitted")  # fmt: skip
    RatingList.objects.update(out_of_date_from=case.earned_on)
    text = client.get(case.get_absolute_url()).content.decode()
    assert "The list is being rated again" in text
    assert "1 correction of these events waits" in " ".join(text.split())
