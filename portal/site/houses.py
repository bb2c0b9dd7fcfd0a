"""Colours of the houses, one of which each federation chooses; those of the light pages in tokens.css."""

from __future__ import annotations

from typing import NamedTuple


class House(NamedTuple):
    """Colours of a house: of links and curves, of the head, and of quiet text on the head."""

    accent: str
    head: str
    head_quiet: str


HOUSES = {
    "indigo": House("#2a4a9f", "#16213f", "#bdc8e6"),
    "pine": House("#19654c", "#102e28", "#b4d3c9"),
    "plum": House("#85306c", "#33162d", "#e0c0d8"),
    "ocean": House("#0b6183", "#0c2a38", "#b3d3e0"),
    "slate": House("#3b4a63", "#1a2130", "#c3cad9"),
}


def as_rgb(colour: str) -> tuple[int, int, int]:
    """Return a colour such as #2a4a9f as red, green and blue from 0 to 255."""
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue
