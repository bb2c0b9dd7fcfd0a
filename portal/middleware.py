from collections.abc import Callable

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from ratings.access import is_officer
from ratings.domain.acting import acting

GUARDED = ("/organise/", "/admin/")


class ActingUser:
    """Lets the domain know who acts; the session is looked at only if it asks."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with acting(lambda: request.user):
            return self.get_response(request)


class SecondFactor:
    """Whoever accepts results sets up a second factor first; until then he is a visitor like others."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if (
            settings.SECOND_FACTOR
            and request.path.startswith(GUARDED)
            and request.user.is_authenticated
            and is_officer(request.user)
            and not is_mfa_enabled(request.user)
        ):
            return redirect("mfa_activate_totp")
        return self.get_response(request)
