from .dated import DatedLine, DatedList
from .derived import Award, Change, RatedTable, Standing
from .events import Entry, Event, Game, Table
from .given import Adjustment, Decision
from .lists import ListPlayer, RatingList
from .people import Club, Membership, Player, folded_name, new_public_id
from .runs import Correction, Heartbeat, Run

__all__ = [
    "Adjustment",
    "Award",
    "Change",
    "Club",
    "Correction",
    "DatedLine",
    "DatedList",
    "Decision",
    "Entry",
    "Event",
    "Game",
    "Heartbeat",
    "ListPlayer",
    "Membership",
    "Player",
    "RatedTable",
    "RatingList",
    "Run",
    "Standing",
    "Table",
    "folded_name",
    "new_public_id",
]
