"""Pictures of cards, 1200 × 630 pixels as Open Graph recommends, in the colours of a federation."""

from __future__ import annotations

import hashlib
from string import Template
from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.html import format_html
from django.utils.safestring import SafeString
from resvg_py import svg_to_bytes

from portal.charts.card import Card
from portal.charts.fitted_text import (
    BOLD,
    FONT_FILES,
    LINE_HEIGHT,
    SANS,
    SERIF,
    FittedText,
    Font,
    fit_text,
    measure,
    render_text,
)
from portal.pdf.layout import font_file
from portal.site.federation_identity import crest_as_data
from portal.site.houses import HOUSES
from portal.site.palette import LIGHT

WIDTH, HEIGHT = 1200, 630
MARGIN, TOP, FOOT, BOTTOM = 64.0, 116.0, 12.0, 594.0
"""Margins at the sides, height of the head and of the line at the foot, and end of the content, in pixels."""
INNER = WIDTH - 2 * MARGIN
CREST, LABEL = 84.0, 300.0
"""Width of the crest, and of the label in the head."""
LEAST_CURVE = 70.0
"""Height in pixels below which there is no room for a curve."""
STYLE = Template("""
.ink { fill: $ink; } .quiet { fill: $ink_3; } .gain { fill: $gain; } .loss { fill: $loss; }
.gold { fill: $gold; } .on-head { fill: $paper; } .paper { fill: $paper; }
.outline { fill: none; stroke: $edge; stroke-width: 2; } .head { fill: $head; } .head-quiet { fill: $head_quiet; }
.accent { fill: $accent; } .curve { fill: none; stroke: $accent; stroke-width: 4; stroke-linejoin: round; }
.area { fill: $accent; fill-opacity: 0.08; }
""")


class Box(NamedTuple):
    """Place of a text: its x, width, height and largest size, in pixels."""

    x: float
    width: float
    height: float
    size: float


def card_response(request: HttpRequest, card: Card) -> HttpResponseBase:
    """Return a card as PNG, drawn only if the visitor does not have the same one already."""
    picture = draw_card(card)
    etag = f'"{hashlib.sha256(f"{settings.RELEASE} {picture}".encode()).hexdigest()[:24]}"'
    known = get_conditional_response(request, etag=etag)
    return known or HttpResponse(card_as_png(picture), content_type="image/png", headers={"ETag": etag})


def card_as_png(picture: str) -> bytes:
    fonts = [str(font_file(*font)) for font in FONT_FILES]
    return bytes(svg_to_bytes(svg_string=picture, font_files=fonts, skip_system_fonts=True))


def draw_card(card: Card) -> SafeString:
    """Return a card as SVG."""
    style = STYLE.substitute(LIGHT._asdict() | HOUSES[card.identity.house]._asdict())
    return format_html(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" width="{}" height="{}"><style>{}</style>'
        '<rect class="paper" width="{}" height="{}"/>{}</svg>',
        WIDTH,
        HEIGHT,
        WIDTH,
        HEIGHT,
        SafeString(style),
        WIDTH,
        HEIGHT,
        _Drawing(card).draw(),
    )


class _Drawing:
    """Drawing of a card: parts are added downwards from `y`, in pixels."""

    def __init__(self, card: Card) -> None:
        self.card = card
        self.parts: list[SafeString] = []
        self.y = TOP + 30.0

    def draw(self) -> SafeString:
        card = self.card
        self._draw_head()
        self._write(card.title, SERIF, "ink", Box(MARGIN, INNER, 150, 72))
        for line in card.lines:
            self.y += 4
            self._write(line, SANS, "quiet", Box(MARGIN, INNER, 74, 30))
        self.y += 14
        if card.sides:
            self._draw_sides()
        elif card.figure:
            self._draw_figure()
        if card.rows:
            self._draw_rows()
        if card.sentence:
            room = BOTTOM - self.y - (LEAST_CURVE if len(card.curve) > 1 else 0)
            self._write(card.sentence, SERIF, "ink", Box(MARGIN, INNER, room, 42))
        if len(card.curve) > 1 and BOTTOM - self.y > LEAST_CURVE:
            self._draw_curve()
        return SafeString("\n".join(self.parts))

    def _add(self, pattern: str, *values: object) -> None:
        """Add an element; numbers with a fraction are rounded."""
        rounded = [f"{value:.1f}" if isinstance(value, float) else value for value in values]
        self.parts.append(format_html(pattern, *rounded))

    def _write(self, text: str, font: Font, css: str, box: Box, anchor: str = "start") -> FittedText:
        """Write a text into a box whose top is `y`, and move below it."""
        fitted = fit_text(text, font, box.width, box.height, box.size)
        if text:
            self.parts.append(render_text(fitted, font, box.x, self.y, css, anchor))
            self.y += fitted.height
        return fitted

    def _draw_head(self) -> None:
        identity, left = self.card.identity, MARGIN
        self._add('<rect class="head" width="{}" height="{}"/>', WIDTH, TOP)
        self._add('<rect class="accent" y="{}" width="{}" height="{}"/>', HEIGHT - FOOT, WIDTH, FOOT)
        if identity.crest:
            place = (MARGIN, (TOP - CREST) / 2, CREST, CREST, crest_as_data(identity.crest))
            self._add('<image x="{}" y="{}" width="{}" height="{}" href="{}"/>', *place)
            left += CREST + 24
        label = fit_text(self.card.label, SANS, LABEL, 80, 28)
        self.y = (TOP - label.height) / 2
        self._write(self.card.label, SANS, "on-head", Box(WIDTH - MARGIN, LABEL, 80, 28), "end")
        width = WIDTH - MARGIN - left - (LABEL + 32 if self.card.label else 0)
        name, line = Box(left, width, 50 if identity.line else 90, 38), Box(left, width, 34, 22)
        heights = [fit_text(identity.name, SERIF, *name[1:]).height]
        heights += [fit_text(identity.line, SANS, *line[1:]).height] if identity.line else []
        self.y = (TOP - sum(heights)) / 2
        self._write(identity.name, SERIF, "on-head", name)
        self._write(identity.line, SANS, "head-quiet", line)
        self.y = TOP + 30.0

    def _draw_figure(self) -> None:
        """Draw the figure, the grade and the change beside it, and the facts at the right."""
        card, top = self.card, self.y
        figure = self._write(card.figure, SERIF, "ink", Box(MARGIN, 560, 130, 112))
        bottom = self.y
        right = left = MARGIN + max(measure(line, SERIF) for line in figure.lines) * figure.size + 32
        if card.grade:
            right = max(right, left + self._draw_grade(card.grade, left, top + 16, 32))
        self.y = top + (70 if card.grade else 40)
        change = self._write(card.change, BOLD, card.tone or "quiet", Box(left, 300, 60, 44))
        right = max(right, left + max(measure(line, BOLD) for line in change.lines) * change.size)
        bottom = max(bottom, self.y)
        left = x = right + 56
        lengths = [min(max(measure(value, BOLD), 6), 14) for _name, value in card.facts]
        for (name, value), length in zip(card.facts, lengths, strict=True):
            width = (WIDTH - MARGIN - left - 32 * (len(lengths) - 1)) * length / sum(lengths)
            self.y = top + 14
            self._write(name, SANS, "quiet", Box(x, width, 30, 22))
            self._write(value, BOLD, "ink", Box(x, width, 84, 30))
            bottom, x = max(bottom, self.y), x + width + 32
        self.y = bottom + 12

    def _draw_grade(self, grade: str, x: float, y: float, size: float) -> float:
        """Draw a grade as a badge, dark for dan and outlined for kyu; return its width."""
        width = measure(grade, BOLD) * size + size
        is_dan = grade.endswith("Dan")
        self._add(
            '<rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="{}"/>',
            "ink" if is_dan else "outline",
            x,
            y,
            width,
            size * 1.4,
            size * 0.7,
        )
        text = FittedText([grade], size)
        top = y + size * (1.4 - LINE_HEIGHT) / 2
        self.parts.append(render_text(text, BOLD, x + width / 2, top, "paper" if is_dan else "ink", "middle"))
        return width

    def _draw_sides(self) -> None:
        top, bottoms = self.y, []
        for side, x, anchor in zip(self.card.sides, (MARGIN, WIDTH - MARGIN), ("start", "end"), strict=True):
            self.y = top
            self._write(side.name, SERIF, "ink", Box(x, 400, 164, 68), anchor)
            self.y += 8
            for line in side.lines:
                self._write(line, SANS, "quiet", Box(x, 400, 72, 30), anchor)
            bottoms.append(self.y)
        self.y = top
        self._write(self.card.figure, SERIF, "ink", Box(WIDTH / 2, 240, 150, 110), "middle")
        self.y = max(*bottoms, self.y) + 40

    def _draw_rows(self) -> None:
        height = min((BOTTOM - self.y) / len(self.card.rows), 76.0)
        size = height * 0.5
        for row in self.card.rows:
            top = self.y
            text = f"{row.place}"
            value_width = measure(row.value, BOLD) * size
            grade_width = measure(row.grade, BOLD) * size * 0.6 + size if row.grade else 0
            room = INNER - 72 - value_width - 40
            fitted = fit_text(row.name, BOLD, room - grade_width, height * 0.94, size)
            name_width = max(measure(line, BOLD) for line in fitted.lines) * fitted.size
            middle = top + height / 2
            css = "gold" if row.place == 1 else "quiet"
            self._write_beside(FittedText([text], size), BOLD, MARGIN, middle, css)
            self._write_beside(fitted, BOLD, MARGIN + 72, middle, "ink")
            if row.grade:
                self._draw_grade(row.grade, MARGIN + 72 + name_width + size * 0.5, middle - size * 0.42, size * 0.6)
            self._write_beside(FittedText([row.value], size), BOLD, WIDTH - MARGIN, middle, "ink", "end")
            self.y = top + height

    def _write_beside(
        self, fitted: FittedText, font: Font, x: float, middle: float, css: str, anchor: str = "start"
    ) -> None:
        self.parts.append(render_text(fitted, font, x, middle - fitted.height / 2, css, anchor))

    def _draw_curve(self) -> None:
        """Draw the curve of the ratings down to the foot of the card."""
        top, bottom = self.y + 16, float(HEIGHT - FOOT)
        days, ratings = [day.toordinal() for day, _ in self.card.curve], [rating for _, rating in self.card.curve]
        low, high = min(ratings), max(*ratings, min(ratings) + 1)
        span = max(days[-1] - days[0], 1)
        points = [
            (
                MARGIN + (INNER - 8) * (day - days[0]) / span,
                bottom - 24 - (bottom - 24 - top) * (rating - low) / (high - low),
            )
            for day, rating in zip(days, ratings, strict=True)
        ]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        area = f"{points[0][0]:.1f},{bottom} {line} {points[-1][0]:.1f},{bottom}"
        self._add('<polygon class="area" points="{}"/>', area)
        self._add('<polyline class="curve" points="{}"/>', line)
        self._add('<circle class="accent" cx="{}" cy="{}" r="8"/>', *points[-1])
