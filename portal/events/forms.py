"""Forms of entries for events: of players, and of the organisers."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from portal.site.visitor_forms import VisitorForm
from ratings.localize import format_day
from ratings.models import EntryList, EventEntry
from ratings.versioned_forms import VersionedForm


class EntryForm(VisitorForm, forms.ModelForm[EventEntry]):
    """Form by which anybody asks to play in an event; the organisers confirm it."""

    class Meta:
        model = EventEntry
        fields = ("family_name", "given_name", "country", "club", "email", "message", "is_listed")
        labels = {"family_name": gettext_lazy("Family name"), "given_name": gettext_lazy("Given name")}
        help_texts = {
            "email": gettext_lazy("For the answer. Only the organisers see it; it is deleted after the event."),
            "message": gettext_lazy("Only the organisers see it."),
        }
        widgets = {"message": forms.Textarea(attrs={"rows": 3})}

    def __init__(self, data: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(data, initial={"email": getattr(user, "email", "")}, **kwargs)
        for name in ("family_name", "email"):
            self.fields[name].required = True
        for name, kind in (("family_name", "family-name"), ("given_name", "given-name"), ("email", "email")):
            self.fields[name].widget.attrs["autocomplete"] = kind
        self.check_sender(user)


class EntryListForm(VersionedForm[EntryList]):
    """Form of the settings of an event's entries."""

    class Meta:
        model = EntryList
        fields = ("is_open", "closes_at", "limit", "is_public")
        widgets = {"closes_at": forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        text = _("Time zone: %(zone)s. Leave empty to take entries until the first day.")
        self.fields["closes_at"].help_text = text % {"zone": timezone.get_current_timezone_name()}

    def clean(self) -> dict[str, Any] | None:
        values = super().clean()
        closes_at = self.cleaned_data.get("closes_at")
        if closes_at is not None and closes_at.date() > self.instance.event.end:
            day = format_day(self.instance.event.end)
            self.add_error("closes_at", _("The event ends on %(day)s: enter an earlier day.") % {"day": day})
        return values


class AddEntryForm(forms.ModelForm[EventEntry]):
    """Form by which organisers enter a player who is on no list yet."""

    class Meta:
        model = EventEntry
        fields = ("family_name", "given_name", "country")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["family_name"].required = True
