"""Names, colours and crests of federations, as pages, cards, mails and files show them."""

from __future__ import annotations

import base64
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from resvg_py import svg_to_bytes

from ratings.models import Federation

PICTURE_SIZE = 256
"""Width of a crest as PNG, in pixels."""


class Identity(NamedTuple):
    """Name, line below it, house colour and crest (SVG, may be empty) of a federation, or of the portal."""

    name: str
    line: str
    house: str
    crest: str


def identity_of(federation: Federation | None) -> Identity:
    """Return the identity of a federation; that of the portal for None."""
    if federation is None:
        return Identity(_("Ratings"), "", Federation.House.SLATE, "")
    return Identity(federation.name, federation.description, federation.house, federation.crest)


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
