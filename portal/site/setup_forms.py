"""Forms of the guided set-up that no other page has."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from portal.site.forms import InviteForm
from ratings.domain.lists.adjustments import has_results, why_system_is_fixed
from ratings.domain.lists.federations import find_free_slug
from ratings.localize import translate_message
from ratings.models import Federation, RatingList
from ratings.option_forms import OptionsForm, fields_for
from ratings.systems import SYSTEMS
from ratings.tie_break_forms import TieBreaksField
from ratings.versioned_forms import VersionedForm

PUBLICATION = (
    ("", _("when an officer publishes one")),
    ("12-31", _("at the end of each year")),
    ("06-30 12-31", _("twice a year")),
    ("03-31 06-30 09-30 12-31", _("every quarter")),
    ("01-31 02-28 03-31 04-30 05-31 06-30 07-31 08-31 09-30 10-31 11-30 12-31", _("every month")),
)
"""Days as of whose end a list is published, as `RatingList.publish_on` stores them."""


def options_prefix(system: str) -> str:
    """Return the beginning of the names of a system's option fields."""
    return f"{system}-option-"


class SetupListForm(OptionsForm, VersionedForm[RatingList]):
    """Form of a federation's first list, with the options of every system; only those of the chosen one are read."""

    publish_on = forms.ChoiceField(
        label=_("Published lists"),
        required=False,
        help_text=_("Ratings change after every event. Published lists record them for good."),
    )

    tie_breaks = TieBreaksField(
        label=_("Tie-breaks"),
        empty_label=_("not specified"),
        help_text=_("Tie-breaks rank players with equal points if an event specifies none and has no official places."),
    )

    class Meta:
        model = RatingList
        fields = ("name", "publish_on", "least_time", "tie_breaks", "requires_membership", "system")
        labels = {"name": _("Name of the list"), "least_time": _("Shortest time per player")}
        help_texts = {
            "least_time": _("Minutes and seconds, for example 30+30. Results of shorter games wait for an officer.")
        }

    def __init__(self, data: Any, *, federation: Federation, instance: RatingList | None) -> None:
        new = RatingList(federation=federation, public=False)
        super().__init__(data, instance=instance or new, auto_id="id_list-%s")
        own = self.instance.publish_on
        choices = [*PUBLICATION, *([] if own in dict(PUBLICATION) else [(own, own)])]
        self.fields["publish_on"].choices = choices  # type: ignore[attr-defined] # a choice field
        self.why_fixed = why_system_is_fixed(self.instance)
        self.options_fixed = instance is not None and has_results(instance)
        offered = [self.instance.system] if self.why_fixed else list(SYSTEMS)
        self.fields["system"] = forms.ChoiceField(
            label=_("Rating system"), choices=[(key, SYSTEMS[key].name) for key in offered], widget=forms.RadioSelect
        )
        for key in offered:
            options = self.instance.options if key == self.instance.system else {}
            fields = {} if self.options_fixed else fields_for(SYSTEMS[key], options, options_prefix(key))
            self.fields.update(fields)

    @property
    def systems(self) -> list[dict[str, Any]]:
        """Return each system with its radio button, its name, its summary and the fields of its options."""
        return [
            {
                "radio": radio,
                "key": radio.data["value"],
                "name": translate_message(SYSTEMS[radio.data["value"]].name),
                "summary": translate_message(SYSTEMS[radio.data["value"]].summary),
                "fields": [field for field in self if field.name.startswith(options_prefix(radio.data["value"]))],
            }
            for radio in self["system"]
        ]

    def clean(self) -> dict[str, Any] | None:
        values = super().clean()
        key = self.cleaned_data.get("system")
        if key and not self.options_fixed:
            self.instance.options = self.read_options(SYSTEMS[key], options_prefix(key))
        if not self.instance.slug and self.cleaned_data.get("name"):
            self.instance.slug = find_free_slug(RatingList, self.cleaned_data["name"])
        return values


class SetupInviteForm(InviteForm):
    """Row of the set-up to invite a user by mail; a row without an address is left out."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["club"]

    def has_changed(self) -> bool:
        return bool(str(self.data.get(self.add_prefix("mail"), "")).strip())


InviteFormSet = forms.formset_factory(SetupInviteForm, extra=2, max_num=20, absolute_max=20)


class MailTestForm(forms.Form):
    """Form to send a test mail."""

    to = forms.EmailField(label=_("Send a test mail to"), max_length=254)
