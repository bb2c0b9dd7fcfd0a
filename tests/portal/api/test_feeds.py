import pytest

from tests.factories import make_list

pytestmark = pytest.mark.django_db
SITE = "http://127.0.0.1:8000"


def test_feeds_of_the_site_and_of_public_lists_exist_with_their_entries(site, get, client):
    make_list("Secret", public=False)
    found = get("/feeds")
    assert [(feed["kind"], feed["list"]) for feed in found] == [
        ("events", None), ("calendar", None),
        ("published", "fesa"), ("corrections", "fesa"), ("promotions", "fesa"), ("proposals", "fesa"),
        ("player", None), ("club", None), ("event", None),
    ]  # fmt: skip
    ids = {"player": site.ada.public_id, "club": site.club.public_id, "event": site.event.public_id}
    for feed in found:
        address = feed["url"].removeprefix(SITE).replace("{id}", ids.get(feed["kind"], ""))
        response = client.get(address)
        assert response.status_code == 200, address
        assert response["Content-Type"].startswith(("application/atom+xml", "text/calendar"))
        if feed["entries"]:
            get(feed["entries"].removeprefix(f"{SITE}/api/v1"))


def test_addresses_of_feeds_have_a_placeholder_for_the_id(get, db):
    assert [feed["url"] for feed in get("/feeds")[-3:]] == [
        f"{SITE}/players/{{id}}/feed.atom", f"{SITE}/clubs/{{id}}/feed.atom", f"{SITE}/events/{{id}}/feed.atom",
    ]  # fmt: skip
