"""The Python client: it is made from the document, and talks to a real server."""

import datetime as dt
import importlib.util
import sys

import pytest
from django.core.cache import cache

from portal.api.client_writer import CLIENT, write_client
from portal.api.examples import GRID, PROGRAM
from portal.api.site import api
from ratings.models import Event, Submission


@pytest.fixture(scope="module")
def module():
    spec = importlib.util.spec_from_file_location("ratings_client", CLIENT)
    client = importlib.util.module_from_spec(spec)
    sys.modules["ratings_client"] = client
    spec.loader.exec_module(client)
    yield client
    del sys.modules["ratings_client"]


@pytest.fixture
def portal(module, live_server, settings):
    settings.SITE_ADDRESS = live_server.url
    return module.Client(f"{live_server.url}/")


def test_client_file_is_made_from_the_current_document():
    """Run `manage.py api_client` if this fails."""
    assert CLIENT.read_text() == write_client(api.get_openapi_schema())


def test_client_has_a_method_for_each_address_without_a_secret(module):
    operations = [
        operation
        for path, operations in api.get_openapi_schema()["paths"].items()
        for operation in operations.values()
        if not path.startswith("/api/v1/pairing/")
    ]
    methods = [name for name in vars(module.Client) if not name.startswith("_")]
    assert len(methods) == len(operations)
    assert {"get_lists", "get_list", "get_list_dated", "get_list_dated_day", "look_up", "new_event"} <= set(methods)


def test_reading_follows_pages_and_merges(portal, site):
    assert [one["slug"] for one in portal.get_lists()] == ["fesa"]
    assert [line["player"]["id"] for line in portal.get_list_standings("fesa", size=1)] == ["AAA22", "BBB33"]
    assert next(portal.get_list_standings("fesa", country="FR", active=False))["player"]["id"] == "BBB33"
    assert [row["since"] for row in portal.get_player_standings("AAA22", on=dt.date(2024, 5, 1))] == ["2024-03-01"]
    assert [row["verdict"] for row in portal.look_up("fesa", players=["AAA22", "Nobody"])] == ["found", "unknown"]
    assert portal.get_list_calculator("fesa", player="AAA22", game=["1500:1"])["list"] == "fesa"
    site.ben.merged_into = site.ada
    site.ben.save()
    assert portal.get_player("BBB33")["id"] == "AAA22"


def test_writing_sends_fields_and_files(module, live_server, site, organiser, bearer):
    portal = module.Client(live_server.url, bearer["Authorization"].removeprefix("Bearer "))
    day = dt.date(2026, 5, 2)
    draft = portal.new_event(name="Lyon Open", start=day, end=day, lists=["fesa"], start_time=dt.time(9, 30))
    assert Event.objects.get(public_id=draft["id"]).start_time == dt.time(9, 30)
    submission = portal.upload_results(draft["id"], GRID.encode(), name="lyon.txt")
    assert submission["id"] == Submission.objects.get().pk
    assert [sheet["id"] for sheet in portal.get_event_draft(draft["id"])["sheets"]] == [submission["id"]]


def test_refusals_name_every_value(module, portal, site):
    with pytest.raises(module.ApiError) as refused:
        list(portal.get_list_standings("fesa", country="fr", size=0))
    assert (refused.value.status, [fault["where"] for fault in refused.value.errors]) == (422, ["country", "size"])
    assert "422: A value is not what it has to be. country: " in str(refused.value)
    with pytest.raises(module.ApiError, match="404: There is no player NOBODY"):
        portal.get_player("NOBODY")
    with pytest.raises(module.ApiError, match="401: This needs a valid key"):
        portal.get_webhooks()


def test_client_waits_when_the_portal_asks_for_it(module, portal, site, settings, monkeypatch):
    settings.API_RATE = 1
    waits = []

    def wait(seconds):
        waits.append(seconds)
        cache.clear()

    monkeypatch.setattr(module.time, "sleep", wait)
    assert portal.get_lists() == portal.get_lists()
    assert len(waits) == 1
    portal.retries = 0
    with pytest.raises(module.ApiError, match="429: At most 1 requests"):
        portal.get_lists()


def test_replies_of_proxies_become_errors_of_the_api(module):
    error = module.ApiError(502, "Bad Gateway", b"<html>")
    assert (str(error), error.errors, error.retry_after) == ("502: Bad Gateway", [], None)


def test_key_is_not_sent_to_another_site(module):
    handler = module.SameSiteRedirects()
    request = module.urllib.request.Request(
        "https://ratings.example/api/v1/lists", headers={"Authorization": "Bearer x"}
    )
    with pytest.raises(module.urllib.error.HTTPError, match="redirected to another site"):
        handler.redirect_request(request, None, 302, "Found", {}, "https://other.example/")
    with pytest.raises(ValueError, match="Invalid address"):
        module.Client("ratings.example")


def test_program_of_the_page_runs(portal, site, live_server, capsys):
    exec(compile(PROGRAM.format(site=live_server.url, list="fesa"), "program", "exec"), {})  # noqa: S102
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["1", "2"]


def test_client_can_be_downloaded(client, db, settings):
    page = client.get("/api/").content.decode()
    assert 'href="/static/portal/ratings_client.py"' in page
    assert "get_list_standings" in page
