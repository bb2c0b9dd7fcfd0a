"""Test mail to an administrator, sent at once, so that the answer of the mail server can be shown."""

from __future__ import annotations

import smtplib
import socket
import ssl
from typing import NamedTuple

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.utils.translation import gettext as _

from .outbox import SMTP


class MailTest(NamedTuple):
    """Result of a test mail: the address, the answer of a server that refused it, and what to change then.

    Both are empty for a mail that was accepted.
    """

    to: str
    answer: str = ""
    advice: str = ""

    @property
    def accepted(self) -> bool:
        return not self.advice


def send_test_mail(to: str) -> MailTest:
    """Send a test mail at once, past the outbox; it waits at most EMAIL_TIMEOUT seconds for the server."""
    body = _("The rating portal at %(site)s can send mails. You have nothing to do.") % {"site": settings.SITE_ADDRESS}
    server = get_connection(settings.MAIL_DELIVERY_BACKEND)
    mail = EmailMessage(_("Test mail of the rating portal"), body, None, [to], connection=server)
    try:
        mail.send()
    except (OSError, ValueError) as error:  # an SMTPException is an OSError; ValueError: settings that contradict
        return MailTest(to, _read_answer(error), _find_advice(error))
    return MailTest(to)


def prints_mails() -> bool:
    """Return True if mails are only printed or stored where the server runs, since no mail server is set."""
    return bool(settings.MAIL_DELIVERY_BACKEND != SMTP)


def describe_mail_server() -> str:
    """Return host and port of the mail server, without user name and password; empty if none is set."""
    if prints_mails():
        return ""
    return _("%(host)s, port %(port)s") % {"host": settings.EMAIL_HOST, "port": settings.EMAIL_PORT}


def _read_answer(error: Exception) -> str:
    """Return the answer of the server as text, or what went wrong before it could answer."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return _format_reply(*next(iter(error.recipients.values())))
    if isinstance(error, smtplib.SMTPResponseException):
        return _format_reply(error.smtp_code, error.smtp_error)
    return str(error) or type(error).__name__


def _format_reply(code: int, text: bytes | str) -> str:
    return f"{code} {text.decode(errors='replace') if isinstance(text, bytes) else text}"


def _find_advice(error: Exception) -> str:
    """Return what to change in the settings of the host."""
    sender = {"sender": settings.DEFAULT_FROM_EMAIL}
    advice = {
        smtplib.SMTPAuthenticationError: _("Check user name and password in EMAIL_URL, in the settings of the host."),
        smtplib.SMTPSenderRefused: _("It accepts no mails from %(sender)s. Change DEFAULT_FROM_EMAIL.") % sender,
        smtplib.SMTPRecipientsRefused: _("It does not accept this address. Check it, or ask the host of the server."),
        smtplib.SMTPNotSupportedError: _("The server needs another kind of connection: try smtp+tls:// in EMAIL_URL."),
        ssl.SSLError: _("The encrypted connection failed: try smtp+tls:// on port 587, or smtp+ssl:// on port 465."),
        socket.gaierror: _("No server has this name. Check the host name in EMAIL_URL."),
        ConnectionRefusedError: _("No mail server answers there. Check host name and port in EMAIL_URL."),
        TimeoutError: _("The mail server does not answer. Check host name, port and firewall."),
    }
    found = (text for kind, text in advice.items() if isinstance(error, kind))
    return next(found, _("Check EMAIL_URL in the settings of the host, then send again."))
