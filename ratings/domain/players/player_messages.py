"""Messages about players who are merged, separated again, shown less than before, or erased."""

from __future__ import annotations

from collections.abc import Iterator

from ratings.domain.site.change_messages import queue_messages, sends_changes
from ratings.models import ChangeKind, ChangeMessage, Player
from ratings.queries.lists.lists_of_players import lists_of_players


def queue_merge_messages(gone: Player, kept: Player, *, undone: bool = False) -> None:
    """Queue messages that a player was merged into another one, or that this was undone."""

    def describe() -> Iterator[ChangeMessage]:
        data = {"player": gone.public_id, "into": kept.public_id, "undone": undone}
        yield ChangeMessage(ChangeKind.PLAYER_MERGED, _find_federations([gone, kept]), data)

    queue_messages(describe(), kinds={ChangeKind.PLAYER_MERGED})


def queue_hiding_messages(
    players: list[Player], shown: str, *, erased: bool = False, moved_to: Player | None = None
) -> None:
    """Queue messages that players are shown by initials or anonymously from now on, or that their data were erased.

    `moved_to` is the player who has their data now, after a merge.
    """
    holders = players if moved_to is None else [*players, moved_to]

    def describe() -> Iterator[ChangeMessage]:
        ids = sorted(player.public_id for player in players)
        data = {"players": ids, "shown": shown, "erased": erased}
        yield ChangeMessage(ChangeKind.PLAYER_HIDDEN, _find_federations(holders), data)

    queue_messages(describe(), kinds={ChangeKind.PLAYER_HIDDEN})


def _find_federations(players: list[Player]) -> set[int]:
    """Return the primary keys of the federations whose public lists hold data of one of these players."""
    return {rating_list.federation_id for rating_list in lists_of_players(*players) if sends_changes(rating_list)}
