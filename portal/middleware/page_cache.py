"""Page cache: Django's cache middleware for anonymous visitors, with copies for times without a database."""

from __future__ import annotations

import datetime as dt
import gzip
import hashlib
import re
from collections.abc import Callable
from typing import Any, TypeGuard, cast

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.cache import CacheMiddleware
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.html import format_html
from django.utils.http import http_date
from django.utils.translation import gettext as _

from portal.templatetags.portal_site import THEME
from ratings.localize import format_moment

from .cached_pages import COPY_SECONDS, Head, LookUp, Page, acquire_lock, look_up, release_lock, wait_for_page

AT_MOST = 200_000  # bytes of a stored response
PREFERENCE_COOKIES = {settings.LANGUAGE_COOKIE_NAME, THEME}
API = "/api/"
"""Path of the API, whose middleware runs before this one and computes ETags of uncompressed content."""
UNCACHED_PATHS = ("/accounts/", "/admin/", "/hall/", "/health/", "/me/", "/organise/", "/robots.txt", "/.well-known/")
"""Paths that are never cached: pages before and behind a log-in, and those that need no database."""
CREDENTIALS = ("Authorization", "X-Pairgoth-Secret")
"""Headers with a key or the secret of an event."""
UNCACHED_DIRECTIVES = ("no-store", "private")
HIT, MISS, COLLAPSED = "portal; hit", "portal; fwd=miss", "portal; fwd=miss; collapsed"
"""Values of the header Cache-Status (RFC 9211); a collapsed request waited for another one that made the same page."""


class PageCache(CacheMiddleware):
    """Middleware that caches responses for anonymous visitors for PAGE_CACHE_SECONDS, and keeps them for an hour.

    A cached response that is older is only used while the database is unavailable. Requests with a session cookie or
    an API key, and responses that set a cookie, are not cached. Browsers are told to revalidate pages by their ETag.
    A page that is asked for while another request makes it is made once; the header Cache-Status says how it was found.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        super().__init__(get_response, cache_timeout=settings.PAGE_CACHE_SECONDS)
        self.gzip = GZipMiddleware(get_response)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        try:
            return cast(HttpResponseBase, super().__call__(request))
        finally:
            if found := getattr(request, "page_look_up", None):
                release_lock(found)

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        if not self.cache_timeout or not is_cacheable_request(request):
            return None
        found, status = look_up(request), HIT
        if not found.has_fresh_page(self.cache_timeout):
            if acquire_lock(found):
                again = look_up(request)  # another request may have made the page meanwhile
                if again.has_fresh_page(self.cache_timeout):
                    release_lock(found)
                    found = again
            else:
                found, status = wait_for_page(request, found, self.cache_timeout), COLLAPSED
        if found.page and found.has_fresh_page(self.cache_timeout):
            response = found.page.respond()
            response["Cache-Status"] = status
            return response
        request.page_look_up = found  # type: ignore[attr-defined] # for process_response, and to release the lock
        return None

    def process_response(self, request: HttpRequest, response: Any) -> HttpResponseBase:
        if response.status_code == 503 and self.cache_timeout and may_be_copied(request):
            return last_good_copy(request) or response
        if not is_cacheable_request(request) or not is_cacheable_response(response, request):
            return response  # type: ignore[no-any-return] # the supertype also allows texts
        if found := getattr(request, "page_look_up", None):
            response = self.store(request, response, found)
        elif not self.cache_timeout:
            response = self.finish(request, response, content_digest(response))
        return answer_condition(request, response)

    def store(self, request: HttpRequest, response: HttpResponse, found: LookUp) -> HttpResponse:
        """Return the finished response, and store it unless it is too large."""
        digest = content_digest(response)
        is_same = found.page is not None and found.page.head.digest == digest
        since = found.page.head.unchanged_since if is_same and found.page else found.started
        if request.path.startswith(API):
            response["Last-Modified"] = http_date(since)
        response = self.finish(request, response, digest)
        if len(response.content) <= AT_MOST:
            policy = {name: value for name, value in vars(response).items() if name.startswith("_csp")}
            headers = list(response.headers.items())
            head = Head(
                found.address, found.generation, found.started, since, digest, response.status_code, headers, policy
            )
            cache.set(found.slot, Page(head, response.content).pack(), COPY_SECONDS)
        response["Cache-Status"] = MISS
        return response

    def finish(self, request: HttpRequest, response: HttpResponse, digest: str) -> HttpResponse:
        """Return a response with ETag and Cache-Control, compressed; the API has a middleware for that."""
        if request.path.startswith(API):
            return response
        response.headers.setdefault("ETag", f'"{digest[:32]}"')
        if "Cache-Control" not in response:
            patch_cache_control(response, no_cache=True)
        self.gzip.process_response(request, response)  # compresses in place
        return response


def is_cacheable_request(request: HttpRequest) -> bool:
    """Return True for anonymous requests whose response may be cached; pages are stored compressed."""
    return (
        request.method == "GET"
        and is_anonymous_read(request)
        and ("gzip" in request.headers.get("Accept-Encoding", "") or request.path.startswith(API))
    )


def is_anonymous_read(request: HttpRequest) -> bool:
    """Return True for anonymous requests: without cookies but those of language and theme, and without a key."""
    return (
        request.method in ("GET", "HEAD")
        and not request.path.startswith(UNCACHED_PATHS)
        and set(request.COOKIES) <= PREFERENCE_COOKIES
        and not any(header in request.headers for header in CREDENTIALS)
    )


def is_cacheable_response(response: HttpResponseBase, request: HttpRequest) -> TypeGuard[HttpResponse]:
    """Return True for complete responses that are the same for everybody: they set no cookie, and no session."""
    session = getattr(request, "session", None)
    return (
        isinstance(response, HttpResponse)
        and response.status_code == 200
        and not response.cookies
        and not (session is not None and session.modified)
        and not any(directive in response.get("Cache-Control", "") for directive in UNCACHED_DIRECTIVES)
    )


def content_digest(response: HttpResponse) -> str:
    return hashlib.sha256(response.content).hexdigest()


def answer_condition(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return 304 if the browser has this page already, else the response."""
    if request.path.startswith(API) or "ETag" not in response:
        return response
    answer = get_conditional_response(request, etag=response["ETag"], response=response)
    assert isinstance(answer, HttpResponse)
    if answer is not response:  # browsers apply the headers of a 304 to their cached page
        vars(answer).update({name: value for name, value in vars(response).items() if name.startswith("_csp")})
        if "Cache-Status" in response:
            answer["Cache-Status"] = response["Cache-Status"]
    return answer


def may_be_copied(request: HttpRequest) -> bool:
    """Return True for public pages that may be displayed from a copy while the database is unavailable."""
    return request.method == "GET" and not request.path.startswith((API, *UNCACHED_PATHS, "/report"))


def last_good_copy(request: HttpRequest) -> HttpResponse | None:
    """Return the last copy of a public page, with a note of its age; None if there is none that may be displayed."""
    page = look_up(request).page
    if page is None or page.age > COPY_SECONDS:
        return None
    response = page.respond()
    if response.get("Content-Encoding") == "gzip":
        response.content = gzip.decompress(response.content)
    for header in ("Content-Encoding", "Content-Length", "ETag"):
        del response[header]
    if response["Content-Type"].startswith("text/html"):
        response.content = _with_note(response.content.decode(), page.head.made_at)
    response["Age"] = str(max(int(page.age), 0))
    response["Cache-Control"] = "no-store"
    return response


def _with_note(page: str, made_at: float) -> str:
    minute = f"{format_moment(dt.datetime.fromtimestamp(made_at, tz=dt.UTC))} UTC"
    note = _("The database is not available at the moment. This page is a copy from %(minute)s.") % {"minute": minute}
    message = format_html('<p class="message">{}</p>', note)
    return re.sub(r"<main\b[^>]*>", lambda main: main[0] + message, page, count=1)
