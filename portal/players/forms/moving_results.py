from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from portal.templatetags.portal_format import colon
from ratings.models import Player
from ratings.queries.events.player_tables import PlayerTable
from ratings.queries.players.player_details import players_with_details


class NewPlayerForm(forms.ModelForm[Player]):
    """Details of the other player, if they are not registered yet."""

    class Meta:
        model = Player
        fields = ("family_name", "given_name", "country", "birth_year")


class SplitForm(forms.Form):
    """Tables to move to another player, who is given by public id, found by name, or new."""

    name = forms.CharField(label=_("Name, or parts of it"), max_length=100, required=False)
    candidate = forms.CharField(max_length=12, required=False)
    taker = forms.CharField(label=_("Public id"), max_length=12, required=False)
    reason = forms.CharField(
        label=_("Evidence"), max_length=300, required=False, widget=forms.TextInput(attrs={"size": 50})
    )

    def __init__(self, data: Any, seats: list[PlayerTable]) -> None:
        super().__init__(data)
        self.new = NewPlayerForm(data, prefix="new", empty_permitted=True, use_required_attribute=False)
        self.seats = {str(seat.table.pk): seat.table for seat in seats}
        self.marked = [pk for pk in data.getlist("tables") if pk in self.seats] if data else []

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        if not self.marked:
            raise forms.ValidationError(_("Choose at least one table."))
        ids = {id.strip() for id in (values.get("candidate", ""), values.get("taker", "")) if id.strip()}
        if len(ids) + self.new.has_changed() != 1:
            raise forms.ValidationError(
                _("Choose the other player in one way only: by name, by public id, or as a new player.")
            )
        if "give" in self.data and not values.get("reason"):
            raise forms.ValidationError(_("Enter the evidence that these results belong to another player."))
        values["tables"] = [self.seats[pk] for pk in self.marked]
        values["other"] = self._build_new_player() if not ids else self._find_player(ids.pop())
        return values

    def _find_player(self, id: str) -> Player:
        if player := players_with_details([id]).get(id):
            return player
        raise forms.ValidationError(_("There is no player with the public id %(id)s."), params={"id": id})

    def _build_new_player(self) -> Player:
        if not self.new.is_valid():
            raise forms.ValidationError(
                [
                    f"{colon(self.new[name].label)} {error}"
                    for name, errors in self.new.errors.items()
                    for error in errors
                ]
            )
        return self.new.save(commit=False)

    def error_messages(self) -> list[str]:
        """Return all error messages of the form."""
        return [str(error) for errors in self.errors.values() for error in errors]
