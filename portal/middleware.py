from collections.abc import Callable

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.shortcuts import redirect

from ratings.access import needs_second_factor
from ratings.domain.acting import acting
from ratings.models import true_names

GUARDED = ("/organise/", "/admin/")


def guarded(request: HttpRequest) -> bool:
    """Managing pages, and answers to reports."""
    return request.path.startswith(GUARDED) or (request.method == "POST" and request.path.startswith("/reports/"))


class ActingUser:
    """Lets the domain know who acts (the session is looked at only if it asks), and managing pages tell true names."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with acting(lambda: request.user), true_names(request.path.startswith(GUARDED)):
            return self.get_response(request)


class NoNulls:
    """Databases refuse a NUL: no address has one, and nobody types one on managing pages, whose fields are read raw."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        fields = [request.GET, request.POST] if guarded(request) else []
        typed = (text for several in fields for _, texts in several.lists() for text in texts)
        if "\0" in request.path or any("\0" in str(text) for text in typed):
            return HttpResponseNotFound("A character of the request cannot be: NUL.", content_type="text/plain")
        return self.get_response(request)


class SecondFactor:
    """Whoever accepts results sets up a second factor first; until then he is a visitor like others."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if (
            settings.SECOND_FACTOR
            and guarded(request)
            and request.user.is_authenticated
            and needs_second_factor(request.user)
            and not is_mfa_enabled(request.user)
        ):
            return redirect("mfa_activate_totp")
        return self.get_response(request)
