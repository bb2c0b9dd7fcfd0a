from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.validators import MinValueValidator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from portal.site.fields import check_file_size, day_field, make_day_widget
from portal.templatetags.portal_players import kind_of_games
from ratings.formats.typed_games import GAMES_AT_MOST, HIGHEST
from ratings.queries.events.explained_games import ExplainedGame
from ratings.queries.lists.rises import PERIOD
from ratings.systems.protocol import System
from ratings.systems.simulation import GameConditions

MAX_GAMES = 10
"""Number of games up to which a game can be added."""
GAVE, TOOK = "gave", "took"
KINDS = ("online", "correspondence")
MAX_BOARD = 25
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
    """Hypothetical game against an opponent with a rating in rating points.

    Where games can be rated with a handicap it is chosen. The board and the way in which the game was played come
    from an explained game.
    """

    rating = forms.FloatField(label=_("Opponent's rating"), min_value=-HIGHEST, max_value=HIGHEST)
    score = forms.TypedChoiceField(
        label=_("Result"), coerce=float, initial="1", choices=[("1", _("won")), ("0.5", _("draw")), ("0", _("lost"))]
    )

    handicap = forms.ChoiceField(label=_("Handicap"), required=False)
    board = forms.IntegerField(min_value=1, max_value=MAX_BOARD, required=False, widget=forms.HiddenInput)
    played = forms.ChoiceField(
        choices=[(kind, kind) for kind in ("", *KINDS)], required=False, widget=forms.HiddenInput
    )

    def __init__(self, *args: Any, system: System[Any], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.system = system
        handicaps = system.rating.rated_handicaps
        if handicaps:
            self.fields["handicap"].choices = list_handicaps(handicaps)  # type: ignore[attr-defined] # a choice field
        else:
            del self.fields["handicap"]

    @property
    def conditions(self) -> GameConditions:
        """The conditions of a valid game."""
        who, _space, handicap = self.cleaned_data.get("handicap", "").partition(" ")
        kind = self.cleaned_data.get("played", "")
        return GameConditions(
            handicap,
            who == GAVE,
            self.cleaned_data.get("board") or GameConditions().board,
            **{name: name == kind for name in KINDS},
        )

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


GameFormSet = forms.formset_factory(GameForm, extra=0, min_num=1, max_num=GAMES_AT_MOST, absolute_max=GAMES_AT_MOST)


def list_handicaps(handicaps: Sequence[str]) -> list[tuple[str, Any]]:
    """Return the choices of a handicap: none, those that the player took, and those that the player gave."""
    taken, given = (
        [(write_handicap(handicap, gives=gives), kind_of_games((handicap, gives))) for handicap in handicaps]
        for gives in (False, True)
    )
    return [("", gettext("even game")), (gettext("handicap taken"), taken), (gettext("handicap given"), given)]


def write_handicap(handicap: str, *, gives: bool) -> str:
    """Return a handicap as the value of the form; empty for an even game."""
    return f"{GAVE if gives else TOOK} {handicap}" if handicap else ""


def write_game(number: int, game: ExplainedGame, rating: float) -> dict[str, str]:
    """Return the fields of the form for an explained game; `rating` is that of the opponent, in rating points."""
    conditions = game.conditions
    kind = next((name for name in KINDS if getattr(conditions, name)), "")
    fields = {
        "rating": f"{rating}",
        "score": f"{game.score:g}",
        "handicap": write_handicap(conditions.handicap, gives=conditions.gives),
        "board": "" if conditions.board == GameConditions().board else f"{conditions.board}",
        "played": kind,
    }
    return {f"game-{number}-{name}": value for name, value in fields.items() if value}


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
