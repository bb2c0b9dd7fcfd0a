from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.validators import MinValueValidator
from django.utils.translation import gettext_lazy as _

from portal.site.fields import check_file_size, day_field, make_day_widget
from ratings.formats.typed_games import HIGHEST
from ratings.queries.lists.rises import PERIOD
from ratings.systems.protocol import System

MAX_GAMES = 10
FIRST_DAY = dt.date(1800, 1, 1)  # before any rating list


class PeriodForm(forms.Form):
    """Two days between which the changes of a list are shown; by default the period of the rises on the front page."""

    since = forms.DateField(
        label=_("From"), required=False, validators=[MinValueValidator(FIRST_DAY)], widget=make_day_widget()
    )
    until = forms.DateField(
        label=_("To"), required=False, validators=[MinValueValidator(FIRST_DAY)], widget=make_day_widget()
    )

    def __init__(self, data: Any, *, today: dt.date) -> None:
        typed = {name: data.get(name) for name in ("since", "until") if data.get(name)}
        ends = [today - PERIOD, today]
        super().__init__({"since": f"{ends[0]}", "until": f"{ends[1]}"} | typed)
        self.usual, self.today = ends, today

    @property
    def days(self) -> tuple[dt.date, dt.date]:
        """Both days, the earlier first; later days than today become today."""
        self.is_valid()
        chosen_days = [
            self.cleaned_data.get(name) or usual for name, usual in zip(self.fields, self.usual, strict=True)
        ]
        first, last = sorted(min(day, self.today) for day in chosen_days)
        return first, last


class GameForm(forms.Form):
    """Hypothetical game against an opponent with a rating in rating points."""

    rating = forms.FloatField(label=_("Opponent's rating"), min_value=-HIGHEST, max_value=HIGHEST)
    score = forms.TypedChoiceField(
        label=_("Result"), coerce=float, initial="1", choices=[("1", _("won")), ("0.5", _("draw")), ("0", _("lost"))]
    )

    def __init__(self, *args: Any, system: System[Any], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.system = system

    def has_changed(self) -> bool:
        """Return True if the row has a rating: a row without one is not a game."""
        return bool(str(self.data.get(self.add_prefix("rating"), "")).strip())

    def clean_rating(self) -> float:
        value: float = self.cleaned_data["rating"]
        rating = int(value) if value.is_integer() else value
        try:
            self.system.rating.read({"rating": rating}, fixed=True)
        except ValueError:
            raise forms.ValidationError(_("This system has no such rating.")) from None
        return rating


GameFormSet = forms.formset_factory(GameForm, extra=0, min_num=1, max_num=MAX_GAMES, absolute_max=MAX_GAMES)


def hypothetical_games(
    data: Mapping[str, str], rows: int, rating: float, system: System[Any]
) -> forms.BaseFormSet[GameForm]:
    """Return a formset with `rows` hypothetical games from the address.

    Without games in the address, it has one game against an opponent of the given rating (in rating points).
    """
    if not any(key.startswith("game-") for key in data):
        return GameFormSet(initial=[{"rating": rating}], prefix="game", form_kwargs={"system": system})
    counts = {"game-TOTAL_FORMS": str(rows), "game-INITIAL_FORMS": "0"}
    return GameFormSet({**dict(data.items()), **counts}, prefix="game", form_kwargs={"system": system})


class ListFileForm(forms.Form):
    """Form to upload the current rating list of a federation."""

    file = forms.FileField(label=_("File"), validators=[check_file_size])
    day = day_field(_("Day"), required=False, help_text=_("Leave empty to use the day in the file."))


class WaitingFileForm(forms.Form):
    """Form about a rating list that was uploaded and checked, to say more about it or to import it."""

    upload = forms.IntegerField(max_value=2**63 - 1)
    day = forms.DateField(required=False)
