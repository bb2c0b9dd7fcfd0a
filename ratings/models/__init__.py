from .derived import Award, Change, RatedTable, Standing
from .events import Entry, Event, Game, Table
from .lists import Adjustment, Decision, ListPlayer, RatingList
from .people import Club, Membership, Player, folded_name, new_public_id

__all__ = [
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
    "folded_name",
    "new_public_id",
]
