from __future__ import annotations

from collections.abc import Callable, Mapping

from django import forms
from django.utils.translation import gettext_lazy as _

from ratings.queries.players.breakdowns import is_even
from ratings.queries.players.careers import GameRow
from ratings.queries.players.games import filter_keys_by_name

RESULTS = {"won": 1.0, "drawn": 0.5, "lost": 0.0}


class GameFilter(forms.Form):
    """Filter for a player's games by year, opponent, result and handicap, all in the address."""

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

    def matching_games(self) -> list[GameRow]:
        """Return the matching games; a field with an invalid value shows an error and filters nothing."""
        self.is_valid()
        values = self.cleaned_data
        tests: list[Callable[[GameRow], bool]] = []
        if values.get("year"):
            tests.append(lambda game: game.day.year == values["year"])
        if values.get("opponent"):
            opponents = filter_keys_by_name({game.opponent for game in self.games if game.opponent}, values["opponent"])
            tests.append(lambda game: game.opponent in opponents)
        if values.get("result"):
            tests.append(lambda game: game.played and game.points == RESULTS[values["result"]])
        if values.get("handicap"):
            tests.append(lambda game: handicap_kind(game) == values["handicap"])
        return [game for game in self.games if all(test(game) for test in tests)]


def handicap_kind(game: GameRow) -> str:
    if is_even(game):
        return "even" if game.played else ""
    return "gave" if game.gave or (game.stones and not game.black) else "took"
