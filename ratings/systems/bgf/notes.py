"""Notes on the rows of a table and warnings about it in bgf."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ratings.systems.bgf.messages import BgfMessage
from ratings.systems.handicaps import MAX_STONES
from ratings.systems.messages import Message


def make_idle_note(*, has_rating: bool, too_fast: bool) -> Message | str:
    """Return the note on a player without a rated game; "" if no rule of this system is the reason.

    `has_rating`: the player has a rating or a declared rank. `too_fast`: the table is rated, and too fast for that.
    """
    if not has_rating:
        return BgfMessage.NO_RANK()
    return BgfMessage.TOO_FAST() if too_fast else ""


def make_warnings(
    without_rank: Iterable[str], *, too_fast: bool, unrated_boards: int, many_stones: int
) -> Iterator[Message]:
    """Yield the warnings about a table.

    `without_rank` are the players with games who have neither a rating nor a declared rank. `too_fast`: a game was too
    fast. `unrated_boards` and `many_stones` are numbers of games: on boards that are not rated, and with unusually many
    stones.
    """
    if too_fast:
        yield BgfMessage.GAMES_TOO_FAST()
    if unrated_boards:
        yield BgfMessage.BOARDS_NOT_RATED(unrated=unrated_boards)
    for id in without_rank:
        yield BgfMessage.PLAYER_WITHOUT_RANK(id=id)
    if many_stones:
        yield BgfMessage.MANY_STONES(many=many_stones, most_stones=MAX_STONES)
