"""Errors in one shape, problem details of RFC 9457, wherever under /api/ they come from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import TypeVar

from django.db.models import Model, QuerySet
from django.http import Http404, HttpResponse

from portal.addresses import by_public_id

M = TypeVar("M", bound=Model)
TYPE = "application/problem+json"
DETAILS = {
    400: "The request could not be understood.",
    401: "This needs a key: send “Authorization: Bearer …”; organisers make keys on their pages.",
    403: "The owner of this key may not do that.",
    404: "There is nothing at this address; /api/ describes those there are.",
    405: "This address is not asked that way; the header Allow names those there are.",
    413: "That is too large.",
    422: "A value is not what it has to be.",
    500: "That is our fault. It has been written down; please try again later.",
}


class FaultyError(Exception):
    """What is wrong with the values given, by their names."""

    def __init__(self, errors: Mapping[str, Sequence[str]]) -> None:
        super().__init__(errors)
        self.errors = errors


def called(several: QuerySet[M], public_id: str, absent: str) -> M:
    """The one whom an id names; Http404 tells `absent` where nobody is."""
    try:
        return by_public_id(several, public_id)
    except Http404:
        raise Http404(absent) from None


def problem(status: int, detail: str = "", errors: Mapping[str, Sequence[str]] | None = None) -> HttpResponse:
    faults = [{"where": where, "message": told} for where, several in (errors or {}).items() for told in several]
    body = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail or DETAILS.get(status, HTTPStatus(status).phrase),
        "errors": faults,
    }
    return HttpResponse(json.dumps(body, ensure_ascii=False), content_type=TYPE, status=status)
