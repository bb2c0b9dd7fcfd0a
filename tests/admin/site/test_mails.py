"""Mails that wait, as administrators see them."""

import pytest
from django.core import mail
from django.core.mail import EmailMessage

from ratings.domain.site.outbox import queue_mails
from ratings.models import OutgoingMail
from tests.admin.people import OFFICER, ORGANISER, SUPERUSER, log_in

pytestmark = pytest.mark.django_db
ADDRESS = "/admin/ratings/outgoingmail/"


@pytest.fixture
def waiting():
    queue_mails([EmailMessage("Password", "https://secret", None, ["ada@example.org"])])
    OutgoingMail.objects.update(given_up_at="2026-01-01T00:00Z", error="SMTPDataError: 550")
    return OutgoingMail.objects.get()


def test_administrator_sees_why_a_mail_waits_but_not_its_text(client, waiting):
    log_in(client, SUPERUSER)
    for address in (ADDRESS, f"{ADDRESS}{waiting.pk}/change/"):
        page = client.get(address).content.decode()
        assert ("ada@example.org" in page, "SMTPDataError: 550" in page, "https://secret" in page) == (
            True,
            True,
            False,
        )


def test_administrator_has_a_mail_tried_again(client, waiting, django_capture_on_commit_callbacks):
    log_in(client, SUPERUSER)
    with django_capture_on_commit_callbacks(execute=True):
        client.post(ADDRESS, {"action": "try_again", "_selected_action": [waiting.pk]})
    assert ([message.subject for message in mail.outbox], OutgoingMail.objects.count()) == (["Password"], 0)


@pytest.mark.parametrize("who", [ORGANISER, OFFICER])
def test_others_see_no_mails(who, client, waiting):
    log_in(client, who)
    assert [client.get(address).status_code for address in (ADDRESS, f"{ADDRESS}{waiting.pk}/change/")] == [403, 403]
    client.post(ADDRESS, {"action": "try_again", "_selected_action": [waiting.pk]})
    assert OutgoingMail.objects.get().given_up_at == waiting.given_up_at


def test_mails_cannot_be_changed_or_added_in_the_admin(client, waiting):
    log_in(client, SUPERUSER)
    assert client.get(f"{ADDRESS}add/").status_code == 403
    assert client.post(f"{ADDRESS}{waiting.pk}/change/", {"subject": "x"}).status_code == 403
