from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

import django_filters
from django import forms
from django.core.validators import MinValueValidator
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from portal.choosing import Choosing
from ratings.formats.typed_games import HIGHEST
from ratings.models import Award, Club, RatingList, Shown
from ratings.queries.awards import with_state
from ratings.queries.lists import clubs_of, countries_of, promotions
from ratings.systems.protocol import System

MOST_GAMES = 10
FIRST_DAY = dt.date(1800, 1, 1)  # before any rating list
DAY = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


def in_club(queryset: QuerySet[Any], _name: str, value: Club) -> QuerySet[Any]:
    """Rows of its present members; who is not shown by name is in no club."""
    queryset = queryset.filter(player__memberships__club=value, player__memberships__end__isnull=True)
    return queryset.exclude(player__shown=Shown.ANONYMOUS)


class PromotionFilter(Choosing):
    since = django_filters.DateFilter(label=_("From"), field_name="day", lookup_expr="gte")
    until = django_filters.DateFilter(label=_("To"), field_name="day", lookup_expr="lte")
    event = django_filters.CharFilter(label=_("Event"), field_name="table__event__name", lookup_expr="icontains")
    country = django_filters.ChoiceFilter(label=_("Country"), field_name="player__country", empty_label=_("all"))
    club = django_filters.ModelChoiceFilter(
        label=_("Club"), queryset=Club.objects.none(), to_field_name="public_id", method=in_club, empty_label=_("all")
    )
    grade = django_filters.ChoiceFilter(label=_("Grade"), empty_label=_("all"))

    class Meta:
        model = Award
        fields = ("since", "until", "event", "country", "club", "grade")

    def __init__(self, data: Any, rating_list: RatingList) -> None:
        super().__init__(data, queryset=with_state(promotions(rating_list)))
        for name in ("since", "until"):
            self.filters[name].extra["widget"] = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
        grades = reversed(rating_list.rating_system.grades)
        self.filters["grade"].extra["choices"] = [(grade, grade) for grade in grades]
        self.offer(countries_of(rating_list), clubs_of(rating_list))


class MovesForm(forms.Form):
    """Two days between which a list moved: where none are given, the last two dated lists, or the last year."""

    since = forms.DateField(label=_("From"), required=False, validators=[MinValueValidator(FIRST_DAY)], widget=DAY)
    until = forms.DateField(label=_("To"), required=False, validators=[MinValueValidator(FIRST_DAY)], widget=DAY)

    def __init__(self, data: Any, *, days: Sequence[dt.date], today: dt.date) -> None:
        given = {name: data.get(name) for name in ("since", "until") if data.get(name)}
        ends = days[-2:] if len(days) > 1 else [days[0], today] if days else [today - dt.timedelta(days=365), today]
        super().__init__({"since": f"{ends[0]}", "until": f"{ends[1]}"} | given)
        self.usual, self.today = ends, today

    @property
    def days(self) -> tuple[dt.date, dt.date]:
        """The earlier one first; none later than today."""
        self.is_valid()
        found = [self.cleaned_data.get(name) or usual for name, usual in zip(self.fields, self.usual, strict=True)]
        first, last = sorted(min(day, self.today) for day in found)
        return first, last


class GameForm(forms.Form):
    """An imagined game."""

    rating = forms.FloatField(label=_("Opponent's rating"), min_value=-HIGHEST, max_value=HIGHEST)
    score = forms.TypedChoiceField(
        label=_("Result"), coerce=float, initial="1", choices=[("1", _("won")), ("0.5", _("draw")), ("0", _("lost"))]
    )

    def __init__(self, *args: Any, system: System[Any], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.system = system

    def has_changed(self) -> bool:
        """A row without a rating is no game."""
        return bool(str(self.data.get(self.add_prefix("rating"), "")).strip())

    def clean_rating(self) -> float:
        value: float = self.cleaned_data["rating"]
        rating = int(value) if value.is_integer() else value
        try:
            self.system.read({"rating": rating}, fixed=True)
        except ValueError:
            raise forms.ValidationError(_("This system has no such rating.")) from None
        return rating


GameFormSet = forms.formset_factory(GameForm, extra=0, min_num=1, max_num=MOST_GAMES, absolute_max=MOST_GAMES)


def imagined_games(
    data: Mapping[str, str], rows: int, rating: float, system: System[Any]
) -> forms.BaseFormSet[GameForm]:
    """So many rows as an address gives them; the first stands there with an opponent of the same rating."""
    if not any(key.startswith("game-") for key in data):
        return GameFormSet(initial=[{"rating": rating}], prefix="game", form_kwargs={"system": system})
    counts = {"game-TOTAL_FORMS": str(rows), "game-INITIAL_FORMS": "0"}
    return GameFormSet({**dict(data.items()), **counts}, prefix="game", form_kwargs={"system": system})
