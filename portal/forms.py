from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

import django_filters
from django import forms
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from portal.templatetags.portal_format import country_name
from ratings.matching import fold
from ratings.models import Award, Club, RatingList, Shown, Standing
from ratings.queries.awards import with_state
from ratings.queries.lists import clubs_of, countries_of, promotions, published_standings
from ratings.systems.protocol import System

MOST_GAMES = 10
HIGHEST = 5000


def in_club(queryset: QuerySet[Any], _name: str, value: Club) -> QuerySet[Any]:
    """Rows of its present members; who is not shown by name is in no club."""
    queryset = queryset.filter(player__memberships__club=value, player__memberships__end__isnull=True)
    return queryset.exclude(player__shown=Shown.ANONYMOUS)


class StandingFilter(django_filters.FilterSet):
    q = django_filters.CharFilter(label=_("Name"), method="by_name")
    country = django_filters.ChoiceFilter(label=_("Country"), field_name="player__country", empty_label=_("all"))
    club = django_filters.ModelChoiceFilter(
        label=_("Club"), queryset=Club.objects.none(), to_field_name="public_id", method=in_club, empty_label=_("all")
    )
    grade = django_filters.ChoiceFilter(label=_("Grade"), empty_label=_("all"))
    active = django_filters.ChoiceFilter(
        label=_("Players"),
        choices=[("all", _("all"))],
        method="unfiltered",
    )

    class Meta:
        model = Standing
        fields = ("q", "country", "club", "grade", "active")

    def __init__(self, data: Any, rating_list: RatingList, today: dt.date) -> None:
        active_on = None if data.get("active") == "all" else today
        super().__init__(data, queryset=published_standings(rating_list, active_on))
        years = rating_list.years_active
        active = ngettext("active in the last %d year", "active in the last %d years", years) % years
        self.filters["active"].extra["empty_label"] = active
        countries = countries_of(rating_list)
        self.filters["country"].extra["choices"] = [(code, f"{country_name(code)} ({code})") for code in countries]
        self.filters["grade"].extra["choices"] = [
            (grade, grade) for grade in reversed(rating_list.rating_system.grades)
        ]
        if not rating_list.graded:
            del self.filters["grade"]
        self.filters["club"].queryset = clubs_of(rating_list)

    def by_name(self, queryset: QuerySet[Standing], name: str, value: str) -> QuerySet[Standing]:
        """By any parts of the names of those who are shown in full, by the public id anybody."""
        named = Q(player__shown=Shown.FULL)
        for part in fold(value).split():
            named &= Q(player__search_name__contains=part)
        return queryset.filter(named | Q(player__public_id__iexact=value.strip()))

    def unfiltered(self, queryset: QuerySet[Standing], name: str, value: str) -> QuerySet[Standing]:
        return queryset


class PromotionFilter(django_filters.FilterSet):
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
        countries = countries_of(rating_list)
        self.filters["country"].extra["choices"] = [(code, f"{country_name(code)} ({code})") for code in countries]
        grades = reversed(rating_list.rating_system.grades)
        self.filters["grade"].extra["choices"] = [(grade, grade) for grade in grades]
        self.filters["club"].queryset = clubs_of(rating_list)


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
