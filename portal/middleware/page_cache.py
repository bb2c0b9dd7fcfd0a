"""Page cache: Django's cache middleware for anonymous visitors, with copies for times without a database."""

from __future__ import annotations

import datetime as dt
import gzip
import hashlib
import json
import re
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, TypeGuard

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.cache import CacheMiddleware
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.html import format_html
from django.utils.http import http_date
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from portal.templatetags.portal_site import THEME, THEMES
from ratings.localize import format_moment
from ratings.queries.site.page_generation import GENERATION, get_page_generation

COPY_SECONDS = 60 * 60
AT_MOST = 200_000  # bytes of a stored response
SLOTS = 10_000
"""Number of cache keys; the pages of two addresses in one slot replace each other, so invented addresses cannot fill
the cache."""
PREFERENCE_COOKIES = {settings.LANGUAGE_COOKIE_NAME, THEME}
API = "/api/"
"""Path of the API, whose middleware runs before this one and computes ETags of uncompressed content."""
UNCACHED_PATHS = ("/accounts/", "/admin/", "/hall/", "/health/", "/me/", "/organise/", "/robots.txt", "/.well-known/")
"""Paths that are never cached: pages before and behind a log-in, and those that need no database."""
CREDENTIALS = ("Authorization", "X-Pairgoth-Secret")
"""Headers with a key or the secret of an event."""
UNCACHED_DIRECTIVES = ("no-store", "private")


@dataclass(frozen=True)
class Head:
    """Data of a cached response besides its content, stored as JSON.

    `made_at` and `unchanged_since` are Unix times. `policy` holds the attributes of the content security policy, which
    a middleware before this one turns into a header.
    """

    address: str
    generation: str
    made_at: float
    unchanged_since: float
    digest: str
    status: int
    headers: list[tuple[str, str]]
    policy: dict[str, Any]


@dataclass(frozen=True)
class Page:
    """A cached response."""

    head: Head
    content: bytes

    def pack(self) -> bytes:
        """Return the page as bytes: a line of JSON, then the content."""
        return json.dumps(asdict(self.head)).encode() + b"\n" + self.content

    @classmethod
    def unpack(cls, packed: bytes) -> Page:
        head, _line, content = packed.partition(b"\n")
        return cls(Head(**json.loads(head)), content)

    @property
    def age(self) -> float:
        """Seconds since the page was made; the clocks of two machines may differ, so it can be negative."""
        return time.time() - self.head.made_at

    def respond(self) -> HttpResponse:
        response = HttpResponse(self.content, status=self.head.status, headers=dict(self.head.headers))
        vars(response).update(self.head.policy)
        return response


@dataclass
class LookUp:
    """The slot of a request, with the cached page of its address (of any age) and the current generation."""

    started: float
    address: str
    slot: str
    generation: str
    page: Page | None


class PageCache(CacheMiddleware):
    """Middleware that caches responses for anonymous visitors for PAGE_CACHE_SECONDS, and keeps them for an hour.

    A cached response that is older is only used while the database is unavailable. Requests with a session cookie or
    an API key, and responses that set a cookie, are not cached. Browsers are told to revalidate pages by their ETag.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        super().__init__(get_response, cache_timeout=settings.PAGE_CACHE_SECONDS)
        self.gzip = GZipMiddleware(get_response)

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        if not self.cache_timeout or not is_cacheable_request(request):
            return None
        found = look_up(request)
        if found.page and abs(found.page.age) < self.cache_timeout:
            return found.page.respond()
        request.page_look_up = found  # type: ignore[attr-defined] # for process_response
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


def look_up(request: HttpRequest) -> LookUp:
    """Return the slot of a request's address, and the page in it that may be displayed."""
    started, address = time.time(), address_key(request)
    slot = f"page:{int(address, 16) % SLOTS}"
    stored = cache.get_many([GENERATION, slot])
    generation = stored.get(GENERATION) or get_page_generation()
    page = Page.unpack(stored[slot]) if slot in stored else None
    if page and (page.head.address, page.head.generation) != (address, generation):
        page = None
    return LookUp(started, address, slot, generation, page)


def address_key(request: HttpRequest) -> str:
    """Return a digest of all that an anonymous response depends on: release, language, theme and address."""
    theme = request.COOKIES.get(THEME)
    address = request.scheme, request.get_host(), request.get_full_path()  # build_absolute_uri() would resolve “..”
    parts = settings.RELEASE, get_language(), theme if theme in THEMES else "", *address
    return hashlib.sha256(repr(parts).encode()).hexdigest()


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
