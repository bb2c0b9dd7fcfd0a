from .approvals import Approval
from .claims import Claim
from .dated import DatedLine, DatedList
from .derived import Award, Change, RatedTable, Standing
from .events import Event
from .given import Adjustment, Decision
from .lists import ListPlayer, RatingList
from .merges import Merge
from .people import Club, Membership, Player, Shown, folded_name, new_public_id, public_parts, true_names
from .reports import Report
from .runs import Correction, Heartbeat, Run
from .sheets import EventStep, Sheet, Spelling, Upload
from .tables import Entry, Game, Table

__all__ = [
    "Adjustment",
    "Approval",
    "Award",
    "Change",
    "Claim",
    "Club",
    "Correction",
    "DatedLine",
    "DatedList",
    "Decision",
    "Entry",
    "Event",
    "EventStep",
    "Game",
    "Heartbeat",
    "ListPlayer",
    "Membership",
    "Merge",
    "Player",
    "RatedTable",
    "RatingList",
    "Report",
    "Run",
    "Sheet",
    "Shown",
    "Spelling",
    "Standing",
    "Table",
    "Upload",
    "folded_name",
    "new_public_id",
    "public_parts",
    "true_names",
]
