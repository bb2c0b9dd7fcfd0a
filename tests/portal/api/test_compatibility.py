"""Programs that were written against a published description of the API still work.

`published/v1.json` is the description as it was published. When a release adds to the API, replace the file by
`/api/v1/openapi.json` of the release, so that its additions are held too.
"""

import copy
import json
from pathlib import Path

import pytest

from .compatibility import find_breaks

PUBLISHED = json.loads((Path(__file__).parent / "published/v1.json").read_bytes())
LISTS = "/api/v1/lists"
STANDINGS = f"{LISTS}/{{slug}}/standings"
EVENTS = "/api/v1/events"


def test_published_description_still_holds(client):
    assert find_breaks(PUBLISHED, client.get("/api/v1/openapi.json").json()) == []


def parameter(document, name):
    return next(one for one in document["paths"][STANDINGS]["get"]["parameters"] if one["name"] == name)


def remove_parameter(document):
    document["paths"][STANDINGS]["get"]["parameters"].remove(parameter(document, "club"))


def part(document, name):
    return document["components"]["schemas"][name]


def field(document, schema, name):
    return part(document, schema)["properties"][name]


NEW = {"in": "query", "name": "day", "required": True, "schema": {"type": "string"}}
BREAKS = [
    (lambda it: it["paths"].pop(LISTS), [f"GET {LISTS}: is missing"]),
    (lambda it: it["paths"][EVENTS].pop("post"), [f"POST {EVENTS}: is missing"]),
    (remove_parameter, [f"GET {STANDINGS}: parameter club is missing"]),
    (
        lambda it: it["paths"][STANDINGS]["get"]["parameters"].append(NEW),
        [f"GET {STANDINGS}: new parameter day is required"],
    ),
    (
        lambda it: parameter(it, "country").update(required=True),
        [f"GET {STANDINGS}: parameter country is required now"],
    ),
    (
        lambda it: parameter(it, "active")["schema"].update(type="string"),
        [f"GET {STANDINGS}: parameter active: the type was boolean, and is string"],
    ),
    (
        lambda it: parameter(it, "size")["schema"].update(maximum=100),
        [f"GET {STANDINGS}: parameter size: maximum was 200, and is 100"],
    ),
    (
        lambda it: it["paths"][LISTS]["get"].update(security=[{"Key": []}]),
        [f"GET {LISTS}: needs another key than before"],
    ),
    (lambda it: part(it, "Standing")["properties"].pop("rank"), [f"GET {STANDINGS} → 200.items[].rank: is missing"]),
    (
        lambda it: field(it, "Standing", "games").update(type="string"),
        [f"GET {STANDINGS} → 200.items[].games: the type was integer, and is string"],
    ),
    (
        lambda it: part(it, "Standing")["required"].remove("games"),
        [f"GET {STANDINGS} → 200.items[].games: is not always there"],
    ),
    (lambda it: part(it, "NewEvent")["required"].append("place"), [f"POST {EVENTS}: body.place: is required now"]),
    (
        lambda it: field(it, "NewEvent", "mode")["enum"].remove("online"),
        [f"POST {EVENTS}: body.mode: no longer accepts online"],
    ),
    (
        lambda it: it["paths"][LISTS]["get"]["responses"].pop("404"),
        [f"GET {LISTS}: status 404 is missing"],
    ),
]


@pytest.mark.parametrize(("change", "breaks"), BREAKS, ids=[breaks[0] for _change, breaks in BREAKS])
def test_incompatible_change_is_named(change, breaks):
    changed = copy.deepcopy(PUBLISHED)
    change(changed)
    assert find_breaks(PUBLISHED, changed) == breaks


def test_additions_are_compatible():
    changed = copy.deepcopy(PUBLISHED)
    changed["paths"]["/api/v1/new"] = {}
    changed["paths"][STANDINGS]["get"]["parameters"].append(NEW | {"required": False})
    part(changed, "Standing")["properties"]["title"] = {"type": "string"}
    part(changed, "Standing")["required"].append("title")
    part(changed, "NewEvent")["properties"]["fee"] = {"type": "string"}
    parameter(changed, "size")["schema"]["maximum"] = 500
    assert find_breaks(PUBLISHED, changed) == []
