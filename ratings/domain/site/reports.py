"""Errors reported by visitors, and the officers' answers; both are sent by mail."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.domain.players.descriptions import describe_player
from ratings.domain.results.descriptions import describe_event
from ratings.models import Report

from .acting import acting_user
from .mails import get_officers, queue_mail
from .outbox import notify, register_composer


@transaction.atomic
def report_error(report: Report) -> Report:
    """Save a reported error and notify the officers."""
    report.by = acting_user()
    report.full_clean()
    report.save()
    notify("report", report.pk)
    return report


@transaction.atomic
def answer_report(report: Report, *, state: str, answer: str) -> None:
    """Answer a report, and notify its author if they left a mail address. ValidationError: there is no answer."""
    if not answer.strip() or state not in Report.ANSWERS:
        raise ValidationError(_("Enter an answer, and choose whether the error was fixed."))
    report.state, report.answer = state, answer.strip()
    report.answered_by, report.answered_at = acting_user(), timezone.now()
    report.full_clean()
    report.save()
    notify("report", report.pk)


@transaction.atomic
def decline_report(report: Report) -> None:
    """Close a report that is invalid (such as spam) without a mail. ValidationError: it is closed already."""
    if report.state != Report.State.OPEN:
        raise ValidationError(_("This report was already closed."))
    report.state = Report.State.DECLINED
    report.answered_by, report.answered_at = acting_user(), timezone.now()
    report.save()


@register_composer("report")
def send_report(report_id: int) -> None:
    """Send the mail about a report: a new one to the officers, an answered one to its author."""
    report = Report.objects.filter(pk=report_id).first()
    if report is None or report.state == Report.State.DECLINED:
        return
    answered = report.state != Report.State.OPEN
    people = [report.mail] if answered else sorted({user.email for user in get_officers() if user.email})
    text = report.answer if answered else report.text
    subject = _("Reported error %(number)s: %(state)s") % {"number": report, "state": report.get_state_display()}
    next_step = _("No action is needed. Report and answer:") if answered else _("Answer the report on this page:")
    subject_lines = _describe_subject(report, is_public=answered)
    queue_mail(people, subject, subject_lines, text, next_step, path=report.get_absolute_url())


def _describe_subject(report: Report, *, is_public: bool) -> str:
    """Return what a report is about, an event or a player, with lists and days; empty if neither is known.

    With `is_public`, only names that everybody may see are in it.
    """
    if report.event is not None:
        return describe_event(report.event, names_players=not is_public)
    return describe_player(report.player, is_public=is_public) if report.player is not None else ""
