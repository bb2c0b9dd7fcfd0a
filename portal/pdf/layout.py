"""Common parts of all PDF files: fonts, colours, pages, lines that shrink to fit, headings, facts and tables."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from copy import copy
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, Self

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from fontTools.ttLib import TTFont
from fpdf import FPDF
from fpdf.fonts import FontFace, SubsetMap, TTFFont

from portal.site.federation_identity import Identity, crest_as_png
from portal.site.houses import HOUSES, as_rgb
from portal.site.palette import LIGHT

GARAMOND, DEJAVU, BIZ = "@expo-google-fonts/eb-garamond", "dejavu-fonts-ttf/ttf", "@expo-google-fonts/biz-udpgothic"
FONTS = {
    ("sans", ""): f"{DEJAVU}/DejaVuSansCondensed.ttf",
    ("sans", "B"): f"{DEJAVU}/DejaVuSansCondensed-Bold.ttf",
    ("serif", ""): f"{GARAMOND}/400Regular/EBGaramond_400Regular.ttf",
    ("serif", "B"): f"{GARAMOND}/600SemiBold/EBGaramond_600SemiBold.ttf",
    ("serif", "I"): f"{GARAMOND}/400Regular_Italic/EBGaramond_400Regular_Italic.ttf",
    ("japanese", ""): f"{BIZ}/400Regular/BIZUDPGothic_400Regular.ttf",
}
FALLBACKS = ("sans", "japanese")
"""Fonts for missing letters: Latin, Cyrillic, Greek, Georgian and Armenian in the first, Japanese in the second."""

CREST_PIXELS = 512
"""Width of a crest in a file."""
Colour = tuple[int, int, int]
INK, QUIET, LINE, SHADE = (as_rgb(colour) for colour in (LIGHT.ink, LIGHT.ink_3, LIGHT.line, LIGHT.sunk))


def font_file(family: str, style: str = "") -> Path:
    """Return the path of a font file; raise ImproperlyConfigured if the fonts are not installed."""
    path: Path = settings.BASE_DIR / "node_modules" / FONTS[family, style]
    if not path.is_file():
        raise ImproperlyConfigured(
            f"The fonts of the PDF files are not installed ({path} is missing): run npm ci --ignore-scripts in the"
            " project's folder, as make run does."
        )
    return path


@cache
def supported_letters(family: str) -> frozenset[int]:
    with TTFont(font_file(family), lazy=True) as font:
        return frozenset(font.getBestCmap())


def can_write(text: str) -> bool:
    """Return True if the fonts have every letter of a text: a native name is left out rather than printed as boxes."""
    known = supported_letters("sans") | supported_letters("japanese")
    return all(ord(letter) in known for letter in text)


@cache
def _parse_font(family: str, style: str) -> TTFFont:
    """Return a font with its widths and letters, which takes a fifth of a second to read."""
    blank = FPDF()
    blank.add_font(family, style, font_file(family, style))
    font = blank.fonts[family + style]
    assert isinstance(font, TTFFont)
    font.close()
    return font


class Sheet(FPDF):
    """A4 PDF file of a federation in one font family.

    Its creation date is given, so that equal content gives equal bytes. As a context manager it closes its font files.
    """

    def __init__(self, family: str, *, identity: Identity, title: str, dated: dt.date, landscape: bool = False) -> None:
        super().__init__("landscape" if landscape else "portrait", "mm", "A4")
        self.family, self.identity = family, identity
        house = HOUSES[identity.house]
        self.accent, self.head = as_rgb(house.accent), as_rgb(house.head)
        self.set_title(title)
        self.set_author(identity.name)
        self.set_lang("en")
        self.set_creation_date(dt.datetime.combine(dated, dt.time(), dt.UTC))
        for name, style in FONTS:
            if name == family or (name in FALLBACKS and not style):
                self._add_parsed_font(name, style)
        self.set_fallback_fonts([name for name in FALLBACKS if name != family], exact_match=False)
        self.set_ink()

    def _add_parsed_font(self, family: str, style: str) -> None:
        """Add a font as `add_font` does; what files share is read once in a process, and nothing in it is changed."""
        font = copy(_parse_font(family, style))
        font.i = len(self.fonts) + 1
        font.desc, font.cw, font.missing_glyphs = copy(font.desc), font.cw.copy(), []
        font.ttfont = TTFont(font.ttffile, recalcTimestamp=False, lazy=True)
        font.subset = SubsetMap(font)
        self.fonts[font.fontkey] = font

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failed: object) -> None:
        for font in self.fonts.values():
            if isinstance(font, TTFFont):
                font.close()

    def _render_styled_text_line(self, *args: Any, **kwargs: Any) -> bool:
        """Write a line of text, after the font is set for the whole page.

        fpdf2 2.8 sets it for the line only if the line begins with a letter of a fallback font, and then writes the
        following lines in a wrong font.
        """
        if not self.current_font_is_set_on_page and self.current_font is not None:
            self._out(self._set_font_for_page(self.current_font, self.font_size_pt))
        return super()._render_styled_text_line(*args, **kwargs)

    def draw_crest(self, x: float, y: float, size: float) -> bool:
        """Draw the federation's crest into a square whose upper left corner is (x, y), in mm; return False for none."""
        if not self.identity.crest:
            return False
        picture = BytesIO(crest_as_png(self.identity.crest, CREST_PIXELS))
        self.image(picture, x, y, size, size, keep_aspect_ratio=True, alt_text=self.identity.name)
        return True

    def set_ink(self, colour: Colour = INK) -> None:
        self.set_text_color(*colour)

    def write_line(
        self, text: str, size: float, *, style: str = "", align: str = "L", colour: Colour = INK, link: str = ""
    ) -> None:
        """Write one line of a size in points, smaller if it does not fit between the margins."""
        self.set_font(self.family, style, size)
        if (width := self.get_string_width(text)) > self.epw:
            self.set_font_size(size := size * self.epw / width * 0.995)
        self.set_ink(colour)
        self.cell(self.epw, size * 0.3528 * 1.25, text, align=align, link=link, new_x="LMARGIN", new_y="NEXT")

    def write_text(self, text: str, size: float, *, colour: Colour = INK) -> None:
        """Write a text of a size in points on as many lines as needed."""
        self.set_font(self.family, "", size)
        self.set_ink(colour)
        self.multi_cell(self.epw, size * 0.3528 * 1.4, text, align="L", new_x="LMARGIN", new_y="NEXT")

    def write_heading(self, text: str, needs: float = 25) -> None:
        """Write a section's title, on the next page if less than `needs` mm are left for it and what follows."""
        if self.will_page_break(needs):
            self.add_page()
        self.ln(4)
        self.write_line(text, 11.5, style="B")
        self.ln(1)

    def write_facts(self, facts: Iterable[tuple[str, str]], width: float = 42) -> None:
        """Write names and values side by side; `width` is the width of the names in mm."""
        for name, value in facts:
            self.set_font(self.family, "", 9)
            self.set_ink(QUIET)
            top = self.y
            self.multi_cell(width, 5, name, align="L", new_x="RIGHT", new_y="TOP")
            self.set_ink()
            self.multi_cell(self.epw - width, 5, value, align="L", new_x="LMARGIN", new_y="NEXT")
            self.y = max(self.y, top + 5)

    def write_table(
        self, head: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[int], numbers: str
    ) -> None:
        """Write a table whose header repeats on every page; `numbers` has L (left) or R (right) for each column."""
        self.set_font(self.family, "", 8)
        self.set_ink()
        self.set_draw_color(*LINE)
        self.set_line_width(0.15)
        bold = FontFace(emphasis="BOLD", color=INK, fill_color=SHADE)
        with self.table(
            borders_layout="HORIZONTAL_LINES",
            col_widths=tuple(widths),
            headings_style=bold,
            line_height=4.2,
            padding=(0.4, 1),
            text_align=tuple("RIGHT" if mark == "R" else "LEFT" for mark in numbers),
        ) as table:
            for texts in (head, *rows):
                row = table.row()
                for text in texts:
                    row.cell(text)
