from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from portal.templatetags.portal_site import THEME, THEMES

A_YEAR = 365 * 24 * 3600
View = Callable[[HttpRequest], HttpResponse]


def preference(view: View) -> View:
    """A form of ours without a token: that needs a cookie, and readers get none. The browser says whose it was."""

    @csrf_exempt
    @require_POST
    @wraps(view)
    def kept(request: HttpRequest) -> HttpResponse:
        if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
            raise PermissionDenied
        return view(request)

    return kept


@preference
def language(request: HttpRequest) -> HttpResponse:
    return set_language(request)


@preference
def theme(request: HttpRequest) -> HttpResponse:
    """Light or dark is kept; the system's own choice needs no cookie."""
    back = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(back, request.get_host(), require_https=request.is_secure())
    response = redirect(back if safe else "front")
    chosen = request.POST.get("theme")
    if chosen in THEMES:
        response.set_cookie(THEME, chosen, A_YEAR, secure=settings.HTTPS, httponly=True, samesite="Lax")
    else:
        response.delete_cookie(THEME, samesite="Lax")
    return response
