"""Forms of the admin for a list's rating system and its options."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ratings.models import RatingList
from ratings.option_forms import PREFIX, OptionsForm, fields_for
from ratings.systems import SYSTEMS
from ratings.tie_break_forms import TieBreaksField
from ratings.versioned_forms import VersionedForm, VersionMixin


class RatingListForm(OptionsForm, VersionedForm[RatingList]):
    """Form of a list with its options as fields; they belong to the system that the list has before it is saved."""

    tie_breaks = TieBreaksField(
        label=_("Tie-breaks"),
        empty_label=_("not specified"),
        help_text=RatingList._meta.get_field("tie_breaks").help_text,
    )

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


class OptionsOfListForm(VersionMixin, OptionsForm, forms.Form):
    """Form to change the options of a list with results; use it inside a transaction."""

    def __init__(self, rating_list: RatingList, data: Any = None) -> None:
        super().__init__(data)
        self.system = SYSTEMS[rating_list.system]
        self.fields.update(fields_for(self.system, rating_list.options))
        self.versioned_row = rating_list
        self.add_opened_version()

    def has_changed(self) -> bool:
        """Return True, so that the version is always checked: the initial values are not those of the list."""
        return True

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        self.options = self.read_options(self.system)
        self.check_opened_version()
        return cleaned
