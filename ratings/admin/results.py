"""The form in which a crosstable is typed: a row a player, a field a round."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.admin import AdminSite
from django.contrib.admin.widgets import AdminDateWidget, AutocompleteSelect, RelatedFieldWidgetWrapper
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from ratings.domain.entering import Checked, TypedRow
from ratings.models import Entry, Player, Table
from ratings.queries.crosstables import crosstable_of
from ratings.queries.events import asked_of, lists_of

from .details import OF_GAMES, OF_TABLE, detail_fields

MOST_ROWS, MOST_ROUNDS, FREE_ROWS = 500, 30, 5


class ResultsForm(forms.Form):
    """Fields row-N-player, row-N-macmahon and row-N-round-R; rows without anything typed are left out."""

    name = forms.CharField(label=_("Name of the table"), required=False, max_length=100)
    first_day = forms.DateField(label=_("First day"), widget=AdminDateWidget)
    last_day = forms.DateField(label=_("Last day"), widget=AdminDateWidget)
    rows = forms.IntegerField(label=_("Rows"), min_value=2, max_value=MOST_ROWS)
    rounds = forms.IntegerField(label=_("Rounds"), min_value=1, max_value=MOST_ROUNDS)

    def __init__(self, data: Any, *, table: Table, admin_site: AdminSite) -> None:
        self.table, self.admin_site = table, admin_site
        initial: dict[str, Any] = {"name": table.name, "first_day": table.first_day, "last_day": table.last_day}
        asked = asked_of(lists_of(table.event))
        details, known = detail_fields(asked, table)
        initial |= known
        self.go = "stones" in asked
        stored = crosstable_of(table) if table.pk else None
        if stored and stored.rows:
            initial |= {"rows": max(2, *(row.entry.number for row in stored.rows)), "rounds": max(1, stored.rounds)}
            for row in stored.rows:
                number = row.entry.number
                initial[f"row-{number}-player"] = row.entry.player_id
                initial[f"row-{number}-macmahon"] = row.entry.macmahon if row.entry.macmahon is not None else ""
                for round_, cells in enumerate(row.rounds, 1):
                    initial[f"row-{number}-round-{round_}"] = " ".join(cell.text for cell in cells)
                if row.entry.guest:
                    initial |= {f"row-{number}-round-{r}": "&" if r == 1 else "" for r in range(1, stored.rounds + 1)}
        else:
            initial |= {"rows": FREE_ROWS, "rounds": FREE_ROWS}
        super().__init__(data, initial=initial)
        self.fields |= details
        self.details = list(details)
        self.row_count = self.number("rows", 2, MOST_ROWS)
        self.round_count = self.number("rounds", 1, MOST_ROUNDS)
        for number in range(1, self.row_count + 1):
            self.fields[f"row-{number}-player"] = self.player_field(number)
            self.fields[f"row-{number}-macmahon"] = forms.CharField(
                required=False, max_length=10, widget=short_text(_("MacMahon points of row %d") % number)
            )
            for round_ in range(1, self.round_count + 1):
                label = _("Row %(row)d, round %(round)d") % {"row": number, "round": round_}
                self.fields[f"row-{number}-round-{round_}"] = forms.CharField(
                    required=False, max_length=20, widget=short_text(label)
                )

    def number(self, name: str, low: int, high: int) -> int:
        """How many rows or rounds to show: as typed where that is possible, else as stored."""
        typed = str(self.data.get(name, self.initial[name]))
        return min(max(int(typed), low), high) if typed.isdecimal() and len(typed) < 6 else self.initial[name]

    def player_field(self, number: int) -> forms.ModelChoiceField[Player]:
        relation = Entry._meta.get_field("player")
        widget = AutocompleteSelect(relation, self.admin_site, attrs={"aria-label": _("Player of row %d") % number})
        wrapped = RelatedFieldWidgetWrapper(
            widget, relation.remote_field, self.admin_site, can_add_related=True, can_view_related=False
        )
        field = forms.ModelChoiceField(Player.objects.all(), required=False, widget=wrapped)
        widget.choices = field.choices
        return field

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        first, last = values.get("first_day"), values.get("last_day")
        if first and last and last < first:
            raise ValidationError({"last_day": _("The last day is before the first day.")})
        return values

    def lines(self) -> list[dict[str, Any]]:
        """The bound fields row by row, for the template."""
        return [
            {
                "number": number,
                "player": self[f"row-{number}-player"],
                "macmahon": self[f"row-{number}-macmahon"],
                "rounds": [self[f"row-{number}-round-{round_}"] for round_ in range(1, self.round_count + 1)],
            }
            for number in range(1, self.row_count + 1)
        ]

    def own_fields(self) -> list[forms.BoundField]:
        """The fields of the table itself, for the template."""
        return [self[name] for name in ("name", "first_day", "last_day", *self.details, "rows", "rounds")]

    def round_numbers(self) -> range:
        return range(1, self.round_count + 1)

    def typed(self) -> list[TypedRow]:
        """Every row up to the last one in which something was typed."""
        values = self.cleaned_data
        rows = [
            TypedRow(
                number,
                values[f"row-{number}-player"],
                values[f"row-{number}-macmahon"],
                tuple(values[f"row-{number}-round-{round_}"] for round_ in self.round_numbers()),
            )
            for number in range(1, self.row_count + 1)
        ]
        while rows and not (rows[-1].player or rows[-1].macmahon or any(rows[-1].cells)):
            rows.pop()
        return rows

    def fill(self, table: Table) -> bool:
        """Put the table's own fields into it; False (with the fields' errors) where the model refuses them."""
        for name in ("name", "first_day", "last_day", *OF_TABLE):
            if name in self.cleaned_data:
                setattr(table, name, self.cleaned_data[name])
        try:
            table.full_clean()
        except ValidationError as error:
            self.add_error(None, [message for messages in error.message_dict.values() for message in messages])
            return False
        return True

    def conditions(self) -> dict[str, Any]:
        """What the form says of all games of the table; what is left open stays as it is game by game."""
        given = {name: self.cleaned_data.get(name) for name in OF_GAMES}
        return {name: value for name, value in given.items() if value not in (None, "")}

    def again(self, checked: Checked) -> ResultsForm:
        """The same form with the cells filled that follow from others."""
        data = dict(self.data.items())
        for number, texts in checked.texts.items():
            for round_, text in enumerate(texts, 1):
                data[f"row-{number}-round-{round_}"] = text
        form = ResultsForm(data, table=self.table, admin_site=self.admin_site)
        form.full_clean()
        for error in self.non_field_errors():
            form.add_error(None, error)
        return form


def short_text(label: Any) -> forms.TextInput:
    return forms.TextInput(attrs={"class": "result", "size": 6, "autocomplete": "off", "aria-label": label})
