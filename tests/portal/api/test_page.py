"""The page of the API: everything that the description has, and examples that run."""

import json
import shlex
from urllib.parse import urlsplit

import pytest

from portal.api.examples import GRID, OWN_WEBHOOKS, READING, WRITING
from portal.api.site import api
from ratings.domain.site.keys import create_key
from ratings.models import ApiKey, Submission
from ratings.queries.site.public_api import example_ids
from tests.domain.site.webhooks import store, subscribe
from tests.factories import make_user

pytestmark = pytest.mark.django_db
SITE = "http://127.0.0.1:8000"


def run(client, line, secret=""):
    """Send the request of a curl command on the page."""
    words = shlex.split(line.replace("$KEY", secret))
    assert words[:2] == ["curl", "-s"]
    address, headers, body = urlsplit(words[-1]), {}, None
    for option, value in zip(words[2:-1:2], words[3:-1:2], strict=True):
        if option == "-H":
            name, _, content = value.partition(": ")
            headers[name] = content
        else:
            assert option in ("-d", "--data-binary")
            body = GRID if value.startswith("@") else value
    path = f"{address.path}?{address.query}"
    if body is None:
        return client.get(path, headers=headers)
    return client.post(path, body, headers.pop("Content-Type"), headers=headers)


@pytest.mark.parametrize("example", READING, ids=lambda one: one.path)
def test_reading_examples_run(example, site, client):
    response = run(client, example.curl(SITE, example_ids()))
    assert response.status_code == 200
    assert response.json() != {}
    assert response.json() or example.path.endswith("/proofs")  # nothing is published


def test_writing_examples_run(site, client, bearer):
    known, secret = example_ids(), bearer["Authorization"].removeprefix("Bearer ")
    statuses = []
    for example in WRITING:
        response = run(client, example.curl(SITE, known | {"draft": known.get("draft", "")}), secret)
        statuses.append(response.status_code)
        if "id" in response.json() and "sheets" in response.json():
            known["draft"] = response.json()["id"]
    assert statuses == [201, 201, 200]
    assert [submission.content["rows"][0]["family"] for submission in Submission.objects.all()] == ["Lovelace"]


def test_examples_of_webhooks_run(site, client):
    keeper = make_user("keeper")
    site.list.federation.administrators.add(keeper)
    hook, _ = subscribe(site.list.federation, owner=keeper)
    store(hook, 1)
    _key, secret = create_key(keeper, "log", scopes=[ApiKey.Scope.WEBHOOKS])
    known = example_ids() | {"webhook": str(hook.pk)}
    replies = [run(client, example.curl(SITE, known), secret) for example in OWN_WEBHOOKS]
    assert [reply.status_code for reply in replies] == [200, 200]
    assert replies[0].json()[0]["id"] == hook.pk
    assert len(replies[1].json()["items"]) == 1


def test_page_has_every_address_and_example(site, client):
    response = client.get("/api/")
    page = response.content.decode()
    for path in api.get_openapi_schema()["paths"]:
        assert f" {path}</code>" in page
    for example in READING:
        assert shlex.split(example.curl(SITE, example_ids()))[-1].replace("&", "&amp;") in page
    assert "At most 600 requests per minute" in page
    assert "read the players again regularly" in page
    assert response.cookies == {}


def test_page_of_an_empty_site_is_shown(client):
    assert client.get("/api/").status_code == 200


def test_description_names_every_parameter_with_its_meaning(client):
    schema = client.get("/api/v1/openapi.json").json()
    wanting = [
        (path, parameter["name"])
        for path, operations in schema["paths"].items()
        for operation in operations.values()
        for parameter in operation["parameters"]
        if not (parameter.get("description") or parameter["schema"].get("description"))
    ]
    assert wanting == []
    assert json.dumps(schema).count('"#/components/schemas/Problem"') > len(schema["paths"])
