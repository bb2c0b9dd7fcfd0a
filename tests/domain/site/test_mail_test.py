"""Test mails: sent at once, with the server's answer and what to change."""

import smtplib
import socket
import ssl

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend

from ratings.domain.site.mail_test import MailTest, describe_mail_server, prints_mails, send_test_mail
from ratings.models import OutgoingMail

pytestmark = pytest.mark.django_db
TO = "anna@aga.example"


def test_test_mail_is_sent_at_once_past_the_outbox(settings):
    result = send_test_mail(TO)
    assert (result, result.accepted, OutgoingMail.objects.count()) == (MailTest(TO), True, 0)
    (sent,) = mail.outbox
    assert (sent.to, sent.subject) == ([TO], "Test mail of the rating portal")
    assert settings.SITE_ADDRESS in sent.body


@pytest.mark.parametrize(
    ("error", "answer", "advice"),
    [
        (smtplib.SMTPAuthenticationError(535, b"authentication failed"), "535 authentication failed",
         "Check user name and password in EMAIL_URL, in the settings of the host."),
        (smtplib.SMTPSenderRefused(550, b"not you", "ratings@localhost"), "550 not you",
         "It accepts no mails from ratings@localhost. Change DEFAULT_FROM_EMAIL."),
        (smtplib.SMTPRecipientsRefused({TO: (550, b"no such user")}), "550 no such user",
         "It does not accept this address. Check it, or ask the host of the server."),
        (smtplib.SMTPNotSupportedError("STARTTLS extension not supported by server."),
         "STARTTLS extension not supported by server.",
         "The server needs another kind of connection: try smtp+tls:// in EMAIL_URL."),
        (ssl.SSLError(1, "wrong version number"), "wrong version number",
         "The encrypted connection failed: try smtp+tls:// on port 587, or smtp+ssl:// on port 465."),
        (socket.gaierror(-2, "Name or service not known"), "[Errno -2] Name or service not known",
         "No server has this name. Check the host name in EMAIL_URL."),
        (ConnectionRefusedError(111, "Connection refused"), "[Errno 111] Connection refused",
         "No mail server answers there. Check host name and port in EMAIL_URL."),
        (TimeoutError(), "TimeoutError", "The mail server does not answer. Check host name, port and firewall."),
        (smtplib.SMTPServerDisconnected("gone"), "gone",
         "Check EMAIL_URL in the settings of the host, then send again."),
    ],
)  # fmt: skip
def test_refused_test_mail_tells_the_answer_and_what_to_change(error, answer, advice, monkeypatch):
    def refuse(backend, messages):
        raise error

    monkeypatch.setattr(EmailBackend, "send_messages", refuse)
    result = send_test_mail(TO)
    assert (result, result.accepted) == (MailTest(TO, answer, advice), False)


def test_mail_server_is_described_without_its_password(settings):
    assert (prints_mails(), describe_mail_server()) == (True, "")
    settings.MAIL_DELIVERY_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_HOST_PASSWORD = "mail.aga.example", 587, "secret word"
    assert (prints_mails(), describe_mail_server()) == (False, "mail.aga.example, port 587")
