"""How often one address may ask: generous for people, slow for machines that take everything."""

import logging
from collections.abc import Callable
from contextlib import suppress
from ipaddress import IPv6Network, ip_address
from math import ceil
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django_ratelimit.core import get_usage

FREE = ("/admin/", "/api/", "/health/", "/organise/")
"""Not counted here: what needs a log-in, what has limits of its own, what the operators' machines ask."""

log = logging.getLogger(__name__)


def address_of(_group: str, request: HttpRequest) -> str:
    """Whose request it is: as the outermost proxy of ours saw him, where there are some.

    Of IPv6 it is the network of 64 bits: whoever has one address there has all of it.
    """
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    own = settings.TRUSTED_PROXIES
    address = forwarded[-own].strip() if own and len(forwarded) >= own else str(request.META["REMOTE_ADDR"])
    with suppress(ValueError):
        return str(IPv6Network((address, 64), strict=False))
    return address


def is_from_outside(request: HttpRequest) -> bool:
    """Not from a network of our own: there all visitors would be one, a proxy that nobody told us of."""
    try:
        return ip_address(address_of("", request).partition("/")[0]).is_global
    except ValueError:
        return False


def is_costly(path: str) -> bool:
    """Searches, the calculator, and files, whose addresses have a point at their end."""
    return path.startswith("/search/") or "/calculator/" in path or "." in path.rpartition("/")[2]


def usage_of(request: HttpRequest) -> dict[str, Any]:
    """How often the address has asked; nothing where nobody counts."""
    group, rate = ("costly", settings.COSTLY_RATE) if is_costly(request.path) else ("pages", settings.PAGE_RATE)
    return get_usage(request, group=group, key=address_of, rate=rate, increment=True) or {}


class Limits:
    """Too many requests from one address are told when to come back."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        is_counted = is_from_outside(request) and not request.path.startswith(FREE)
        usage = usage_of(request) if is_counted else {}
        if not usage.get("should_limit"):
            return self.get_response(request)
        if usage["count"] == usage["limit"] + 1:
            log.warning("an address has asked more than %s times", usage["limit"])
        seconds = max(usage["time_left"], 1)
        response = render(request, "429.html", {"minutes": ceil(seconds / 60)}, status=429)
        response["Retry-After"] = str(seconds)
        return response
