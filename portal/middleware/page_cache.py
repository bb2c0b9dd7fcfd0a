"""Whole answers, kept for readers who are nobody in particular until anything at all is written to the database."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TypeGuard

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils import timezone
from django.utils.translation import get_language

from portal.templatetags.portal_site import THEME, THEMES
from ratings.queries.lists import navigation

SECONDS = 60  # for what is not in the database: another release, another setting
AT_MOST = 200_000  # bytes of an answer as it is kept, so that one address cannot fill a cache
CHOICES = {settings.LANGUAGE_COOKIE_NAME, THEME}
API = "/api/"
"""Its middleware, before this one, tells replies apart by their content, before they are compressed."""
OWN = ("/accounts/", "/admin/", "/health/", "/me/", "/organise/")
"""Never kept: what needs a log-in or gives one, and what answers even without the database."""
CONDITIONS = {"If-None-Match", "If-Modified-Since"}
NOT_KEPT = ("no-store", "private")


class KeptPages:
    """Gives an answer again that somebody else got, where the database says that nothing was written since.

    It says so by its snapshot: two transactions with the same one see the same rows. Who sends a cookie of a session
    or a key, or is asked for one, is answered for himself.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.gzip = GZipMiddleware(get_response)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        key = key_of(request) if is_nobodys(request) else None
        if key is None:
            return self.get_response(request)
        kept: HttpResponse | None = cache.get(key)
        if kept is not None:
            return kept
        response = self.get_response(request)
        if not request.path.startswith(API):
            response = self.gzip.process_response(request, response)
        if may_be_kept(response):
            cache.set(key, response, SECONDS)
        return response


def is_nobodys(request: HttpRequest) -> bool:
    """Whether a request tells nothing of who reads but his language and colours; nor, to a page, what he has of it."""
    return (
        request.method == "GET"
        and not request.path.startswith(OWN)
        and set(request.COOKIES) <= CHOICES
        and "Authorization" not in request.headers
        and (CONDITIONS.isdisjoint(request.headers) or request.path.startswith(API))
        and "gzip" in request.headers.get("Accept-Encoding", "")
    )


def key_of(request: HttpRequest) -> str | None:
    """Everything that an answer hangs on: the rows, the day, the address, the choices; None where rows are unknown."""
    request.navigation, state = navigation()  # type: ignore[attr-defined] # read once for the frame of the page
    if state is None:
        return None
    theme = request.COOKIES.get(THEME)
    colours = theme if theme in THEMES else ""
    address = (request.scheme, request.get_host(), request.get_full_path())  # an absolute one would lose its “..”
    told = (state, timezone.now().date(), get_language(), colours, address)
    return f"page:{hashlib.sha256(repr(told).encode()).hexdigest()}"


def may_be_kept(response: HttpResponseBase) -> TypeGuard[HttpResponse]:
    return (
        isinstance(response, HttpResponse)
        and response.status_code == 200
        and not response.cookies
        and not any(word in response.get("Cache-Control", "") for word in NOT_KEPT)
        and len(response.content) <= AT_MOST
    )
