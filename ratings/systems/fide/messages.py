"""Messages of the FIDE system."""

from __future__ import annotations

from ratings.systems.messages import Message as _
from ratings.systems.messages import MessageCode


class FideMessage(MessageCode, namespace="fide"):
    """Notes on rows, warnings about tables, and errors of tables and states."""

    COUNTS_FOR = _("counts for the list of {day}")
    LIST_OF = _("list of {day}")
    REPORTED_LATE = _("reported later than the third list after the end: not rated")
    NOT_STANDARD = _("{minutes:g} min for 60 moves: too fast for a standard list, not rated")
    NOT_RAPID = _("{minutes:g} min for 60 moves: not rapid, not rated")
    NOT_BLITZ = _("{minutes:g} min for 60 moves: not blitz, not rated")
    GAMES_TOO_FAST = _(
        "not rated, games: {games}; {minutes:g} min for 60 moves, but a player of {bound} or more needs {least}"
    )
    GAMES_TOO_UNEVEN = _(
        "not rated, games: {games}; a player of more than {above}, and a difference of {difference} or more"
    )
    GAMES_NOT_OVER_THE_BOARD = _("not rated, games: {games}; online, by correspondence or with a handicap")
    BEFORE_RULES = _("began before {day}, when other rules were in force; rated by these")
    NO_LIST_DAY = _("list {day}: it must be the first day of a month after {last_day}")
    FEW_GAMES = _("games so far: {games}; a first rating needs {least}")
    BELOW_LOWEST = _("the new rating would be below {lowest}, the lowest rating, so there is none")
    FIRST_RATING = _("first rating")
