from __future__ import annotations

from collections.abc import Callable, Mapping

from django import forms
from django.utils.translation import gettext_lazy as _

from ratings.queries.careers import GameRow
from ratings.queries.games import named_among
from ratings.queries.tallies import is_even

RESULTS = {"won": 1.0, "drawn": 0.5, "lost": 0.0}


class GameFilter(forms.Form):
    """A player's games by year, opponent, result and handicap, all in the address."""

    year = forms.TypedChoiceField(label=_("Year"), coerce=int, required=False)
    opponent = forms.CharField(label=_("Opponent (name or public id)"), required=False, max_length=100)
    result = forms.ChoiceField(
        label=_("Result"),
        required=False,
        choices=[("", _("all")), ("won", _("won")), ("drawn", _("draw")), ("lost", _("lost"))],
    )
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

    def __init__(self, data: Mapping[str, str], games: list[GameRow]) -> None:
        super().__init__(data)
        self.games = games
        years = sorted({game.day.year for game in games}, reverse=True)
        self.fields["year"].choices = [("", _("all")), *((year, str(year)) for year in years)]  # type: ignore[attr-defined] # a choice field

    def chosen(self) -> list[GameRow]:
        """The games that fit; a field with something else in it is told beside it and leaves them all."""
        self.is_valid()
        wanted = self.cleaned_data
        tests: list[Callable[[GameRow], bool]] = []
        if wanted.get("year"):
            tests.append(lambda game: game.day.year == wanted["year"])
        if wanted.get("opponent"):
            meant = named_among({game.opponent for game in self.games if game.opponent}, wanted["opponent"])
            tests.append(lambda game: game.opponent in meant)
        if wanted.get("result"):
            tests.append(lambda game: game.played and game.points == RESULTS[wanted["result"]])
        if wanted.get("handicap"):
            tests.append(lambda game: kind_of(game) == wanted["handicap"])
        return [game for game in self.games if all(test(game) for test in tests)]


def kind_of(game: GameRow) -> str:
    if is_even(game):
        return "even" if game.played else ""
    return "gave" if game.gave or (game.stones and not game.black) else "took"
