"""Administrators see all webhooks in the admin, and change them on their pages only."""

import pytest

from tests.domain.site.webhooks import subscribe
from tests.factories import make_list, make_user
from tests.markup import markup

pytestmark = pytest.mark.django_db
SCREEN = "/admin/ratings/webhooksubscription/"


def test_administrators_see_webhooks_without_their_secrets(client):
    hook, secret = subscribe(make_list().federation)
    client.force_login(make_user("root", is_staff=True, is_superuser=True))
    pages = [markup(client.get(address)) for address in (SCREEN, f"{SCREEN}{hook.pk}/change/")]
    assert ["https://example.org/hooks" in page for page in pages] == [True, True]
    assert [secret in page or hook.secret in page for page in pages] == [False, False]
    assert f'href="/organise/federations/fesa/webhooks/{hook.pk}/"' in pages[1]
    assert client.get(f"{SCREEN}add/").status_code == 403
    assert client.post(f"{SCREEN}{hook.pk}/delete/", {"post": "yes"}).status_code == 403


def test_screen_of_a_federation_leads_to_its_webhooks(client):
    federation = make_list().federation
    client.force_login(make_user("root", is_staff=True, is_superuser=True))
    page = markup(client.get(f"/admin/ratings/federation/{federation.pk}/change/"))
    assert '<a href="/organise/federations/fesa/webhooks/">Webhooks</a>' in page
