"""Pages that a browser may keep for their reader, to be shown without a connection; and the service worker for it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

OWNER_HEADER, UNTIL_HEADER = "X-Offline-Owner", "X-Offline-Until"
"""Headers with the owner of a page, and the time (seconds since 1970) until which a copy may be shown."""
LONGEST = 7 * 24 * 3600
"""Maximum number of seconds for which a copy may be shown."""
View = Callable[..., HttpResponse]


def compute_owner(request: HttpRequest) -> str:
    """Return the key of the signed-in reader, by which a browser separates what belongs to different people."""
    return salted_hmac("portal.site.offline", str(request.user.pk)).hexdigest()[:16]


def may_cache_pages(request: HttpRequest) -> bool:
    """Return True if the browser may keep pages of the reader: their session does not end with the browser."""
    return request.user.is_authenticated and not request.session.get_expire_at_browser_close()


def cache_offline(view: View) -> View:
    """Return a view whose pages the browser may keep for their reader, until the session ends or for `LONGEST`.

    The service worker keeps no page without these headers, and removes all pages of a person when another one signs in.
    """

    @wraps(view)
    def kept_view(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if request.method == "GET" and response.status_code == 200 and may_cache_pages(request):
            response[OWNER_HEADER] = compute_owner(request)
            response[UNTIL_HEADER] = str(int(time.time()) + min(request.session.get_expiry_age(), LONGEST))
        return response

    return kept_view


def build_worker(pages: str, patience: int, *, is_owned: bool) -> HttpResponse:
    """Return the service worker for pages below its own address.

    `pages` is a regular expression for their addresses, `patience` the milliseconds after which a copy is shown though
    the server may still answer. `is_owned`: the pages belong to the signed-in reader.
    """
    values = {
        "RELEASE": json.dumps(settings.RELEASE),
        "STATIC": json.dumps(settings.STATIC_URL),
        "PAGES": f"new RegExp({json.dumps(pages)})",
        "PATIENCE": json.dumps(patience),
        "OWNED": json.dumps(is_owned),
    }
    start = f"const {', '.join(f'{name} = {value}' for name, value in values.items())};\n"
    script = (settings.BASE_DIR / "static" / "portal" / "offline_worker.js").read_text()
    return HttpResponse(start + script, content_type="text/javascript; charset=utf-8")
