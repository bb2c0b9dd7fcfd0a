"""Middleware of the API under /api/v1/: rate limits, caching, and errors as problem details; who may read it (CORS)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from corsheaders.signals import check_request_enabled
from django.conf import settings
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, set_response_etag
from django.utils.http import http_date
from django_ratelimit.core import get_usage

from portal.middleware.limits import address_of
from portal.middleware.page_cache import CREDENTIALS

from .problems import problem

HERE = "/api/"
PAGE = "/api/"  # the documentation for people
READING = ("GET", "HEAD", "OPTIONS")
FRESH = "public, max-age=60, must-revalidate"


def is_api(request: HttpRequest) -> bool:
    """Return True for addresses of the API, without the page that documents it."""
    return request.path.startswith(HERE) and request.path != PAGE


@receiver(check_request_enabled)
def is_open_to_all_origins(request: HttpRequest, **_: Any) -> bool:
    """Return True if scripts on any website may read the response: requests to the API that only read."""
    return is_api(request) and request.method in READING


class Api:
    """Middleware that removes cookies and languages from API requests, so that responses are the same for everyone.

    It runs before the session and language middleware; the API is in English only.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not is_api(request):
            return self.get_response(request)
        for header in ("HTTP_COOKIE", "HTTP_ACCEPT_LANGUAGE"):
            request.META.pop(header, None)
        usage = get_usage(request, group="api", key=address_of, rate=f"{settings.API_RATE}/m", increment=True)
        if usage and usage["should_limit"]:
            response = problem(429, f"At most {usage['limit']} requests; again in {usage['time_left']} seconds.")
            response["Retry-After"] = str(usage["time_left"])
        elif request.method == "OPTIONS":
            response = HttpResponse(status=204, headers={"Allow": "GET, HEAD, OPTIONS, POST"})
        else:
            response = self.respond(request)
        for name, value in limits(usage).items():
            response[name] = value
        if request.method in READING:
            response["Cross-Origin-Resource-Policy"] = "cross-origin"
        return response

    def respond(self, request: HttpRequest) -> HttpResponse:
        by_key, method = has_credentials(request), request.method
        if method == "HEAD":
            request.method = "GET"
        response = as_problem(self.get_response(request))
        del response.headers["Vary"]  # the response does not depend on cookies or languages
        if request.method == "GET" and response.status_code == 200 and not by_key:
            response["Cache-Control"] = FRESH
            response = not_modified_or_response(request, response)
        else:
            response["Cache-Control"] = "no-store"
        if method == "HEAD":
            request.method = method
            response["Content-Length"] = str(len(response.content))
            response.content = b""
        return response


def has_credentials(request: HttpRequest) -> bool:
    """Return True for requests with a key or the secret of an event, whose replies are for their sender alone."""
    return any(header in request.headers for header in CREDENTIALS)


def not_modified_or_response(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return 304 if the client has this response already, else the response with its ETag.

    The ETag is a digest of the content, because names and clubs change without a rating run. Last-Modified is the time
    since when the content is known to be the same; the page cache sets it, and without a cached page it is now. It is
    informative only: two responses can fall into one second, so the ETag alone decides whether a client's copy is
    current.
    """
    set_response_etag(response)
    response.headers.setdefault("Last-Modified", http_date())
    conditional_response = get_conditional_response(request, etag=response["ETag"], response=response)
    return cast(HttpResponse, conditional_response)


def limits(usage: Mapping[str, int] | None) -> dict[str, str]:
    """Return the rate limit headers, named as in the IETF's draft; empty without a limit."""
    if usage is None:
        return {}
    left = max(usage["limit"] - usage["count"], 0)
    named = {"Limit": usage["limit"], "Remaining": left, "Reset": usage["time_left"]}
    return {f"RateLimit-{name}": str(number) for name, number in named.items()}


def as_problem(response: HttpResponse) -> HttpResponse:
    """Return the response, with problem details instead of an error in HTML or plain text."""
    if response.status_code < 400 or "json" in response.get("Content-Type", ""):
        return response
    error = problem(response.status_code)
    for name in ("Allow", "Retry-After"):
        if name in response.headers:
            error[name] = response[name]
    return error
