"""Texts that people typed, for formats that take no control characters."""

from __future__ import annotations

import unicodedata


def plain(text: str) -> str:
    """Without control characters; where some were, one space stands."""
    return " ".join("".join(" " if unicodedata.category(c) == "Cc" else c for c in text).split())
