"""View of the API's documentation, generated from the OpenAPI schema."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.text import slugify

from portal.api.examples import GRID, MESSAGE, OWN_WEBHOOKS, PROGRAM, READING, WRITING, Example
from portal.api.paging import AT_MOST
from portal.api.site import DESCRIPTION, api
from ratings.models import ChangeKind
from ratings.queries.site.public_api import example_ids


@dataclass(frozen=True)
class Operation:
    method: str
    path: str
    summary: str
    description: str
    parameters: list[dict[str, Any]]
    reply: str


def page(request: HttpRequest) -> HttpResponse:
    values = example_ids() | {"draft": "K7QW2RT", "webhook": "1"}
    families, schemas = describe_api()
    context = {
        "description": DESCRIPTION,
        "families": families,
        "schemas": schemas,
        "file": GRID,
        "rate": settings.API_RATE,
        "most": AT_MOST,
        "kinds": ChangeKind.choices,
        "message": json.dumps(MESSAGE, indent=1),
        "reading": write_examples(READING, values),
        "program": PROGRAM.format(site=settings.SITE_ADDRESS, list=values["list"]),
        "writing": write_examples(WRITING, values),
        "own_webhooks": write_examples(OWN_WEBHOOKS, values),
    }
    return render(request, "site/api.html", context)


def write_examples(examples: Iterable[Example], values: Mapping[str, str]) -> list[tuple[str | Promise, str]]:
    """Return what each example does, and its shell command."""
    return [(example.what, example.curl(settings.SITE_ADDRESS, values)) for example in examples]


@cache
def describe_api() -> tuple[dict[str, list[Operation]], list[dict[str, Any]]]:
    """Return the operations by tag, and the schemas of requests and replies with their fields."""
    schema = api.get_openapi_schema()
    families: dict[str, list[Operation]] = defaultdict(list)
    for path, operations in schema["paths"].items():
        for method, details in operations.items():
            families[details["tags"][0]].append(operation(path, method, details))
    parts = schema["components"]["schemas"]
    referenced = set(re.findall(r'#/components/schemas/([^"]+)"', json.dumps(schema)))
    fields = [
        {"name": name, "id": slugify(name), "description": part.get("description", ""), "fields": rows_of(part)}
        for name, part in parts.items()
        if name in referenced and not name.startswith("Page_")
    ]
    return dict(families), fields


def operation(path: str, method: str, details: dict[str, Any]) -> Operation:
    parameters = [
        {
            "name": parameter["name"],
            "type": type_of(parameter["schema"]),
            "required": parameter["required"],
            "description": parameter.get("description") or parameter["schema"].get("description", ""),
        }
        for parameter in details["parameters"]
    ]
    success = next(reply for status, reply in details["responses"].items() if status.startswith("2"))
    reply = type_of(next(iter(success["content"].values()))["schema"])
    return Operation(method.upper(), path, details["summary"], details.get("description", ""), parameters, reply)


def rows_of(part: dict[str, Any]) -> list[dict[str, str]]:
    return [
        {"name": name, "type": type_of(field), "description": field.get("description", "")}
        for name, field in part["properties"].items()
    ]


def type_of(schema: dict[str, Any]) -> str:
    """Return the type that a schema describes as text: string, date, number or null, list of Standing."""
    if "$ref" in schema:
        name: str = schema["$ref"].rpartition("/")[2]
        return f"page of {name[5:-1]}" if name.startswith("Page_") else name
    if "anyOf" in schema:
        return " or ".join(type_of(option) for option in schema["anyOf"])
    if schema.get("type") == "array":
        return f"list of {type_of(schema['items'])}"
    if "enum" in schema:
        return " or ".join(schema["enum"])
    return str(schema.get("format") or schema.get("type", ""))
