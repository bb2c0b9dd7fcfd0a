"""Shapes of a graph, in pixels: they are written as SVG here and drawn in PDF files by `portal.pdf.graph`.

`css` names the classes of a shape, by which each kind of output chooses its colours; `title` is a tooltip.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.utils.html import format_html
from django.utils.safestring import SafeString

from ratings.characters import without_control_characters

Position = tuple[float, float]


@dataclass(frozen=True)
class Line:
    css: str
    start: Position
    end: Position


@dataclass(frozen=True)
class Box:
    """A rectangle; (x, y) is its upper left corner."""

    css: str
    x: float
    y: float
    width: float
    height: float
    radius: float = 0
    """Radius of the corners."""


@dataclass(frozen=True)
class Path:
    """A line through points, or the area that it surrounds if it is `filled`."""

    css: str
    points: Sequence[Position]
    filled: bool = False
    title: str = ""


@dataclass(frozen=True)
class Disc:
    css: str
    centre: Position
    radius: float
    title: str = ""


@dataclass(frozen=True)
class Label:
    """A text in one line; y is its base line, `anchor` is start, middle or end."""

    css: str
    x: float
    y: float
    text: str
    anchor: str = ""


@dataclass(frozen=True)
class Group:
    css: str
    shapes: Sequence[Shape]
    title: str = ""


Shape = Line | Box | Path | Disc | Label | Group


def render_shapes(shapes: Iterable[Shape]) -> SafeString:
    """Return shapes as the content of an svg element."""
    return SafeString("".join(map(_render_shape, shapes)))


@lru_cache(maxsize=1000)
def _render_class(css: str) -> SafeString:
    return format_html(' class="{}"', css) if css else SafeString("")


def _render_shape(shape: Shape) -> SafeString:
    css = _render_class(shape.css)
    match shape:
        case Line(_, (x1, y1), (x2, y2)):
            return format_html(
                '<line{} x1="{}" x2="{}" y1="{}" y2="{}"/>', css, *(round(each, 1) for each in (x1, x2, y1, y2))
            )
        case Box(_, x, y, width, height, radius):
            corners = format_html(' rx="{}"', radius) if radius else ""
            edges = (round(each, 1) for each in (x, y, width, height))
            return format_html('<rect{} x="{}" y="{}" width="{}" height="{}"{}/>', css, *edges, corners)
        case Path(_, points, filled, title):
            tag = "polygon" if filled else "polyline"
            path = " ".join(f"{round(x, 1)},{round(y, 1)}" for x, y in points)
            return format_html('<{}{} points="{}"{}', SafeString(tag), css, path, _close(tag, title))
        case Disc(_, (x, y), radius, title):
            ending = _close("circle", title)  # a graph has thousands: no part is escaped again
            return SafeString(f'<circle{css} cx="{round(x, 1)}" cy="{round(y, 1)}" r="{radius}"{ending}')
        case Group(_, shapes, title):
            return format_html("<g{}>{}{}</g>", css, _render_title(title), render_shapes(shapes))
        case Label(_, x, y, text, anchor):
            side = format_html(' text-anchor="{}"', anchor) if anchor else ""
            place = round(x, 1), round(y, 1)
            return format_html('<text{} x="{}" y="{}"{}>{}</text>', css, *place, side, without_control_characters(text))


def _close(tag: str, title: str) -> SafeString:
    """Return the end of an element, with its title if it has one."""
    return format_html(">{}</{}>", _render_title(title), SafeString(tag)) if title else SafeString("/>")


def _render_title(title: str) -> SafeString:
    return format_html("<title>{}</title>", without_control_characters(title)) if title else SafeString("")
