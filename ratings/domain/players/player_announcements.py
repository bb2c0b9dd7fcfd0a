"""Announcements about players: merged, separated again, shown less than before, or erased."""

from __future__ import annotations

from collections.abc import Iterator

from ratings.domain.site.announcements import announce, is_announced
from ratings.models import Announcement, AnnouncementKind, Player
from ratings.queries.lists.lists_of_players import lists_of_players


def announce_merge(gone: Player, kept: Player, *, undone: bool = False) -> None:
    """Announce that a player was merged into another one, or that this was undone."""

    def describe() -> Iterator[Announcement]:
        data = {"player": gone.public_id, "into": kept.public_id, "undone": undone}
        yield Announcement(AnnouncementKind.PLAYER_MERGED, _find_federations([gone, kept]), data)

    announce(describe(), kinds={AnnouncementKind.PLAYER_MERGED})


def announce_hiding(players: list[Player], shown: str, *, erased: bool = False) -> None:
    """Announce that players are shown by initials or anonymously from now on, or that their data were erased."""

    def describe() -> Iterator[Announcement]:
        ids = sorted(player.public_id for player in players)
        data = {"players": ids, "shown": shown, "erased": erased}
        yield Announcement(AnnouncementKind.PLAYER_HIDDEN, _find_federations(players), data)

    announce(describe(), kinds={AnnouncementKind.PLAYER_HIDDEN})


def _find_federations(players: list[Player]) -> set[int]:
    """Return the primary keys of the federations whose public lists hold data of one of these players."""
    return {rating_list.federation_id for rating_list in lists_of_players(*players) if is_announced(rating_list)}
