"""Rate limits per address: generous for people, strict for machines that download the whole site."""

import logging
from collections.abc import Callable
from functools import cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from math import ceil
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django_ratelimit.core import get_usage

UNCOUNTED_PATHS = ("/admin/", "/api/", "/health/", "/metrics", "/organise/")
"""Paths that are not counted here: pages behind a log-in, the API with its own limits, and pages for monitoring."""

log = logging.getLogger(__name__)


def address_of(_group: str, request: HttpRequest) -> str:
    """Return the address of the visitor, as reported by the outermost trusted proxy where there are proxies.

    If an entry of a trusted proxy is missing, it is the address of the connection.

    IPv6 addresses are cut to their network of 64 bits, which belongs to one customer; IPv4 addresses that are written
    as IPv6 (`::ffff:192.0.2.1`) count as IPv4.
    """
    entries = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    forwarded = [entry.strip() for entry in entries if entry.strip()]
    proxies = settings.TRUSTED_PROXIES
    address = forwarded[-proxies].strip() if proxies and len(forwarded) >= proxies else str(request.META["REMOTE_ADDR"])
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    if isinstance(ip, IPv6Address):
        return str(ip.ipv4_mapped or IPv6Network((ip, 64), strict=False))
    return str(ip)


def is_from_outside(request: HttpRequest) -> bool:
    """Return True if the visitor has a public address.

    Private addresses are not limited: behind a proxy missing in TRUSTED_PROXIES, all visitors would share one.
    """
    try:
        return ip_address(address_of("", request).partition("/")[0]).is_global
    except ValueError:
        return False


def is_costly(path: str) -> bool:
    """Return True for paths of searches, the calculator, and files, whose last part contains a point."""
    return path.startswith("/search/") or "/calculator/" in path or "." in path.rpartition("/")[2]


def usage_of(request: HttpRequest) -> dict[str, Any]:
    """Count a request, and return the number of requests from its address; empty if there is no limit."""
    group, rate = ("costly", settings.COSTLY_RATE) if is_costly(request.path) else ("pages", settings.PAGE_RATE)
    return get_usage(request, group=group, key=address_of, rate=rate, increment=True) or {}


@cache
def _warn_once(setting: int) -> None:
    log.warning(
        "a request came through a proxy (X-Forwarded-For), but TRUSTED_PROXIES is %s: all visitors share one limit, "
        "or none; set it to the number of proxies",
        setting,
    )


def warn_of_unknown_proxy(request: HttpRequest) -> None:
    """Log once that a proxy in a private network adds addresses that TRUSTED_PROXIES ignores."""
    if not settings.TRUSTED_PROXIES and "HTTP_X_FORWARDED_FOR" in request.META and not is_from_outside(request):
        _warn_once(settings.TRUSTED_PROXIES)


class Limits:
    """Middleware that answers too many requests from one address with 429 and Retry-After."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        warn_of_unknown_proxy(request)
        is_counted = is_from_outside(request) and not request.path.startswith(UNCOUNTED_PATHS)
        usage = usage_of(request) if is_counted else {}
        if not usage.get("should_limit"):
            return self.get_response(request)
        if usage["count"] == usage["limit"] + 1:
            log.warning("an address has sent more than %s requests", usage["limit"])
        seconds = max(usage["time_left"], 1)
        response = render(request, "429.html", {"minutes": ceil(seconds / 60)}, status=429)
        response["Retry-After"] = str(seconds)
        return response
