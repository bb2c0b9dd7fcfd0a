"""Questions about approvals, the day to answer by, and answers saved for later."""

import datetime as dt
import re

import pytest
from django.contrib.auth.models import Group
from django.core import mail
from django.core.exceptions import PermissionDenied, ValidationError
from time_machine import travel

from ratings.access import APPROVERS, OFFICERS
from ratings.domain.grades.answer_links import create_link, find_link
from ratings.domain.grades.approval_mails import remind_approvers
from ratings.domain.grades.approvals import Answer, answer, confirm, reopen
from ratings.domain.grades.link_answers import answer_by_link
from ratings.domain.grades.parcels import send, undo_sending
from ratings.domain.grades.questions import ask_by_link, ask_question, reply, withdraw_question, withdraw_reply
from ratings.domain.grades.saved_answers import (
    delete_saved_answer,
    find_saved_answer,
    restore_saved_answer,
    save_answer,
)
from ratings.domain.players.erasing import erase_person
from ratings.domain.site.acting import act_as
from ratings.domain.site.outbox import deliver_outbox
from ratings.localize import format_day, join_clauses
from ratings.models import Approval, ApprovalQuestion, RatingList, SavedAnswer
from tests.approvals import earn_5_dan
from tests.factories import make_list, make_user
from tests.shared import reused

pytestmark = pytest.mark.django_db
GIVEN = Answer(True, dt.date(2025, 6, 1), dt.date(2025, 2, 2), signed_by="Hayashi Naoko")
PERSON = {"approving_person": "Hayashi Naoko", "approving_mail": "grades@nsr.example"}


def member(name, group):
    user = make_user(name, email=f"{name}@example.org")
    user.groups.add(Group.objects.get(name=group))
    return user


@pytest.fixture
@reused
def people():
    fesa = make_list(**PERSON)
    earn_5_dan(fesa)
    users = {name: member(name, APPROVERS) for name in ("first", "second")}
    return users | {"officer": member("officer", OFFICERS)}


@pytest.fixture
def case(people):
    return Approval.objects.get()


def refused(text):
    return pytest.raises(ValidationError, match=re.escape(text))


def ask(case, user, text="Who was the arbiter?"):
    with act_as(user):
        return ask_question(case, text)


def mails():
    """Return the receivers and subjects of the mails that wait, and forget them."""
    deliver_outbox()
    sent = sorted((one.to[0], one.subject) for one in mail.outbox)
    mail.outbox.clear()
    return sent


def steps_of(case):
    return [(str(step.what), step.by and step.by.username, join_clauses(step.note)) for step in case.steps.all()]


def test_question_goes_to_the_officers_and_its_answer_back_to_the_approver(case, people):
    mails()
    question = ask(case, people["first"])
    case = Approval.objects.get()
    assert (case.state, case.shown_state, case.decided_by) == ("waiting", "question open", None)
    assert mails() == [("officer@example.org", "Sato Ken 5 Dan: question")]
    with travel(dt.datetime.now(dt.UTC) + dt.timedelta(days=3)), act_as(people["officer"]):
        reply(question, " Ito was. ")
        deliver_outbox()
    (sent,) = mail.outbox
    assert (sent.to, sent.subject) == (["first@example.org"], "Sato Ken 5 Dan: your question is answered")
    for part in ("Who was the arbiter?", "Ito was.", "The approval waits for you again", case.get_absolute_url()):
        assert part in sent.body
    case = Approval.objects.get()
    assert (case.shown_state, case.questions.get().days) == ("waiting", 3)
    assert steps_of(case) == [
        ("asked", "first", "Who was the arbiter?"),
        ("replied", "officer", "days until the answer: 3; Ito was."),
    ]


def test_question_stops_answers_until_it_is_answered_or_withdrawn(case, people):
    question = ask(case, people["first"])
    with act_as(people["second"]), refused("A question about this approval is open"):
        answer(case, GIVEN)
    with act_as(people["second"]), refused("A question is open already"):
        ask_question(case, "Another one?")
    with act_as(people["first"]):
        withdraw_question(question)
        answer(case, GIVEN)
    assert Approval.objects.get().state == "approved"
    with refused("This has been settled meanwhile"):
        withdraw_question(question)


def test_question_changes_nothing_about_the_two_persons(case, people):
    RatingList.objects.update(second_approver=True)
    with act_as(people["first"]):
        answer(case, GIVEN)
    question = ask(case, people["second"])
    with act_as(people["second"]), refused("A question about this approval is open"):
        confirm(case)
    with act_as(people["officer"]):
        reply(question, "Ito was.")
    case = Approval.objects.get()
    assert (case.state, case.decided_by, case.confirmed_by) == ("proposed", people["first"], None)
    with act_as(people["first"]), refused("Another approver must confirm it"):
        confirm(case)
    with act_as(people["second"]):
        confirm(case)
    assert Approval.objects.get().confirmed_by == people["second"]


def test_answer_to_a_question_can_be_withdrawn(case, people):
    question = ask(case, people["first"])
    with act_as(people["officer"]):
        reply(question, "Ito.")
    mails()
    with act_as(people["officer"]):
        withdraw_reply(question)
    assert mails() == [
        ("first@example.org", "Sato Ken 5 Dan: the answer to your question was withdrawn"),
        ("officer@example.org", "Sato Ken 5 Dan: question"),
    ]
    assert (Approval.objects.get().shown_state, ApprovalQuestion.objects.get().reply) == ("question open", "")
    assert steps_of(case)[-1] == ("unreplied", "officer", "Ito.")
    with act_as(people["officer"]), refused("Only the answer to the latest question"):
        withdraw_reply(question)


def test_question_is_answered_by_officers_and_the_sender_only(case, people):
    with act_as(people["second"]):
        send(case, on=dt.date(2025, 3, 1), reference="x")
    question = ask(case, people["first"])
    with act_as(people["first"]), pytest.raises(PermissionDenied):
        reply(question, "Nobody knows.")
    case.player.account = people["officer"]
    case.player.save()
    with act_as(people["officer"]), pytest.raises(PermissionDenied):
        reply(question, "I was there.")
    assert [to for to, _subject in mails() if to != "first@example.org"] == ["second@example.org"] * 2
    with act_as(people["second"]):
        reply(question, "Ito was.")
    assert Approval.objects.get().open_question is None


@pytest.mark.parametrize(("text", "problem"), [(" ", "Write your question"), ("x" * 1001, "This text has 1001")])
def test_question_without_text_or_too_long_is_refused(text, problem, case, people):
    with refused(problem):
        ask(case, people["first"], text)
    assert steps_of(case) == []


def test_question_by_link_leaves_the_link_open_for_one_answer(case, people):
    with act_as(people["first"]):
        send(case, on=dt.date(2025, 3, 1), reference="x")
        link, token, code = create_link(Approval.objects.get())
    with refused("Wrong code"):
        ask_by_link(link, token, "1", "Who was the arbiter?")
    mails()
    question = ask_by_link(link, token, code, "Who was the arbiter?")
    assert mails() == [(f"{name}@example.org", "Sato Ken 5 Dan: question") for name in ("first", "officer")]
    with refused("A question is open already"):
        ask_by_link(link, token, code, "And when?")
    with act_as(people["officer"]):
        reply(question, "Ito was.")
    deliver_outbox()
    (sent,) = mail.outbox
    assert (sent.to, "Answer by the link in the letter" in sent.body) == (["grades@nsr.example"], True)
    assert (token in sent.body, "/organise/" in sent.body) == (False, False)
    again = ask_by_link(link, token, code, "And when?")
    answer_by_link(find_link(token), token, code, GIVEN)
    case = Approval.objects.get()
    assert (case.state, case.open_question, case.answered_link) == ("proposed", None, link)
    assert steps_of(case)[-2:] == [("unasked", None, again.text), ("answered", None, steps_of(case)[-1][2])]
    with refused("This link has ended: used"):
        ask_by_link(link, token, code, "One more?")


def test_saved_answer_is_kept_for_one_approver_and_decides_nothing(case, people):
    with act_as(people["first"]):
        save_answer(case, {"granted": "yes", "reason": "half"})
        save_answer(case, {"granted": "yes", "reason": "half a sentence"})
        delete_saved_answer(case)
        assert find_saved_answer(case, people["first"]).deleted_at is not None
        restore_saved_answer(case)
    saved = find_saved_answer(case, people["first"])
    assert (saved.values, saved.deleted_at) == ({"granted": "yes", "reason": "half a sentence"}, None)
    assert (find_saved_answer(case, people["second"]), Approval.objects.get().state, steps_of(case)) == (
        None, "waiting", [],
    )  # fmt: skip
    with act_as(people["second"]):
        save_answer(case, {"reason": "mine"})
        answer(case, GIVEN)
    assert SavedAnswer.objects.get() == saved
    with act_as(people["first"]), refused("This has been settled meanwhile: approved"):
        save_answer(Approval.objects.get(), {})


def test_day_to_answer_by_counts_from_the_letter_or_from_the_opening(case, people):
    RatingList.objects.update(answer_within=20)
    case = Approval.objects.get()
    opened = case.opened_at.date()
    assert case.due_on == opened + dt.timedelta(days=20)
    with act_as(people["first"]):
        send(case, on=dt.date(2025, 3, 1), reference="x")
        assert Approval.objects.get().due_on == dt.date(2025, 3, 21)
        undo_sending(case)
        assert Approval.objects.get().due_on == opened + dt.timedelta(days=20)
        answer(case, GIVEN)
        with travel(dt.datetime(2031, 5, 1, tzinfo=dt.UTC)):
            reopen(case, "wrong person")
    assert Approval.objects.get().due_on == dt.date(2031, 5, 21)


def test_approvers_are_reminded_on_the_day_to_answer_by(case, people):
    RatingList.objects.update(answer_within=20, remind_after=None)
    mails()
    due = Approval.objects.get().due_on
    noon = dt.datetime.combine(due, dt.time(12), dt.UTC)
    with travel(noon - dt.timedelta(days=1)):
        assert remind_approvers() == 0
    with travel(noon):
        assert (remind_approvers(), remind_approvers()) == (1, 0)
        deliver_outbox()
    assert f"Answer by {format_day(due)}" in mail.outbox[0].body
    assert mails() == [(f"{name}@example.org", "Sato Ken 5 Dan still waits: waiting") for name in ("first", "second")]
    with travel(noon + dt.timedelta(days=9)):
        assert remind_approvers() == 0


def test_officers_are_reminded_of_an_open_question(case, people):
    ask(case, people["first"])
    mails()
    with travel(dt.datetime.combine(Approval.objects.get().due_on, dt.time(12), dt.UTC)):
        assert remind_approvers() == 1
        assert mails() == [("officer@example.org", "Sato Ken 5 Dan still waits: question open")]


def test_erased_person_is_named_in_no_question_and_no_saved_answer(case, people):
    question = ask(case, people["first"], "Did Sato Ken play in Paris?")
    with act_as(people["officer"]):
        reply(question, "Ken Sato did.")
    with act_as(people["second"]):
        save_answer(case, {"reason": "Sato, Ken is known"})
    erase_person(case.player, reason="asked by letter")
    question.refresh_from_db()
    texts = [question.text, question.reply, SavedAnswer.objects.get().values["reason"]]
    assert [text for text in texts if "Sato" in text or "Ken" in text] == []
    assert [part for step in case.steps.all() for part in step.note if "Sato" in part] == []
