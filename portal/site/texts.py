"""Cleaning of typed texts for formats that allow no control characters."""

from __future__ import annotations

import unicodedata


def strip_control_characters(text: str) -> str:
    """Return a text in which control characters and repeated spaces are replaced by single spaces."""
    return " ".join("".join(" " if unicodedata.category(c) == "Cc" else c for c in text).split())
