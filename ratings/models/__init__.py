from .derived import Award, Change, RatedTable, Standing
from .events import Entry, Event, Game, Table
from .lists import ACTIVE_YEARS, Adjustment, Decision, ListPlayer, RatingList, active_since
from .people import Club, Membership, Player, folded_name, new_public_id

__all__ = [
    "ACTIVE_YEARS",
    "Adjustment",
    "Award",
    "Change",
    "Club",
    "Decision",
    "Entry",
    "Event",
    "Game",
    "ListPlayer",
    "Membership",
    "Player",
    "RatedTable",
    "RatingList",
    "Standing",
    "Table",
    "active_since",
    "folded_name",
    "new_public_id",
]
