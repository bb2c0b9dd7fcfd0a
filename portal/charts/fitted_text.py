"""Texts of pictures: measured with the fonts of the PDF files, wrapped and shrunk until they fit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from typing import NamedTuple

from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from fontTools.ttLib import TTFont

from portal.pdf.layout import font_file
from ratings.characters import without_control_characters

LINE_HEIGHT = 1.18
BREAKABLE_BELOW = 30.0
"""Size in pixels below which a word that is wider than its box is broken; above it the whole text shrinks."""
SMALLEST = 7.0
FAMILIES = {"serif": "EB Garamond", "sans": "DejaVu Sans", "japanese": "BIZ UDPGothic"}
"""Names of the fonts' families, as resvg finds them in the files."""


class Font(NamedTuple):
    """A font of the PDF files; its weight is that of its file."""

    family: str
    style: str = ""

    @property
    def weight(self) -> int:
        return 400 if not self.style else 600 if self.family == "serif" else 700


SERIF, SANS, BOLD = Font("serif", "B"), Font("sans"), Font("sans", "B")
JAPANESE = Font("japanese")
FONT_FILES = (SERIF, SANS, BOLD, JAPANESE)


class FittedText(NamedTuple):
    """A text as lines in a size in pixels at which they fit."""

    lines: list[str]
    size: float

    @property
    def height(self) -> float:
        return len(self.lines) * self.size * LINE_HEIGHT


BREAKABLE_SPACE = re.compile(r"[^\S\N{NO-BREAK SPACE}]+")


def fit_text(text: str, font: Font, width: float, height: float, largest: float) -> FittedText:
    """Return a text in the largest size, at most `largest`, at which its lines fit into a box; all are in pixels.

    No letter is left out: the text wraps at spaces (not at no-break spaces), shrinks, and breaks long words once it is
    small.
    """
    words, size = BREAKABLE_SPACE.sub(" ", without_control_characters(text)).strip(), largest
    while size > SMALLEST:
        lines = _wrap(words, font, width / size, breaks_words=size < BREAKABLE_BELOW)
        if lines is not None and len(lines) * size * LINE_HEIGHT <= max(height, size * LINE_HEIGHT):
            return FittedText(lines, size)
        size *= 0.95
    return FittedText(_wrap(words, font, width / size, breaks_words=True) or [words], size)


def measure(text: str, font: Font) -> float:
    """Return the width of a text in multiples of the font's size."""
    return sum(_advances(_font_of(letter, font)).get(ord(letter), 1.0) for letter in text)


def render_text(fitted: FittedText, font: Font, x: float, y: float, css: str, anchor: str = "start") -> SafeString:
    """Return lines as SVG; `y` is the top of the first one, `css` the class that gives the colour."""
    first = y + fitted.size * (LINE_HEIGHT + 0.72) / 2  # the letters stand in the middle of their line
    return format_html_join(
        "\n",
        '<text class="{}" x="{}" y="{}" font-size="{}" text-anchor="{}">{}</text>',
        (
            (
                css,
                f"{x:.1f}",
                f"{first + number * fitted.size * LINE_HEIGHT:.1f}",
                f"{fitted.size:.1f}",
                anchor,
                _render_runs(line, font),
            )
            for number, line in enumerate(fitted.lines)
        ),
    )


def _render_runs(line: str, font: Font) -> SafeString:
    """Return a line with each run of letters in the font that has them: resvg would set all of it in one."""
    runs = [(used, "".join(letters)) for used, letters in groupby(line, lambda letter: _font_of(letter, font))]
    return format_html_join(
        "",
        '<tspan font-family="{}" font-weight="{}">{}</tspan>',
        ((FAMILIES[used.family], used.weight, run) for used, run in runs),
    )


def _font_of(letter: str, font: Font) -> Font:
    """Return the first font that has a letter: the wanted one, the sans, else the Japanese one."""
    sans = BOLD if font.style else SANS
    return next((each for each in (font, sans, JAPANESE) if ord(letter) in _advances(each)), font)


@cache
def _advances(font: Font) -> dict[int, float]:
    """Return the width of each letter of a font in multiples of its size, by code point."""
    with TTFont(font_file(*font), lazy=True) as file:
        units, metrics = file["head"].unitsPerEm, file["hmtx"].metrics
        return {code: metrics[glyph][0] / units for code, glyph in file.getBestCmap().items()}


def _wrap(text: str, font: Font, width: float, *, breaks_words: bool) -> list[str] | None:
    """Return the lines of a text in a width in multiples of its size; None if a word is wider and not to be broken."""
    lines = [""]
    for word in text.split(" "):
        joined = f"{lines[-1]} {word}".strip()
        if measure(joined, font) <= width:
            lines[-1] = joined
            continue
        pieces = list(_break(word, font, width))
        if len(pieces) > 1 and not breaks_words:
            return None
        lines[-1:] = [*filter(None, lines[-1:]), *pieces]
    return lines


def _break(word: str, font: Font, width: float) -> Iterator[str]:
    piece = ""
    for letter in word:
        if piece and measure(piece + letter, font) > width:
            yield piece
            piece = ""
        piece += letter
    yield piece
