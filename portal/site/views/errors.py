"""Error pages; those of errors of ours need no database."""

from __future__ import annotations

import sys
from typing import Any

import psycopg
from django.db import InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse, HttpResponseServerError, UnreadablePostError
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import Resolver404, get_script_prefix, resolve, reverse

from portal.api.problems import problem
from portal.site.remembered_heads import NAMED
from ratings.queries.lists.lists import public_lists

RETRY_SECONDS = 30
API = "/api/v1/"
DATABASE_ERRORS = (OperationalError, InterfaceError, psycopg.OperationalError, psycopg.InterfaceError)
"""Errors of an unavailable database; Django does not translate those of closing a cursor of the server."""
BUSY = ("locked", "busy")
"""Words in SQLite's errors while another connection writes; its other OperationalErrors are bugs of the portal."""
NEVER_REPEATED = ("/accounts/",)
"""Paths whose forms are not repeated, so that passwords are never written into pages."""


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return 404, with the head of the federation or list that the address names."""
    return render(request, "404.html", find_named(request.path_info), status=404)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return 403, with the head of the federation or list that the address names."""
    context = find_named(request.path_info) | {"exception": str(exception)}
    return render(request, "403.html", context, status=403)


def find_named(path: str) -> dict[str, Any]:
    """Return the public federation or list below whose address a path is, by its name in the context of pages."""
    match = NAMED.match(path)
    if match is None:
        return {}
    if match["topic"] == "lists":
        rating_list = public_lists().filter(slug=match["slug"]).first()
        return {"rating_list": rating_list} if rating_list else {}
    one_of_its_lists = public_lists().filter(federation__slug=match["slug"]).first()
    return {"federation": one_of_its_lists.federation} if one_of_its_lists else {}


def method_not_allowed(request: HttpRequest, allowed: str) -> HttpResponse:
    """Return 405 for an address that was opened but only takes forms, with a link to the page that it belongs to."""
    context = find_named(request.path_info) | {"page": find_page(request.path_info)}
    response = render(request, "405.html", context, status=405)
    response["Allow"] = allowed
    return response


def find_page(path: str) -> str:
    """Return the address of the page whose forms are sent to a path: the nearest one above it that can be opened."""
    while path != "/":
        path = path.rstrip("/").rpartition("/")[0] + "/"
        try:
            match = resolve(path)
        except Resolver404:
            continue
        if match.url_name == "organise":  # above everything that people of any role work on
            return reverse("start")
        if match.url_name is not None:
            break
    return get_script_prefix().rstrip("/") + path


def server_error(request: HttpRequest) -> HttpResponse:
    """Return 503 if the database is unavailable, busy or too slow, 408 if a request was cut off, and 500 otherwise."""
    error = sys.exc_info()[1]
    if isinstance(error, UnreadablePostError):
        return HttpResponse("The request was cut off.", status=408, content_type="text/plain")
    if is_temporary(error):
        return unavailable(request)
    # without the request: nothing that belongs to it may fail again
    return HttpResponseServerError(render_to_string("500.html", {"path": request.path_info}))


def is_temporary(error: BaseException | None) -> bool:
    """Return True for errors of an unavailable, busy or too slow database, and for errors caused by them."""
    while error is not None:
        if isinstance(error, DATABASE_ERRORS):
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
