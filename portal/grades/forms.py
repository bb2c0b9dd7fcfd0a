from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ratings.domain.approvals import Answer
from ratings.formats.parsed import BYTES_AT_MOST


def day_field(label: Any, *, required: bool = True, help_text: Any = "") -> forms.DateField:
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(label=label, required=required, widget=widget, help_text=help_text)


class SendForm(forms.Form):
    """The dossier went out."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "sent_%s", **kwargs})  # both forms stand on one page

    on = day_field(_("Sent on"))
    reference = forms.CharField(label=_("Reference"), max_length=100, required=False)


class AnswerForm(forms.Form):
    """What came back."""

    granted = forms.TypedChoiceField(
        label=_("Answer"), choices=[("yes", _("approved")), ("no", _("declined"))], coerce="yes".__eq__,
        widget=forms.RadioSelect,
    )  # fmt: skip
    on = day_field(_("Day of the answer"))
    effective = day_field(
        _("Counts from"), required=False, help_text=_("If approved; the tables since then are judged anew.")
    )
    signed_by = forms.CharField(label=_("Signed by"), max_length=100, required=False)
    reference = forms.CharField(label=_("Reference of the answer"), max_length=100, required=False)
    reason = forms.CharField(label=_("Reason, if declined"), max_length=300, required=False)
    letter = forms.FileField(label=_("Letter"), required=False, help_text=_("At most 2 MB."))

    def clean_letter(self) -> Any:
        letter = self.cleaned_data["letter"]
        if letter and letter.size > BYTES_AT_MOST:
            raise forms.ValidationError(_("The file is too large: at most 2 MB."))
        return letter

    def given(self) -> Answer:
        values = dict(self.cleaned_data)
        letter = values.pop("letter")
        return Answer(**values, letter=(letter.name[-200:], letter.read()) if letter else None)
