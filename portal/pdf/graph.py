"""Graphs in PDF files: the shapes of `portal.charts.graph`, drawn in the colours of the file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fpdf.enums import RenderStyle

from portal.charts.axes import TEXT_SIZE
from portal.charts.graph import Drawing
from portal.charts.shapes import Box, Disc, Group, Label, Line, Path, Position, Shape
from portal.site.houses import as_rgb
from portal.site.palette import LIGHT

from .layout import INK, LINE, QUIET, SHADE, Colour, Sheet

PAPER, GOLD, BOUND = (as_rgb(colour) for colour in (LIGHT.paper, LIGHT.gold_fill, LIGHT.loss))
POINTS_PER_MM = 72 / 25.4


@dataclass(frozen=True)
class Style:
    """Colours of a shape, None for those of the federation; widths and dashes (dash and gap) are in pixels."""

    stroke: Colour | None = LINE
    fill: Colour | None = PAPER
    width: float = 0.5
    dash: tuple[float, float] | None = None
    opacity: float = 1
    size: float = TEXT_SIZE
    bold: bool = False


STYLES = {
    "g-band": Style(fill=SHADE),
    "g-grid": Style(),
    "g-text": Style(fill=QUIET),
    "g-bandname": Style(fill=QUIET, bold=True),
    "g-limit": Style(stroke=BOUND, width=1.5, dash=(9, 5)),
    "g-area": Style(fill=None, opacity=0.07),
    "g-line": Style(stroke=None, width=2.25),
    "g-pt": Style(stroke=None, width=2),
    "g-pt idle": Style(stroke=QUIET, width=2),
    "g-peak": Style(stroke=PAPER, fill=GOLD, width=2),
    "g-now": Style(fill=INK, size=14, bold=True),
    "g-drop": Style(stroke=INK, dash=(2, 3)),
    "g-badge": Style(stroke=INK, fill=INK),
    "g-badgename": Style(fill=PAPER, bold=True),
    "g-mark": Style(stroke=INK, fill=INK),
}
STYLES |= {
    f"{css} {kind}": Style(stroke=INK, fill=INK if css == "g-badgename" else PAPER, bold=True)
    for css in ("g-badge", "g-badgename", "g-mark")
    for kind in ("demotion", "waiting")
}
"""Styles by both classes of a shape, else by the first one; those of the pages are in graph.css."""


def draw_graph(sheet: Sheet, drawing: Drawing) -> None:
    """Draw a graph between the margins, below what is written."""
    pen = Pen(sheet, sheet.epw / drawing.frame.width, (sheet.l_margin, sheet.y))
    with sheet.local_context():  # restores colours and line widths
        pen.draw(drawing.shapes)
    sheet.set_y(pen.origin[1] + drawing.frame.height * pen.scale)


@dataclass(frozen=True)
class Pen:
    """Draws shapes on a sheet; `scale` is the size of a pixel and `origin` the upper left corner, in mm."""

    sheet: Sheet
    scale: float
    origin: Position

    def draw(self, shapes: Iterable[Shape]) -> None:
        for shape in shapes:
            if isinstance(shape, Group):
                self.draw(shape.shapes)
            else:
                style = STYLES.get(shape.css) or STYLES[shape.css.split()[0]]
                with self.sheet.local_context(fill_opacity=style.opacity):
                    self._draw_shape(shape, style)

    def _place(self, position: Position) -> Position:
        return self.origin[0] + position[0] * self.scale, self.origin[1] + position[1] * self.scale

    def _draw_shape(self, shape: Line | Box | Path | Disc | Label, style: Style) -> None:
        sheet, scale = self.sheet, self.scale
        sheet.set_draw_color(*style.stroke or sheet.accent)
        sheet.set_fill_color(*style.fill or sheet.accent)
        sheet.set_line_width(style.width * scale)
        if style.dash:
            sheet.set_dash_pattern(*(length * scale for length in style.dash))
        match shape:
            case Line(_, start, end):
                sheet.line(*self._place(start), *self._place(end))
            case Box(css, x, y, width, height, radius):
                style_of_box = RenderStyle.F if css == "g-band" else RenderStyle.DF
                size, corner = (width * scale, height * scale), radius * scale
                round_corners = bool(radius)
                sheet.rect(*self._place((x, y)), *size, style_of_box, round_corners, corner)
            case Path(_, points, True):
                sheet.polygon([*map(self._place, points)], style=RenderStyle.F)
            case Path(_, points):
                sheet.polyline([*map(self._place, points)])
            case Disc(_, centre, radius):
                sheet.circle(*self._place(centre), radius * scale, style=RenderStyle.DF)
            case Label():
                self._write(shape, style)

    def _write(self, label: Label, style: Style) -> None:
        """Write a label with its base line where it is in the drawing; `cell` finds fonts for missing letters."""
        sheet, size = self.sheet, style.size * self.scale
        sheet.set_font(sheet.family, "B" if style.bold else "", size * POINTS_PER_MM)
        sheet.set_ink(style.fill or sheet.accent)
        width, (x, y) = sheet.get_string_width(label.text), self._place((label.x, label.y))
        left = x - width * {"middle": 0.5, "end": 1}.get(label.anchor, 0)
        sheet.set_xy(left - sheet.c_margin, y - 0.8 * size)  # a cell of this height has its base line at 0.8
        sheet.cell(width + 2 * sheet.c_margin, size, label.text)
