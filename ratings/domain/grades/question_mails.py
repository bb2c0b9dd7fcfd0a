"""Mails about questions on approvals: to the officers who can answer, and to the person who asked."""

from __future__ import annotations

from django.conf import settings
from django.core.mail import EmailMessage
from django.utils.translation import gettext as _

from ratings.domain.site.mails import queue_mail
from ratings.domain.site.outbox import queue_mails, register_composer
from ratings.localize import format_day
from ratings.models import ApprovalQuestion, ApprovalStep
from ratings.time_zones import find_today

from .approval_mails import describe_case, find_approvers, find_recipients
from .questions import NOTIFICATION


@register_composer(NOTIFICATION)
def send_question(question_id: int) -> None:
    """Send the mails about a question in its present state.

    An open or withdrawn one goes to those who can answer it, an answered one to the person who asked. If the answer to
    an open question was withdrawn, that person is told as well.
    """
    related = (
        "case__list__federation",
        "case__player__account",
        "case__table__event",
        "case__sent_by",
        "asked_by",
        "link",
    )
    question = ApprovalQuestion.objects.select_related(*related).defer("case__letter").filter(pk=question_id).first()
    if question is None:
        return
    if question.replied_at is not None:
        _tell_asker(question, _("%(what)s: your question is answered"))
        return
    _tell_recipients(question)
    last = question.case.steps.last()
    if question.is_open and last is not None and last.what == ApprovalStep.What.UNREPLIED:
        _tell_asker(question, _("%(what)s: the answer to your question was withdrawn"))


def _tell_recipients(question: ApprovalQuestion) -> None:
    case = question.case
    if question.is_open:
        title, next_step = (
            _("%(what)s: question"),
            _("Answer the question on the approval’s page. The case waits for you."),
        )
    else:
        title = _("%(what)s: question withdrawn")
        next_step = _("You need not do anything: the question was withdrawn.")
    for user in {user.pk: user for user in find_recipients(case)}.values():
        if user.pk != question.asked_by_id:
            _send(question, user.email, title, next_step)


def _tell_asker(question: ApprovalQuestion, title: str) -> None:
    """Send a mail to the person who asked; to all approvers, if they have no active account any more."""
    is_answered = question.replied_at is not None
    if question.link is not None:
        _write_to_link(question, title, is_answered=is_answered)
        return
    next_step = (
        _("The approval waits for you again: answer it on its page.")
        if is_answered
        else _("You will receive an email when there is a new answer.")
    )
    is_known = question.asked_by is not None and question.asked_by.is_active
    people = [question.asked_by] if is_known else find_approvers(question.case)
    for user in filter(None, people):
        _send(question, user.email, title, next_step)


def _send(question: ApprovalQuestion, address: str, title: str, next_step: str) -> None:
    case = question.case
    queue_mail(
        [address],
        title % {"what": f"{case.player.name} {case.grade}"},
        describe_case(case),
        *describe_question(question),
        next_step,
        path=case.get_absolute_url(),
        federation=case.list.federation,
    )


def _write_to_link(question: ApprovalQuestion, title: str, *, is_answered: bool) -> None:
    """Write to the person of a link, without the link: it is only in the letter."""
    case, link = question.case, question.link
    assert link is not None
    if not is_answered:
        next_step = _("You will receive an email when there is a new answer.")
    elif link.is_open:
        next_step = _("Answer by the link in the letter. It works until %(day)s.") % {
            "day": format_day(find_today(case.list.federation.time_zone, link.expires_at))
        }
    else:
        next_step = _("The link in the letter has ended. To answer, ask the federation for a new letter.")
    paragraphs = (describe_case(case), *describe_question(question), next_step, settings.SITE_ADDRESS)
    subject = " ".join((title % {"what": f"{case.player.name} {case.grade}"}).split())
    queue_mails([EmailMessage(subject, "\n\n".join(paragraphs), None, [link.mail])], federation=case.list.federation)


def describe_question(question: ApprovalQuestion) -> list[str]:
    """Return the question and its answer as paragraphs, with names and days."""
    zone = question.case.list.federation.time_zone
    asked = {
        "who": question.asked_by or question.person,
        "day": format_day(find_today(zone, question.asked_at)),
        "text": question.text,
    }
    texts = [_("Question of %(who)s, %(day)s:\n%(text)s") % asked]
    if question.replied_at is not None:
        day = format_day(find_today(zone, question.replied_at))
        replied = {"who": question.replied_by, "day": day, "text": question.reply}
        texts.append(_("Answer of %(who)s, %(day)s:\n%(text)s") % replied)
    return texts
