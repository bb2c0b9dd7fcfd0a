"""Accounts: made with a confirmed mail address, guarded against guessing, with a second factor for officers."""

import io
import re

import pytest
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import Group, User
from django.core import mail
from django.core.cache import cache
from django.test import Client
from PIL import Image

from ratings.access import OFFICERS, ORGANISERS
from ratings.domain.site import outbox
from ratings.models import OutgoingMail
from tests.factories import make_player, make_user

pytestmark = pytest.mark.django_db


def sign_up(client, **more):
    data = {"email": "ada@example.org", "username": "ada", "password1": "a long word 9", "password2": "a long word 9"}
    return client.post("/accounts/signup/", data | more)


def test_account_works_after_the_mail_was_confirmed(client):
    assert sign_up(client).status_code == 302
    (sent,) = mail.outbox
    assert sent.to == ["ada@example.org"]
    log_in = {"login": "ada", "password": "a long word 9"}
    client.post("/accounts/login/", log_in)
    assert "_auth_user_id" not in client.session
    key = re.search(r"/accounts/confirm-email/\S+/", sent.body)[0]
    client.post(key)
    client.post("/accounts/login/", log_in)
    assert client.session["_auth_user_id"] == str(User.objects.get(username="ada").pk)
    assert client.get("/organise/").status_code == 403  # an account alone gives no rights


def test_sign_up_and_password_reset_work_while_the_mail_server_refuses(
    client, settings, monkeypatch, django_capture_on_commit_callbacks
):
    def refuse(*_arguments):
        raise ConnectionRefusedError

    settings.EMAIL_BACKEND = "ratings.domain.site.outbox.Backend"  # pytest-django replaces it
    monkeypatch.setattr("django.core.mail.backends.locmem.EmailBackend.open", refuse)
    monkeypatch.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", refuse)
    monkeypatch.setattr(outbox.circuit, "seconds", 0)
    make_user("ben", email="ben@example.org")
    with django_capture_on_commit_callbacks(execute=True):
        assert sign_up(client).status_code == 302
        assert client.post("/accounts/password/reset/", {"email": "ben@example.org"}).status_code == 302
    assert (mail.outbox, [waiting.recipients for waiting in OutgoingMail.objects.order_by("pk")]) == (
        [], [["ada@example.org"], ["ben@example.org"]])  # fmt: skip


def test_page_of_the_log_in_labels_its_fields(client):
    content = client.get("/accounts/login/").content.decode()
    assert re.findall(r'<label for="(\w+)">', content) == ["id_login", "id_password", "id_remember"]


def test_guessing_is_stopped(client, settings):
    del settings.ACCOUNT_RATE_LIMITS
    cache.clear()
    make_user("ada")
    for _ in range(5):
        client.post("/accounts/login/", {"login": "ada", "password": "wrong"})
    response = client.post("/accounts/login/", {"login": "ada", "password": "secret"})
    cache.clear()
    assert response.status_code == 200
    assert "Too many failed login attempts. Try again later." in response.content.decode()


@pytest.mark.parametrize("address", ["/organise/", "/organise/queue/", "/admin/"])
def test_officer_sets_up_a_second_factor_first(address, client, settings):
    settings.SECOND_FACTOR = True
    officer = make_user("officer", is_staff=True)
    officer.groups.add(Group.objects.get(name=OFFICERS))
    client.force_login(officer)
    assert client.get(address).url == "/accounts/2fa/"
    Authenticator.objects.create(user=officer, type="totp", data={"secret": "x"})
    assert client.get(address).status_code == 200


def test_organiser_needs_no_second_factor(client, settings):
    settings.SECOND_FACTOR = True
    organiser = make_user("organiser")
    organiser.groups.add(Group.objects.get(name=ORGANISERS))
    client.force_login(organiser)
    assert client.get("/organise/").status_code == 200


def test_staff_log_in_at_the_same_place(client):
    assert client.get("/admin/").url == "/admin/login/?next=/admin/"
    assert client.get("/admin/login/?next=/admin/").url == "/accounts/login/?next=%2Fadmin%2F"


def test_session_elsewhere_can_be_ended(client, settings):
    settings.USERSESSIONS_TRACK_ACTIVITY = True
    user = make_user("ada")
    elsewhere = type(client)()
    elsewhere.force_login(user)
    elsewhere.get("/accounts/email/")
    client.force_login(user)
    client.get("/accounts/email/")
    assert UserSession.objects.filter(user=user).count() == 2
    client.post("/accounts/sessions/")
    assert elsewhere.get("/accounts/email/").url.startswith("/accounts/login/")
    assert client.get("/accounts/email/").status_code == 200


@pytest.mark.parametrize(("address", "reason"), [
    ("/organise/queue/", "Sign in to manage events, results and players. Then you return to the page you asked for."),
    ("/me/", "Sign in to see your own page."),
    ("/accounts/email/", "Sign in to continue. Then you return to the page you asked for."),
])  # fmt: skip
def test_sign_in_says_why(address, reason, client):
    page = client.get(address, follow=True)
    assert page.redirect_chain == [(f"/accounts/login/?next={address}", 302)]
    assert f'<p class="message">{reason}</p>' in page.content.decode()


def test_sign_in_says_whose_page_is_claimed_and_returns_to_it(client):
    player = make_player("Lind", "Ada")
    address = f"/players/{player.public_id}/claim/"
    assert f'href="{address}"' in client.get(player.get_absolute_url()).text
    page = client.get(address, follow=True)
    assert (
        '<p class="message">Sign in to say that you are Lind Ada. Without an account, sign up first. Then you return to'
        " the page you asked for.</p>"
    ) in page.text
    client.force_login(make_user())
    assert client.get(f"/accounts/login/?next={address}").url == address
    assert f'href="{player.get_absolute_url()}"' in client.get(address).text


@pytest.mark.parametrize(
    "query", ["", "?next=", "?next=/no/such/page/", "?next=https://example.org/", "?next=/players/NOBODY/claim/"]
)
def test_sign_in_without_a_page_to_return_to_survives(query, client):
    page = client.get(f"/accounts/login/{query}")
    assert page.status_code == 200
    assert "example.org" not in page.content.decode().partition("</head>")[2].partition("<form")[0]


def test_claim_leads_through_sign_up_and_mail_back_to_the_claim(client):
    player = make_player("Ito <b>", "Ana")
    claim = f"/players/{player.public_id}/claim/"
    login = client.get(claim, follow=True)
    assert "Sign in to say that you are Ito &lt;b&gt; Ana. Without an account, sign up first." in login.content.decode()
    signup = re.search(r'href="(/accounts/signup/[^"]*)"', login.content.decode())[1]
    assert "Sign in to say that you are Ito &lt;b&gt; Ana." in client.get(signup).content.decode()
    sign_up(client, next=claim)
    confirmed = client.post(re.search(r"/accounts/confirm-email/\S+/", mail.outbox[0].body)[0])
    assert (confirmed.status_code, confirmed["Location"]) == (302, claim)
    assert client.get(claim).status_code == 200


def test_confirming_an_address_signs_nobody_in_on_another_device(client):
    sign_up(client)
    elsewhere = Client()
    confirmed = elsewhere.post(re.search(r"/accounts/confirm-email/\S+/", mail.outbox[0].body)[0])
    assert confirmed["Location"] == "/accounts/login/"
    assert "_auth_user_id" not in elsewhere.session


def test_favicon_answers_at_its_fixed_address(client):
    response = client.get("/favicon.ico")
    assert (response.status_code, response["Content-Type"], response["Cache-Control"]) == (
        200, "image/x-icon", "public, max-age=86400",
    )  # fmt: skip
    assert Image.open(io.BytesIO(response.content)).format == "ICO"
    assert client.post("/favicon.ico").status_code == 405
