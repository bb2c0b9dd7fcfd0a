from __future__ import annotations

from django.urls import reverse

from portal.site.security_policy import set_security_policy

svg_security_policy = set_security_policy({"style-src": ["'unsafe-inline'"]})
"""Content security policy of an SVG opened as a document: inline styles are allowed, scripts and requests are not."""


def graph_urls(view: str, query: str, *args: str) -> dict[str, str]:
    """Return the addresses of a graph as SVG and PNG and of its points as CSV, by their formats.

    `query` is the query string, `args` further arguments.
    """
    return {format: f"{reverse(view, args=[*args, format])}?{query}" for format in ("svg", "png", "csv")}


def grades_chart_height(number: int) -> int:
    """Return the height in pixels of the chart of a number of grades."""
    return max(400, 60 + 18 * number)
