"""Forms of the calculators of a list."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from portal.site.fields import check_file_size
from portal.templatetags.portal_format import unrounded
from ratings.formats.parsed import Problems
from ratings.formats.typed_games import HIGHEST, read_typed_games
from ratings.localize import translate_message
from ratings.models import RatingList
from ratings.systems.messages import message_of

GAMES_WIDGET_ATTRS = {"rows": 3, "placeholder": "1650+ 1720= 1800-", "spellcheck": "false"}


class GamesField(forms.CharField):
    """Field for typed games, cleaned to a list of (opponent's rating in rating points, score)."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(
            label=gettext_lazy("Games"),
            max_length=2000,
            widget=forms.Textarea(attrs=GAMES_WIDGET_ATTRS),
            help_text=gettext_lazy(
                "The opponent’s rating with + for a win, = for a draw or - for a loss, for example 1650+ 1720= 1800-"
            ),
            **fields,
        )

    def clean(self, value: Any) -> list[tuple[float, float]]:
        games, problems = read_typed_games(super().clean(value))
        if problems.fatal:
            raise ValidationError(problem_messages(problems))
        return games


def problem_messages(problems: Problems) -> list[str]:
    messages = [(problem.line, translate_message(problem.message)) for problem in problems.sorted_by_position()]
    return [_("line %(line)d: %(what)s") % {"line": line, "what": what} if line else what for line, what in messages]


class TypedGamesForm(forms.Form):
    games = GamesField()


NO_GRADE = "none"
MOST_DEVIATION = 500
"""Highest deviation, in rating points, that every system with deviations takes."""


class ListCalculatorForm(forms.Form):
    """Rating, deviation, rated games and grade of any player, known or not, and the games to calculate."""

    rating = forms.FloatField(
        label=gettext_lazy("Rating"),
        min_value=-HIGHEST,
        max_value=HIGHEST,
        required=False,
        help_text=gettext_lazy("Leave empty for an unrated player."),
    )
    deviation = forms.FloatField(
        label=gettext_lazy("Deviation"),
        min_value=1,
        max_value=MOST_DEVIATION,
        required=False,
        help_text=gettext_lazy(
            "Uncertainty of the rating: the number after ±. Leave empty for a player who is new on the list."
        ),
    )
    played = forms.IntegerField(
        label=gettext_lazy("Rated games so far"),
        min_value=0,
        max_value=9999,
        required=False,
        help_text=gettext_lazy("Leave empty for an established player."),
    )
    grade = forms.ChoiceField(
        label=gettext_lazy("Grade"),
        required=False,
        help_text=gettext_lazy("Leave empty to calculate the rating without promotions."),
    )
    games = GamesField()

    def __init__(self, rating_list: RatingList, data: Any) -> None:
        super().__init__(data)
        self.system = rating_list.rating_system
        grades = [(grade, grade) for grade in reversed(self.system.grading.grades)]
        choices = [("", "–"), *grades, (NO_GRADE, _("no grade yet"))]
        self.fields["grade"].choices = choices  # type: ignore[attr-defined] # a choice field
        if not rating_list.has_grades:
            del self.fields["grade"]
        if not self.system.rating.has_deviations:
            del self.fields["deviation"]

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if (
            values.get("rating") is None
            and not self.errors
            and (values.get("played") or values.get("grade", NO_GRADE) not in {"", NO_GRADE})
        ):
            self.add_error("rating", _("Enter the rating of a player who has rated games or a grade."))
        try:
            self.starting_state()
        except ValueError as error:
            raise ValidationError(translate_message(message_of(error))) from None
        return values

    def starting_state(self) -> dict[str, Any] | None:
        """Return the player's state before the games, as the list's system stores it; None for an unrated player.

        Raise ValueError if the values are invalid in the system.
        """
        values = self.cleaned_data
        if values.get("rating") is None:
            return None
        rating = values["rating"]
        whole = int(rating) if rating.is_integer() else rating
        played = self.system.rating.settled_games if values.get("played") is None else values["played"]
        grade = values.get("grade")
        state = {**self.system.rating.listed(whole, played, None if grade == NO_GRADE else grade or None)}
        if values.get("deviation") is not None:
            state["deviation"] = values["deviation"]
            self.system.rating.read(state)
        return state

    def list_assumptions(self) -> list[str]:
        """Return what the calculation assumes about the player because fields were left empty."""
        values = self.cleaned_data
        if values.get("rating") is None:
            return [_("The player is unrated and has played no rated games.")]
        assumptions = []
        games = self.system.rating.settled_games
        if values.get("played") is None:
            known = {"games": games}
            text = _("The player is established, with at least %(games)d rated games: their number was left empty.")
            assumptions.append(
                text % known if games else _("The player is established: the number of rated games was left empty.")
            )
        if "deviation" in self.fields and values.get("deviation") is None:
            assumed = unrounded((self.starting_state() or {})["deviation"], 0)
            text = _("The deviation was left empty: ±%(points)s is assumed, as for a player who is new on the list.")
            assumptions.append(text % {"points": assumed})
        if "grade" in self.fields and not self.knows_grade:
            assumptions.append(_("No grade was entered, so no promotions are calculated."))
        return assumptions

    @property
    def knows_grade(self) -> bool:
        """Return True if promotions can be calculated: a grade, “no grade yet” or an unrated player is given."""
        return self.cleaned_data.get("rating") is None or bool(self.cleaned_data.get("grade"))


class TournamentForm(forms.Form):
    """Results of a tournament, pasted as text or uploaded as a file."""

    text = forms.CharField(
        label=gettext_lazy("Results"),
        required=False,
        help_text=gettext_lazy(
            "Any format that organisers upload: American Grid, crosstable or list of games as CSV, TRF, .h9 and others"
        ),
        strip=False,
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false"}),
    )
    file = forms.FileField(label=gettext_lazy("Or a file"), required=False, validators=[check_file_size])

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if not self.errors and not values.get("file") and not (values.get("text") or "").strip():
            raise ValidationError(_("Paste results or choose a file."))
        return values

    def read_data(self) -> bytes:
        file = self.cleaned_data.get("file")
        return bytes(file.read()) if file else self.cleaned_data["text"].encode()
