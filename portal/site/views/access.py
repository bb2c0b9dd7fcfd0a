from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render, resolve_url
from django.views.csrf import csrf_failure as refused_form

from ratings.access import Action, lacks_second_factor, may

View = Callable[..., HttpResponse]
NOT_RETURNED = {"csrfmiddlewaretoken", "password", "password1", "password2", "oldpassword", "code"}
"""Fields of a form that are not sent back to the browser."""
STALE_TOKEN = ("CSRF token", "CSRF cookie not set")
"""Beginnings of Django's reasons when the token of a form is missing or outdated."""


def require(request: HttpRequest, action: Action, about: Any = None) -> None:
    """Raise PermissionDenied unless the user may do this."""
    if not may(request.user, action, about):
        raise PermissionDenied


def sign_in_required(view: View) -> View:
    """Send anonymous visitors to the sign-in page; a form that they posted comes back to them, to be sent again."""
    signed_in = login_required(view)

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method == "POST" and not request.user.is_authenticated:
            return return_posted_data(request)
        return signed_in(request, *args, **kwargs)

    return wrapped


def return_posted_data(request: HttpRequest) -> HttpResponse:
    """Return a page with what was posted, to be sent again with a fresh token (status 403: nothing was saved)."""
    fields = [(name, text) for name in request.POST if name not in NOT_RETURNED for text in request.POST.getlist(name)]
    context = {
        "fields": fields,
        "files": list(request.FILES),
        "sign_in": f"{resolve_url(settings.LOGIN_URL)}?{urlencode({'next': request.path})}",
    }
    return render(request, "results/send_again.html", context, status=403)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return the posted data if only the token is outdated, as after signing in again in another tab.

    A form that another site sent is refused with Django's own page.
    """
    own = request.headers.get("Origin") == f"{request.scheme}://{request.get_host()}"
    if own and reason.startswith(STALE_TOKEN) and request.path.startswith(("/organise/", "/hall/")):
        return return_posted_data(request)
    return refused_form(request, reason)


def may_see(request: HttpRequest, action: Action, about: Any = None) -> bool:
    """Return True if a public page may show what needs this right; middleware protects managing pages."""
    return may(request.user, action, about) and not lacks_second_factor(request.user)
