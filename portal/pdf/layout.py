"""What all PDF files share: fonts, colours, sheets, text that shrinks to its line, headings, facts and tables."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Self

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from fontTools.ttLib import TTFont
from fpdf import FPDF
from fpdf.fonts import FontFace, TTFFont

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
"""Where a font lacks a letter: Latin, Cyrillic, Greek, Georgian and Armenian from the one, Japanese from the other."""

Colour = tuple[int, int, int]
INK, QUIET, LINE, SHADE = (24, 34, 52), (96, 104, 118), (190, 194, 202), (243, 244, 247)


def font_file(family: str, style: str = "") -> Path:
    """ImproperlyConfigured where the fonts are not installed."""
    path: Path = settings.BASE_DIR / "node_modules" / FONTS[family, style]
    if not path.is_file():
        raise ImproperlyConfigured(
            f"The fonts of the PDF files are not installed ({path} is missing): run npm ci --ignore-scripts in the"
            " project's folder, as make run does."
        )
    return path


@cache
def letters_of(family: str) -> frozenset[int]:
    with TTFont(font_file(family), lazy=True) as font:
        return frozenset(font.getBestCmap())


def can_write(text: str) -> bool:
    """Whether every letter of a text is in one of the fonts: better no name in an own script than one of boxes."""
    known = letters_of("sans") | letters_of("japanese")
    return all(ord(letter) in known for letter in text)


class Sheet(FPDF):
    """An A4 file in one family of fonts, dated so that the same content makes the same bytes.

    As a context it closes the files of its fonts.
    """

    def __init__(self, family: str, *, title: str, dated: dt.date, landscape: bool = False) -> None:
        super().__init__("landscape" if landscape else "portrait", "mm", "A4")
        self.family = family
        self.set_title(title)
        self.set_lang("en")
        self.set_creation_date(dt.datetime.combine(dated, dt.time(), dt.UTC))
        for name, style in FONTS:
            if name == family or (name in FALLBACKS and not style):
                self.add_font(name, style, font_file(name, style))
        self.set_fallback_fonts([name for name in FALLBACKS if name != family], exact_match=False)
        self.ink()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failed: object) -> None:
        for font in self.fonts.values():
            if isinstance(font, TTFFont):
                font.close()

    def ink(self, colour: Colour = INK) -> None:
        self.set_text_color(*colour)

    def write_line(
        self, text: str, size: float, *, style: str = "", align: str = "L", colour: Colour = INK, link: str = ""
    ) -> None:
        """One line from margin to margin, smaller where it is too long."""
        self.set_font(self.family, style, size)
        if (width := self.get_string_width(text)) > self.epw:
            self.set_font_size(size := size * self.epw / width * 0.995)
        self.ink(colour)
        self.cell(self.epw, size * 0.3528 * 1.25, text, align=align, link=link, new_x="LMARGIN", new_y="NEXT")

    def write_text(self, text: str, size: float, *, colour: Colour = INK) -> None:
        """Lines as many as needed."""
        self.set_font(self.family, "", size)
        self.ink(colour)
        self.multi_cell(self.epw, size * 0.3528 * 1.4, text, align="L", new_x="LMARGIN", new_y="NEXT")

    def heading(self, text: str, needs: float = 25) -> None:
        """A section's title; on the next sheet where less than `needs` mm are left for what follows."""
        if self.will_page_break(needs):
            self.add_page()
        self.ln(4)
        self.write_line(text, 11.5, style="B")
        self.ln(1)

    def facts(self, facts: Iterable[tuple[str, str]], width: float = 42) -> None:
        """Names and values side by side."""
        for name, value in facts:
            self.set_font(self.family, "", 9)
            self.ink(QUIET)
            top = self.y
            self.multi_cell(width, 5, name, align="L", new_x="RIGHT", new_y="TOP")
            self.ink()
            self.multi_cell(self.epw - width, 5, value, align="L", new_x="LMARGIN", new_y="NEXT")
            self.y = max(self.y, top + 5)

    def listing(self, head: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[int], numbers: str) -> None:
        """A table whose head comes again on every sheet; `numbers` has an L or R for each column: left or right."""
        self.set_font(self.family, "", 8)
        self.ink()
        self.set_draw_color(*LINE)
        self.set_line_width(0.15)
        bold = FontFace(emphasis="BOLD", color=INK, fill_color=SHADE)
        with self.table(
            borders_layout="HORIZONTAL_LINES", col_widths=tuple(widths), headings_style=bold, line_height=4.2,
            padding=(0.4, 1), text_align=tuple("RIGHT" if mark == "R" else "LEFT" for mark in numbers),
        ) as table:  # fmt: skip
            for texts in (head, *rows):
                row = table.row()
                for text in texts:
                    row.cell(text)
