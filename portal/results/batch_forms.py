"""Forms of a batch of files: the files themselves, and answers to what they do not say."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from portal.site.fields import day_field
from ratings.formats.parsed import is_possible_day
from ratings.models import BatchFile, RatingList
from ratings.models.players.people import validate_name


class SeveralFilesInput(forms.ClearableFileInput):
    """Input that takes several files."""

    allow_multiple_selected = True


class SeveralFilesField(forms.FileField):
    """Field whose value is a list of files."""

    widget = SeveralFilesInput

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        files = data if isinstance(data, list | tuple) else [data]
        return [super(SeveralFilesField, self).clean(file, initial) for file in files or [None]]


class FilesForm(forms.Form):
    """Form for the files of a batch."""

    uploads = SeveralFilesField(label=_("Files"), allow_empty_file=True)


class AnswersForm(forms.Form):
    """Form for the answers that events of a batch need: asked once for all of them."""

    lists = forms.ModelMultipleChoiceField(
        RatingList.objects.filter(comparison_to=None),
        label=_("Rated on the lists"),
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    time_control = forms.CharField(
        label=_("Time control"), max_length=100, required=False, help_text=_("For example 30min + 30sec.")
    )
    place = forms.CharField(label=_("Place"), max_length=100, required=False, validators=[validate_name])

    def __init__(self, data: Any, *, asked: Iterable[str]) -> None:
        super().__init__(data)
        for name in set(self.fields) - set(asked):
            del self.fields[name]


class HeadForm(forms.Form):
    """Form for the name and days of the event of one file, as far as the file does not say them."""

    name = forms.CharField(label=_("Name of the event"), max_length=200, validators=[validate_name])
    first_day = day_field(_("First day"))
    last_day = day_field(_("Last day"), required=False, help_text=_("Empty: the same day."))

    def __init__(self, data: Any, file: BatchFile) -> None:
        suggested = {"name": file.head.get("name") or file.name.rpartition(".")[0] or file.name}
        super().__init__(data, prefix=f"file-{file.pk}", initial=suggested)
        if "name" not in file.missing:
            del self.fields["name"]
        if "days" not in file.missing:
            del self.fields["first_day"], self.fields["last_day"]

    def clean_first_day(self) -> dt.date:
        day: dt.date = self.cleaned_data["first_day"]
        if not is_possible_day(day):
            raise forms.ValidationError(_("Enter a year from 1800 to 2199."))
        return day

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        first, last = values.get("first_day"), values.get("last_day")
        if first and last and last < first:
            self.add_error("last_day", _("The last day is before the first day."))
        return values

    @property
    def answers(self) -> dict[str, str]:
        """Return the answers as they are stored with the file."""
        values = self.cleaned_data
        days = {} if "first_day" not in self.fields else {
            "first_day": str(values["first_day"]), "last_day": str(values["last_day"] or values["first_day"])
        }  # fmt: skip
        return days | ({"name": values["name"]} if "name" in self.fields else {})
