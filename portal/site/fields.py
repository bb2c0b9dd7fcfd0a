"""Form fields and checks that forms of several topics use."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django_stubs_ext import StrOrPromise

from ratings.formats.parsed import BYTES_AT_MOST


def make_day_widget() -> forms.DateInput:
    """Return a widget for a day; the browser sends and gets it as 2026-03-07 in every language."""
    return forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


def make_name_widget(placeholder: StrOrPromise) -> forms.TextInput:
    """Return a widget for a name of which static/portal/search.js suggests some; the browser itself suggests none."""
    return forms.TextInput(
        attrs={
            "type": "search",
            "placeholder": placeholder,
            "autocomplete": "off",
            "autocapitalize": "off",
            "spellcheck": "false",
        }
    )


def make_time_widget() -> forms.TimeInput:
    """Return a widget for a time of day in minutes; the browser sends and gets it as 19:30 in every language."""
    return forms.TimeInput(attrs={"type": "time"}, format="%H:%M")


def day_field(label: Any, *, required: bool = True, help_text: Any = "") -> forms.DateField:
    """Return a field for a day."""
    return forms.DateField(label=label, required=required, widget=make_day_widget(), help_text=help_text)


def check_file_size(file: Any) -> None:
    """Raise ValidationError if an uploaded file is larger than BYTES_AT_MOST."""
    if file.size > BYTES_AT_MOST:
        raise forms.ValidationError(_("The file is too large: at most 2 MB."))
