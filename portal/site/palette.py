"""Colours of charts, pictures and PDF files: those of tokens.css for light and for dark pages."""

from __future__ import annotations

from typing import NamedTuple

from portal.site.houses import HOUSES


class Palette(NamedTuple):
    """Colours by their names in tokens.css.

    The accent is that of a house. The first curve keeps the indigo one, as other accents are too like other curves.
    """

    accent: str
    paper: str
    sunk: str
    line: str
    edge: str
    ink: str
    ink_2: str
    ink_3: str
    gain: str
    loss: str
    gold: str
    gold_fill: str
    curve_1: str
    curve_2: str
    curve_3: str
    curve_4: str
    curve_5: str

    @property
    def curves(self) -> tuple[str, ...]:
        """The colours of several curves in one chart; the curves also differ in their dashes."""
        return self.curve_1, self.curve_2, self.curve_3, self.curve_4, self.curve_5


LIGHT = Palette(
    accent=HOUSES["indigo"].accent,
    paper="#ffffff",
    sunk="#f4f6fa",
    line="#dfe4ec",
    edge="#78839a",
    ink="#131a2a",
    ink_2="#465169",
    ink_3="#5d687f",
    gain="#0c6b3c",
    loss="#b0241b",
    gold="#7a5400",
    gold_fill="#e5b545",
    curve_1=HOUSES["indigo"].accent,
    curve_2="#b4540a",
    curve_3="#7a4fb5",
    curve_4="#7a5400",
    curve_5="#0c6b3c",
)
DARK = Palette(
    accent="#a2b8ff",
    paper="#10151f",
    sunk="#171e2b",
    line="#2a3446",
    edge="#76839b",
    ink="#e8ebf2",
    ink_2="#b7c0d1",
    ink_3="#98a3b8",
    gain="#6fd39a",
    loss="#ff9a90",
    gold="#efc65c",
    gold_fill="#d9aa3c",
    curve_1="#a2b8ff",
    curve_2="#f2a05c",
    curve_3="#c3a6f2",
    curve_4="#efc65c",
    curve_5="#6fd39a",
)
DARK_ACCENTS = {
    "indigo": "#a2b8ff",
    "pine": "#7fd0b1",
    "plum": "#eaa5d4",
    "ocean": "#83cbe6",
    "slate": "#b9c6dc",
}
"""Accent of each house on dark pages; those of light pages are in `HOUSES`."""


def get_palette(theme: str | None, house: str = "indigo") -> Palette:
    """Return the colours of a theme, “dark”, else light, with the accent of a house."""
    if theme == "dark":
        return DARK._replace(accent=DARK_ACCENTS[house])
    return LIGHT._replace(accent=HOUSES[house].accent)
