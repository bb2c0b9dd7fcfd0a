"""Frames and pictures for other websites: the security policy of frames, and the HTML to copy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.clickjacking import xframe_options_exempt

from portal.charts import svg_security_policy
from portal.site.security_policy import set_security_policy

View = Callable[..., HttpResponse]
FILTERS = ("country", "club", "active")
"""Filters of a list that an embedded list has, too."""
frame_security_policy = set_security_policy(
    {"style-src": ["'self'"], "base-uri": ["'none'"], "form-action": ["'none'"], "frame-ancestors": ["*"]}
)
"""Content security policy of a page in frames of other sites: a style sheet, no scripts, no pictures."""


def open_to_other_sites(view: View) -> View:
    """Decorate a view of a file that pages of other sites may show as a picture or in a frame."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        return response

    return wrapped


def frame(view: View) -> View:
    """Decorate a view of a page that other sites show in a frame; no other page of the portal may be in one."""
    return frame_security_policy(xframe_options_exempt(open_to_other_sites(view)))


def picture(view: View) -> View:
    """Decorate a view of an SVG file that other sites show as a picture, not in a frame."""
    return svg_security_policy(open_to_other_sites(view))


def write_frame(path: str, query: Mapping[str, str], title: str, height: int) -> SafeString:
    """Return the HTML of a frame for other sites, with its height in pixels."""
    return format_html(
        '<iframe src="{}" title="{}" width="100%" height="{}" loading="lazy"></iframe>',
        make_address(path, query), title, height,
    )  # fmt: skip


def write_picture(path: str, query: Mapping[str, str], page: str, text: str, height: int) -> SafeString:
    """Return the HTML of a picture that links to a page, for other sites; `text` replaces it, `height` is in pixels."""
    return format_html(
        '<a href="{}"><img src="{}" alt="{}" height="{}" loading="lazy"></a>',
        settings.SITE_ADDRESS + page, make_address(path, query), text, height,
    )  # fmt: skip


def make_address(path: str, query: Mapping[str, str]) -> str:
    """Return the complete address of a page with a query."""
    return f"{settings.SITE_ADDRESS}{path}{'?' if query else ''}{urlencode(query)}"
