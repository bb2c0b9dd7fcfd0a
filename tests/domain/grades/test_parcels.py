"""Letters to the approving body, and answers by the link in them: one of two persons, never both."""

import datetime as dt
import re

import pytest
from django.contrib.auth.models import Group
from django.core import mail
from django.core.exceptions import ValidationError
from django.utils import timezone
from time_machine import travel

from ratings.access import APPROVERS
from ratings.domain.grades.answer_links import MOST_WRONG_CODES, find_link, revoke_link
from ratings.domain.grades.approvals import Answer, answer, confirm, reopen
from ratings.domain.grades.link_answers import answer_by_link
from ratings.domain.grades.parcels import ParcelContent, send_parcel, undo_sending
from ratings.domain.players.erasing import erase_person
from ratings.domain.site.acting import act_as
from ratings.domain.site.outbox import deliver_mails
from ratings.models import AnswerLink, Approval, ApprovalStep, OutgoingFile, Parcel, Player, RatingList, Standing
from tests.approvals import earn_5_dan, rated
from tests.factories import make_list, make_player, make_user
from tests.shared import reused

pytestmark = pytest.mark.django_db
GIVEN = Answer(True, dt.date(2025, 6, 1), dt.date(2025, 2, 2), signed_by="Hayashi Naoko", reference="NSR 118")
MAIL = "grades@nsr.example"


def member(name):
    user = make_user(name, email=f"{name}@example.org")
    user.groups.add(Group.objects.get(name=APPROVERS))
    return user


@pytest.fixture
def fesa():
    return make_list(approving_person="Hayashi Naoko", approving_office="Chair", approving_mail=MAIL)


@pytest.fixture
def approver():
    return member("approver")


@pytest.fixture
@reused
def case(fesa):
    earn_5_dan(fesa)
    return Approval.objects.get()


def send_letter(case, user):
    """Send the letter; return the token of the link in the mail, and the code."""
    content = ParcelContent("Approval of 5 Dan", "Answer here: {}".format, b"%PDF-dossier", b"%PDF-certificate")
    with act_as(user):
        _parcel, code = send_parcel(case, content, reference="FESA-7")
    deliver_mails()
    body = mail.outbox[-1].body
    return re.findall(r"/answer/([^/\s]+)/", body)[0], code


def give(token, code, new_answer=GIVEN):
    answer_by_link(find_link(token), token, code, new_answer)


def refused(text):
    return pytest.raises(ValidationError, match=re.escape(text))


def test_parcel_is_one_mail_with_letter_dossier_and_certificate(case, approver):
    token, code = send_letter(case, approver)
    (sent,) = mail.outbox
    assert (sent.to, sent.subject) == ([MAIL], "Approval of 5 Dan")
    assert [(name, data, kind) for name, data, kind in sent.attachments] == [
        ("dossier.pdf", b"%PDF-dossier", "application/pdf"),
        ("certificate.pdf", b"%PDF-certificate", "application/pdf"),
    ]
    parcel, case = Parcel.objects.get(), Approval.objects.get()
    assert (parcel.person, parcel.address, parcel.sent_by, parcel.mail) == ("Hayashi Naoko", MAIL, approver, None)
    assert (case.state, case.sent_reference, case.sent_by) == ("sent", "FESA-7", approver)
    assert (OutgoingFile.objects.count(), code in sent.body, len(code)) == (0, False, 8)
    step = ApprovalStep.objects.get()
    assert (step.what, step.by, step.note) == ("mailed", approver, (f"Hayashi Naoko <{MAIL}>", "FESA-7"))
    assert token not in parcel.body


def test_link_and_code_are_stored_nowhere(case, approver):
    token, code = send_letter(case, approver)
    stored = " ".join(
        str(value) for model in (AnswerLink, Parcel, ApprovalStep) for value in model.objects.values_list()
    )
    assert (token in stored, code in stored) == (False, False)


@pytest.mark.parametrize("second_approver", [False, True])
def test_answer_by_link_counts_as_one_of_two_persons(second_approver, fesa, case, approver):
    RatingList.objects.update(second_approver=second_approver)
    give(*send_letter(case, approver))
    rated(fesa)
    case = Approval.objects.get()
    assert (case.state, case.decided_by, case.answered_link.person) == ("proposed", None, "Hayashi Naoko")
    assert Standing.objects.get(player=case.player).grade == "4 Dan"
    assert ApprovalStep.objects.last().person == "Hayashi Naoko"
    with act_as(member("second")):
        confirm(case)
    rated(fesa)
    assert (Approval.objects.get().state, Standing.objects.get(player=case.player).grade) == ("approved", "5 Dan")


def test_person_behind_the_link_is_not_the_other_person(case, approver):
    RatingList.objects.update(second_approver=True)
    give(*send_letter(case, approver))
    with act_as(approver), refused("You sent the link by which this was answered, and know its code"):
        confirm(case)
    same = member("same")
    same.email = MAIL.upper()
    same.save()
    with act_as(same), refused("You answered this approval by link"):
        confirm(case)
    assert Approval.objects.get().state == "proposed"


def test_approver_without_a_second_one_confirms_the_answer_by_their_link(case, approver):
    give(*send_letter(case, approver))
    with act_as(approver):
        confirm(case)
    assert Approval.objects.get().state == "approved"


def test_link_works_once(case, approver):
    token, code = send_letter(case, approver)
    give(token, code)
    with refused("This link has ended: used"):
        give(token, code)
    with act_as(approver):
        reopen(case, "wrong day")
    with refused("This link has ended: used"):
        give(token, code)


def test_link_expires(case, approver):
    token, code = send_letter(case, approver)
    with travel(timezone.now() + dt.timedelta(days=31)), refused("This link has ended: expired"):
        give(token, code)


def test_link_locks_after_wrong_codes(case, approver):
    token, code = send_letter(case, approver)
    wrong = f"{(int(code) + 1) % 10**8:08}"
    for left in range(MOST_WRONG_CODES - 1, 0, -1):
        with refused(f"Wrong code. Attempts left: {left}."):
            give(token, wrong)
    with refused("Wrong code. The link is revoked now"):
        give(token, wrong)
    with refused("This link has ended: revoked"):
        give(token, code)
    assert ApprovalStep.objects.last().what == "locked"


def test_code_may_have_spaces_and_does_not_fit_another_link(case, approver):
    _first, old_code = send_letter(case, approver)
    token, code = send_letter(case, approver)
    if old_code != code:
        with refused("Wrong code"):
            give(token, old_code)
    give(token, f"{code[:4]} {code[4:]}")
    assert Approval.objects.get().state == "proposed"


@pytest.mark.parametrize("way", ["sent again", "revoked", "not sent", "answered by an approver"])
def test_link_ends(way, case, approver):
    token, code = send_letter(case, approver)
    with act_as(approver):
        if way == "revoked":
            revoke_link(find_link(token))
        elif way == "not sent":
            undo_sending(case)
        elif way == "sent again":
            send_letter(case, approver)
        else:
            answer(case, GIVEN)
            reopen(case, "wrong")
    with refused("This link has ended: revoked"):
        give(token, code)
    assert AnswerLink.objects.first().revoked_by == approver


def test_incomplete_answer_leaves_the_link_open(case, approver):
    token, code = send_letter(case, approver)
    with refused("Enter the reason for declining."):
        give(token, code, Answer(False, dt.date(2025, 6, 1)))
    assert (find_link(token).state, Approval.objects.get().state) == ("open", "sent")


def test_address_with_an_account_gets_no_link(case, approver):
    member_of_body = member("nsr")
    RatingList.objects.update(approving_mail=member_of_body.email)
    content = ParcelContent("x", "Answer here: {}".format, b"x", b"x")
    with act_as(approver):
        parcel, code = send_parcel(case, content, reference="FESA-7")
    assert (parcel.link, code, case.get_absolute_url() in parcel.body) == (None, "", True)


def test_link_whose_address_got_an_account_is_refused(case, approver):
    token, code = send_letter(case, approver)
    make_user("new", email=MAIL)
    with refused("has an account on this site now"):
        give(token, code)


def test_letter_needs_a_person_who_is_not_the_player(case, approver):
    content = ParcelContent("x", "{}".format, b"x", b"x")
    RatingList.objects.update(approving_person="Ken Sato")
    with act_as(approver), refused("cannot answer about their own grade"):
        send_parcel(case, content, reference="r")
    RatingList.objects.update(approving_mail="")
    with act_as(approver), refused("names nobody who answers for Nihon Shogi Renmei"):
        send_parcel(case, content, reference="r")
    Player.objects.filter(pk=case.player_id).update(account=approver)
    RatingList.objects.update(approving_person="Hayashi Naoko", approving_mail=MAIL)
    with act_as(approver), refused("You cannot approve your own grade"):
        send_parcel(case, content, reference="r")


def test_erased_player_is_in_no_letter(case, approver):
    send_letter(case, approver)
    Parcel.objects.update(body="Sato Ken earned 5 Dan.")
    erase_person(Player.objects.get(pk=case.player_id), reason="asked by letter")
    parcel = Parcel.objects.get()
    assert (parcel.dossier, parcel.certificate, "Sato" in parcel.body) == (None, None, False)


def test_player_of_another_name_can_still_be_asked_about(case, approver):
    make_player("Hayashi", "Naoko")
    assert send_letter(case, approver)[1]
