from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ratings.models import Player
from ratings.queries.roster import described_players
from ratings.queries.seats import SeatOf


class NewPlayerForm(forms.ModelForm[Player]):
    """The other one, if he is not known yet."""

    class Meta:
        model = Player
        fields = ("family_name", "given_name", "country", "birth_year")


class SplitForm(forms.Form):
    """Which tables were another's, and whose: known by public id, found by name, or new."""

    name = forms.CharField(label=_("Name, or parts of it"), max_length=100, required=False)
    candidate = forms.CharField(max_length=12, required=False)
    taker = forms.CharField(label=_("Public id"), max_length=12, required=False)
    reason = forms.CharField(
        label=_("How is it known?"), max_length=300, required=False, widget=forms.TextInput(attrs={"size": 50})
    )

    def __init__(self, data: Any, seats: list[SeatOf]) -> None:
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
            raise forms.ValidationError(_("Name the other player: found by name, by public id, or new; one of these."))
        if "give" in self.data and not values.get("reason"):
            raise forms.ValidationError(_("Say how it is known that these results are another's."))
        values["tables"] = [self.seats[pk] for pk in self.marked]
        values["other"] = self._new_player() if not ids else self._known(ids.pop())
        return values

    def _known(self, id: str) -> Player:
        if player := described_players([id]).get(id):
            return player
        raise forms.ValidationError(_("There is no player with the public id %(id)s."), params={"id": id})

    def _new_player(self) -> Player:
        if not self.new.is_valid():
            raise forms.ValidationError(
                [f"{self.new[name].label}: {told}" for name, several in self.new.errors.items() for told in several]
            )
        return self.new.save(commit=False)

    def told(self) -> list[str]:
        """All that is wrong with it."""
        return [str(told) for several in self.errors.values() for told in several]
