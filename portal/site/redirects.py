"""Redirects to the page that a form was on."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme


def redirect_to_next(request: HttpRequest, default: str) -> HttpResponse:
    """Redirect to the address in the field `next` if it is one of this site, else to the path `default`."""
    target = request.POST.get("next", "")
    is_safe = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return redirect(target if is_safe else default)
