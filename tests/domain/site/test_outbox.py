"""Mails are stored with the change they report and delivered until they arrive."""

import datetime as dt
import smtplib
from email.header import decode_header, make_header
from email.utils import parseaddr
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.core import mail
from django.core.mail import EmailMessage, EmailMultiAlternatives, send_mail
from django.core.mail.backends.locmem import EmailBackend
from django.db import transaction
from django.utils import timezone
from time_machine import travel

from ratings.domain.results.steps import record_event_step
from ratings.domain.site import outbox
from ratings.domain.site.mails import queue_mail, send_step_mails
from ratings.domain.site.outbox import ATTEMPTS, compose_mails, deliver_mails, notify, queue_mails, retry_mails
from ratings.models import EventStep, Notification, OutgoingMail
from tests.factories import make_event, make_list, make_user

pytestmark = pytest.mark.django_db
BACKEND = f"{__name__}.FaultyBackend"


class FaultyBackend(EmailBackend):
    """A mail server that raises what a test wants, for all mails or for those of one subject."""

    error, subject, tried = None, None, 0

    def send_messages(self, messages):
        for message in messages:
            type(self).tried += 1
            if self.error and self.subject in (None, message.subject):
                raise self.error
        return super().send_messages(messages)


@pytest.fixture
def server(settings, monkeypatch):
    settings.MAIL_DELIVERY_BACKEND = BACKEND
    monkeypatch.setattr(FaultyBackend, "tried", 0)
    monkeypatch.setattr(outbox.circuit, "seconds", 0)

    def fail(error, subject=None):
        monkeypatch.setattr(FaultyBackend, "error", error)
        monkeypatch.setattr(FaultyBackend, "subject", subject)

    return fail


def write(*subjects, **options):
    queue_mails([EmailMessage(subject, "text", None, ["ada@example.org"]) for subject in subjects], **options)


def delivered():
    return [message.subject for message in mail.outbox]


def test_post_writes_one_mail_for_each_address():
    queue_mail(["a@example.org", "", "b@example.org"], "Two\nlines", "first", "", "second", path="/x/")
    assert list(OutgoingMail.objects.values_list("recipients", "subject", "body")) == [
        (["a@example.org"], "Two lines", "first\n\nsecond\n\nhttp://127.0.0.1:8000/x/"),
        (["b@example.org"], "Two lines", "first\n\nsecond\n\nhttp://127.0.0.1:8000/x/"),
    ]


def test_mail_has_the_name_and_the_contact_page_of_its_federation(settings):
    settings.DEFAULT_FROM_EMAIL = "Ratings <ratings@example.org>"
    queue_mail(["a@example.org"], "Subject", "text", path="/x/")
    make_list("fesa", federation="Fédération “Shogi”")
    queue_mail(["a@example.org"], "Subject", "text", path="/x/")
    go = make_list("go", federation="Go League").federation
    go.contact = "https://go.example/contact/"
    go.save()
    queue_mail(["a@example.org"], "Subject", "text", path="/x/")
    queue_mail(["a@example.org"], "Subject", "text", path="/x/", federation=go)
    text = "text\n\nhttp://127.0.0.1:8000/x/"
    assert [(parse_sender(each), each.body) for each in OutgoingMail.objects.order_by("pk")] == [
        (("Ratings", "ratings@example.org"), text),
        (("Fédération “Shogi”", "ratings@example.org"), f"{text}\n\n-- \nFédération “Shogi”"),
        (("Ratings", "ratings@example.org"), text),
        (
            ("Go League", "ratings@example.org"),
            f"{text}\n\n-- \nGo League\nContact: https://go.example/contact/",
        ),
    ]


def parse_sender(stored):
    name, address = parseaddr(stored.sender)
    return str(make_header(decode_header(name))), address


def test_mails_about_accounts_come_from_the_only_federation():
    make_list("fesa", federation="FESA")
    send_mail_through_the_outbox("Subject")
    deliver_mails()
    (sent,) = mail.outbox
    assert (sent.message()["From"], sent.body) == ("FESA <ratings@localhost>", "text\n\n-- \nFESA")


def test_sender_that_does_not_fit_its_column_has_no_name():
    federation = make_list("fesa", federation="長" * 100).federation
    queue_mail(["a@example.org"], "Subject", "text", path="/x/", federation=federation)
    assert OutgoingMail.objects.get().sender == "ratings@localhost"


def test_mail_about_an_event_comes_from_the_federation_of_its_list(organisers_event):
    step = record_event_step(organisers_event, EventStep.What.ACCEPTED, "")
    send_step_mails(step.pk)
    assert [(each.sender, each.body.endswith("\n\n-- \nGo League")) for each in OutgoingMail.objects.all()] == [
        ("Go League <ratings@localhost>", True)
    ]


def test_mail_about_an_event_names_list_days_players_the_next_step_and_a_link(organisers_event):
    content = {"rounds": 1, "rows": [{"family": "Ada", "new": True}, {"family": "Ben"}]}
    organisers_event.submissions.create(first_day="2024-01-06", last_day="2024-01-06", content=content)
    step = record_event_step(organisers_event, EventStep.What.RETURNED, "Who won in round 2?")
    send_step_mails(step.pk)
    mail_to_organiser = OutgoingMail.objects.get()
    assert mail_to_organiser.subject == "Cup: returned"
    assert mail_to_organiser.body.split("\n\n") == [
        "Cup, 6 Jan 2024\nLists: GO\nPlayers: 2, new: 1\nAda (new), Ben",
        "Who won in round 2?",
        "Change the results on the event’s page, then submit them again.",
        f"{settings.SITE_ADDRESS}/organise/events/{organisers_event.public_id}/",
        "-- \nGo League",
    ]


@pytest.fixture
def organisers_event():
    make_list("fesa")
    user = make_user("org", email="org@example.org")
    return make_event("Cup", lists=[make_list("go", federation="Go League")], created_by=user)


def test_mail_of_a_change_that_is_rolled_back_is_not_sent():
    with transaction.atomic():
        write("x")
        transaction.set_rollback(True)
    assert (deliver_mails(), mail.outbox) == (0, [])


def test_delivered_mail_leaves_the_outbox():
    write("x")
    assert (deliver_mails(), deliver_mails(), delivered(), OutgoingMail.objects.count()) == (1, 0, ["x"], 0)
    assert mail.outbox[0].extra_headers["Message-ID"].endswith("@127.0.0.1>")


def test_mails_about_accounts_go_first():
    write("report", "step")
    send_mail_through_the_outbox("sign-up")
    deliver_mails()
    assert delivered() == ["sign-up", "report", "step"]


def send_mail_through_the_outbox(subject, **options):
    connection = outbox.Backend()
    return send_mail(subject, "text", None, ["ada@example.org"], connection=connection, **options)


def test_html_version_is_delivered():
    message = EmailMultiAlternatives("x", "text", None, ["ada@example.org"])
    message.attach_alternative("<p>text</p>", "text/html")
    assert outbox.Backend().send_messages([message]) == 1
    deliver_mails()
    assert [tuple(alternative) for alternative in mail.outbox[0].alternatives] == [("<p>text</p>", "text/html")]


@pytest.mark.parametrize("options", [{"bcc": ["b@example.org"]}, {"cc": ["b@example.org"]}, {"attachments": [("a.txt", "a", "text/plain")]}])  # fmt: skip
def test_mail_the_outbox_cannot_store_is_refused(options):
    with pytest.raises(ValueError, match="outbox stores"):
        outbox.Backend().send_messages([EmailMessage("x", "text", None, ["a@example.org"], **options)])


@pytest.mark.parametrize(
    "error",
    [TimeoutError("timed out"), ConnectionRefusedError(111), smtplib.SMTPServerDisconnected("x"),
     smtplib.SMTPAuthenticationError(535, b"no")],
)  # fmt: skip
def test_unavailable_server_is_tried_once_per_run_and_loses_nothing(error, server):
    write("a", "b", "c")
    server(error)
    assert (deliver_mails(), FaultyBackend.tried, OutgoingMail.objects.count()) == (0, 1, 3)
    server(None)
    assert (deliver_mails(), sorted(delivered())) == (2, ["b", "c"])
    with travel(timezone.now() + dt.timedelta(minutes=2)):
        assert (deliver_mails(), delivered()[-1], OutgoingMail.objects.count()) == (1, "a", 0)


def test_outage_of_a_month_gives_no_mail_up(server):
    write("x")
    server(TimeoutError("timed out"))
    for day in range(30):
        with travel(timezone.now() + dt.timedelta(days=day + 1)):
            assert deliver_mails() == 0
    server(None)
    with travel(timezone.now() + dt.timedelta(days=40)):
        assert (deliver_mails(), delivered()) == (1, ["x"])


def test_mail_on_which_the_server_fails_does_not_hold_up_the_others(server):
    write("poison", priority=0)
    write("a", "b")
    server(smtplib.SMTPServerDisconnected("x"), "poison")
    deliver_mails()
    deliver_mails()
    assert delivered() == ["a", "b"]


def test_refused_mail_is_tried_for_two_days_and_then_given_up(server):
    refusal = smtplib.SMTPRecipientsRefused({"ada@example.org": (550, b"no such user")})
    server(refusal, "refused")
    write("refused", "fine")
    started = now = timezone.now()
    assert (deliver_mails(), delivered()) == (1, ["fine"])
    for _ in range(100):
        row = OutgoingMail.objects.get()
        if row.given_up_at:
            break
        now = row.next_try_at
        with travel(now, tick=False):
            deliver_mails()
    assert (row.attempts, dt.timedelta(days=1) < now - started < dt.timedelta(days=4)) == (ATTEMPTS, True)
    assert row.error.startswith("SMTPRecipientsRefused: {'ada@example.org': (550")
    server(None)
    assert deliver_mails() == 0
    retry_mails(OutgoingMail.objects.all())
    assert (deliver_mails(), delivered()) == (1, ["fine", "refused"])


def test_mail_of_a_killed_worker_is_delivered_after_its_lease(server):
    write("x")
    assert outbox.reserve(OutgoingMail.objects.get())
    assert deliver_mails() == 0
    with travel(timezone.now() + dt.timedelta(minutes=6)):
        assert (deliver_mails(), delivered()) == (1, ["x"])


def test_mail_is_claimed_by_one_worker():
    write("x")
    row = OutgoingMail.objects.get()
    assert [outbox.reserve(row), outbox.reserve(row)] == [True, False]


def test_failed_mail_server_is_not_used_for_a_while(server, monkeypatch):
    monkeypatch.setattr(outbox.circuit, "seconds", 30)
    write("a", "b")
    server(TimeoutError("timed out"))
    assert [deliver_mails() for _ in range(3)] == [0, 0, 0]
    assert FaultyBackend.tried == 1


def test_notification_that_cannot_be_written_is_tried_again(monkeypatch):
    monkeypatch.setitem(outbox.COMPOSERS, "broken", lambda number: [write("half"), 1 / 0])
    notify("broken", 1)
    notify("claim", 0)  # of a claim that is gone
    compose_mails()
    row = Notification.objects.get()
    assert (row.kind, row.attempts, row.error, OutgoingMail.objects.count()) == (
        "broken", 1, "ZeroDivisionError: division by zero", 0
    )  # fmt: skip
    monkeypatch.setitem(outbox.COMPOSERS, "broken", lambda number: write(f"mended {number}"))
    with travel(timezone.now() + dt.timedelta(minutes=2)):
        outbox.deliver_outbox()
    assert (delivered(), Notification.objects.count()) == (["mended 1"], 0)


def test_site_without_workers_does_not_wait_for_its_mail_server(
    settings, monkeypatch, django_capture_on_commit_callbacks
):
    settings.MAIL_DELIVERY_BACKEND = outbox.SMTP
    started = []
    monkeypatch.setattr(outbox, "Thread", lambda target: SimpleNamespace(start=lambda: started.append(target)))
    with django_capture_on_commit_callbacks(execute=True):
        write("x")
    assert (len(started), mail.outbox) == (1, [])
