"""Mails, messages and errors of django-allauth in our words: polite, whole and in the language of the page."""

import re
from pathlib import Path

import allauth
import pytest
from django.conf import settings
from django.core import mail
from django.core.cache import cache
from django.template.loader import render_to_string
from django.utils import translation

from tests.factories import make_user

pytestmark = pytest.mark.django_db
SENT = (
    "email_confirmation",
    "email_confirmation_signup",
    "account_already_exists",
    "password_reset_key",
    "unknown_account",
)
"""Mails that the settings allow; the others are sent with ACCOUNT_EMAIL_NOTIFICATIONS or with codes."""
SIGN_UP = {"username": "ada", "password1": "a long word 9", "password2": "a long word 9"}
FAMILIAR = re.compile(r"\b(du|dich|dir|dein\w*)\b", re.IGNORECASE)
MESSAGES = [
    path.relative_to(root)
    for root in [Path(allauth.__file__).parent / "templates"]
    for path in sorted(root.glob("*/messages/*.txt"))
    if path.parts[-3] in ("account", "mfa", "usersessions")
]


@pytest.fixture(autouse=True)
def empty_cache():
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def ben():
    return make_user("ben", email="ben@example.org")


def send(client, address, language, **data):
    """Return the subject and the text of the mail that a form sends, with its address as “…”."""
    client.post(address, data, headers={"Accept-Language": language})
    (sent,) = mail.outbox
    return sent.subject, re.sub(r"http://\S+", "…", sent.body)


def sign_up(client, language, email):
    return send(client, "/accounts/signup/", language, **SIGN_UP, email=email)


@pytest.mark.parametrize(
    ("language", "subject", "body"),
    [
        (
            "en",
            "Confirm your email address",
            "This email address was entered for the account “ada” on testserver. Confirm it here:\n…\n\n"
            "If this was not you, ignore this email.",
        ),
        (
            "de",
            "E-Mail-Adresse bestätigen",
            "Diese E-Mail-Adresse wurde für das Konto „ada“ auf testserver angegeben. Hier bestätigen:\n…\n\n"
            "Falls das nicht von Ihnen kam, können Sie diese E-Mail ignorieren.",
        ),
        (
            "ja",
            "メールアドレスの確認",
            "このメールアドレスが、testserverのアカウント「ada」に登録されました。こちらから確認してください：\n…\n\n"
            "お心当たりがない場合は、このメールを無視してください。",
        ),
    ],
)
def test_new_account_gets_a_mail_to_confirm_its_address(language, subject, body, client):
    assert sign_up(client, language, "ada@example.org") == (subject, body)


def test_sign_up_with_a_known_address_is_reported_to_its_owner(client, ben):
    assert sign_up(client, "en", ben.email) == (
        "You already have an account",
        "Someone tried to create an account on testserver with the email address ben@example.org, but there is already an "
        "account with this address. If you have forgotten the password, choose a new one here:\n…\n\n"
        "If this was not you, ignore this email.",
    )


def test_password_reset_names_the_account(client, ben):
    assert send(client, "/accounts/password/reset/", "ja", email=ben.email) == (
        "新しいパスワードの設定",
        "testserverのアカウント「ben」のパスワードの再設定が申し込まれました。こちらから新しいパスワードを設定してください：\n…\n\n"
        "お心当たりがない場合は、このメールを無視してください。パスワードは変わりません。",
    )


def test_password_reset_of_an_unknown_address_says_so(client):
    assert send(client, "/accounts/password/reset/", "fr", email="nobody@example.org") == (
        "Aucun compte avec cette adresse e-mail",
        "Un nouveau mot de passe a été demandé sur testserver, mais aucun compte n’utilise l’adresse e-mail "
        "nobody@example.org. Essayez une autre adresse, ou créez un compte ici\u202f:\n…\n\n"
        "Si cela ne vient pas de vous, ignorez cet e-mail.",
    )


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_mails_and_messages_are_polite_and_translated(language, ben):
    context = {"user": ben, "email": ben.email, "name": "ben", "current_site": {"domain": "testserver"}}
    names = [f"account/email/{name}_{part}.txt" for name in SENT for part in ("subject", "message")]
    names += map(str, MESSAGES)
    texts = {}
    for code in ("en", language):
        with translation.override(code):
            texts[code] = {name: render_to_string(name, context).strip() for name in names}
    assert [text for text in texts[language].values() if FAMILIAR.search(text)] == []
    assert language == "en" or [name for name in names if texts[language][name] == texts["en"][name]] == []


def test_address_in_a_message_is_written_as_typed(client):
    client.post("/accounts/signup/", SIGN_UP | {"email": "o'neil@example.org"})
    page = client.post(re.search(r"/accounts/confirm-email/\S+/", mail.outbox[0].body)[0], follow=True)
    assert "The email address o'neil@example.org is confirmed." in [str(each) for each in page.context["messages"]]


def test_errors_of_forms_are_polite(client, ben):
    data = SIGN_UP | {"email": "ada@example.org", "password2": "another word 9"}
    page = client.post("/accounts/signup/", data, headers={"Accept-Language": "de"})
    assert page.context["form"].errors == {"password2": ["Die beiden Passwörter stimmen nicht überein."]}
    client.force_login(ben)
    data = {"oldpassword": "wrong", "password1": "a long word 9", "password2": "a long word 9"}
    page = client.post("/accounts/password/change/", data, headers={"Accept-Language": "de"})
    assert page.context["form"].errors == {"oldpassword": ["Das aktuelle Passwort ist nicht richtig."]}
