"""The European Go Federation's rating system since 2021, with its options and its presentation."""

from __future__ import annotations

from typing import ClassVar

from ratings.systems.egf.messages import EgfMessage
from ratings.systems.handicaps import MAX_STONES
from ratings.systems.messages import Message as _
from ratings.systems.options import choice, count
from ratings.systems.presentation import Presentation, Scale
from ratings.systems.protocol import System
from ratings.systems.rules import Rules
from ratings.systems.values import Row, RowExplanation

from . import explain
from .grading import EgfGrading
from .rating import EgfRating
from .state import EgfState


class EgfPresentation(Presentation):
    """Presentation of the European system: whole points on lists, three decimals in explanations."""

    defines_performance = False
    files = ("h9", "tou", "opengotha", "aga", "trf", "csv", "xlsx")
    list_layout = "egf"
    scale = Scale.RANKS
    assumptions: ClassVar = {"prior_grade": EgfMessage.NO_RANK()}

    def explained(self, row: Row, *, fixed_opponents: bool = False) -> RowExplanation:
        return explain.explained(row)

    def rules(self) -> Rules:
        return explain.rules(self.settings)


class Egf2021(System[EgfState]):
    """Rating system registered as egf-2021."""

    key = "egf-2021"
    name = _("European Go Federation rating (2021)")
    summary = _(
        "For go: the European rating (GoR) as it is computed since 2021, with handicap stones and declared ranks."
    )
    rating_class = EgfRating
    grading_class = EgfGrading
    presentation_class = EgfPresentation
    options: ClassVar = (
        choice(
            "weights",
            "by_class",
            _("Whether slow tournaments count more than fast ones, by the class of the event."),
            "by_class",
            "none",
            label=_("Weight of an event"),
        ),
        choice(
            "unknown_time",
            "A",
            _("The class of tournaments whose time control is unknown."),
            "A",
            "B",
            "C",
            label=_("Class of an unknown thinking time"),
        ),
        choice(
            "bonus",
            "on",
            _("Points for every rated game, won or lost, against deflation."),
            "on",
            "off",
            label=_("Bonus for each game"),
        ),
        count(
            "max_stones",
            MAX_STONES,
            0,
            MAX_STONES,
            _("Games with more handicap stones are not rated; 0 rates even games only."),
            label=_("Most handicap stones"),
        ),
    )
