"""Error pages that need no database."""

from __future__ import annotations

import sys

from django.db import InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.shortcuts import render
from django.views.defaults import server_error as django_server_error

from portal.api.problems import problem

RETRY_SECONDS = 30
API = "/api/v1/"
BUSY = ("locked", "busy")
"""Words in SQLite's errors while another connection writes; its other OperationalErrors are bugs of the portal."""
NEVER_REPEATED = ("/accounts/",)
"""Paths whose forms are not repeated, so that passwords are never written into pages."""


def server_error(request: HttpRequest) -> HttpResponse:
    """Return 503 if the database is unavailable, busy or too slow, 408 if a request was cut off, and 500 otherwise."""
    error = sys.exc_info()[1]
    if isinstance(error, UnreadablePostError):
        return HttpResponse("The request was cut off.", status=408, content_type="text/plain")
    if is_temporary(error):
        return unavailable(request)
    return django_server_error(request)


def is_temporary(error: BaseException | None) -> bool:
    """Return True for errors of an unavailable, busy or too slow database, and for errors caused by them."""
    while error is not None:
        if isinstance(error, (OperationalError, InterfaceError)):
            return connection.vendor != "sqlite" or any(text in str(error) for text in BUSY)
        error = error.__cause__ or error.__context__
    return False


def unavailable(request: HttpRequest) -> HttpResponse:
    """Return 503; a form that was sent can be sent again from the page."""
    if request.path.startswith(API):
        response = problem(503)
    else:
        context = {"was_sent": request.method == "POST", "again": sent_fields(request)}
        response = render(request, "503.html", context, status=503)
    response["Retry-After"] = str(RETRY_SECONDS)
    response["Cache-Control"] = "no-store"
    return response


def sent_fields(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the fields of a form that was sent; none if it had files or may have had a password."""
    if request.method != "POST" or request.FILES or request.path.startswith(NEVER_REPEATED):
        return []
    return [(name, str(value)) for name, values in request.POST.lists() for value in values]
