from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from csp.decorators import csp
from django.http import HttpResponse
from django.urls import reverse

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PICTURE_POLICY = {"default-src": ["'none'"], "style-src": ["'unsafe-inline'"], "frame-ancestors": ["'none'"]}
"""Of an SVG as a document of its own: it has inline styles, and nothing in it runs or is fetched."""

picture: Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]] = csp(PICTURE_POLICY)  # type: ignore[assignment] # typed for views without arguments


def pictures(view: str, asked: str, *of: str) -> dict[str, str]:
    """The addresses of a graph as SVG and as PNG; `asked` is their query."""
    return {form: f"{reverse(view, args=[*of, form])}?{asked}" for form in ("svg", "png")}


def sent(figure: Figure, form: str) -> HttpResponse:
    """A chart as an answer, in the form of its address: svg or png."""
    from portal.charts.base import as_png, as_svg  # noqa: PLC0415 - takes half a second to load

    if form == "png":
        return HttpResponse(as_png(figure), content_type="image/png")
    return HttpResponse(as_svg(figure), content_type="image/svg+xml")


def height_of_grades(number: int) -> int:
    """Of the chart of so many grades, in pixels."""
    return max(400, 60 + 18 * number)
