"""The approver's page: a question first, an answer saved for later, the day to answer by; the same by the link."""

import datetime as dt
import re

import pytest
from django.contrib.auth.models import Group
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from ratings.access import APPROVERS, OFFICERS
from ratings.domain.grades.answer_links import create_link
from ratings.domain.grades.approval_opening import request_approval
from ratings.domain.site.acting import act_as
from ratings.domain.site.outbox import deliver_outbox
from ratings.localize import format_day
from ratings.models import Approval, ApprovalQuestion, RatingList, SavedAnswer
from tests.approvals import earn_5_dan
from tests.factories import make_list, make_player, make_user
from tests.shared import reused

pytestmark = pytest.mark.django_db
ASKED = {"granted": "ask", "reason": "Who was the arbiter?", "on": "soon", "effective": "2999-01-01"}
"""A question; the other fields do not matter then."""


@pytest.fixture
@reused
def people():
    earn_5_dan(make_list(approving_person="Hayashi Naoko", approving_mail="grades@nsr.example"))
    users = {}
    for name, group in (("first", APPROVERS), ("second", APPROVERS), ("officer", OFFICERS), ("stranger", None)):
        users[name] = make_user(name, email=f"{name}@example.org")
        users[name].groups.set(Group.objects.filter(name=group))
    return users


@pytest.fixture
def case(people):
    return Approval.objects.get()


@pytest.fixture
def act(client, people, case):
    """Return a function that lets a person press a button of the approval's page, and returns the response."""

    def press(name, what, **data):
        client.force_login(people[name])
        return client.post(reverse("approval_act", args=[case.public_id, what]), data)

    return press


def texts(response):
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def page_of(client, case, user):
    client.force_login(user)
    return client.get(case.get_absolute_url())


def test_approver_asks_first_and_the_officer_answers_on_the_page(client, case, people, act):
    assert act("first", "answer", **ASKED).status_code == 302
    page = page_of(client, case, people["first"])
    assert "question open" in texts(page)
    assert "Not answered yet. Withdraw the question" in texts(page)
    assert (page.context["may_reply"], "Give this answer" in texts(page)) == (False, False)
    page = page_of(client, case, people["officer"])
    assert (page.context["may_reply"], "Send the answer" in texts(page)) == (True, True)
    assert "Withdraw the question" not in texts(page)
    response = act("officer", "reply", reply="")
    assert (response.status_code, "This field is required." in texts(response)) == (422, True)
    assert act("officer", "reply", reply="Ito <was>.").status_code == 302
    page = page_of(client, case, people["first"])
    assert ("Ito &lt;was&gt;." in page.content.decode(), "days until the answer: 0" in texts(page)) == (True, True)
    assert "Give this answer" in texts(page)
    assert act("officer", "unreply").status_code == 302
    assert "question open" in texts(client.get(case.get_absolute_url()))


def test_question_without_text_is_refused_and_keeps_the_choice(client, case, people, act):
    response = act("first", "answer", **ASKED | {"reason": " "})
    assert (response.status_code, response.context["problems"]) == (422, ["Write your question."])
    assert response.context["answer_form"]["granted"].value() == "ask"
    response = act("first", "answer", granted="no", on="2025-06-01", reason="x" * 301)
    assert "A reason has at most 300 characters; this one has 301." in texts(response)
    assert ApprovalQuestion.objects.count() == 0


def test_second_approver_asks_before_confirming(client, case, people, act):
    RatingList.objects.update(second_approver=True)
    answered = {"granted": "yes", "on": "2025-06-01", "effective": "2025-02-02", "signed_by": "Hayashi Naoko"}
    act("first", "answer", **answered)
    assert act("second", "save", reason="Is the list right?").status_code == 302
    assert page_of(client, case, people["second"]).context["ask_form"]["reason"].value() == "Is the list right?"
    assert act("second", "ask", reason="Is the list right?").status_code == 302
    assert (Approval.objects.get().state, SavedAnswer.objects.count()) == ("proposed", 0)
    response = act("second", "confirm")
    assert (response.status_code, "A question about this approval is open." in texts(response)) == (422, True)
    assert act("second", "unask").status_code == 302
    assert act("second", "confirm").status_code == 302
    assert Approval.objects.get().state == "approved"


@pytest.mark.parametrize(
    ("name", "what", "status"),
    [
        ("stranger", "ask", 403), ("stranger", "reply", 403), ("stranger", "save", 403), ("officer", "ask", 403),
        ("officer", "save", 403), ("officer", "unask", 403), ("second", "reply", 403), ("second", "unreply", 403),
        ("second", "unask", 422),
    ],
)  # fmt: skip
def test_people_without_the_right_neither_ask_nor_answer(name, what, status, case, act):
    assert act(name, what, reason="x", reply="x").status_code == status
    assert (ApprovalQuestion.objects.count(), SavedAnswer.objects.count()) == (0, 0)


def test_visitors_wrong_cases_and_wrong_methods_are_refused(client, case, people, act):
    address = reverse("approval_act", args=[case.public_id, "ask"])
    client.logout()
    assert client.post(address, {"reason": "x"}).status_code == 302
    client.force_login(people["first"])
    assert client.get(address).status_code == 405
    assert client.post(address.replace(case.public_id, "ZZZZZZZZ"), {"reason": "x"}).status_code == 404
    assert ApprovalQuestion.objects.count() == 0


def test_saved_answer_is_shown_again_to_its_approver_only(client, case, people, act):
    typed = {
        "granted": "yes",
        "on": "soon",
        "effective": "2025-02-02",
        "signed_by": "<b>Ito",
        "reason": "half",
        "reference": "",
    }
    assert act("first", "save", **typed).status_code == 302
    page = page_of(client, case, people["first"])
    form = page.context["answer_form"]
    assert {name: form[name].value() for name in typed} == typed
    assert "Saved for later on" in texts(page)
    assert re.findall(r'value="(\w+)"[^>]* checked', page.content.decode()) == ["yes"]
    assert "&lt;b&gt;Ito" in page.content.decode()
    for name in ("second", "officer"):
        page = page_of(client, case, people[name])
        assert ("half" in texts(page), "Saved for later on" in texts(page)) == (False, False)
    assert (Approval.objects.get().state, case.steps.count()) == ("waiting", 0)
    act("first", "unsave")
    page = page_of(client, case, people["first"])
    assert page.context["answer_form"]["granted"].value() is None
    assert "You deleted the text that was saved for later. Undo" in texts(page)
    act("first", "restore")
    assert page_of(client, case, people["first"]).context["answer_form"]["reason"].value() == "half"


def test_approvals_page_is_sorted_by_the_day_to_answer_by(client, case, people, django_assert_num_queries):
    day = dt.date(2024, 1, 1)
    with act_as(people["officer"]):
        later = [
            request_approval(case.list, make_player(), "5 Dan", held_since=day, evidence="diploma") for _ in range(2)
        ]
    Approval.objects.filter(pk=later[1].pk).update(state="sent", sent_on="2025-01-01", answer_by="2025-01-31")
    with act_as(people["first"]):
        ApprovalQuestion.objects.create(case=later[0], text="Which diploma?", asked_by=people["first"])
    client.force_login(people["first"])
    with django_assert_num_queries(QUERIES):
        page = client.get("/organise/approvals/")
    assert page.context["waiting"] == [later[1], case, later[0]]
    assert texts(page).count("overdue") == 1
    assert ("31 Jan 2025 overdue sent" in texts(page), "question open" in texts(page)) == (True, True)


QUERIES = 8
"""Queries of the approvers' page, for any number of approvals."""


def test_letter_and_case_page_name_the_day_to_answer_by(client, case, people, act):
    RatingList.objects.update(answer_within=45)
    assert "which works for 45 days" in texts(page_of(client, case, people["first"]))
    act("first", "parcel", reference="FESA-7")
    case = Approval.objects.get()
    deliver_outbox()
    (body,) = [one.body for one in mail.outbox if one.to == ["grades@nsr.example"]]
    assert f"Approve, decline or ask a question on this page, by {format_day(case.answer_by)}:" in body
    assert (f"Answer by {format_day(case.answer_by)}\n" in body, case.answer_by - case.sent_on) == (
        True,
        dt.timedelta(days=45),
    )
    assert case.answer_links.get().expires_at.date() == case.answer_by
    page = page_of(client, case, people["first"])
    assert (f"Answer by {format_day(case.answer_by)}" in texts(page), "overdue" in texts(page)) == (True, False)
    Approval.objects.update(answer_by="2025-01-01")
    assert "Answer by 1 Jan 2025 overdue" in texts(client.get(case.get_absolute_url()))


def test_person_asks_by_the_link_with_the_code_and_reads_the_answer(client, case, people, act):
    with act_as(people["first"]):
        _link, token, code = create_link(case)
    client.logout()
    address = reverse("answer_link", args=[token])
    page = client.get(address)
    assert f"Answer by {format_day(case.due_on)}." in texts(page)
    response = client.post(address, ASKED)
    assert (response.status_code, response.context["form"].errors) == (422, {"code": ["This field is required."]})
    assert "Wrong code. Attempts left: 4." in texts(client.post(address, ASKED | {"code": "1"}))
    response = client.post(address, ASKED | {"code": code})
    assert (response.status_code, response.url, response.cookies) == (302, address, {})
    page = client.get(address)
    assert (page.status_code, "Who was the arbiter?" in texts(page), "Not answered yet." in texts(page)) == (
        200, True, True,
    )  # fmt: skip
    assert (Approval.objects.get().state, ApprovalQuestion.objects.get().person) == ("waiting", "Hayashi Naoko")
    act("officer", "reply", reply="Ito was.")
    client.logout()
    assert "Ito was." in texts(client.get(address))


def test_officers_desk_lists_the_open_question_with_its_age(client, case, people, act):
    def lines():
        return [str(each) for each in client.get("/organise/desk/").context["approver_questions"]]

    client.force_login(people["officer"])
    assert "Questions of approvers" not in client.get("/organise/desk/").text
    act("first", "answer", **ASKED)
    question = ApprovalQuestion.objects.get()
    client.force_login(people["officer"])
    page = client.get("/organise/desk/")
    assert f'<a href="{case.get_absolute_url()}#questions">{case.player}, 5 Dan</a>' in page.text
    assert "first, today: Who was the arbiter?" in texts(page)
    ApprovalQuestion.objects.update(asked_at=timezone.now() - dt.timedelta(days=3, hours=1))
    assert "first, 3 days ago: Who was the arbiter?" in texts(client.get("/organise/desk/"))
    page = texts(client.get("/organise/desk/", headers={"Accept-Language": "ja"}))
    assert "first（3日前）： Who was the arbiter?" in page
    other = make_user("other officer")
    RatingList.objects.get(pk=case.list_id).officers.add(other)
    assert lines() == []
    RatingList.objects.get(pk=case.list_id).officers.clear()
    case.player.account = people["officer"]
    case.player.save()
    assert lines() == []
    case.player.account = None
    case.player.save()
    assert lines() == [str(question)]
    act("officer", "reply", reply="Ms Brand.")
    assert lines() == []
