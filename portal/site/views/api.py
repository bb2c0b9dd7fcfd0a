"""The page that describes the API, from the same description that programs read."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify

from portal.api.examples import GRID, READING, WRITING
from portal.api.paging import AT_MOST
from portal.api.site import DESCRIPTION, api
from ratings.queries.open_data import known_to_all


@dataclass(frozen=True)
class Operation:
    method: str
    path: str
    summary: str
    description: str
    parameters: list[dict[str, Any]]
    reply: str


def page(request: HttpRequest) -> HttpResponse:
    known = known_to_all() | {"draft": "K7QW2RT"}
    families, schemas = described()
    context = {
        "description": DESCRIPTION,
        "families": families,
        "schemas": schemas,
        "file": GRID,
        "rate": settings.API_RATE,
        "most": AT_MOST,
        "reading": [(one.what, one.curl(settings.SITE_ADDRESS, known)) for one in READING],
        "writing": [(one.what, one.curl(settings.SITE_ADDRESS, known)) for one in WRITING],
    }
    return render(request, "portal/api.html", context)


@cache
def described() -> tuple[dict[str, list[Operation]], list[dict[str, Any]]]:
    """Operations by their family, and what replies hold."""
    schema = api.get_openapi_schema()
    families: dict[str, list[Operation]] = defaultdict(list)
    for path, operations in schema["paths"].items():
        for method, one in operations.items():
            families[one["tags"][0]].append(operation(path, method, one))
    parts = schema["components"]["schemas"]
    named = set(re.findall(r'#/components/schemas/([^"]+)"', json.dumps(schema)))
    fields = [
        {"name": name, "id": slugify(name), "description": part.get("description", ""), "fields": rows_of(part)}
        for name, part in parts.items()
        if name in named and not name.startswith("Page_")
    ]
    return dict(families), fields


def operation(path: str, method: str, told: dict[str, Any]) -> Operation:
    parameters = [
        {
            "name": one["name"],
            "type": type_of(one["schema"]),
            "required": one["required"],
            "description": one.get("description") or one["schema"].get("description", ""),
        }
        for one in told["parameters"]
    ]
    good = next(reply for status, reply in told["responses"].items() if status.startswith("2"))
    reply = type_of(next(iter(good["content"].values()))["schema"])
    return Operation(method.upper(), path, told["summary"], told.get("description", ""), parameters, reply)


def rows_of(part: dict[str, Any]) -> list[dict[str, str]]:
    return [
        {"name": name, "type": type_of(one), "description": one.get("description", "")}
        for name, one in part["properties"].items()
    ]


def type_of(schema: dict[str, Any]) -> str:
    """In a word: string, date, number or null, list of Standing."""
    if "$ref" in schema:
        name: str = schema["$ref"].rpartition("/")[2]
        return f"page of {name[5:-1]}" if name.startswith("Page_") else name
    if "anyOf" in schema:
        return " or ".join(type_of(one) for one in schema["anyOf"])
    if schema.get("type") == "array":
        return f"list of {type_of(schema['items'])}"
    if "enum" in schema:
        return " or ".join(schema["enum"])
    return str(schema.get("format") or schema.get("type", ""))
