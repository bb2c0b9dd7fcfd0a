"""Games for a player's pages, with the opponents' names, the events and the notation of results."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from ratings.models import Player
from ratings.queries.site.search import player_filter

from .career_games import GameRow
from .names import by_public_name

MAX_PLAYERS = 10


@dataclass(frozen=True)
class GameWithOpponent:
    """A game from the player's side, with the opponent; None in a round without a game."""

    row: GameRow
    opponent: Player | None

    @property
    def result(self) -> str:
        return {1.0: "1", 0.5: "½", 0.0: "0"}[self.row.points]


def played_games(rows: Sequence[GameRow]) -> list[GameWithOpponent]:
    """Return games with their opponents, in one query."""
    players = players_by_key(row.opponent for row in rows)
    return [GameWithOpponent(row, players.get(row.opponent)) for row in rows]


def players_by_key(keys: Iterable[int | None]) -> dict[int | None, Player]:
    """Return players by primary key; a merged player is replaced by the player they were merged into."""
    players = Player.objects.select_related("merged_into").in_bulk({key for key in keys if key is not None})
    return {pk: player.merged_into or player for pk, player in players.items()}


def filter_keys_by_name(keys: Collection[int], text: str) -> set[int]:
    """Return the primary keys among `keys` of players whose public id is `text`, or whose full name has its parts.

    Only names that are displayed in full are searched.
    """
    named = Player.objects.filter(player_filter(text))
    return set(named.filter(pk__in=keys).values_list("pk", flat=True))


def find_players(text: str) -> list[Player]:
    """Return the player with this public id, else the first players whose name has all parts of the text.

    Only names that are displayed in full are searched.
    """
    players = Player.objects.filter(player_filter(text), merged_into=None).order_by(*by_public_name())[:MAX_PLAYERS]
    exact = [player for player in players if player.public_id == text.strip().upper()]
    return exact or list(players)
