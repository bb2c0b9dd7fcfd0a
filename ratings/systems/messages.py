"""Texts of the pure parts, which know no language but English, in a form that can be told in others."""

from __future__ import annotations

from typing import Self


class Words(str):
    """An English text that remembers its pattern and what was filled in, for `ratings.translating`.

    Import it as `_`, so that the texts are collected for translators: `_("{count} games are not rated", count=3)`.
    Values that are Words are translated too, all others stand as they are. To everything else it is its text.
    """

    __slots__ = ("pattern", "values")
    pattern: str
    values: dict[str, object]

    def __new__(cls, pattern: str, /, **values: object) -> Self:
        words = super().__new__(cls, pattern.format(**values) if values else pattern)
        words.pattern, words.values = pattern, values
        return words
