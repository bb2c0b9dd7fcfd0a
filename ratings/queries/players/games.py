"""Games as a player's pages show them: with opponents' names, events and the notation of results."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from ratings.models import Player

from .careers import GameRow
from .names import by_public_name
from .search import meant_by

OFFERED = 10


@dataclass(frozen=True)
class PlayedGame:
    """A game from the player's side with whom he met, None in a round without a game."""

    row: GameRow
    opponent: Player | None

    @property
    def result(self) -> str:
        return {1.0: "1", 0.5: "½", 0.0: "0"}[self.row.points]


def played_games(rows: Sequence[GameRow]) -> list[PlayedGame]:
    """One query."""
    known = players_by_key(row.opponent for row in rows)
    return [PlayedGame(row, known.get(row.opponent)) for row in rows]


def players_by_key(keys: Iterable[int | None]) -> dict[int | None, Player]:
    """Players by their keys in the database; those merged since are found as whom they were merged into."""
    found = Player.objects.select_related("merged_into").in_bulk({key for key in keys if key is not None})
    return {pk: player.merged_into or player for pk, player in found.items()}


def between(rows: Collection[GameRow], opponent: Player) -> list[GameRow]:
    """Those played against one opponent."""
    return [row for row in rows if row.opponent == opponent.pk and row.played]


def named_among(keys: Collection[int], text: str) -> set[int]:
    """The keys of those of some players whom a text means: by public id, or by parts of a name shown in full."""
    meant = Player.objects.filter(meant_by(text))
    return set(meant.filter(pk__in=keys).values_list("pk", flat=True))


def players_meant(text: str) -> list[Player]:
    """Whom a text may mean: the one with this public id, else the first with all its parts in a name shown in full."""
    several = Player.objects.filter(meant_by(text), merged_into=None).order_by(*by_public_name())[:OFFERED]
    exact = [player for player in several if player.public_id == text.strip().upper()]
    return exact or list(several)
