"""Questions about approvals, which the officers of the list answer before the approval goes on.

A question changes neither the state of the approval nor who may answer or confirm it. While it is open, approvers
cannot answer or confirm.
"""

from __future__ import annotations

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.access import Action, Person, may
from ratings.domain.site.acting import acting_user
from ratings.domain.site.outbox import notify
from ratings.models import AnswerLink, Approval, ApprovalQuestion, ApprovalStep
from ratings.models.messages import ApprovalNote

from .answer_links import check_code, check_open
from .approval_locks import lock_in_state
from .approval_steps import add_step
from .grade_approval import is_own
from .saved_answers import forget_saved_answer

NOTIFICATION = "approval_question"
"""Kind of the notification whose mails `question_mails.py` writes."""
LONGEST = 1000
State, What = Approval.State, ApprovalStep.What


@transaction.atomic
def ask_question(case: Approval, text: str) -> ApprovalQuestion:
    """Ask a question about an open approval; the officers of the list receive it by email.

    Raise ValidationError if the text is empty or too long, if the approval is settled, or if a question is open.
    """
    return _save_question(lock_in_state(case, *Approval.OPEN), text)


def ask_by_link(link: AnswerLink, token: str, code: str, text: str) -> ApprovalQuestion:
    """Ask a question as the person to whom a link was sent; the link stays open for one answer.

    Raise ValidationError if the code is wrong or the link has ended, or as `ask_question` does.
    """
    check_code(link, token, code)
    with transaction.atomic():
        case = lock_in_state(link.case, State.WAITING, State.SENT)
        stored = AnswerLink.objects.select_for_update().get(pk=link.pk)
        check_open(stored)
        if case.open_question is not None:
            raise ValidationError(_("A question is open already. Answer at once, or ask yours when that is answered."))
        return _save_question(case, text, stored)


def _save_question(case: Approval, text: str, link: AnswerLink | None = None) -> ApprovalQuestion:
    """Save a question about a locked approval."""
    if case.open_question is not None:
        raise ValidationError(_("A question is open already: wait for its answer, or withdraw it."))
    person = link.person if link else ""
    text = _check_text(text, _("Write your question."))
    question = ApprovalQuestion(
        case=case, text=text, asked_by=None if link else acting_user(), link=link, person=person
    )
    question.full_clean()
    question.save()
    add_step(case, What.ASKED, question.text, person=person)
    if link is None:
        forget_saved_answer(case)
    notify(NOTIFICATION, question.pk)
    return question


def _check_text(text: str, if_empty: str) -> str:
    """Return the text without blanks around it; raise ValidationError if it is empty (`if_empty`) or too long."""
    text = text.strip()
    if not text:
        raise ValidationError({"reason": if_empty})
    if len(text) > LONGEST:
        message = _("This text has %(length)d characters. At most %(most)d are possible.")
        raise ValidationError({"reason": message % {"length": len(text), "most": LONGEST}})
    return text


@transaction.atomic
def withdraw_question(question: ApprovalQuestion) -> None:
    """Withdraw an open question, so that the approval can be answered without its answer."""
    stored = _lock_question(question)
    if not stored.is_open:
        raise ValidationError(_("This question is not open any more."))
    close_question(stored)
    notify(NOTIFICATION, stored.pk)


def close_question(question: ApprovalQuestion) -> None:
    """Mark a locked question as withdrawn, with a step."""
    question.withdrawn_at = timezone.now()
    question.save(update_fields=["withdrawn_at"])
    add_step(question.case, What.UNASKED, question.text, person=question.person if acting_user() is None else "")


@transaction.atomic
def reply(question: ApprovalQuestion, text: str) -> None:
    """Answer an open question; the person who asked is told by email, and the approval waits for them again.

    Raise PermissionDenied if the acting user must not answer it.
    """
    stored = _lock_question(question)
    _check_may_reply(stored)
    if not stored.is_open:
        raise ValidationError(_("This question is not open any more."))
    stored.reply = _check_text(text, _("Write your answer."))
    stored.replied_by, stored.replied_at = acting_user(), timezone.now()
    stored.full_clean()
    stored.save()
    add_step(stored.case, What.REPLIED, ApprovalNote.REPLIED(days=stored.days), stored.reply)
    notify(NOTIFICATION, stored.pk)


@transaction.atomic
def withdraw_reply(question: ApprovalQuestion) -> None:
    """Withdraw the answer to the latest question, which is open again; the person who asked is told by email."""
    stored = _lock_question(question)
    _check_may_reply(stored)
    if stored.replied_at is None or stored.case.questions.filter(pk__gt=stored.pk).exists():
        raise ValidationError(_("Only the answer to the latest question can be withdrawn."))
    add_step(stored.case, What.UNREPLIED, stored.reply)
    stored.reply, stored.replied_by, stored.replied_at = "", None, None
    stored.save()
    notify(NOTIFICATION, stored.pk)


def _lock_question(question: ApprovalQuestion) -> ApprovalQuestion:
    """Return a question of an open approval; both are locked."""
    case = lock_in_state(question.case, *Approval.OPEN)
    stored = ApprovalQuestion.objects.select_for_update(of=("self",)).get(pk=question.pk)
    stored.case = case
    return stored


def may_reply(user: Person, case: Approval) -> bool:
    """Return True for officers of the list and the user who sent the letter, unless the grade is their own."""
    has_sent = user.pk is not None and user.pk == case.sent_by_id and may(user, Action.SEE_APPROVALS, case)
    return (has_sent or may(user, Action.KEEP_LIST, case)) and not is_own(case.player, user)


def _check_may_reply(question: ApprovalQuestion) -> None:
    user = acting_user()
    if user is not None and not may_reply(user, question.case):
        raise PermissionDenied


def check_no_open_question(case: Approval) -> None:
    """Raise ValidationError while a question about an approval is open."""
    if case.open_question is not None:
        raise ValidationError(_("A question about this approval is open. Wait for its answer, or withdraw it."))
