"""Owners read the log of their webhooks by key, and nobody else's."""

import pytest

from ratings.domain.site.keys import create_key
from ratings.domain.site.webhooks import delete_subscription, pause_subscription
from ratings.models import ApiKey, WebhookDelivery
from tests.domain.site.webhooks import store, subscribe
from tests.factories import make_list, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def keeper():
    return make_user("keeper")


@pytest.fixture
def federation(keeper):
    federation = make_list().federation
    federation.administrators.add(keeper)
    return federation


@pytest.fixture
def headers(keeper, federation):
    _key, secret = create_key(keeper, "log", scopes=[ApiKey.Scope.WEBHOOKS])
    return {"Authorization": f"Bearer {secret}"}


def test_owner_reads_their_webhooks_without_secrets(client, keeper, federation, headers):
    hook, secret = subscribe(federation, owner=keeper, kinds=["list.published"])
    paused, _ = subscribe(federation, "https://example.org/other", owner=keeper, name="Other")
    pause_subscription(paused)
    subscribe(federation, "https://example.org/theirs", owner=make_user("other"))
    deleted, _ = subscribe(federation, "https://example.org/gone", owner=keeper)
    delete_subscription(deleted)
    response = client.get("/api/v1/webhooks", headers=headers)
    first, second = response.json()
    assert first == {
        "id": hook.pk, "name": "Website", "federation": "fesa", "address": "https://example.org/hooks",
        "kinds": ["list.published"], "state": "active", "failing_since": None,
    }  # fmt: skip
    assert (second["name"], second["state"]) == ("Other", "paused")
    assert (secret in response.content.decode(), response.headers["Cache-Control"]) == (False, "no-store")


def test_log_is_read_latest_first_in_pages(client, keeper, federation, headers):
    hook, _ = subscribe(federation, owner=keeper)
    store(hook, 1, 2, 3)
    oldest, _, latest = hook.deliveries.order_by("pk")
    WebhookDelivery.objects.filter(pk=latest.pk).update(
        number=3, status="given up", attempts=9, response_status=422, milliseconds=12, error="status"
    )
    page = client.get(f"/api/v1/webhooks/{hook.pk}/deliveries?size=2", headers=headers).json()
    assert page["items"][0] == {
        "id": latest.message_id, "sequence": 3, "kind": "list.published", "created": page["items"][0]["created"],
        "status": "given up", "attempts": 9, "response": 422, "milliseconds": 12, "error": "status",
    }  # fmt: skip
    last = client.get(page["next"], headers=headers).json()
    assert [row["id"] for row in last["items"]] == [oldest.message_id]


def test_log_costs_a_fixed_number_of_queries(client, keeper, federation, headers, django_assert_num_queries):
    hook, _ = subscribe(federation, owner=keeper)
    store(hook, *range(30))
    client.get("/api/v1/webhooks", headers=headers)
    with django_assert_num_queries(5):  # key, its last use, webhooks, right, log
        client.get(f"/api/v1/webhooks/{hook.pk}/deliveries", headers=headers)


def test_others_are_refused(client, keeper, federation, headers):
    hook, _ = subscribe(federation, owner=keeper)
    theirs, _ = subscribe(federation, "https://example.org/theirs", owner=make_user("other"))
    _key, secret = create_key(keeper, "other scope", scopes=[ApiKey.Scope.READ])
    log = f"/api/v1/webhooks/{hook.pk}/deliveries"
    for address in ("/api/v1/webhooks", log):
        assert client.get(address).status_code == 401
        assert client.get(address, headers={"Authorization": f"Bearer {secret}"}).status_code == 403
        assert client.post(address, headers=headers).status_code == 405
    for pk in (theirs.pk, 999999):
        assert client.get(f"/api/v1/webhooks/{pk}/deliveries", headers=headers).status_code == 404
    assert client.get("/api/v1/webhooks/x/deliveries", headers=headers).status_code == 422
    federation.administrators.clear()
    assert client.get("/api/v1/webhooks", headers=headers).json() == []
    assert client.get(log, headers=headers).status_code == 404


def test_administrator_without_second_factor_reads_nothing(client, federation, settings):
    root = make_user("root", is_superuser=True)
    _key, secret = create_key(root, "log", scopes=[ApiKey.Scope.WEBHOOKS])
    subscribe(federation, owner=root)
    headers = {"Authorization": f"Bearer {secret}"}
    assert len(client.get("/api/v1/webhooks", headers=headers).json()) == 1
    settings.SECOND_FACTOR = True
    assert client.get("/api/v1/webhooks", headers=headers).json() == []
