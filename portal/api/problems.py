"""Problem details of RFC 9457, the format of all errors under /api/."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import TypeVar

from django.db.models import Model, QuerySet
from django.http import Http404, HttpResponse

from portal.site.public_ids import by_public_id

M = TypeVar("M", bound=Model)
TYPE = "application/problem+json"
CONTENT = {TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
"""Content of an error in the OpenAPI document."""
DETAILS = {
    400: "The request could not be understood.",
    401: "This needs a valid key: send “Authorization: Bearer …”. Keys expire; organisers make new ones.",
    403: "This key, or its owner, may not do that.",
    404: "There is nothing at this address; /api/ describes those there are.",
    405: "This address is not asked that way; the header Allow names those there are.",
    413: "That is too large.",
    422: "A value is not what it has to be.",
    500: "That is our fault. It has been written down; please try again later.",
    503: "The database did not answer in time. Try again after the seconds in Retry-After.",
}


class InvalidValuesError(Exception):
    """Invalid values in a request; `errors` maps field names to messages."""

    def __init__(self, errors: Mapping[str, Sequence[str]]) -> None:
        super().__init__(errors)
        self.errors = errors


def get_by_public_id(several: QuerySet[M], public_id: str, absent: str) -> M:
    """Return the object with a public id; raise Http404 with the message `absent` if there is none."""
    try:
        return by_public_id(several, public_id)
    except Http404:
        raise Http404(absent) from None


def problem(status: int, detail: str = "", errors: Mapping[str, Sequence[str]] | None = None) -> HttpResponse:
    faults = [
        {"where": where, "message": message} for where, messages in (errors or {}).items() for message in messages
    ]
    body = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail or DETAILS.get(status, HTTPStatus(status).phrase),
        "errors": faults,
    }
    return HttpResponse(json.dumps(body, ensure_ascii=False), content_type=TYPE, status=status)
