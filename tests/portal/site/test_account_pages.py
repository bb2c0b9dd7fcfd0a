"""Pages of django-allauth: in our words and layout, with a title, one filled button and errors beside the fields."""

import re

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.urls import get_resolver, reverse

from portal.templatetags.portal_accounts import passkey_form
from tests.factories import make_user

pytestmark = pytest.mark.django_db

FOR_VISITORS = {
    "account_login": "Sign in",
    "account_signup": "Create an account",
    "account_inactive": "This account is closed",
    "account_email_verification_sent": "Check your mail",
    "account_reset_password": "Reset your password",
    "account_reset_password_done": "Check your mail",
    "account_reset_password_from_key_done": "Password saved",
}
FOR_MEMBERS = {
    "account_logout": "Sign out",
    "account_reauthenticate": "Confirm that it is you",
    "account_email": "Email address",
    "account_change_password": "Change password",
    "mfa_index": "Second factor",
    "mfa_activate_totp": "Set up authenticator app",
    "mfa_list_webauthn": "Security keys and passkeys",
    "mfa_add_webauthn": "Add a security key or passkey",
    "usersessions_list": "Sessions",
}
FOR_MEMBERS_WITH_FACTOR = {
    "mfa_reauthenticate": "Confirm that it is you",
    "mfa_reauthenticate_webauthn": "Confirm that it is you",
    "mfa_deactivate_totp": "Remove authenticator app",
    "mfa_view_recovery_codes": "Recovery codes",
    "mfa_generate_recovery_codes": "Make new recovery codes",
}
ELSEWHERE = {
    "account_set_password", "mfa_authenticate", "account_confirm_email", "account_reset_password_from_key",
    "mfa_remove_webauthn", "mfa_edit_webauthn",
}  # fmt: skip
"""Pages with a test of their own."""
WITHOUT_PAGE = {"account_confirm_login_code", "mfa_download_recovery_codes", "mfa_login_webauthn"}
"""A file, an answer to a script, and a step of signing in by mail, which this site does not offer."""


@pytest.fixture
def ada(client) -> User:
    user = make_user("ada", email="ada@example.org")
    client.post(reverse("account_login"), {"login": "ada", "password": "secret"})
    client.post(reverse("account_reauthenticate"), {"password": "secret"})
    return user


@pytest.fixture
def factor(ada, monkeypatch) -> Authenticator:
    # the key below has no credential
    monkeypatch.setattr("allauth.mfa.webauthn.internal.auth.get_credentials", lambda _user: [])
    Authenticator.objects.create(user=ada, type="recovery_codes", data={"seed": "x", "used_mask": 0})
    Authenticator.objects.create(user=ada, type="totp", data={"secret": "JBSWY3DPEHPK3PXP"})
    return Authenticator.objects.create(user=ada, type="webauthn", data={"name": "Laptop <1>", "credential": {}})


def check_page(response, title: str) -> str:
    """Assert that a page has its title as heading too and at most one filled button; return its content."""
    content = response.content.decode()
    assert response.status_code == 200, response.get("Location")
    assert re.search(r"<title>\s*(.*?)\s*</title>", content, re.DOTALL)[1].partition("\n")[0] == title
    assert re.findall(r"<h1>(.*?)</h1>", content) == [title]
    main = re.search(r"<main.*</main>", content, re.DOTALL)[0]
    buttons = re.findall(r"<button\b[^>]*>|<a [^>]*class=\"button[^>]*>", main)
    assert len([button for button in buttons if not re.search(r"outline|quiet", button)]) <= 1, buttons
    return main


def account_addresses() -> set[str]:
    names = set(get_resolver().reverse_dict)
    return {name for name in names if isinstance(name, str) and name.startswith(("account_", "mfa_", "usersessions_"))}


def test_every_enabled_page_is_tested_here():
    pages = {*FOR_VISITORS, *FOR_MEMBERS, *FOR_MEMBERS_WITH_FACTOR, *ELSEWHERE}
    assert account_addresses() == pages | WITHOUT_PAGE


@pytest.mark.parametrize(("name", "title"), FOR_VISITORS.items())
def test_page_for_visitors(name, title, client):
    check_page(client.get(reverse(name)), title)


@pytest.mark.parametrize(("name", "title"), FOR_MEMBERS.items())
def test_page_for_members(name, title, client, ada):
    check_page(client.get(reverse(name)), title)


@pytest.mark.parametrize(("name", "title"), FOR_MEMBERS_WITH_FACTOR.items())
def test_page_for_members_with_a_second_factor(name, title, client, factor):
    check_page(client.get(reverse(name)), title)


def test_pages_of_one_key(client, factor):
    for name, title in (("mfa_remove_webauthn", "Remove key"), ("mfa_edit_webauthn", "Rename key")):
        assert "Laptop &lt;1&gt;" in check_page(client.get(reverse(name, args=[factor.pk])), title)
        assert client.get(reverse(name, args=[factor.pk + 1])).status_code == 404
    main = check_page(client.post(reverse("mfa_edit_webauthn", args=[factor.pk]), {"name": ""}), "Rename key")
    assert '<a href="#id_name">Name of the key</a>' in main
    assert "Laptop &lt;1&gt;" in check_page(client.get(reverse("mfa_list_webauthn")), "Security keys and passkeys")


def test_first_password_is_chosen_on_a_page_of_its_own(client, ada):
    ada.set_unusable_password()
    ada.save()
    client.force_login(ada)
    assert "Save password" in check_page(client.get(reverse("account_set_password")), "Choose a password")


def test_second_factor_is_asked_for_after_the_password(client, factor):
    client.logout()
    response = client.post(reverse("account_login"), {"login": "ada", "password": "secret"}, follow=True)
    check_page(response, "Second factor")
    main = check_page(client.post(reverse("mfa_authenticate"), {"code": "000000"}), "Second factor")
    assert "Incorrect code." in main
    assert '<a href="#id_code">Code</a>' in main


@pytest.mark.parametrize(("name", "sent", "label", "error"), [
    ("account_signup", {"email": "ada", "username": "a b", "password1": "x", "password2": "y"}, "Email address",
     "Enter a valid email address."),
    ("account_signup", {"email": "b@example.org", "username": "bo", "password1": "a long word 9", "password2": "other"},
     "Repeat the password", "You must type the same password each time."),
    ("account_reset_password", {"email": "nobody"}, "Email address", "Enter a valid email address."),
])  # fmt: skip
def test_bad_input_of_visitors_is_named_at_the_field(name, sent, label, error, client):
    main = check_page(client.post(reverse(name), sent), FOR_VISITORS[name])
    assert f"{label}</a>" in main
    assert error in main
    assert sent["email"] in main  # what was typed stays


@pytest.mark.parametrize(("name", "sent", "label", "error"), [
    ("account_change_password", {"oldpassword": "wrong", "password1": "a long word 9", "password2": "a long word 9"},
     "Current password", "Please type your current password."),
    ("account_email", {"action_add": "", "email": "ada@example.org"}, "New email address",
     "This email address is already associated with this account."),
    ("account_reauthenticate", {"password": "wrong"}, "Password", "Incorrect password."),
    ("mfa_activate_totp", {"code": "0"}, "Code in the app", "Incorrect code."),
])  # fmt: skip
def test_bad_input_of_members_is_named_at_the_field(name, sent, label, error, client, ada):
    main = check_page(client.post(reverse(name), sent), FOR_MEMBERS[name])
    assert f"{label}</a>" in main
    assert error in main


def test_change_of_the_address_waits_for_its_mail_and_can_be_cancelled(client, ada):
    address = reverse("account_email")
    client.post(address, {"action_add": "", "email": "new@example.org"})
    main = check_page(client.get(address), "Email address")
    assert "<strong>new@example.org</strong> is not confirmed yet." in main
    assert "<strong>ada@example.org</strong>" in main
    client.post(address, {"action_remove": "", "email": "new@example.org"})
    assert "is not confirmed yet" not in check_page(client.get(address), "Email address")


def test_link_in_the_mail_asks_for_confirmation(client):
    user = make_user("bo")
    new = EmailAddress.objects.create(user=user, email="new@example.org")
    address = reverse("account_confirm_email", args=[EmailConfirmationHMAC(new).key])
    assert "Is <strong>new@example.org</strong> the address of the account “bo”?" in check_page(
        client.get(address), "Confirm your email address"
    )
    main = check_page(client.get(reverse("account_confirm_email", args=["wrong"])), "Confirm your email address")
    assert "This link has expired or was used already." in main
    make_user("cy", email="new@example.org")
    main = check_page(client.get(address), "Confirm your email address")
    assert "new@example.org belongs to another account." in main


def test_used_link_for_a_password_says_so(client):
    address = reverse("account_reset_password_from_key", kwargs={"uidb36": "1", "key": "wrong"})
    check_page(client.get(address), "This link does not work any more")


def test_passkey_data_cannot_end_its_element():
    data = passkey_form("addForm", add="</script>&")
    assert "</script>&" not in data
    assert data.count("</script>") == 1
