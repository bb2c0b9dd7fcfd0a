"""The OpenAPI document describes every message to webhooks; real ones have the form of the examples in docs/webhooks.md."""

import pytest

from portal.api.webhook_messages import MESSAGES
from tests.domain.site.test_change_messages import EXAMPLES
from tests.domain.site.webhooks import ALL_KINDS

FORMS = {message.model_fields["kind"].annotation.__args__[0]: message for message in MESSAGES}


@pytest.mark.django_db
def test_description_has_every_kind_of_message(client):
    document = client.get("/api/v1/openapi.json").json()
    assert list(document["webhooks"]) == [*ALL_KINDS, "ping"]
    for kind, entry in document["webhooks"].items():
        schema = entry["post"]["requestBody"]["content"]["application/json"]["schema"]["$ref"]
        name = schema.rpartition("/")[2]
        assert document["components"]["schemas"][name]["properties"]["kind"]["const"] == kind


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["kind"])
def test_description_has_every_value_of_a_message(example):
    read = FORMS[example["kind"]].model_validate(example)
    assert read.model_dump(mode="json", by_alias=True) == example
