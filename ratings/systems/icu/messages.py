"""Messages of the Irish system."""

from __future__ import annotations

from ratings.systems.messages import Message as _
from ratings.systems.messages import MessageCode


class IcuMessage(MessageCode, namespace="icu"):
    """Notes on rows, warnings about tables, and errors of states."""

    RATING_WITHOUT_GAMES = _("a rating needs games")
    GROUP_WITHOUT_RATING = _("{id} and all their opponents are unrated: these games are not counted")
    MET_NOBODY_RATED = _("met nobody with a rating, nor did those he met")
