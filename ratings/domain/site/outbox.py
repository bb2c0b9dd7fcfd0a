"""Outbox for mails: stored in the same transaction as the change that they report, and delivered by a worker.

`Backend` is the site's mail backend in Django, so that mails about accounts are stored too. `deliver_mails` sends the
mails that are due and stops when the mail server is not available; the sweep starts it again. A mail is deleted when
the server has accepted it. If a worker is killed between these two steps, the mail is sent twice, with the same
Message-ID.
"""

from __future__ import annotations

import datetime as dt
import logging
import smtplib
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from email.utils import formataddr, parseaddr
from threading import Thread
from time import monotonic
from typing import TypeVar

from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import connection as database
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from ratings.circuit_breaker import CircuitBreaker
from ratings.domain.runs.task_queue import send_task
from ratings.models import Federation, Notification, OutgoingFile, OutgoingMail, use_full_names
from ratings.models.site.mails import QueuedItem
from ratings.queries.lists.federations import only_federation

logger = logging.getLogger(__name__)
circuit = CircuitBreaker("The mail server", seconds=30)
Priority = OutgoingMail.Priority
Row = TypeVar("Row", bound=QueuedItem)
SECONDS_A_RUN, ROWS_A_RUN = 50, 1000  # the next delivery continues with the rest
LEASE = dt.timedelta(minutes=5)  # a mail whose worker was killed is tried again after this time
FIRST_DELAY = dt.timedelta(minutes=1)  # doubled after each failure
LONGEST_DELAY = dt.timedelta(hours=6)
LONGEST_OUTAGE_DELAY = dt.timedelta(minutes=16)
ATTEMPTS = 16  # over about two days
COMPOSERS: dict[str, Callable[[int], object]] = {}
"""Functions that write the mails of one kind of notification, by its name."""
Composer = TypeVar("Composer", bound=Callable[[int], object])
HTML = "text/html"
SENDER_LENGTH = OutgoingMail._meta.get_field("sender").max_length or 0
SMTP = "django.core.mail.backends.smtp.EmailBackend"


class ServerAwayError(Exception):
    """Error for a mail server that does not answer or accepts no mails at all; the next mail would fail as well."""


class Backend(BaseEmailBackend):
    """Mail backend that stores mails in the outbox with the priority of mails about accounts."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        queue_mails(email_messages, Priority.ACCOUNT)
        return len(email_messages)


def queue_mails(
    messages: Iterable[EmailMessage], priority: int = Priority.NORMAL, federation: Federation | None = None
) -> list[OutgoingMail]:
    """Store mails in the current transaction, have them delivered soon after it, and return their rows.

    They come in the name of the federation that they are about, else of the only one, if the site has no other.
    """
    sender = federation or only_federation()
    messages = list(messages)
    rows = OutgoingMail.objects.bulk_create([_build_row(message, priority, sender) for message in messages])
    files = [file for row, message in zip(rows, messages, strict=True) for file in _build_files(row, message)]
    if files:
        OutgoingFile.objects.bulk_create(files)
    if rows:
        deliver_soon()
    return rows


def _build_files(row: OutgoingMail, message: EmailMessage) -> Iterator[OutgoingFile]:
    """Yield the files attached to a mail as unsaved rows."""
    for name, data, content_type in message.attachments:
        yield OutgoingFile(mail=row, name=name, content_type=content_type, data=data)


def _build_row(message: EmailMessage, priority: int, federation: Federation | None) -> OutgoingMail:
    """Return a mail as an unsaved row. ValueError: the outbox cannot store it."""
    message.message()  # refuses line breaks in headers
    alternatives = getattr(message, "alternatives", [])
    if message.cc or message.bcc or message.reply_to or len(alternatives) > 1:
        raise ValueError("The outbox stores mails with a text and at most one HTML version, to open recipients.")
    if not all(isinstance(each, tuple) and isinstance(each[1], bytes) for each in message.attachments):
        raise ValueError("The outbox stores attached files as name, bytes and type only.")
    if any(kind != HTML for _content, kind in alternatives):
        raise ValueError(f"The outbox stores alternatives of type {HTML} only.")
    site = settings.SITE_ADDRESS.partition("://")[2].partition(":")[0]
    return OutgoingMail(
        priority=priority,
        sender=_write_sender(message.from_email, federation),
        recipients=list(message.to),
        subject=str(message.subject),
        body=f"{message.body}{_write_signature(federation)}",
        html=str(alternatives[0][0]) if alternatives else "",
        headers={"Message-ID": f"<{uuid.uuid4()}@{site}>"} | dict(message.extra_headers),
    )


def _write_sender(address: str, federation: Federation | None) -> str:
    """Return the sender's address with the name of the federation, as far as it fits the column."""
    if federation is None:
        return address
    named = formataddr((federation.name, parseaddr(address)[1]))
    return named if len(named) <= SENDER_LENGTH else address


def _write_signature(federation: Federation | None) -> str:
    """Return the federation's name and contact page, separated from the text as mail programs expect it."""
    if federation is None:
        return ""
    lines = [federation.name]
    if federation.contact:
        lines.append(_("Contact: %(address)s") % {"address": federation.contact})
    return "\n\n-- \n" + "\n".join(lines)


def register_composer(kind: str) -> Callable[[Composer], Composer]:
    """Register the function that writes the mails of a kind of notification."""

    def register(composer: Composer) -> Composer:
        COMPOSERS[kind] = composer
        return composer

    return register


def notify(kind: str, object_id: int, *, delay: dt.timedelta = dt.timedelta(0)) -> None:
    """Save a notification about an object in the current transaction; a worker writes its mails after the delay."""
    Notification.objects.create(kind=kind, object_id=object_id, next_try_at=timezone.now() + delay)
    deliver_soon()


def deliver_soon() -> None:
    """After commit, ask a worker to deliver mails; without workers, deliver in a thread if a mail server is used.

    The thread prevents a slow mail server from delaying the request.
    """
    if settings.CELERY_TASK_ALWAYS_EAGER and settings.MAIL_DELIVERY_BACKEND == SMTP:
        transaction.on_commit(lambda: Thread(target=_deliver_in_thread).start())
    else:
        send_task("ratings.mails")


def _deliver_in_thread() -> None:
    try:
        deliver_outbox()
    finally:
        database.close()


def deliver_outbox() -> int:
    """Write the mails of notifications and deliver the mails that are due; return the number of mails delivered."""
    compose_mails()
    return deliver_mails()


def compose_mails() -> None:
    """Write the mails of all notifications that are due, each in a transaction of its own."""
    for notification in _due(Notification.objects.all()):
        if not reserve(notification):
            continue
        try:
            with transaction.atomic(), translation.override(settings.LANGUAGE_CODE), use_full_names(False):
                COMPOSERS[notification.kind](notification.object_id)
                notification.delete()
        except Exception as error:
            logger.exception("could not compose the mails of %s", notification)
            _postpone(notification, error)


def deliver_mails() -> int:
    """Deliver the mails that are due, until the server fails or the time of a run is over; return their number."""
    if circuit.is_open():
        return 0
    until, delivered = monotonic() + SECONDS_A_RUN, 0
    server = get_connection(settings.MAIL_DELIVERY_BACKEND)
    try:
        for mail in _due(OutgoingMail.objects.prefetch_related("files")):
            if monotonic() > until:
                break
            delivered += _deliver(mail, server)
    except ServerAwayError as error:
        circuit.record_failure(error)
    finally:
        _close(server)
    return delivered


def _due(rows: QuerySet[Row]) -> list[Row]:
    return list(rows.filter(given_up_at=None, next_try_at__lte=timezone.now())[:ROWS_A_RUN])


def reserve(row: QueuedItem) -> bool:
    """Reserve a row for this worker; return False if another worker has reserved it meanwhile."""
    until = timezone.now() + LEASE
    reserved = type(row)._default_manager.filter(pk=row.pk, next_try_at=row.next_try_at, given_up_at=None)
    return reserved.update(next_try_at=until, attempts=F("attempts") + 1) == 1


def _deliver(mail: OutgoingMail, server: BaseEmailBackend) -> bool:
    """Deliver one mail; return whether the server accepted it."""
    if not reserve(mail):
        return False
    try:
        server.open()  # once for all mails of a run
        server.send_messages([_build_message(mail, server)])
    except Exception as error:
        _postpone(mail, error)
        if _is_away(error):
            raise ServerAwayError(f"{type(error).__name__}: {error}") from error
        logger.warning("the mail server refused mail %s: %s", mail.pk, error)
        _close(server)  # its state is unknown now
        return False
    circuit.record_success()
    OutgoingMail.objects.filter(pk=mail.pk).delete()
    return True


def _is_away(error: Exception) -> bool:
    """Return True if the server failed, and False if it refused one mail."""
    refused = (smtplib.SMTPRecipientsRefused, smtplib.SMTPSenderRefused, smtplib.SMTPDataError)
    return isinstance(error, OSError) and not isinstance(error, refused)  # SMTPException is an OSError


def _build_message(mail: OutgoingMail, server: BaseEmailBackend) -> EmailMessage:
    message = EmailMultiAlternatives(
        mail.subject, mail.body, mail.sender, mail.recipients, connection=server, headers=mail.headers
    )
    if mail.html:
        message.attach_alternative(mail.html, HTML)
    for file in mail.files.all():
        message.attach(file.name, bytes(file.data), file.content_type)
    return message


def _postpone(row: QueuedItem, error: Exception) -> None:
    """Schedule the next attempt, doubling the delay each time; give up a mail refused for about two days.

    No mail is given up because the server is not available.
    """
    now, attempts = timezone.now(), row.attempts + 1
    away = _is_away(error)
    longest = LONGEST_OUTAGE_DELAY if away else LONGEST_DELAY
    type(row)._default_manager.filter(pk=row.pk).update(
        next_try_at=now + min(FIRST_DELAY * 2 ** min(row.attempts, 12), longest),
        given_up_at=None if away or attempts < ATTEMPTS else now,
        error=f"{type(error).__name__}: {error}"[:1000],
    )


def _close(server: BaseEmailBackend) -> None:
    try:
        server.close()
    except OSError as error:
        logger.info("closing the connection to the mail server failed: %s", error)


def retry_mails(mails: QuerySet[OutgoingMail]) -> int:
    """Schedule mails that wait or were given up for immediate delivery; return their number."""
    number = mails.update(next_try_at=timezone.now(), given_up_at=None)
    deliver_soon()
    return number
