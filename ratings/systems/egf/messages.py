"""Messages of the European go system."""

from __future__ import annotations

from ratings.systems.messages import Message as _
from ratings.systems.messages import MessageCode


class EgfMessage(MessageCode, namespace="egf"):
    """Notes on rows, warnings about tables, and errors of states."""

    TOO_FAST = _("too fast to be rated")
    NO_RANK = _("neither a rating nor a declared rank: the games are not rated")
    NO_GAME_COUNTED = _("no game that the rules rate")
    BEFORE_SYSTEM = _("ended before {day}: the database does not rate it")
    DECLARED_RANK = _("begins with the declared rank {rank}")
    GAMES_TOO_FAST = _("games too fast to be rated: {count}")
    BOARDS_NOT_RATED = _("games on boards other than 19×19, which are not rated: {count}")
    CORRESPONDENCE_NOT_RATED = _("correspondence games, which are not rated: {count}")
    TOO_MANY_STONES = _("games with more handicap stones than {most}, which are not rated: {count}")
    PLAYER_WITHOUT_RANK = _("{id} has neither a rating nor a declared rank: the games are not rated")
    RATING_OUT_OF_RANGE = _("invalid rating {value}: expected a number from {lowest} to below {highest}")
