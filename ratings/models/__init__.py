from .approvals import Approval
from .claims import Claim
from .dated import DatedLine, DatedList
from .derived import Award, Change, RatedTable, Standing
from .events import Event
from .given import Adjustment, Decision
from .keys import ApiKey
from .lists import ListPlayer, RatingList
from .merges import Merge
from .people import NAMELESS, Club, Membership, Player, Shown, new_public_id, public_parts, true_names
from .reports import Report
from .runs import Correction, Heartbeat, Run
from .searchable import Searchable, folded_name
from .sheets import EventStep, Sheet, Spelling, Upload
from .statistics import ListStatistics
from .tables import Entry, Game, Table

__all__ = [
    "NAMELESS",
    "Adjustment",
    "ApiKey",
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
    "ListStatistics",
    "Membership",
    "Merge",
    "Player",
    "RatedTable",
    "RatingList",
    "Report",
    "Run",
    "Searchable",
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
