from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import django_filters
from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from portal.site.fields import make_day_widget, make_name_widget
from portal.site.filter_chips import ChipFilter, ChipFilterSet, Lens
from ratings.models import Club, RatingList
from ratings.queries.players.breakdowns import is_even
from ratings.queries.players.career_games import GameRow
from ratings.queries.players.clubs import clubs_by_country, filter_by_list, filter_by_words
from ratings.queries.players.games import filter_keys_by_name

MAX_NAME_LENGTH = 100  # characters of a club's name to search for
RESULTS = {"won": 1.0, "drawn": 0.5, "lost": 0.0}


class DayForm(forms.Form):
    on = forms.DateField(label=_("Day"), required=False, widget=make_day_widget())

    def __init__(self, data: Mapping[str, str], today: dt.date) -> None:
        super().__init__(data)
        self.today = today
        self.fields["on"].widget.attrs["max"] = today.isoformat()

    def clean_on(self) -> dt.date | None:
        """Return the day if it is past: the page of any other day is that of today."""
        day: dt.date | None = self.cleaned_data["on"]
        return day if day and day < self.today else None


class DayFilter(ChipFilter):
    """Filter of a player's pages by the past day whose state they show."""

    def __init__(self, data: Mapping[str, str], today: dt.date) -> None:
        self.data, self.form = data, DayForm(data, today)

    @property
    def chip_fields(self) -> dict[StrOrPromise, Sequence[str]]:
        return {_("This page as of"): ("on",)}


class GameForm(forms.Form):
    """Form of the filter for a player's games."""

    opponent = forms.CharField(
        label=_("Opponent (name or public id)"),
        required=False,
        max_length=100,
        widget=make_name_widget(_("Opponent")),
    )
    result = forms.ChoiceField(label=_("Result"), required=False, choices=[(name, "") for name in RESULTS])
    year = forms.TypedChoiceField(label=_("Year"), coerce=int, required=False)
    handicap = forms.ChoiceField(
        label=_("Handicap"),
        required=False,
        choices=[
            ("", _("all")),
            ("even", _("even games")),
            ("gave", _("handicap given")),
            ("took", _("handicap taken")),
        ],
    )

    def __init__(self, data: Mapping[str, str], years: Sequence[int]) -> None:
        super().__init__(data)
        self.fields["year"].choices = [("", _("all")), *((year, str(year)) for year in years)]  # type: ignore[attr-defined] # a choice field


class GameFilter(ChipFilter):
    """Filter for a player's games by year, opponent, result and handicap, all in the address."""

    suggested_kind = "players"

    def __init__(self, data: Mapping[str, str], games: list[GameRow]) -> None:
        self.data, self.games = data, games
        self.form = GameForm(data, sorted({game.day.year for game in games}, reverse=True))

    @property
    def name_field(self) -> forms.BoundField:
        return self.form["opponent"]

    @property
    def lenses(self) -> list[Lens]:
        """All games, and those won, drawn and lost."""
        chosen = self.values.get("result", "")
        labels = {"": _("All"), "won": _("Won"), "drawn": _("Drawn"), "lost": _("Lost")}
        return [Lens(label, self.address_with(result=name), name == chosen) for name, label in labels.items()]

    @property
    def chip_fields(self) -> dict[StrOrPromise, Sequence[str]]:
        """Year, and the handicap of a player who has played with one."""
        chips: dict[StrOrPromise, Sequence[str]] = {_("Year"): ("year",)}
        has_handicaps = "handicap" in self.values or any(game.played and not is_even(game) for game in self.games)
        return {**chips, _("Handicap"): ("handicap",)} if has_handicaps else chips

    def matching_games(self) -> list[GameRow]:
        """Return the matching games; a field with an invalid value shows an error and filters nothing."""
        values = self.values
        tests: list[Callable[[GameRow], bool]] = []
        if "year" in values:
            tests.append(lambda game: game.day.year == values["year"])
        if "opponent" in values:
            opponents = filter_keys_by_name({game.opponent for game in self.games if game.opponent}, values["opponent"])
            tests.append(lambda game: game.opponent in opponents)
        if "result" in values:
            tests.append(lambda game: game.played and game.points == RESULTS[values["result"]])
        if "handicap" in values:
            tests.append(lambda game: handicap_kind(game) == values["handicap"])
        return [game for game in self.games if all(test(game) for test in tests)]


def handicap_kind(game: GameRow) -> str:
    if is_even(game):
        return "even" if game.played else ""
    return "gave" if game.gave or (game.stones and not game.black) else "took"


class ClubFilter(ChipFilterSet):
    """Filter for clubs by name or city, country and list, all in the address; an invalid value filters nothing."""

    suggested_kind = "clubs"

    q = django_filters.CharFilter(
        label=_("Name or city"),
        method="by_name",
        widget=make_name_widget(_("Name or city")),
    )
    list = django_filters.ChoiceFilter(label=_("List"), method="by_list", empty_label=_("all"))
    country = django_filters.ChoiceFilter(label=_("Country"), empty_label=_("all"))

    class Meta:
        model = Club
        fields = ("q", "list", "country")

    def __init__(self, data: Any, countries: Sequence[tuple[str, str]], lists: Sequence[RatingList]) -> None:
        """Offer countries, given by name and code in the order of the clubs, and lists."""
        super().__init__(data, queryset=clubs_by_country([code for _name, code in countries]))
        self.lists = {rating_list.slug: rating_list for rating_list in lists}
        self.filters["country"].extra["choices"] = [(code, name) for name, code in countries]
        self.filters["list"].extra["choices"] = [(slug, one.name) for slug, one in self.lists.items()]

    @property
    def rating_list(self) -> RatingList | None:
        """The chosen list; None if none is chosen."""
        return self.lists.get(self.values.get("list", ""))

    @property
    def chip_fields(self) -> dict[StrOrPromise, Sequence[str]]:
        """Country, and the list if there are several."""
        chips: dict[StrOrPromise, Sequence[str]] = {_("Country"): ("country",)}
        return {_("List"): ("list",), **chips} if len(self.lists) > 1 else chips

    def by_name(self, clubs: QuerySet[Club], _field: str, value: str) -> QuerySet[Club]:
        return filter_by_words(clubs, value[:MAX_NAME_LENGTH])

    def by_list(self, clubs: QuerySet[Club], _field: str, value: str) -> QuerySet[Club]:
        return filter_by_list(clubs, self.lists[value])
