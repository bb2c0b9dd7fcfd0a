"""Facts of rated tables for pages, computed by a worker after a run; no digest contains them."""

from __future__ import annotations

from typing import Any

from django.db import models

from ratings.models.players.people import Player

from .derived import RatedTable


def _player_field() -> models.ForeignKey[Any, Any]:
    """Return a field for a player whose row may be gone until the next run, as in the other derived rows."""
    return models.ForeignKey(
        Player, models.DO_NOTHING, null=True, db_constraint=False, db_index=False, related_name="+"
    )


class TableFacts(models.Model):
    """Winner, biggest upset, best performance and each player's results of a rated table.

    `winner` is the only player in first place. `upset_chance` is the expected score of the loser of the biggest upset
    (0..1), `best_performance` a rating. `players` holds for each player, by primary key as text, `results` (“1½0”,
    latest game first), `performance` (a rating or None), and `peak` (True if the rating after the table is the highest
    so far).
    """

    rated = models.OneToOneField(RatedTable, models.CASCADE, db_constraint=False, related_name="facts")
    winner = _player_field()
    upset_winner = _player_field()
    upset_loser = _player_field()
    upset_chance = models.FloatField(null=True)
    best_player = _player_field()
    best_performance = models.FloatField(null=True)
    players = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"facts of {self.rated_id}"

    def player_facts(self, player: int) -> dict[str, Any]:
        """Return the facts of a player at the table, by primary key; empty if there are none."""
        facts: dict[str, Any] = self.players.get(str(player), {})
        return facts
