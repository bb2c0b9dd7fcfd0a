from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ratings.formats.parsed import BYTES_AT_MOST
from ratings.models import Event, RatingList


class EventForm(forms.ModelForm[Event]):
    """What an organiser says of an event beforehand."""

    lists = forms.ModelMultipleChoiceField(
        RatingList.objects.filter(comparison_to=None),
        label=_("Rated on the lists"),
        widget=forms.CheckboxSelectMultiple,
    )

    link = forms.URLField(label=_("Link to the announcement"), required=False, assume_scheme="https")

    class Meta:
        model = Event
        fields = ("name", "start", "end", "place", "country", "time_control", "mode", "organiser", "link", "lists")
        widgets = {
            "start": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            "end": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        lists = list(RatingList.objects.filter(comparison_to=None)[:2])
        if self.instance.pk is None and len(lists) == 1:
            self.fields["lists"].initial = lists
        self.fields["time_control"].help_text = _("For example 30min + 30sec.")


def check_size(file: Any) -> None:
    if file.size > BYTES_AT_MOST:
        raise forms.ValidationError(_("The file is too large: at most 2 MB."))


class UploadForm(forms.Form):
    """Results in one of three ways."""

    file = forms.FileField(label=_("File"), required=False, validators=[check_size])
    text = forms.CharField(
        label=_("Or paste the text"), required=False, strip=False, widget=forms.Textarea(attrs={"rows": 8})
    )
    players = forms.IntegerField(label=_("Players"), min_value=2, max_value=1000, initial=8, required=False)
    rounds = forms.IntegerField(label=_("Rounds"), min_value=1, max_value=30, initial=5, required=False)
    blank = forms.CharField(required=False)

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        if values.get("blank"):
            if not (values.get("players") and values.get("rounds")):
                raise forms.ValidationError(_("Say how many players and rounds there are."))
        elif not (values.get("file") or values.get("text", "").strip()) and "file" not in self.errors:
            raise forms.ValidationError(_("Choose a file, or paste the text."))
        return values

    def given(self) -> tuple[str, bytes]:
        """File name and bytes."""
        file = self.cleaned_data["file"]
        return (file.name, file.read()) if file else ("", self.cleaned_data["text"].encode())


class OpeningForm(forms.Form):
    """A federation's present rating list."""

    file = forms.FileField(label=_("File"), validators=[check_size])
    day = forms.DateField(
        label=_("Day"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text=_("Empty: the day that the file tells."),
    )


class StoreForm(forms.Form):
    """A rating list that was checked, to be stored now."""

    upload = forms.IntegerField(max_value=2**63 - 1)
    day = forms.DateField()


class ShareForm(forms.Form):
    """With whom an event is shared."""

    who = forms.CharField(label=_("User name or mail address"), max_length=254)

    def clean_who(self) -> User:
        who = self.cleaned_data["who"].strip()
        user = User.objects.filter(Q(username=who) | Q(email__iexact=who), is_active=True).first()
        if user is None:
            raise forms.ValidationError(_("Nobody here has this name or address."))
        return user
