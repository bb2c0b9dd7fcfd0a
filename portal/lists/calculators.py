"""Forms of the calculators of a list."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from portal.organising import check_size
from ratings.formats.parsed import Problems
from ratings.formats.typed_games import HIGHEST, read_typed_games
from ratings.models import RatingList
from ratings.translating import translated

TYPED = {"rows": 3, "placeholder": "1650+ 1720= 1800-", "spellcheck": "false"}


class TypedGames(forms.CharField):
    """Opponents' ratings with results, as (rating, score)."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(label=gettext_lazy("Games"), max_length=2000, widget=forms.Textarea(attrs=TYPED), **fields)

    def clean(self, value: Any) -> list[tuple[float, float]]:
        games, problems = read_typed_games(super().clean(value))
        if problems.fatal:
            raise ValidationError(in_words(problems))
        return games


def in_words(problems: Problems) -> list[str]:
    told = [(one.line, translated(one.message)) for one in problems.in_order()]
    return [_("line %(line)d: %(what)s") % {"line": line, "what": what} if line else what for line, what in told]


class TypedForm(forms.Form):
    games = TypedGames()


class AnybodyForm(forms.Form):
    """Somebody with a rating, and his games."""

    rating = forms.FloatField(label=gettext_lazy("Rating"), min_value=-HIGHEST, max_value=HIGHEST, required=False)
    played = forms.IntegerField(
        label=gettext_lazy("Rated games so far"), min_value=0, max_value=9999, required=False,
        help_text=gettext_lazy("Left empty: so many that the rating is settled."),
    )  # fmt: skip
    grade = forms.ChoiceField(label=gettext_lazy("Grade"), required=False)
    games = TypedGames()

    def __init__(self, rating_list: RatingList, data: Any) -> None:
        super().__init__(data)
        self.system = rating_list.rating_system
        grades = [(grade, grade) for grade in reversed(self.system.grades)]
        self.fields["grade"].choices = [("", "–"), *grades]  # type: ignore[attr-defined] # a choice field
        if not rating_list.graded:
            del self.fields["grade"]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("rating") is None and not self.errors and (given.get("played") or given.get("grade")):
            self.add_error("rating", _("Who has played rated games or holds a grade has a rating: enter it."))
        try:
            self.opening()
        except ValueError as error:
            raise ValidationError(translated(str(error))) from None
        return given

    def opening(self) -> dict[str, Any] | None:
        """What is known of him, in the words of the list's system; None for somebody unrated."""
        given = self.cleaned_data
        if given.get("rating") is None:
            return None
        rating = given["rating"]
        whole = int(rating) if rating.is_integer() else rating
        return {**self.system.listed(whole, given.get("played"), given.get("grade") or None)}


class TournamentForm(forms.Form):
    """Results of a tournament, pasted or as a file."""

    text = forms.CharField(
        label=gettext_lazy("Results"),
        required=False,
        strip=False,
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false"}),
    )
    file = forms.FileField(label=gettext_lazy("or a file"), required=False, validators=[check_size])

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not self.errors and not given.get("file") and not (given.get("text") or "").strip():
            raise ValidationError(_("Paste results or choose a file."))
        return given

    def data_given(self) -> bytes:
        file = self.cleaned_data.get("file")
        return bytes(file.read()) if file else self.cleaned_data["text"].encode()
