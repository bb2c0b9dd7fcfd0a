"""Search for the two players of a merge."""

from __future__ import annotations

from django.http import QueryDict
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from ratings.models import Player
from ratings.queries.players.player_details import describe, players_with_details
from ratings.queries.players.suggestions import suggest_players

LABELS = {"gone": _("Merge this player"), "kept": _("Into this player")}


class MergeSide:
    """One of the two players, found by the public id in the field `name` or by the text in the field `{name}_name`."""

    def __init__(self, name: str, data: QueryDict) -> None:
        self.name, self.label = name, LABELS[name]
        self.id = data.get(name, "").strip()
        self.typed = data.get(f"{name}_name", "").strip()

    @cached_property
    def player(self) -> Player | None:
        """Player with the chosen public id, or with the typed one; None if there is none."""
        wanted = self.id or self.typed
        known = players_with_details({wanted, wanted.upper()}) if wanted else {}
        return known.get(wanted) or known.get(wanted.upper())

    @property
    def is_unknown(self) -> bool:
        """True if no player matches the chosen public id or the typed text."""
        return bool(self.id or self.typed) and self.player is None and not self.candidates

    @cached_property
    def candidates(self) -> list[tuple[Player, str]]:
        """Players whose names contain every part of the typed text, each with details that distinguish namesakes."""
        if not self.typed or self.player is not None:
            return []
        return [(player, describe(player)) for player in suggest_players(self.typed)]

    @property
    def description(self) -> str:
        """Details that distinguish the player from namesakes."""
        return describe(self.player) if self.player else ""
