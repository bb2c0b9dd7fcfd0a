"""The rating system of the Belgian Go Federation, with its options and its presentation."""

from __future__ import annotations

from typing import ClassVar

from ratings.systems.bgf.messages import BgfMessage
from ratings.systems.messages import Message as _
from ratings.systems.options import Option, choice, corrections, day
from ratings.systems.presentation import Presentation, Scale
from ratings.systems.protocol import System
from ratings.systems.rules import Rules
from ratings.systems.values import Row, RowExplanation

from . import explain
from .grading import BgfGrading
from .rating import BgfRating
from .state import BgfState, is_grade


class BgfPresentation(Presentation):
    """Presentation of the Belgian system."""

    decimals = 1
    defines_performance = False
    files = ("h9", "tou", "opengotha", "aga", "trf", "csv", "xlsx")
    list_layout = "egf"
    scale = Scale.RANKS
    gor_of_zero = 2050  # the federation's own conversion
    assumptions: ClassVar = {"prior_grade": BgfMessage.NO_RANK()}

    def explained(self, row: Row, *, fixed_opponents: bool = False) -> RowExplanation:
        return explain.explained(row)

    def rules(self) -> Rules:
        return explain.rules(self.settings)


class Bgf(System[BgfState]):
    """Rating system registered as bgf."""

    key = "bgf"
    name = _("Belgian Go Federation rating")
    summary = _("For go: the older European formula, with negative ratings, handicap stones and grades by rating.")
    rating_class = BgfRating
    grading_class = BgfGrading
    presentation_class = BgfPresentation
    options: ClassVar = (
        choice(
            "bonus",
            "none",
            _("Points for every game, won or lost, unweighted."),
            "none",
            "epsilon",
            "egf2021",
            label=_("Bonus for each game"),
        ),
        corrections("revised"),
        choice(
            "within",
            "event",
            _("Whether a player's rating moves after the event or after every round."),
            "event",
            "round",
            label=_("Ratings move after"),
        ),
        Option(
            "top_label",
            None,
            lambda v: is_grade(v) and v.endswith("Dan"),
            _("a dan grade or none"),
            _("The highest grade that is shown; ratings continue above it."),
            label=_("Highest grade shown"),
        ),
        day(
            "board_2021",
            "2021-01-01",
            _("From this day on, 13×13 and 9×9 boards have fixed weights."),
            label=_("Small boards weighted from"),
        ),
        day(
            "white_squared_from",
            "2004-05-01",
            _("From this day on, White’s handicap weight is squared."),
            label=_("White’s weight squared from"),
        ),
    )
