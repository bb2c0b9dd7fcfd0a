"""The details of a table and its games that only some systems ask for, as fields of the results form."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django import forms
from django.db.models import Field
from django.utils.translation import gettext_lazy as _

from ratings.models import Game, Table

OF_TABLE = {
    "tournament": "tournament",
    "minutes": "minutes",
    "overtime_moves": "overtime",
    "overtime_seconds": "overtime",
    "increment": "overtime",
}
"""Fields of a table by what a system asks for."""
OF_GAMES = ("board", "online", "correspondence")
"""Fields of games that the form sets for all of a table at once."""
BOARDS = (19, 13, 9)
YES_NO = {True: _("yes"), False: _("no")}


def detail_fields(asked: Collection[str], table: Table) -> tuple[dict[str, forms.Field], dict[str, Any]]:
    """The fields that the systems of a table's lists ask for, with what is known."""
    fields: dict[str, forms.Field] = {}
    known: dict[str, Any] = {}
    for name, needed in OF_TABLE.items():
        if needed in asked:
            field = Table._meta.get_field(name)
            assert isinstance(field, Field)
            fields[name] = field.formfield()  # type: ignore[assignment] # None for fields without a form; these have
            known[name] = getattr(table, name)
    for name in OF_GAMES:
        if name in asked:
            fields[name], known[name] = _of_all_games(name, table)
    return fields, known


def _of_all_games(name: str, table: Table) -> tuple[forms.Field, Any]:
    """A choice for all games; an empty one where they differ, which leaves each as it is."""
    model_field = Game._meta.get_field(name)
    assert isinstance(model_field, Field)
    games = table.games.filter(played=True) if table.pk else Game.objects.none()
    present = set(games.values_list(name, flat=True)) or {model_field.default}
    values = sorted({*BOARDS, *present}, reverse=True) if name == "board" else [False, True]
    choices = [(str(value), YES_NO.get(value, value) if name != "board" else value) for value in values]
    if len(present) > 1:
        choices.insert(0, ("", _("differs from game to game")))
    field = forms.TypedChoiceField(
        label=model_field.verbose_name, choices=choices, required=False, coerce=_whole if name == "board" else _yes
    )
    return field, str(present.pop()) if len(present) == 1 else ""


def _whole(text: str) -> int:
    return int(text)


def _yes(text: str) -> bool:
    return text == "True"
