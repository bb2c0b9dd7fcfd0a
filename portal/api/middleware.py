"""What every reply under /api/v1/ shares: limits, caching, CORS, and errors that a program can read."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping
from typing import cast

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, set_response_etag
from django.utils.http import http_date
from django_ratelimit.core import get_usage

from portal.limits import address_of

from .problems import problem

HERE = "/api/"
PAGE = "/api/"  # the description for people
READING = ("GET", "HEAD", "OPTIONS")
ANYBODY = {
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Access-Control-Expose-Headers": (
        "ETag, Last-Modified, Link, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset"
    ),
}
ALLOWED = {
    "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
    "Access-Control-Allow-Headers": "If-None-Match",
    "Access-Control-Max-Age": "86400",
}
REMEMBERED = 2 * 24 * 60 * 60  # seconds
FRESH = "public, max-age=60, must-revalidate"


class Api:
    """Stands before sessions and languages: the API knows nobody by a cookie, and speaks English, so that one reply is
    everybody's.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(HERE) or request.path == PAGE:
            return self.get_response(request)
        for told in ("HTTP_COOKIE", "HTTP_ACCEPT_LANGUAGE"):
            request.META.pop(told, None)
        usage = get_usage(request, group="api", key=address_of, rate=f"{settings.API_RATE}/m", increment=True)
        if usage and usage["should_limit"]:
            response = problem(429, f"At most {usage['limit']} requests; again in {usage['time_left']} seconds.")
            response["Retry-After"] = str(usage["time_left"])
        elif request.method == "OPTIONS":
            response = HttpResponse(status=204, headers=ALLOWED | {"Allow": "GET, HEAD, OPTIONS, POST"})
        else:
            response = self.answer(request)
        for name, value in (limits(usage) | (ANYBODY if request.method in READING else {})).items():
            response[name] = value
        return response

    def answer(self, request: HttpRequest) -> HttpResponse:
        by_key, method = "Authorization" in request.headers, request.method
        if method == "HEAD":
            request.method = "GET"
        response = readable(self.get_response(request))
        del response.headers["Vary"]  # of cookies and languages it knows nothing
        if request.method == "GET" and response.status_code == 200 and not by_key:
            response["Cache-Control"] = FRESH
            response = unless_known(request, response)
        else:
            response["Cache-Control"] = "no-store"
        if method == "HEAD":
            request.method = method
            response["Content-Length"] = str(len(response.content))
            response.content = b""
        return response


def known_since(address: str, etag: str) -> float:
    """When an address began to give this reply, as far as is remembered.

    It is told only: one second may have seen two replies, so that the ETag alone decides what an asker has.
    """
    key = f"api-since:{hashlib.sha256(address.encode()).hexdigest()}"
    reply, since = cache.get(key, ("", 0.0))
    if reply != etag:
        since = time.time()
        cache.set(key, (etag, since), REMEMBERED)
    return float(since)


def unless_known(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """304 where the asker has this very reply: told by its content, as names and clubs change without any run."""
    set_response_etag(response)
    response["Last-Modified"] = http_date(known_since(request.get_full_path(), response["ETag"]))
    answer = get_conditional_response(request, etag=response["ETag"], response=response)
    return cast(HttpResponse, answer)


def limits(usage: Mapping[str, int] | None) -> dict[str, str]:
    """As the IETF's draft names them."""
    if usage is None:
        return {}
    left = max(usage["limit"] - usage["count"], 0)
    named = {"Limit": usage["limit"], "Remaining": left, "Reset": usage["time_left"]}
    return {f"RateLimit-{name}": str(number) for name, number in named.items()}


def readable(response: HttpResponse) -> HttpResponse:
    """Errors that came as pages or plain words, as problem details."""
    if response.status_code < 400 or "json" in response.get("Content-Type", ""):
        return response
    told = problem(response.status_code)
    if "Allow" in response.headers:
        told["Allow"] = response["Allow"]
    return told
