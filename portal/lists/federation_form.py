"""Form of a federation's name, crest, colour, links, languages and time zone."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.db import models
from django.utils.translation import get_language_info
from django.utils.translation import gettext_lazy as _

from portal.site.navigation import offered_languages
from ratings.crests import MAX_BYTES, clean_crest
from ratings.models import Federation
from ratings.time_zones import list_time_zones
from ratings.versioned_forms import VersionedForm

LINKS = ("home", "contact", "rules", "privacy", "imprint")


def make_field(field: models.Field[Any, Any], **options: Any) -> forms.Field | None:
    """Return the form field of a model's field; an address without a scheme counts as https."""
    return field.formfield(**options | ({"assume_scheme": "https"} if isinstance(field, models.URLField) else {}))


def choose_time_zones() -> list[tuple[str, str]]:
    """Return the time zones as choices of a form."""
    return [(name, name.replace("_", " ")) for name in list_time_zones()]


def describe_languages(federation: Federation) -> list[str]:
    """Return the languages that a federation offers, each in its own words."""
    return [get_language_info(code)["name_local"].capitalize() for code, _name in offered_languages(federation)]


class AdministratorForm(forms.Form):
    """Form to make the person with a mail address an administrator of a federation."""

    mail = forms.EmailField(label=_("Email address"), max_length=254)


class FederationForm(VersionedForm[Federation]):
    """Form of a federation; a crest comes as a file, or as the text that a preview has read from one."""

    crest_file = forms.FileField(
        label=_("Crest"), required=False, help_text=_("A square SVG drawing of at most 50 KB, of shapes and colours.")
    )
    crest_text = forms.CharField(required=False, strip=False, widget=forms.HiddenInput)
    no_crest = forms.BooleanField(label=_("Remove the crest"), required=False)
    languages = forms.MultipleChoiceField(
        label=_("Languages"),
        required=False,
        choices=settings.LANGUAGES,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Offered at the end of the federation's pages. Choose none to offer all."),
    )

    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=choose_time_zones,
        help_text=_("Its days end at midnight there, and its pages show times of this zone."),
    )

    class Meta:
        model = Federation
        fields = (
            "name",
            "short_name",
            "description",
            "house",
            *LINKS,
            "languages",
            "time_zone",
            "records_gender",
        )
        widgets = {"house": forms.RadioSelect}
        formfield_callback = make_field

    field_order = ("name", "short_name", "description", "house", "crest_file", "no_crest")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._keep_time_zone()
        if not self.instance.crest:
            del self.fields["no_crest"]

    def _keep_time_zone(self) -> None:
        """Offer the zone of the federation too, if it is an old name, and use it where a form has no such field."""
        field = self.fields["time_zone"]
        assert isinstance(field, forms.ChoiceField)
        zone = self.instance.time_zone
        if zone not in dict(choose_time_zones()):
            field.choices = [(zone, zone), *choose_time_zones()]
        field.required = False

    def clean_time_zone(self) -> str:
        """Return the chosen zone; that of the federation for forms opened before there was a choice."""
        zone: str = self.cleaned_data["time_zone"]
        return zone or self.instance.time_zone

    def clean_crest_file(self) -> str:
        """Return the drawing of the file, cleaned; empty if no file was chosen."""
        file: UploadedFile[bytes] | None = self.cleaned_data["crest_file"]
        return clean_crest(file.read(MAX_BYTES + 1)) if file else ""

    def clean_crest_text(self) -> str:
        text: str = self.cleaned_data["crest_text"]
        return clean_crest(text.encode()) if text else ""

    def clean(self) -> dict[str, Any] | None:
        values = super().clean()
        given = self.cleaned_data.get("crest_file") or self.cleaned_data.get("crest_text")
        if given and self.cleaned_data.get("no_crest"):
            raise ValidationError({"no_crest": _("Choose a file or remove the crest, not both.")})
        self.instance.crest = "" if self.cleaned_data.get("no_crest") else given or self.instance.crest
        return values

    def with_typed_crest(self) -> FederationForm:
        """Return this form with the crest of the chosen file as text, since browsers do not keep files."""
        typed = self.data.copy()  # type: ignore[attr-defined] # a QueryDict
        typed["crest_text"] = self.cleaned_data.get("crest_file") or self.cleaned_data.get("crest_text") or ""
        self.data = typed
        return self
