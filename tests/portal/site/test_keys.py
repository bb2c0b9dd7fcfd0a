import datetime as dt

import pytest
from auditlog.models import LogEntry
from django.contrib.auth.models import Group, User
from django.core import mail
from django.utils import timezone

from ratings.access import OFFICERS, ORGANISERS
from ratings.domain.site.accounts import remove_role
from ratings.domain.site.keys import create_key, valid_key
from ratings.models import ApiKey
from tests.factories import make_user

pytestmark = pytest.mark.django_db
NEW = {"label": "Pairing program", "scopes": ["read", "results"], "days": "90"}


@pytest.fixture
def olga(client):
    user = make_user("olga")
    user.groups.add(Group.objects.get(name=ORGANISERS))
    client.force_login(user)
    return user


def test_key_is_shown_once(client, olga):
    response = client.post("/organise/keys/", NEW | {"label": "<script>alert(1)</script>"})
    secret, page = response.context["secret"], response.content.decode()
    assert (secret in page, "<script>alert" in page, valid_key(secret).owner) == (True, False, olga)
    assert "no-store" in response.headers["Cache-Control"]
    again = client.get("/organise/keys/").content.decode()
    assert (secret in again, secret[:8] in again) == (False, True)
    assert secret not in repr(list(ApiKey.objects.values())) + repr(list(LogEntry.objects.values()))


def test_key_requires_a_purpose(client, olga):
    assert client.post("/organise/keys/", NEW | {"label": " "}).status_code == 422
    assert client.post("/organise/keys/", NEW | {"label": "a" * 101}).status_code == 422
    assert not ApiKey.objects.exists()


def test_revoked_key_is_none(client, olga):
    key, secret = create_key(olga, "x")
    assert client.post(f"/organise/keys/{key.pk}/revoke/").url == "/organise/keys/"
    revoked = ApiKey.objects.get().revoked_at
    client.post(f"/organise/keys/{key.pk}/revoke/")
    assert (valid_key(secret), ApiKey.objects.get().revoked_at) == (None, revoked)
    assert client.get(f"/organise/keys/{key.pk}/revoke/").status_code == 405


def test_keys_of_other_users_are_404(client, olga):
    key, secret = create_key(make_user("other"), "theirs")
    assert client.post(f"/organise/keys/{key.pk}/revoke/").status_code == 404
    assert valid_key(secret) == key
    assert "theirs" not in client.get("/organise/keys/").content.decode()
    assert client.post("/organise/keys/999999/revoke/").status_code == 404


def test_key_has_scopes_and_expires(client, olga):
    client.post("/organise/keys/", NEW)
    key = ApiKey.objects.get()
    assert key.scopes == ["read", "results"]
    assert abs(key.expires_at - timezone.now() - dt.timedelta(days=90)) < dt.timedelta(minutes=1)
    page = client.get("/organise/keys/").content.decode()
    assert "see the state of my events, upload results into drafts" in page


@pytest.mark.parametrize(
    "wrong", [{"scopes": []}, {"scopes": ["nope"]}, {"scopes": ["all"]}, {"days": "9999"}, {"days": ""}, {"days": "x"}]
)
def test_key_refuses_unknown_scopes_and_lives(wrong, client, olga):
    assert client.post("/organise/keys/", NEW | wrong).status_code == 422
    assert not ApiKey.objects.exists()


def test_scope_of_officers_is_offered_to_officers_only(client, olga):
    def offered():
        return "all" in dict(client.get("/organise/keys/").context["form"].fields["scopes"].choices)

    seen = [offered()]
    olga.groups.add(Group.objects.get(name=OFFICERS))
    seen.append(offered())
    assert client.post("/organise/keys/", NEW | {"scopes": ["all", "read"]}).status_code == 200
    assert (seen, ApiKey.objects.get().scopes) == ([False, True], ["all", "read"])


def test_owner_gets_a_mail_when_a_key_is_made(client, olga, django_capture_on_commit_callbacks):
    User.objects.update(email="olga@example.org")
    with django_capture_on_commit_callbacks(execute=True):
        client.post("/organise/keys/", NEW)
    (sent,) = mail.outbox
    assert (sent.to, sent.subject) == (["olga@example.org"], "A new API key was created for your account")
    assert "/organise/keys/" in sent.body
    assert "see the state of my events, upload results into drafts" in sent.body


def change_password(user):
    user.set_password("another long word")
    user.save()


def close_account(user):
    user.is_active = False
    user.save()


def close_and_open_account(user):
    close_account(user)
    user.is_active = True
    user.save()


def take_away_and_give_back(user):
    user.groups.remove(Group.objects.get(name=ORGANISERS))
    user.groups.add(Group.objects.get(name=ORGANISERS))


def remove_by_the_group(user):
    organisers = Group.objects.get(name=ORGANISERS)
    organisers.user_set.remove(user)


ENDS = {
    "password": change_password,
    "no password": lambda user: (user.set_unusable_password(), user.save()),
    "closed account": close_account,
    "closed and opened account": close_and_open_account,
    "dismissed": lambda user: remove_role(user, ORGANISERS),
    "group removed": lambda user: user.groups.remove(Group.objects.get(name=ORGANISERS)),
    "group removed and given back": take_away_and_give_back,
    "all groups removed": lambda user: user.groups.clear(),
    "other groups": lambda user: user.groups.set([Group.objects.get(name=OFFICERS)]),
    "removed by the group": remove_by_the_group,
    "group emptied": lambda user: Group.objects.get(name=ORGANISERS).user_set.clear(),
}


@pytest.mark.parametrize("how", ENDS)
def test_key_ends_with_the_password_and_with_a_role(how, olga):
    other = make_user("other")
    other.groups.add(Group.objects.get(name=OFFICERS))
    _, secret = create_key(olga, "x")
    _, others = create_key(other, "y")
    ENDS[how](User.objects.get(pk=olga.pk))
    assert (valid_key(secret), valid_key(others) is None) == (None, False)
    assert ApiKey.objects.get(owner=olga).revoked_at is not None


def test_key_survives_other_changes_of_the_account(client, olga):
    _, secret = create_key(olga, "x")
    olga.first_name = "Olga"
    olga.save()
    olga.groups.add(Group.objects.get(name=OFFICERS))
    client.post("/accounts/login/", {"login": "olga", "password": "secret"})  # notes the day, and may hash anew
    assert valid_key(secret) is not None


def test_administrators_see_and_revoke_all_keys(client, olga):
    key, secret = create_key(olga, "of olga")
    assert client.get("/organise/keys/all/").status_code == 403
    client.force_login(make_user("root", is_superuser=True))
    page = client.get("/organise/keys/all/").content.decode()
    assert ("of olga" in page, key.prefix in page, secret in page) == (True, True, False)
    assert client.post(f"/organise/keys/{key.pk}/revoke/", {"all": "1"}).url == "/organise/keys/all/"
    assert valid_key(secret) is None
