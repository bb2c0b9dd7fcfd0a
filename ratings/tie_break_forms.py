"""Form field for the tie-breaks of an event, with one select for each tie-break in their order."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from ratings.models.events.tie_breaks import TIE_BREAK_MEANINGS, validate_tie_breaks
from ratings.systems.tiebreaks import CHESS_NAMES, GO_NAMES, POINTS_ONLY, TIE_BREAKS_AT_MOST

LABELS = (_("First tie-break"), _("Second tie-break"), _("Third tie-break"), _("Fourth tie-break"))


class TieBreakWidget(forms.MultiWidget):
    """A select for each tie-break."""

    use_fieldset = True

    def decompress(self, value: str | None) -> list[str]:
        codes = value.split(",") if value else []
        return [*codes, *[""] * (TIE_BREAKS_AT_MOST - len(codes))]


class TieBreaksField(forms.MultiValueField):
    """Field for tie-breaks as codes separated by commas, such as “sos,sodos”; empty if none are specified.

    `empty_label` is the text of the empty choice.
    """

    def __init__(self, *, empty_label: Any, **kwargs: Any) -> None:
        tie_breaks = [
            (code.value, format_lazy("{} / {}: {}", GO_NAMES[code], CHESS_NAMES[code], meaning))
            for code, meaning in TIE_BREAK_MEANINGS.items()
        ]
        first = [("", empty_label), (POINTS_ONLY, _("none: players with equal points share the place")), *tie_breaks]
        choices = [first] + [[("", "–"), *tie_breaks]] * (TIE_BREAKS_AT_MOST - 1)
        fields = [forms.ChoiceField(choices=each, required=False) for each in choices]
        selects = [
            forms.Select(attrs={"aria-label": label}, choices=each) for label, each in zip(LABELS, choices, strict=True)
        ]
        super().__init__(fields, widget=TieBreakWidget(selects), required=False, require_all_fields=False, **kwargs)

    def compress(self, data_list: list[str]) -> str:
        """Return the codes; raise ValidationError for a repeated tie-break, and for a gap between two."""
        chosen = [code for code in data_list if code]
        if chosen != data_list[: len(chosen)]:
            raise ValidationError(_("Choose the tie-breaks in order, without leaving one empty."))
        if POINTS_ONLY in chosen and len(chosen) > 1:
            raise ValidationError(_("Choose either “none” or tie-breaks, not both."))
        codes = ",".join(chosen)
        validate_tie_breaks(codes)
        return codes
