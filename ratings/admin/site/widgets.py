"""Cells of imported files: what is meant is read, what is doubtful is told, nothing is guessed."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.utils.html import format_html
from django.utils.translation import gettext as _
from import_export.resources import Diff
from import_export.widgets import BooleanWidget, DateWidget, IntegerWidget

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A text that begins so is run by spreadsheet programs."""


def guarded(value: Any) -> Any:
    """As in an exported file: a text stays a text."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def unguarded(value: Any) -> Any:
    """As it was before it was exported."""
    return value[1:] if isinstance(value, str) and value.startswith("'") and value[1:].startswith(FORMULA) else value


class Day(DateWidget):
    def __init__(self) -> None:
        super().__init__("%Y-%m-%d")

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> Any:
        if isinstance(value, dt.datetime):
            return value.date()
        try:
            return super().clean(value, row, **kwargs)
        except ValueError:
            raise ValueError(_("Write the day as 1970-05-01.")) from None


class Whole(IntegerWidget):
    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> Any:
        if self.is_empty(value):
            return None
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = 0.5
        if not number.is_integer():
            raise ValueError(_("Write a whole number."))
        return int(number)


class YesNo(BooleanWidget):
    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> Any:
        if value not in [*self.TRUE_VALUES, *self.FALSE_VALUES, *self.NULL_VALUES]:
            raise ValueError(_("Write 1 for yes and 0 for no."))
        return super().clean(value, row, **kwargs)


class PlainDiff(Diff):
    """The library's own has inline styles, which the policy on contents refuses."""

    def as_html(self) -> list[Any]:
        shown = [self.shown("" if self.new else old, new) for old, new in zip(self.left, self.right, strict=True)]
        return ["", *shown[1:]] if self.new else shown  # a public id is made anew when it is saved

    @staticmethod
    def shown(before: Any, after: Any) -> Any:
        if before == after:
            return after
        return format_html("<del>{}</del> <ins>{}</ins>" if before else "{}<ins>{}</ins>", before, after)
