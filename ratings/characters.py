"""The minus sign, and the characters that a name cannot contain.

The module is pure, so that files, forms and the API apply the same rules. It refuses characters that are invisible or
that change how the text around them is displayed: control and private-use characters, bidirectional controls, tags,
zero-width characters and blank letters. ZERO WIDTH NON-JOINER and ZERO WIDTH JOINER belong to the spelling of Persian
and Indic names and are accepted after a letter of such a script.
"""

from __future__ import annotations

import unicodedata

MINUS = "\u2212"
"""The minus sign of pages; files and forms have a hyphen, or the minus sign where it was copied from a page."""
JOINERS = "\u200c\u200d"
BLANK_LETTERS = "\u115f\u1160\u2800\u3164\uffa0"
"""Characters that Unicode counts as letters or symbols and that are displayed as blanks."""
REFUSED_CATEGORIES = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
TAGS = range(0xE0000, 0xE0100)
NONCHARACTERS = range(0xFDD0, 0xFDF0)
WITHOUT_JOINERS = ("LATIN", "GREEK", "CYRILLIC", "CJK", "HIRAGANA", "KATAKANA", "HANGUL")
"""Beginnings of the Unicode names of letters of scripts in which a joiner is invisible and has no use."""


def invisible_characters(text: str) -> list[str]:
    """Return the characters of a text that a name cannot contain, each once, as “U+202E RIGHT-TO-LEFT OVERRIDE”."""
    refused = [char for before, char in zip(f" {text}", text, strict=False) if _is_refused(before, char)]
    return [f"U+{ord(char):04X} {unicodedata.name(char, '')}".strip() for char in dict.fromkeys(refused)]


def _is_refused(before: str, char: str) -> bool:
    if char in JOINERS:
        letter = unicodedata.category(before)[0] in "LM"
        return not letter or before.isascii() or unicodedata.name(before, "").startswith(WITHOUT_JOINERS)
    code = ord(char)
    if code in TAGS or code in NONCHARACTERS or code & 0xFFFE == 0xFFFE:
        return True
    return char in BLANK_LETTERS or unicodedata.category(char) in REFUSED_CATEGORIES


def has_visible_character(text: str) -> bool:
    """Return True if a text has more than spaces, marks and characters that a name cannot contain."""
    return any(
        unicodedata.category(char)[0] not in "ZM" and not _is_refused("", char) for char in text if char not in JOINERS
    )


def without_control_characters(text: str) -> str:
    """Return a text with spaces for all characters that XML cannot hold, for charts and exported files."""
    return "".join(
        " " if unicodedata.category(char) in {"Cc", "Cs"} or char in "\ufffe\uffff" else char for char in text
    )
