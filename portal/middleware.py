from collections.abc import Callable

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.http import HttpRequest, HttpResponse
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
