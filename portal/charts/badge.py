"""Badge of a player for other websites: name, rating and grade as a small SVG."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from django.utils.html import format_html
from django.utils.safestring import SafeString

from portal.charts.fitted_text import BOLD, SANS, measure
from portal.site.houses import HOUSES
from portal.site.palette import LIGHT
from ratings.characters import without_control_characters

HEIGHT, EDGE, GAP = 56, 14, 18
NAME, LABEL, RATING, GRADE = 15, 11, 24, 12
"""Sizes of the texts in pixels."""
SMALLEST_WIDTH, WIDEST_TEXT = 180, 360
"""Width of the smallest badge, and of the name and the label at most: longer ones are written smaller, in pixels."""


@dataclass(frozen=True)
class Badge:
    """Texts of a badge; `grade` is empty where there is none, `rating` a dash without one."""

    name: str
    label: str
    rating: str
    grade: str
    house: str

    @property
    def text(self) -> str:
        """The badge in one line, for people who do not see the picture."""
        return ", ".join(filter(None, [f"{self.name}: {self.rating}", self.grade, self.label]))

    @property
    def right_width(self) -> int:
        """Width of the coloured part with rating and grade, in pixels."""
        widest = max(measure(self.rating, BOLD) * RATING, measure(self.grade, BOLD) * GRADE)
        return ceil(widest) + 2 * EDGE

    @property
    def left_width(self) -> int:
        """Width of the part with name and label, in pixels: the texts, measured with wide letters, have room."""
        widest = max(self.name_size * measure(self.name, BOLD), self.label_size * measure(self.label, SANS))
        return max(ceil(widest) + EDGE + GAP, SMALLEST_WIDTH - self.right_width)

    @property
    def width(self) -> int:
        return self.left_width + self.right_width

    @property
    def name_size(self) -> float:
        return min(NAME, WIDEST_TEXT / max(measure(self.name, BOLD), 1))

    @property
    def label_size(self) -> float:
        return min(LABEL, WIDEST_TEXT / max(measure(self.label, SANS), 1))


def draw_badge(badge: Badge) -> SafeString:
    """Return a badge as SVG, in the colours of the federation."""
    left, right = badge.left_width, badge.right_width
    texts = {name: without_control_characters(getattr(badge, name)) for name in ("text", "name", "label")}
    values = {
        "width": badge.width, "height": HEIGHT, "left": left, "right": right, "edge": EDGE,
        "middle": left + right / 2, "rating": badge.rating, "grade": badge.grade, "head": HOUSES[badge.house].head,
        "rating_y": 29 if badge.grade else 37, "name_size": f"{badge.name_size:.1f}",
        "label_size": f"{badge.label_size:.1f}", "paper": LIGHT.paper,
        "sunk": LIGHT.sunk, "ink": LIGHT.ink, "ink_2": LIGHT.ink_2, **texts,
    }  # fmt: skip
    return format_html(SVG, **values)


SVG = """<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"
 role="img" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif">
<title>{text}</title>
<clipPath id="shape"><rect width="{width}" height="{height}" rx="8" /></clipPath>
<g clip-path="url(#shape)">
<rect width="{width}" height="{height}" fill="{sunk}" />
<rect x="{left}" width="{right}" height="{height}" fill="{head}" />
</g>
<text x="{edge}" y="25" font-size="{name_size}" font-weight="700" fill="{ink}">{name}</text>
<text x="{edge}" y="43" font-size="{label_size}" fill="{ink_2}">{label}</text>
<text x="{middle}" y="{rating_y}" font-size="24" font-weight="700" fill="{paper}" text-anchor="middle">{rating}</text>
<text x="{middle}" y="47" font-size="12" font-weight="700" fill="{paper}" text-anchor="middle">{grade}</text>
</svg>
"""
