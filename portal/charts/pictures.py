"""Graphs as pictures of their own: SVG files, and PNG files made from them."""

from __future__ import annotations

import math
from string import Template

from django.http import HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from resvg_py import svg_to_bytes

from portal.charts.fitted_text import BOLD, fit_text
from portal.charts.graph import Drawing
from portal.charts.shapes import Box, Label, render_shapes
from portal.pdf.layout import font_file
from portal.site.palette import get_palette

TITLE_HEIGHT, FIRST_LINE, TITLE_LINE, TITLE_SIZE = 36, 26, 20, 16
"""Height of a title in one line, its base line, the height of each further line, and the size, in pixels."""
ZOOM = 2
"""Pixels of a PNG picture for each pixel of the drawing."""
FONTS = ('"DejaVu Sans"', '"BIZ UDPGothic"')
STYLE = Template("""
text { font-family: $fonts, sans-serif; font-size: 12px; fill: $ink_3; }
.paper { fill: $paper; }
.title { font-size: 16px; font-weight: bold; fill: $ink; }
.g-band { fill: $sunk; }
.g-grid { stroke: $line; }
.g-area { fill: $accent; opacity: 0.07; }
.g-sure { fill: $accent; opacity: 0.13; }
.g-sure2 { fill: $accent; opacity: 0.1; }
.g-edge { fill: none; stroke: $accent; opacity: 0.45; }
.g-line { fill: none; stroke-width: 2.25; stroke-linejoin: round; }
.g-pt { fill: $paper; stroke-width: 2; }
.g-pt.idle { stroke: $ink_3; }
.g-peak { fill: $gold_fill; stroke: $paper; stroke-width: 2; }
.g-now { font-size: 14px; font-weight: bold; fill: $ink; }
.g-drop { stroke: $ink; stroke-dasharray: 2 3; }
.g-badge { fill: $ink; }
.g-badgename { fill: $paper; font-weight: bold; }
.g-mark { fill: $ink; stroke: $paper; }
.g-badge.demotion, .g-badge.waiting, .g-mark.demotion, .g-mark.waiting { fill: $paper; stroke: $ink; }
.g-badge.waiting { stroke-dasharray: 3 2; }
.g-badgename.demotion, .g-badgename.waiting { fill: $ink; }
""")
DASHES = ("none", "10 4", "3 3", "12 4 3 4", "2 2")


def graph_response(drawing: Drawing, title: str, format: str, theme: str | None) -> HttpResponse:
    """Return a response with a graph in the format of its address: svg or png."""
    picture = render_picture(drawing, title, theme)
    if format == "svg":
        return HttpResponse(picture, content_type="image/svg+xml")
    return HttpResponse(as_png(picture), content_type="image/png")


def render_picture(drawing: Drawing, title: str, theme: str | None) -> SafeString:
    """Return a graph below its title as an SVG file, in the colours of a theme: dark, else light."""
    frame = drawing.frame
    lines = fit_text(title, BOLD, frame.width - frame.left - TITLE_SIZE, math.inf, TITLE_SIZE).lines
    head = TITLE_HEIGHT + (len(lines) - 1) * TITLE_LINE
    size = frame.width, frame.height + head
    shapes = [Box("paper", 0, 0, *size)]
    texts = [Label("title", frame.left, FIRST_LINE + number * TITLE_LINE, line) for number, line in enumerate(lines)]
    return format_html(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" width="{}" height="{}"><style>{}</style>'
        '{}<g transform="translate(0 {})">{}</g></svg>',
        *size,
        *size,
        SafeString(_write_style(theme)),
        render_shapes([*shapes, *texts]),
        head,
        drawing.content,
    )


def as_png(picture: str) -> bytes:
    """Return an SVG picture as PNG, with the fonts of the PDF files."""
    fonts = [str(font_file(family, style)) for family, style in (("sans", ""), ("sans", "B"), ("japanese", ""))]
    return bytes(svg_to_bytes(svg_string=picture, zoom=ZOOM, font_files=fonts, skip_system_fonts=True))


def _write_style(theme: str | None) -> str:
    palette = get_palette(theme)
    curves = "".join(
        f".g-line.c{number}, .g-pt.c{number} {{ stroke: {colour}; }} .g-name.c{number} {{ fill: {colour}; }}"
        f" .g-line.c{number} {{ stroke-dasharray: {dash}; }}\n"
        for number, (colour, dash) in enumerate(zip(palette.curves, DASHES, strict=True), 1)
    )
    fonts = ", ".join(FONTS)
    return STYLE.substitute(palette._asdict(), fonts=fonts) + curves
