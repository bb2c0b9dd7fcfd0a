"""Widgets for cells of imported files: clear values are read, doubtful ones are errors, nothing is guessed."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.utils.html import format_html
from django.utils.translation import gettext as _
from import_export.resources import Diff
from import_export.widgets import BooleanWidget, DateWidget, IntegerWidget, Widget

from ratings.formats.people.rating_sheet import read_gender


class DayWidget(DateWidget):
    def __init__(self) -> None:
        super().__init__("%Y-%m-%d")

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> Any:
        if isinstance(value, dt.datetime):
            return value.date()
        try:
            return super().clean(value, row, **kwargs)
        except ValueError:
            raise ValueError(_("Enter the day as YYYY-MM-DD, for example 1970-05-01.")) from None


class WholeNumberWidget(IntegerWidget):
    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> Any:
        if self.is_empty(value):
            return None
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = 0.5
        if not number.is_integer():
            raise ValueError(_("Enter a whole number."))
        return int(number)


class YesNoWidget(BooleanWidget):
    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> Any:
        if value not in [*self.TRUE_VALUES, *self.FALSE_VALUES, *self.NULL_VALUES]:
            raise ValueError(_("Enter 1 for yes or 0 for no."))
        return super().clean(value, row, **kwargs)


class GenderWidget(Widget):
    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> str:
        text = str(value or "").strip()
        gender = read_gender(text) if text else ""
        if gender is None:
            raise ValueError(_("Enter female, male or other, or leave the cell empty."))
        return gender


class PlainDiff(Diff):
    """Diff without the library's inline styles, which the content security policy refuses."""

    def as_html(self) -> list[Any]:
        cells = [self.format_cell("" if self.new else old, new) for old, new in zip(self.left, self.right, strict=True)]
        return ["", *cells[1:]] if self.new else cells  # saving creates another public id

    @staticmethod
    def format_cell(before: Any, after: Any) -> Any:
        if before == after:
            return after
        return format_html("<del>{}</del> <ins>{}</ins>" if before else "{}<ins>{}</ins>", before, after)
