"""Messages of the Glicko-2 system."""

from __future__ import annotations

from ratings.systems.messages import Message as _
from ratings.systems.messages import MessageCode


class GlickoMessage(MessageCode, namespace="glicko"):
    """Notes on rows, warnings about tables, and errors of states."""

    NEEDS_RATING = _("{key} without a rating")
    HANDICAP_GAMES = _("games with a handicap, which are not rated: {count}")
    WAITS_FOR_LIST = _("the games are rated on {day}, with all games of the month")
    MONTH = _("games of the month up to {day}")
