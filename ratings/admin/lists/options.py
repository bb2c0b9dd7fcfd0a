"""Form fields for the options of a rating system: one field per option, with its help text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from ratings.localize import translate_message
from ratings.models import RatingList
from ratings.systems import SYSTEMS
from ratings.systems.options import Option, format_value
from ratings.systems.protocol import System
from ratings.versioned_forms import VersionedForm, VersionMixin

PREFIX = "option_"


def label_of(value: Any) -> str:
    """Return the value of an option as text for people."""
    if value is None:
        return _("none")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return format_value(value)


def field_for(option: Option) -> forms.Field:
    """Return a form field for an option; empty means the default."""
    default = _("Default: %(value)s.") % {"value": label_of(option.default)}
    if option.allowed:
        meaning = f"{translate_message(option.meaning)} {default}"
        choices = [(format_value(value), label_of(value)) for value in option.allowed]
        return forms.ChoiceField(label=option.key, choices=[("", "–"), *choices], required=False, help_text=meaning)
    accepts = _("Takes %(accepts)s.") % {"accepts": translate_message(option.accepts)}
    meaning = f"{translate_message(option.meaning)} {accepts} {default}"
    return forms.CharField(label=option.key, required=False, max_length=100, help_text=meaning)


def fields_for(system: type[System[Any]], options: Mapping[str, Any]) -> dict[str, forms.Field]:
    """Return the fields of all options of a system, with the values of a list."""
    fields = {}
    for option in system.options:
        fields[f"{PREFIX}{option.key}"] = field = field_for(option)
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

    def read_options(self, system: type[System[Any]]) -> dict[str, Any]:
        """Return the options without empty ones, and add errors to the fields of invalid options."""
        options = {}
        for option in system.options:
            text = (self.cleaned_data.get(f"{PREFIX}{option.key}") or "").strip()
            try:
                if text:
                    options[option.key] = value_of(option, text)
            except ValidationError as error:
                self.add_error(f"{PREFIX}{option.key}", error)
        return options


class RatingListForm(OptionsForm, VersionedForm[RatingList]):
    """Form of a list with its options as fields; they belong to the system that the list has before it is saved."""

    class Meta:
        model = RatingList
        exclude = ("options",)

    def clean(self) -> Any:
        cleaned = super().clean()
        key = self.instance.system  # still the stored system, without the form's values
        if key in SYSTEMS and any(name.startswith(PREFIX) for name in self.fields):
            options = self.read_options(SYSTEMS[key])
            self.instance.options = options if self.cleaned_data.get("system", key) == key else {}
        elif self.cleaned_data.get("system", key) != key:
            self.instance.options = {}
        return cleaned


class SystemForm(VersionMixin, OptionsForm, forms.Form):
    """Form to change the system or the options of a list with results; use it inside a transaction."""

    system = forms.ChoiceField(widget=forms.HiddenInput)

    def __init__(self, rating_list: RatingList, system: str, data: Any = None) -> None:
        super().__init__(data, initial={"system": system})
        options = rating_list.options if system == rating_list.system else {}
        self.fields["system"].choices = [(key, key) for key in SYSTEMS]  # type: ignore[attr-defined] # a choice field
        self.key = system
        self.fields.update(fields_for(SYSTEMS[system], options))
        self.versioned_row = rating_list
        self.add_opened_version()

    def has_changed(self) -> bool:
        """Return True, so that the version is always checked: the initial values are not those of the list."""
        return True

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        self.options = self.read_options(SYSTEMS[self.key])
        self.check_opened_version()
        return cleaned


def describe_options(rating_list: RatingList) -> list[tuple[str, str, str]]:
    """Return each option of a list's system: its key, its current value, and its meaning."""
    settings = rating_list.rating_system.settings
    return [
        (option.key, label_of(settings[option.key]), translate_message(option.meaning))
        for option in rating_list.rating_system.options
    ]
