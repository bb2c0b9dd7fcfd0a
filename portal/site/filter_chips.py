"""Filters of a page as one row of chips: links that choose a group, and chips that open a small form."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import django_filters
from django import forms
from django.http import QueryDict
from django_stubs_ext import StrOrPromise

from ratings.localize import format_day, format_range, join_details

RANGES = {"grade": "grade_to", "since": "until"}
"""Names of the filters that end a range, by the names of those that begin it."""


@dataclass(frozen=True)
class Lens:
    """A group of rows that a link chooses; `removes` is True if the link of the chosen one takes it away."""

    label: StrOrPromise
    address: str
    is_chosen: bool
    removes: bool = False


@dataclass(frozen=True)
class Chip:
    """Fields that a chip opens, the label of what is chosen, and what else the address says.

    `suggested_kind` is what its field for a name suggests, empty without one.
    """

    label: StrOrPromise
    fields: Sequence[forms.BoundField]
    chosen: str
    hidden_fields: Sequence[tuple[str, str]]
    is_wrong: bool
    suggested_kind: str = ""


class ChipFilter:
    """Filter by a form whose values stand in the address; `site/filter_chips.html` shows it as lenses and chips.

    A subclass has `form` and the `data` of the request. `suggested_kind` is what the field for a name suggests:
    players, whose public id it then filters by, or clubs or events, whose page a choice opens. `suggested_in_chips`
    is the same for fields of the chips, by name: a choice filters by its public id.
    """

    form: forms.Form
    data: Any
    suggested_kind = ""
    suggested_in_chips: Mapping[str, str] = MappingProxyType({})

    @property
    def values(self) -> dict[str, Any]:
        """Values of the filters by name, without empty and invalid ones."""
        self.form.is_valid()  # fills cleaned_data
        cleaned_data: dict[str, Any] = self.form.cleaned_data if self.form.is_bound else {}
        return {name: value for name, value in cleaned_data.items() if value not in {None, ""}}

    @property
    def name_field(self) -> forms.BoundField | None:
        """Field for a name, which is always open; None without one."""
        return self.form["q"] if "q" in self.form.fields else None

    @property
    def hidden_fields_beside_name(self) -> list[tuple[str, str]]:
        return self.hidden_fields(self.name_field.name) if self.name_field else []

    @property
    def address_without_filters(self) -> str:
        return self.address_with(**dict.fromkeys(self.form.fields, ""))

    def hidden_fields(self, *names: str) -> list[tuple[str, str]]:
        """Return the other parts of the address for a form with these fields, in their order, without the page."""
        given = getattr(self.data, "lists", lambda: ())()
        return [(name, text) for name, texts in given if name not in {*names, "page"} for text in texts if text]

    def address_with(self, **fields: str) -> str:
        """Return the query of the page with other values of some fields; empty ones are left out."""
        query = QueryDict(mutable=True)
        for name, text in [*self.hidden_fields(*fields), *fields.items()]:
            if text:
                query.appendlist(name, text)
        return f"?{query.urlencode()}"

    @property
    def unknown_texts(self) -> list[str]:
        """Sentences about requested values that do not exist, because of which there are no rows."""
        return []

    @property
    def number_chosen(self) -> int:
        """Number of filters that are set."""
        return len(self.values)

    @property
    def lenses(self) -> list[Lens]:
        """Groups that one link chooses; the first is all rows."""
        return []

    @property
    def chip_fields(self) -> Mapping[StrOrPromise, Sequence[str]]:
        """Names of the fields that each chip opens, by the chip's label."""
        return {}

    @property
    def chips(self) -> list[Chip]:
        """Chips with at least one field of the form."""
        return [
            Chip(
                label,
                [self.form[name] for name in names if name in self.form.fields],
                self.describe_chip(names),
                self.hidden_fields(*names),
                any(name in self.form.errors for name in names) if self.form.is_bound else False,
                next((kind for name, kind in self.suggested_in_chips.items() if name in names), ""),
            )
            for label, names in self.chip_fields.items()
            if any(name in self.form.fields for name in names)
        ]

    def describe_chip(self, names: Sequence[str]) -> str:
        """Return what a chip says that it filters by; empty if nothing is chosen."""
        return self.describe_chosen(names)

    def describe_chosen(self, names: Sequence[str]) -> str:
        """Return the labels of the chosen values of a chip's filters; empty if none is chosen."""
        labels = {name: self.describe(name) for name in names if name in self.values}
        for first, last in RANGES.items():
            if first in labels and last in labels:
                labels[first] = format_range(labels[first], labels.pop(last))
        return join_details(labels.values())

    def describe(self, name: str) -> str:
        """Return the label of the chosen value of a filter."""
        value = self.values[name]
        if isinstance(value, dt.date):
            return format_day(value)
        choices = getattr(self.form.fields[name], "choices", None)
        if isinstance(self.form.fields[name], forms.ModelChoiceField) or choices is None:
            return str(value)
        return str(dict(choices).get(value, value))


class ChipFilterSet(ChipFilter, django_filters.FilterSet):
    """Filter set that `site/filter_chips.html` shows as lenses and chips."""
