"""Form of the page that looks up many players, and the choices among candidates that are sent with it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ratings.models import RatingList
from ratings.queries.players.lookup import MAX_LENGTH, MAX_LINES

MAX_PROBLEMS = 5
PUBLIC_ID = re.compile("[A-Za-z0-9]{1,12}")


class LookupForm(forms.Form):
    """Names or ids of players, one on each line, and the list whose ratings are asked for."""

    players = forms.CharField(
        label=gettext_lazy("Names or ids"),
        help_text=gettext_lazy("One player on each line, at most 200. The family name can come first or last."),
        strip=False,
        max_length=100_000,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false", "autocapitalize": "off"}),
    )
    list = forms.ChoiceField(label=gettext_lazy("List"))

    def __init__(self, lists: Iterable[RatingList], data: QueryDict | None, chosen: str = "") -> None:
        choices = [(one.slug, one.label) for one in lists]
        known = chosen in dict(choices)
        super().__init__(data, initial={"list": chosen if known else choices[0][0]})
        self.fields["list"].choices = choices  # type: ignore[attr-defined] # a choice field

    def clean_players(self) -> str:
        text: str = self.cleaned_data["players"]
        lines = text.splitlines()
        count = sum(1 for line in lines if line.strip())
        if not count:
            raise ValidationError(_("Enter at least one name or id."))
        if count > MAX_LINES:
            message = _("Too many lines: %(count)d. Enter at most %(most)d.")
            raise ValidationError(message % {"most": MAX_LINES, "count": count})
        long = [number for number, line in enumerate(lines, 1) if len(line) > MAX_LENGTH and line.strip()]
        if long:
            message = _("Line %(line)d is too long: write a name or an id with at most %(most)d characters.")
            raise ValidationError([message % {"line": line, "most": MAX_LENGTH} for line in long[:MAX_PROBLEMS]])
        return text

    @property
    def lines(self) -> dict[int, str]:
        """The lines that are not blank, by their number in the text."""
        lines = enumerate(self.cleaned_data["players"].splitlines(), 1)
        return {number: line for number, line in lines if line.strip()}


def _list_chosen(data: QueryDict) -> list[int]:
    """Return the numbers of the lines for which a player was chosen, the first ones if there are far too many."""
    numbers = (name.removeprefix("choice-") for name in data if name.startswith("choice-"))
    return sorted(int(number) for number in numbers if number.isascii() and number.isdecimal())[: 10 * MAX_LINES]


def apply_choices(data: QueryDict) -> QueryDict:
    """Return the data of the form with chosen public ids in place of the lines for which they were chosen.

    `choice-3` is the public id chosen for line 3, and `typed-3` what the line was. If it has moved in the text since,
    the first line like it is replaced; if it is gone, the choice is dropped.
    """
    lines = data.get("players", "").splitlines()
    has_changed = False
    for number in _list_chosen(data):
        chosen, typed = data.get(f"choice-{number}", ""), data.get(f"typed-{number}", "")
        if PUBLIC_ID.fullmatch(chosen) and typed in lines:
            position = number - 1 if lines[number - 1 : number] == [typed] else lines.index(typed)
            lines[position], has_changed = chosen, True
    if not has_changed:
        return data
    changed = data.copy()
    changed["players"] = "\n".join(lines)
    return changed
