from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from portal.site.redirects import redirect_to_next
from portal.templatetags.portal_site import THEME, THEMES

A_YEAR = 365 * 24 * 3600
View = Callable[[HttpRequest], HttpResponse]


def preference(view: View) -> View:
    """Wrap a view so that its form needs no CSRF token, whose cookie visitors do not get.

    Forms of other sites are refused by their Sec-Fetch-Site header.
    """

    @csrf_exempt
    @require_POST
    @wraps(view)
    def wrapped(request: HttpRequest) -> HttpResponse:
        if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
            raise PermissionDenied
        return view(request)

    return wrapped


@preference
def language(request: HttpRequest) -> HttpResponse:
    return set_language(request)


@preference
def theme(request: HttpRequest) -> HttpResponse:
    """Save the chosen theme in a cookie; the system theme needs none."""
    response = redirect_to_next(request, reverse("front"))
    chosen = request.POST.get("theme")
    if chosen in THEMES:
        response.set_cookie(THEME, chosen, A_YEAR, secure=settings.HTTPS, httponly=True, samesite="Lax")
    else:
        response.delete_cookie(THEME, samesite="Lax")
    return response
