"""Allow-list for crests: SVG files that administrators upload and that the portal shows on its pages.

The module is pure: it takes bytes, and returns SVG of which every element and attribute is on the list.
"""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, ParseError, tostring

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

SVG = "http://www.w3.org/2000/svg"
ELEMENTS = frozenset({
    "svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "defs", "linearGradient",
    "radialGradient", "stop", "clipPath", "title", "desc",
})  # fmt: skip
ATTRIBUTES = frozenset({
    "id", "viewBox", "width", "height", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "fx", "fy", "d",
    "points", "transform", "gradientUnits", "gradientTransform", "spreadMethod", "offset", "clipPathUnits", "clip-path",
    "clip-rule", "fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap",
    "stroke-linejoin", "stroke-miterlimit", "stroke-dasharray", "stroke-dashoffset", "stop-color", "stop-opacity",
    "opacity", "color", "preserveAspectRatio",
})  # fmt: skip
"""Attributes that are kept; properties of a `style` attribute become attributes, others are left out."""
MAX_BYTES, MAX_ELEMENTS, MAX_DEPTH = 50_000, 1_000, 20
VALUE = re.compile(r"[-\w\s.,#%()+*/]*")
"""Characters of numbers, paths, colours and names: no quotes, colons, semicolons or ampersands."""
REFERENCE = re.compile(r"url\((?!#[\w-]+\))")
DISPLAYED_SIZE = re.compile(r"\s*([\d.]+)(?:px)?\s*")


def clean_crest(data: bytes) -> str:
    """Return a crest as SVG that holds nothing but shapes and colours.

    Elements of other namespaces (those of drawing programs) and unknown attributes are left out. Raise ValidationError
    for a file that is too large, is no SVG, has no size, or has elements that could run, load or write something.
    """
    if len(data) > MAX_BYTES:
        raise ValidationError(
            _("The file has more than %(most)d KB. Simplify the drawing.") % {"most": MAX_BYTES // 1000}
        )
    try:
        root = fromstring(data, forbid_dtd=False)
    except (ParseError, DefusedXmlException, ValueError, LookupError):
        raise ValidationError(_("The file is not an SVG drawing. Export the crest as plain SVG.")) from None
    if root.tag != f"{{{SVG}}}svg":
        raise ValidationError(_("The file is not an SVG drawing. Export the crest as plain SVG."))
    if sum(1 for _element in root.iter()) > MAX_ELEMENTS:
        raise ValidationError(_("The drawing has more than %(most)d shapes. Simplify it.") % {"most": MAX_ELEMENTS})
    drawing = _clean_element(root, 0)
    if "viewBox" not in drawing.attrib:
        drawing.set("viewBox", f"0 0 {_read_size(root, 'width')} {_read_size(root, 'height')}")
    for name in ("width", "height"):
        drawing.attrib.pop(name, None)
    drawing.set("xmlns", SVG)
    return tostring(drawing, encoding="unicode")


def _read_size(root: Element, name: str) -> str:
    match = DISPLAYED_SIZE.fullmatch(root.get(name, ""))
    if match is None:
        raise ValidationError(_("The drawing has no size: it needs a viewBox, or a width and a height in pixels."))
    return match[1]


def _clean_element(element: Element, depth: int) -> Element:
    name = element.tag.rpartition("}")[2]
    if name not in ELEMENTS:
        raise ValidationError(
            _("The drawing contains <%(name)s>. A crest may contain shapes and colours only: convert texts to paths.")
            % {"name": name}
        )
    if depth > MAX_DEPTH:
        raise ValidationError(_("The groups of the drawing are nested too deeply. Ungroup its shapes."))
    kept = Element(name, _clean_attributes(element))
    kept.text = element.text if name in ("title", "desc") else None
    kept.extend([_clean_element(child, depth + 1) for child in element if _is_svg(child)])
    return kept


def _is_svg(element: Element) -> bool:
    """Return True for elements of SVG; comments have a function as their tag, and drawing programs add others."""
    return isinstance(element.tag, str) and element.tag.startswith(f"{{{SVG}}}") and element.tag != f"{{{SVG}}}metadata"


def _clean_attributes(element: Element) -> dict[str, str]:
    declared = (part.partition(":") for part in element.get("style", "").split(";"))
    given = dict(element.attrib) | {name.strip(): value.strip() for name, _colon, value in declared}
    return {
        name: value
        for name, value in given.items()
        if name in ATTRIBUTES and VALUE.fullmatch(value) and not REFERENCE.search(value)
    }
