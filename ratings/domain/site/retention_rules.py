"""Rules by which data is deleted after a number of days.

The nightly task deletes by these rules (`retention.py`), and the record of processing lists them.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from allauth.usersessions.models import UserSession
from auditlog.models import LogEntry
from django.conf import settings
from django.contrib.admin.models import LogEntry as AdminLogEntry
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ratings.models import (
    AnswerLink,
    ApiKey,
    ErasedWord,
    Event,
    EventEntry,
    FileBatch,
    FollowedChange,
    HallLink,
    Notification,
    OutgoingMail,
    PairingPage,
    Report,
    Run,
    Submission,
    Upload,
    WebhookDelivery,
    WebhookSubscription,
)


@dataclass(frozen=True)
class RetentionRule:
    """Rows that are deleted after a number of days: `rows` returns those that expired before a time.

    With `emptied`, the rows stay and these fields get these values. `period` is the name of the setting with the number
    of days, or the number itself; a setting that is None keeps the rows.
    """

    key: str
    title: str | Promise
    period: str | int
    rows: Callable[[dt.datetime], QuerySet[Any]]
    emptied: Mapping[str, Any] | None = None

    @property
    def days(self) -> int | None:
        """Days for which the rows are stored; None if they stay."""
        days: int | None = getattr(settings, self.period) if isinstance(self.period, str) else self.period
        return days


def _deleted_results(until: dt.datetime) -> QuerySet[Submission]:
    """Return deleted results; those whose newer version is submitted stay."""
    old = Submission.objects.filter(state=Submission.State.DELETED, deleted_at__lt=until)
    return old.filter(Q(replaced_by=None) | ~Q(replaced_by__state=Submission.State.SUBMITTED))


def _unsubmitted_drafts(until: dt.datetime) -> QuerySet[Submission]:
    """Return drafts that were never submitted, of events without any accepted results."""
    drafts = Submission.objects.filter(state=Submission.State.WORKING, changed_at__lt=until)
    drafts = drafts.filter(replaced_by=None, table=None)
    return drafts.filter(event__state=Event.State.DRAFT, event__tables=None, event__end__lt=until.date())


def _old_deliveries(until: dt.datetime) -> QuerySet[WebhookDelivery]:
    """Return the log of webhooks; deliveries that an active subscription still tries to send stay."""
    status, state = WebhookDelivery.Status, WebhookSubscription.State
    is_sent = Q(status=status.WAITING, subscription__state=state.ACTIVE, subscription__deleted_at=None)
    return WebhookDelivery.objects.filter(created_at__lt=until).exclude(is_sent & ~Q(kind=WebhookDelivery.PING))


def _accepted_uploads(until: dt.datetime) -> QuerySet[Upload]:
    """Return files of results that were accepted before; the results stay in their submissions."""
    accepted = Q(submission__state=Submission.State.ACCEPTED, submission__accepted_at__lt=until)
    return Upload.objects.filter(accepted).exclude(data=b"").defer("data")


def _unfinished_runs(until: dt.datetime) -> QuerySet[Run]:
    """Return failed and cancelled runs; the record of the latest run of a list stays, which its next run continues.

    Finished runs stay: public pages find the run of a result by its time, and would name a later one for it.
    """
    later = Run.objects.finished().filter(list=OuterRef("list"), pk__gt=OuterRef("pk"))
    ended = Run.objects.filter(preview=False, state__in=[Run.State.FAILED, Run.State.CANCELLED], asked_at__lt=until)
    return ended.filter(Exists(later))


RETENTION_RULES = (
    RetentionRule("deleted_events", _("Deleted draft events, which can be restored until then"), "RESTORE_DAYS",
        lambda until: Event.objects.filter(state=Event.State.DELETED, deleted_at__lt=until)),
    RetentionRule("deleted_results", _("Deleted draft results, which can be restored until then"), "RESTORE_DAYS",
        _deleted_results),
    RetentionRule("file_batches", _("Files that were uploaded together; their results stay"), "RESTORE_DAYS",
        lambda until: FileBatch.objects.filter(made_at__lt=until)),
    RetentionRule("deleted_webhooks", _("Deleted webhooks"), "RESTORE_DAYS",
        lambda until: WebhookSubscription.objects.filter(deleted_at__lt=until)),
    RetentionRule("drafts", _("Draft results that were never submitted, after the last change"), "DRAFT_DAYS",
        _unsubmitted_drafts),
    RetentionRule("uploads", _("Original files of accepted results; the results stay"), "UPLOAD_DAYS",
        _accepted_uploads, {"data": b"", "name": "–", "reading": None}),
    RetentionRule("contacts", _("Email addresses and messages of entries, after the event"), "CONTACT_DAYS",
        lambda until: EventEntry.objects.filter(event__end__lt=until.date()).exclude(email="", message=""),
        {"email": "", "message": ""}),
    RetentionRule("unanswered_entries", _("Entries that nobody confirmed, after the event"), "ENTRY_DAYS",
        lambda until: EventEntry.objects.filter(event__end__lt=until.date(), state=EventEntry.State.ASKED)),
    RetentionRule("pairing_pages", _("Pairings from pairing programs, after the event"), "CONTACT_DAYS",
        lambda until: PairingPage.objects.filter(event__end__lt=until.date())),
    RetentionRule("erased_words", _("Hashes that hide erased names in pairings, after the event"), "CONTACT_DAYS",
        lambda until: ErasedWord.objects.filter(event__end__lt=until.date()).exclude(event__state__in=Event.OPEN)),
    RetentionRule("report_addresses", _("Email addresses of answered error reports"), "CONTACT_DAYS",
        lambda until: Report.objects.filter(answered_at__lt=until).exclude(mail=""), {"mail": ""}),
    RetentionRule("mails", _("Emails that could not be delivered"), "MAIL_DAYS",
        lambda until: OutgoingMail.objects.filter(given_up_at__lt=until)),
    RetentionRule("notifications", _("Notifications for which no email could be created"), "MAIL_DAYS",
        lambda until: Notification.objects.filter(given_up_at__lt=until)),
    RetentionRule("webhook_deliveries", _("Messages to other programs and their log"), "WEBHOOK_DAYS",
        _old_deliveries),
    RetentionRule("followed_changes", _("Changes to followed pages that were not sent by email"), 30,
        lambda until: FollowedChange.objects.filter(created_at__lt=until)),
    RetentionRule("hall_links", _("Links for helpers in the hall, after they have expired"), "LINK_DAYS",
        lambda until: HallLink.objects.filter(expires_at__lt=until)),
    RetentionRule("answer_links", _("Email addresses of people who got a link for an answer, after it has expired"),
        "LINK_DAYS",
        lambda until: AnswerLink.objects.filter(expires_at__lt=until).exclude(mail=""), {"mail": ""}),
    RetentionRule("api_keys", _("API keys, after they have expired"), "LINK_DAYS",
        lambda until: ApiKey.objects.filter(expires_at__lt=until)),
    RetentionRule("sessions", _("Sessions that have ended"), 1,
        lambda until: Session.objects.filter(expire_date__lt=until)),
    RetentionRule("session_details", _("Network addresses and browsers of sessions, after the last use"), 30,
        lambda until: UserSession.objects.filter(last_seen_at__lt=until)),
    RetentionRule("previews", _("Previews of rating calculations"), "RUN_DAYS",
        lambda until: Run.objects.filter(preview=True, asked_at__lt=until)),
    RetentionRule("unfinished_runs", _("Rating calculations that failed or were cancelled"), "RUN_DAYS",
        _unfinished_runs),
    RetentionRule("audit_trail", _("The record of changes"), "LOG_DAYS",
        lambda until: LogEntry.objects.filter(timestamp__lt=until)),
    RetentionRule("admin_log", _("The record of changes in the admin"), "LOG_DAYS",
        lambda until: AdminLogEntry.objects.filter(action_time__lt=until)),
)  # fmt: skip
