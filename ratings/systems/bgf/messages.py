"""Messages of the Belgian go system."""

from __future__ import annotations

from ratings.systems.messages import Message as _
from ratings.systems.messages import MessageCode


class BgfMessage(MessageCode, namespace="bgf"):
    """Notes on rows, warnings about tables, and errors of states."""

    TOO_FAST = _("too fast to be rated")
    NO_RANK = _("neither a rating nor a declared rank: the games are not rated")
    GRADE_WITHOUT_RATING = _("a grade without a rating; a declared rank is the player's prior grade")
    BEFORE_SYSTEM = _(
        "before {day} another system was in force, of which nothing is known; results of then can only be "
        "given as ratings"
    )
    DECLARED_RANK = _("begins with the declared rank {prior_grade}")
    GAMES_TOO_FAST = _("the games are too fast to be rated")
    BOARDS_NOT_RATED = _("{unrated} games on boards that are not rated")
    PLAYER_WITHOUT_RANK = _("{id} has neither a rating nor a declared rank: the games are not rated")
    MANY_STONES = _("{many} games with more than {most_stones} stones: confirm them")
