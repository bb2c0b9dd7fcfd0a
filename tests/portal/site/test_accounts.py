"""Accounts: made with a confirmed mail address, guarded against guessing, with a second factor for officers."""

import re

import pytest
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import Group, User
from django.core import mail
from django.core.cache import cache

from ratings.access import OFFICERS, ORGANISERS
from tests.factories import make_user

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
    assert client.get(address).url == "/accounts/2fa/totp/activate/"
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


def test_session_elsewhere_can_be_ended(client):
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
