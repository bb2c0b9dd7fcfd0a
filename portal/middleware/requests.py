from collections.abc import Callable

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, QueryDict
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.shortcuts import redirect
from django.utils.cache import patch_vary_headers

from portal.robots import is_open
from ratings.access import needs_second_factor
from ratings.domain.acting import acting
from ratings.models import true_names

GUARDED = ("/organise/", "/admin/")


def guarded(request: HttpRequest) -> bool:
    """Managing pages, and answers to reports."""
    return request.path.startswith(GUARDED) or (request.method == "POST" and request.path.startswith("/reports/"))


HEADERS = {
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(
        f"{what}=()"
        for what in ("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "magnetometer",
                     "microphone", "midi", "payment", "publickey-credentials-get", "usb")
    ),
}  # fmt: skip


class Headers:
    """What browsers and search engines are told with every answer, unless it says something else itself."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_page = response.get("Content-Type", "").startswith("text/html")
        closed = {} if is_page and is_open(request) else {"X-Robots-Tag": "noindex"}
        for name, value in (HEADERS | closed).items():
            response.headers.setdefault(name, value)
        return response


class Language(LocaleMiddleware):
    """The language that a visitor chose, else his browser's; caches are told of both."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response = super().process_response(request, response)
        patch_vary_headers(response, ["Cookie"])
        return response


class ActingUser:
    """Lets the domain know who acts (the session is looked at only if it asks), and managing pages tell true names."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with acting(lambda: request.user), true_names(request.path.startswith(GUARDED)):
            return self.get_response(request)


class NoNulls:
    """Databases refuse a NUL. No address has one, and nobody types one on managing pages, whose fields are read raw;
    other pages read what is asked without it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        fields = [request.GET, request.POST] if guarded(request) else []
        typed = (text for several in fields for _, texts in several.lists() for text in texts)
        if "\0" in request.path or any("\0" in str(text) for text in typed):
            return HttpResponseNotFound("A character of the request cannot be: NUL.", content_type="text/plain")
        is_api = request.path.startswith("/api/")  # it tells what is wrong itself
        if "%00" in request.META.get("QUERY_STRING", "") and not is_api:
            request.GET = without_nulls(request.GET)  # type: ignore[assignment] # a copy, and nobody changes it
        return self.get_response(request)


def without_nulls(asked: QueryDict) -> QueryDict:
    clean = asked.copy()
    for name, texts in asked.lists():
        clean.setlist(name, [str(text).replace("\0", "") for text in texts])
    return clean


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
