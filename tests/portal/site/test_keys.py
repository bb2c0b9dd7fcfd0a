import pytest
from auditlog.models import LogEntry
from django.contrib.auth.models import Group

from ratings.access import ORGANISERS
from ratings.domain.keys import make_key, owner_of
from ratings.models import ApiKey
from tests.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga(client):
    user = make_user("olga")
    user.groups.add(Group.objects.get(name=ORGANISERS))
    client.force_login(user)
    return user


def test_key_is_shown_once(client, olga):
    response = client.post("/organise/keys/", {"label": "<script>alert(1)</script>"})
    secret, page = response.context["secret"], response.content.decode()
    assert (secret in page, "<script>alert" in page, owner_of(secret)) == (True, False, olga)
    assert "no-store" in response.headers["Cache-Control"]
    again = client.get("/organise/keys/").content.decode()
    assert (secret in again, secret[:8] in again) == (False, True)
    assert secret not in repr(list(ApiKey.objects.values())) + repr(list(LogEntry.objects.values()))


def test_key_needs_to_say_what_it_is_for(client, olga):
    assert client.post("/organise/keys/", {"label": " "}).status_code == 422
    assert client.post("/organise/keys/", {"label": "a" * 101}).status_code == 422
    assert not ApiKey.objects.exists()


def test_revoked_key_is_none(client, olga):
    key, secret = make_key(olga, "x")
    assert client.post(f"/organise/keys/{key.pk}/revoke/").url == "/organise/keys/"
    revoked = ApiKey.objects.get().revoked_at
    client.post(f"/organise/keys/{key.pk}/revoke/")
    assert (owner_of(secret), ApiKey.objects.get().revoked_at) == (None, revoked)
    assert client.get(f"/organise/keys/{key.pk}/revoke/").status_code == 405


def test_keys_of_others_are_not_there(client, olga):
    key, secret = make_key(make_user("other"), "theirs")
    assert client.post(f"/organise/keys/{key.pk}/revoke/").status_code == 404
    assert owner_of(secret) == key.owner
    assert "theirs" not in client.get("/organise/keys/").content.decode()
    assert client.post("/organise/keys/999999/revoke/").status_code == 404
