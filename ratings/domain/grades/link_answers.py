"""Answers to approvals that are given by a link; each counts as one of two persons, and an approver confirms it."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from ratings.models import AnswerLink, ApprovalStep

from .answer_links import check_code, check_open
from .approval_steps import add_step, summarize_answer
from .approvals import Answer, enter_answer, lock_to_answer, propose
from .questions import close_question


def answer_by_link(link: AnswerLink, token: str, code: str, new_answer: Answer) -> None:
    """Give the answer of the person to whom a link was sent; it waits until an approver confirms it.

    An open question that this person asked is withdrawn.

    Raise ValidationError if the code is wrong, if the link is not open, or if the answer cannot be entered.
    """
    check_code(link, token, code)
    with transaction.atomic():
        case = lock_to_answer(link.case)
        stored = AnswerLink.objects.select_for_update().get(pk=link.pk)
        check_open(stored)
        enter_answer(case, new_answer)
        if (question := case.open_question) is not None and question.link_id == stored.pk:
            close_question(question)
        stored.used_at = timezone.now()
        stored.save(update_fields=["used_at"])
        case.answered_link = stored
        add_step(case, ApprovalStep.What.ANSWERED, *summarize_answer(case), person=stored.person)
        propose(case)
