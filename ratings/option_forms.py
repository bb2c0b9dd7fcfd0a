"""Form fields for the options of rating systems: one field per option, with its label and its help text."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from ratings.localize import format_day, format_number, translate_message
from ratings.models import RatingList
from ratings.systems.options import Option, format_value
from ratings.systems.protocol import System
from ratings.systems.state_checks import is_day

PREFIX = "option_"
"""Beginning of the names of the fields."""


def label_of(value: Any) -> str:
    """Return the value of an option as forms show it; numbers and days as they are typed."""
    if value is None:
        return _("none")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return format_value(value)


def write_value(value: Any) -> str:
    """Return the value of an option as a page shows it: numbers and days in the reader's language."""
    if isinstance(value, float):
        return format_number(f"{value:g}")
    if is_day(value):
        return format_day(dt.date.fromisoformat(value))
    return label_of(value)


def option_label(option: Option) -> str:
    """Return the name of an option in the reader's language; its key if it has none."""
    return translate_message(option.label) or option.key


def field_for(option: Option) -> forms.Field:
    """Return a form field for an option; empty means the default."""
    default = _("Default: %(value)s.") % {"value": label_of(option.default)}
    if option.allowed:
        choices = [(format_value(value), label_of(value)) for value in option.allowed]
        empty = _("default: %(value)s") % {"value": label_of(option.default)}
        return forms.ChoiceField(
            label=option_label(option),
            choices=[("", empty), *choices],
            required=False,
            help_text=translate_message(option.meaning),
        )
    accepts = _("Takes %(accepts)s.") % {"accepts": translate_message(option.accepts)}
    meaning = f"{translate_message(option.meaning)} {accepts} {default}"
    return forms.CharField(label=option_label(option), required=False, max_length=100, help_text=meaning)


def fields_for(system: type[System[Any]], options: Mapping[str, Any], prefix: str = PREFIX) -> dict[str, forms.Field]:
    """Return the fields of all options of a system, with the values of a list."""
    fields = {}
    for option in system.options:
        fields[f"{prefix}{option.key}"] = field = field_for(option)
        if options.get(option.key) is not None:
            field.initial = format_value(options[option.key])
    return fields


def value_of(option: Option, text: str) -> Any:
    """Return the value of an option from the text of its field; raise ValidationError if it is invalid."""
    for value in (text, _read(text)):
        if value is not None and option.check(value):
            return value
    params = {"value": text, "accepts": translate_message(option.accepts)}
    raise ValidationError(_("Invalid value “%(value)s”: expected %(accepts)s.") % params)


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


class OptionsForm(forms.BaseForm):
    """Mixin that reads the fields of a system's options; a form calls `read_options` in its `clean`."""

    def read_options(self, system: type[System[Any]], prefix: str = PREFIX) -> dict[str, Any]:
        """Return the options without empty ones, and add errors to the fields of invalid options."""
        options = {}
        for option in system.options:
            text = (self.cleaned_data.get(f"{prefix}{option.key}") or "").strip()
            try:
                if text:
                    options[option.key] = value_of(option, text)
            except ValidationError as error:
                self.add_error(f"{prefix}{option.key}", error)
        return options


def describe_options(rating_list: RatingList) -> list[tuple[str, str, str]]:
    """Return each option of a list's system: its name, its current value, and its meaning."""
    settings = rating_list.rating_system.settings
    return [
        (option_label(option), label_of(settings[option.key]), translate_message(option.meaning))
        for option in rating_list.rating_system.options
    ]
