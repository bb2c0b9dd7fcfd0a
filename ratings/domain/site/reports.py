"""Errors that visitors report: written down, answered in the same place, both told by mail."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.models import Report

from .acting import acting_user
from .mails import officers, post
from .wake import wake


@transaction.atomic
def report_error(report: Report) -> Report:
    """Write an error down and have the officers told."""
    report.by = acting_user()
    report.full_clean()
    report.save()
    wake("ratings.mail_report", report.pk)
    return report


@transaction.atomic
def answer_report(report: Report, *, state: str, answer: str) -> None:
    """Answer a report; who left a mail address is told. ValidationError without a word."""
    if not answer.strip() or state not in Report.ANSWERS:
        raise ValidationError(_("Write an answer, and say whether it was mended or is right."))
    report.state, report.answer = state, answer.strip()
    report.answered_by, report.answered_at = acting_user(), timezone.now()
    report.full_clean()
    report.save()
    wake("ratings.mail_report", report.pk)


@transaction.atomic
def decline_report(report: Report) -> None:
    """Close a report that is none (spam, say) without a word to anybody; ValidationError where it is closed already."""
    if report.state != Report.State.OPEN:
        raise ValidationError(_("This report is closed already."))
    report.state = Report.State.DECLINED
    report.answered_by, report.answered_at = acting_user(), timezone.now()
    report.save()


def send_report(report_id: int) -> None:
    """Tell the officers of a new report, or its author of the answer."""
    report = Report.objects.filter(pk=report_id).first()
    if report is None or report.state == Report.State.DECLINED:
        return
    answered = report.state != Report.State.OPEN
    people = [report.mail] if answered else sorted({user.email for user in officers() if user.email})
    text = report.answer if answered else report.text
    subject = _("Reported error %(number)s: %(state)s") % {"number": report, "state": report.get_state_display()}
    post(people, subject, text, path=report.get_absolute_url())
