"""Page of an approval: the evidence, the two persons, the answer, the letters, the links and the steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from portal.grades.dossiers import rule_text
from portal.grades.forms import AnswerForm, ParcelForm, QuestionForm, ReasonForm, ReplyForm, SendForm
from portal.grades.graphs import draw_evidence
from portal.grades.letters import describe_evidence
from ratings.access import Action, may
from ratings.domain.grades.answer_links import find_lifetime, has_account
from ratings.domain.grades.approval_locks import get_form_version
from ratings.domain.grades.parcels import check_sendable
from ratings.domain.grades.questions import may_reply
from ratings.domain.grades.saved_answers import find_saved_answer
from ratings.localize import format_moment
from ratings.models import Approval
from ratings.queries.grades.approving_bodies import get_approving_body
from ratings.queries.grades.case_checks import check_case
from ratings.queries.grades.dossiers import build_dossier
from ratings.time_zones import find_today

CODE_KEY = "answer_code"
"""Key of the session for the code of a link that was just sent; it is deleted when the page shows it."""


@dataclass(frozen=True)
class Person:
    """One of the persons of an approval: the name, what they did or will do, and whether they are the reader."""

    name: str
    text: str
    is_done: bool
    is_reader: bool


def render_case(request: HttpRequest, case: Approval, status: int = 200, **more: Any) -> HttpResponse:
    """Return the page of an approval for an approver or officer."""
    dossier, may_approve = build_dossier(case), may(request.user, Action.APPROVE, case)
    body, links = get_approving_body(case.list), case.answer_links.select_related("made_by", "revoked_by")
    reference = case.sent_reference or case.own_reference
    answered = {
        "on": find_today(case.list.federation.time_zone),
        "effective": case.earned_on,
        "signed_by": body.person,
        "signer_office": body.office,
    }
    saved = find_saved_answer(case, request.user) if may_approve and case.is_open else None
    is_saved = saved is not None and saved.deleted_at is None
    values = saved.values if saved is not None and is_saved else {}
    questions = list(case.questions.select_related("asked_by", "replied_by"))
    context = {
        "case": case,
        "shown_version": get_form_version(case),
        "dossier": dossier,
        "rule": rule_text(dossier),
        "evidence": describe_evidence(dossier),
        "missing": describe_missing(case),
        "graph": draw_evidence(dossier),
        "won": sum(game.score == 1 for game in dossier.games),
        "rating_list": case.list,
        "checks": check_case(dossier) if dossier.games else None,
        "body": body,
        "may_approve": may_approve,
        "may_withdraw": case.is_requested and may(request.user, Action.KEEP_LIST, case),
        "persons": list_persons(case, request.user, may_approve=may_approve),
        "steps": case.steps.select_related("by").defer("letter").order_by("-pk"),
        "parcels": case.parcels.select_related("sent_by", "mail").defer("dossier", "certificate"),
        "links": links,
        "sending_problem": find_sending_problem(case),
        "gets_link": not has_account(body.mail),
        "send_form": SendForm(),
        "parcel_form": ParcelForm(initial={"reference": reference}, auto_id="parcel_%s"),
        "answer_form": AnswerForm(initial=answered | values),
        "ask_form": QuestionForm(initial={"reason": values.get("reason", "")}, auto_id="ask_%s"),
        "saved": saved,
        "is_saved": is_saved,
        "questions": questions,
        "open_question": case.open_question if case.is_open else None,
        "may_reply": case.is_open and may_reply(request.user, case),
        "reply_form": ReplyForm(auto_id="reply_%s"),
        "is_overdue": case.is_open and case.due_on < find_today(case.list.federation.time_zone),
        "link_days": find_lifetime(case.list).days,
        "reopen_form": ReasonForm(auto_id="reopen_%s"),
        "withdraw_form": ReasonForm(auto_id="withdraw_%s"),
    }
    if may_approve and (shown := request.session.get(CODE_KEY)) and shown["link"] in {link.pk for link in links}:
        context["code"] = request.session.pop(CODE_KEY)["code"]
    return render(request, "grades/approval.html", context | more, status=status)


def find_sending_problem(case: Approval) -> str:
    """Return why no letter can be sent by email; empty if one can be."""
    try:
        check_sendable(case)
    except ValidationError as error:
        return " ".join(error.messages)
    return ""


def describe_missing(case: Approval) -> str:
    """Return in one sentence what is missing until an approval is settled."""
    if case.is_open and case.open_question:
        return _("A question is open. The case goes on when it is answered.")
    if case.state == Approval.State.PROPOSED:
        return _("The answer is entered. One more person must confirm it.")
    if case.is_open:
        return _("The answer is missing.")
    return _("The case is closed: %(state)s.") % {"state": case.get_state_display()}


def list_persons(case: Approval, user: Any, *, may_approve: bool) -> list[Person]:
    """Return the persons who answered and confirmed, or who are expected to."""
    return [_describe_first(case, user, may_approve=may_approve), *_describe_second(case, user, may_approve)]


def _describe_first(case: Approval, user: Any, *, may_approve: bool) -> Person:
    if case.answered_link is not None:
        return Person(case.answered_link.person, _write_answer(case, by_link=True), is_done=True, is_reader=False)
    if case.decided_by is not None:
        return Person(str(case.decided_by), _write_answer(case, by_link=False), True, case.decided_by == user)
    if not case.is_open:
        return Person(_("Nobody"), _("The case was closed without an answer."), is_done=False, is_reader=False)
    text = _("Enters the answer of the approving body, or the body answers by the link in its letter.")
    return Person(str(user) if may_approve else _("An approver"), text, is_done=False, is_reader=may_approve)


def _write_answer(case: Approval, *, by_link: bool) -> str:
    values = {"at": format_moment(case.decided_at)}
    if by_link:
        text = (
            _("Approved on %(at)s, by link and with a code told by phone.")
            if case.granted
            else _("Declined on %(at)s, by link and with a code told by phone.")
        )
    else:
        text = _("Entered “approved” on %(at)s.") if case.granted else _("Entered “declined” on %(at)s.")
    return text % values


def _describe_second(case: Approval, user: Any, may_approve: bool) -> list[Person]:
    if case.confirmed_by is not None and case.confirmed_at is not None:
        text = _("Confirmed on %(at)s.") % {"at": format_moment(case.confirmed_at)}
        return [Person(str(case.confirmed_by), text, is_done=True, is_reader=case.confirmed_by == user)]
    proposed = case.state == Approval.State.PROPOSED
    if not case.is_open or not (proposed or case.list.second_approver):
        return []
    link = case.answered_link
    is_reader = bool(
        proposed
        and may_approve
        and case.decided_by != user
        and not (link and case.list.second_approver and link.made_by_id == user.pk)
    )
    text = _("Confirms the answer. With it the case is settled.")
    return [Person(str(user) if is_reader else _("Another approver"), text, is_done=False, is_reader=is_reader)]
