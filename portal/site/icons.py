"""Icons of the package lucide-static, inlined into pages."""

from __future__ import annotations

import re
from functools import cache

from django.conf import settings
from django.utils.safestring import SafeString, mark_safe

DRAWING = re.compile(r"<svg[^>]*>(.*)</svg>", re.DOTALL)
HEAD = (
    '<svg class="icon" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"'
    ' stroke-linejoin="round" aria-hidden="true">'
)


@cache
def read_icon(name: str) -> SafeString:
    """Return an icon as inline SVG, hidden from screen readers; raise FileNotFoundError for an unknown name."""
    text = (settings.NODE_MODULES / "lucide-static" / "icons" / f"{name}.svg").read_text()
    drawing = DRAWING.search(text)
    assert drawing
    return mark_safe(HEAD + re.sub(r"\s*\n\s*", "", drawing[1]) + "</svg>")  # noqa: S308 - a file of a pinned package
