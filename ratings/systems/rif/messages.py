"""Messages of the RIF systems."""

from __future__ import annotations

from ratings.systems.messages import Message as _
from ratings.systems.messages import MessageCode


class RifMessage(MessageCode, namespace="rif"):
    """Notes on rows, warnings about tables, and errors of states."""

    MET_NO_START_RATING = _("no game against a player with a start rating")
    TOO_FEW_GAMES = _("fewer than {least_games} games: no start rating")
    NO_POINTS = _("no points against officially rated players: no start rating")
    NO_LINK = _("{names}: nobody among them met a rated player; every opponent is taken as {pivot}")
    FEW_LINKS = _("{names}: fewer than {few_links} games tie these newcomers to the rated; look at them")
    NOT_SETTLED = _("{names}: start ratings not settled after {most_rounds} rounds")
    TOO_FAST = _("{minutes:g} min per player: too fast to be rated; at least {least} are needed")
    PENDING_WITHOUT_RATING = _("pending or previous without a rating")
    PENDING_NOT_OFFICIAL = _("pending is for official players; others carry their rating along")
    PROVISIONAL_WITH_RATING = _("a provisional player has results, not a rating")
    ESTABLISHED_WITHOUT_RATING = _("established without a rating")
    RESULTS_NOT_PROVISIONAL = _("results are for a provisional player")
    OFFICIAL_LIST = _("official list of {day}")
    NEEDS_RATING = _("{key} without a rating")
    WAITS_FOR_LIST = _("the games count for the list of {day}")
    NOT_CONNECTED = _(
        "players without a game that links them to the others, so that their level is a newcomer’s: {count}"
    )
    NO_COUNTING_GAME = _("no game that counts")
