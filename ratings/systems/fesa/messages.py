"""Messages of the FESA systems."""

from __future__ import annotations

from ratings.systems.messages import Message as _
from ratings.systems.messages import MessageCode


class FesaMessage(MessageCode, namespace="fesa"):
    """Notes on rows, warnings about tables, and errors of states."""

    NOT_A_GRADE = _("“{name}” is not a grade from {lowest} to {highest}")
    MANY_GAMES = _(
        "{id} has {games} games: above {many_games} games the formula is unreliable; split the results by date"
    )
    NOT_SETTLED = _("not settled after {most_rounds} rounds; still moving: {moving}")
    RATING_WITHOUT_GAMES = _("a rating needs games or past")
    GAMES_AND_PAST = _("games and past exclude each other")
    HANDICAPS_NOT_RATED = _("{handicaps} handicap games are not rated in this edition")
