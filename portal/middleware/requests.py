from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, QueryDict
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language_from_request, override

from portal.api.problems import problem
from portal.site.robots_rules import is_open
from portal.site.views.errors import method_not_allowed
from ratings.access import lacks_second_factor
from ratings.domain.site.acting import act_as
from ratings.models import use_full_names

MANAGING_PATHS = ("/organise/", "/admin/", "/hall/")


def is_managing(request: HttpRequest) -> bool:
    """Return True for managing pages, and for answers to reports."""
    return request.path.startswith(MANAGING_PATHS) or (
        request.method == "POST" and request.path.startswith("/reports/")
    )


HEADERS = {
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(
        f"{feature}=()"
        for feature in (
            "accelerometer",
            "camera",
            "display-capture",
            "geolocation",
            "gyroscope",
            "magnetometer",
            "microphone",
            "midi",
            "payment",
            "usb",
        )
    )
    + ", publickey-credentials-create=(self), publickey-credentials-get=(self)",
}


class TimeZone:
    """Middleware that starts each request in the portal's time zone; views activate that of their federation."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with timezone.override(None):
            return self.get_response(request)


class Headers:
    """Middleware that adds headers for browsers and search engines, unless the response sets them itself."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_page = response.get("Content-Type", "").startswith("text/html")
        closed = {} if is_page and is_open(request) else {"X-Robots-Tag": "noindex"}
        for name, value in (HEADERS | closed).items():
            response.headers.setdefault(name, value)
        return response


class MethodNotAllowedPage:
    """Middleware that shows a page where an address that only takes forms is opened, such as from the history.

    It is the innermost one, so that the page knows who is signed in.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_page = request.method in ("GET", "HEAD") and not request.path.startswith("/api/")
        if response.status_code == 405 and is_page and not response.content:
            return method_not_allowed(request, response.get("Allow", "POST"))
        return response


MEGABYTE = 1_000_000
BODY_LIMITS = {"/organise/": 5 * MEGABYTE, "/admin/": 5 * MEGABYTE, "/api/v1/": 3 * MEGABYTE}
"""Maximum bytes of a request, by the start of its path: enough for files of 2 MB and grids of 60,000 cells."""
OTHER_BODIES = MEGABYTE
BODY_SECONDS = 15.0


UPLOADS = "/organise/files/"
"""Prefix of the paths that accept ratings histories of up to `HISTORY_MB`."""


def find_body_limit(path: str) -> int:
    """Return the maximum bytes of a request to a path."""
    limit = next((most for start, most in BODY_LIMITS.items() if path.startswith(start)), OTHER_BODIES)
    return max(limit, (settings.HISTORY_MB + 1) * MEGABYTE) if path.startswith(UPLOADS) else limit


class BodyLimit:
    """Middleware that refuses requests with a larger Content-Length than their path accepts, before reading them.

    A request that stops sending is cut off after some seconds. Bodies without Content-Length are not read at all:
    Django treats them as empty.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        length = int(text) if (text := request.META.get("CONTENT_LENGTH") or "0").isdecimal() else 0
        limit = find_body_limit(request.path)
        if length > limit:
            return self.refuse(request, limit)
        if length and (client := request.META.get("gunicorn.socket")):
            client.settimeout(BODY_SECONDS)
        return self.get_response(request)

    def refuse(self, request: HttpRequest, limit: int) -> HttpResponse:
        if request.path.startswith("/api/v1/"):
            return problem(413, f"At most {limit:,} bytes.")
        with override(get_language_from_request(request)):
            return render(request, "413.html", {"kilobytes": limit // 1000}, status=413)


class Language(LocaleMiddleware):
    """Middleware that activates the language chosen by the visitor, else the browser's; `Vary` names both headers."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response = super().process_response(request, response)
        patch_vary_headers(response, ["Cookie"])
        return response


class ActingUser:
    """Middleware that sets the acting user, and shows true names on managing pages.

    The session is read only when the domain asks for the acting user.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with act_as(lambda: request.user), use_full_names(request.path.startswith(MANAGING_PATHS)):
            return self.get_response(request)


class NoNulls:
    """Middleware against NUL characters, which databases refuse.

    Paths with NUL, and fields with NUL on managing pages, where fields are read raw, are answered with 404. On other
    pages NUL is removed from the query.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        fields = [request.GET, request.POST] if is_managing(request) else []
        values = (text for query in fields for _, texts in query.lists() for text in texts)
        if "\0" in request.path or any("\0" in str(text) for text in values):
            return HttpResponseNotFound("A character of the request cannot be: NUL.", content_type="text/plain")
        is_api = request.path.startswith("/api/")  # it reports the error itself
        if "%00" in request.META.get("QUERY_STRING", "") and not is_api:
            request.GET = without_nulls(request.GET)  # type: ignore[assignment] # a copy that is never changed
        return self.get_response(request)


def without_nulls(query: QueryDict) -> QueryDict:
    clean = query.copy()
    for name, texts in query.lists():
        clean.setlist(name, [str(text).replace("\0", "") for text in texts])
    return clean


class SecondFactor:
    """Middleware that sends users who accept results to the set-up of a second factor before they can manage."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if is_managing(request) and lacks_second_factor(request.user):
            return redirect("mfa_index")
        return self.get_response(request)
