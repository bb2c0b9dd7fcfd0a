"""Crests of federations: their addresses and pictures."""

from __future__ import annotations

import base64

from django.urls import reverse
from resvg_py import svg_to_bytes

from ratings.models import Federation

PICTURE_SIZE = 256
"""Width of a crest as PNG, in pixels."""


def crest_address(federation: Federation) -> str:
    """Return the address of a federation's crest, which changes with the federation; empty if it has none."""
    if not federation.crest:
        return ""
    return f"{reverse('crest', args=[federation.slug, 'svg'])}?v={federation.version}"


def crest_as_data(crest: str) -> str:
    """Return a crest as a data URI, for a preview of what is not saved yet; empty for no crest."""
    return f"data:image/svg+xml;base64,{base64.b64encode(crest.encode()).decode()}" if crest else ""


def crest_as_png(crest: str, width: int = PICTURE_SIZE) -> bytes:
    """Return a crest as a PNG file of this width in pixels."""
    return bytes(svg_to_bytes(svg_string=crest, width=width, skip_system_fonts=True))
