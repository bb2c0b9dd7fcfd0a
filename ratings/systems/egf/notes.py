"""Notes on the rows of a table and warnings about it in egf-2021."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ratings.systems.egf.messages import EgfMessage
from ratings.systems.messages import Message

from .game import CORRESPONDENCE, TOO_FAST, TOO_MANY_STONES, WRONG_BOARD

EXCLUDED_GAMES = {
    WRONG_BOARD: EgfMessage.BOARDS_NOT_RATED,
    CORRESPONDENCE: EgfMessage.CORRESPONDENCE_NOT_RATED,
    TOO_MANY_STONES: EgfMessage.TOO_MANY_STONES,
    TOO_FAST: EgfMessage.GAMES_TOO_FAST,
}
"""Warnings by the reason why games are not rated."""


def make_idle_note(reason: int, *, has_rating: bool) -> Message | str:
    """Return the note on a player without a rated game; "" if no rule of this system is the reason.

    `reason` is that of the last game of the player that is not rated, 0 if there is none. `has_rating`: the player has
    a rating or a declared rank.
    """
    if not has_rating:
        return EgfMessage.NO_RANK()
    if reason == TOO_FAST:
        return EgfMessage.TOO_FAST()
    return EgfMessage.NO_GAME_COUNTED() if reason else ""


def make_warnings(reasons: Iterable[int], without_rank: Iterable[str], max_stones: int) -> Iterator[Message]:
    """Yield the warnings about a table.

    `reasons` are those of the games that are not rated, `without_rank` the players whose games are not rated because
    they have neither a rating nor a declared rank.
    """
    for reason, count in Counter(reasons).items():
        more = {"most": max_stones} if reason == TOO_MANY_STONES else {}
        yield EXCLUDED_GAMES[reason](count=count, **more)
    for id in without_rank:
        yield EgfMessage.PLAYER_WITHOUT_RANK(id=id)
