"""The rating systems of the Federation of European Shogi Associations, with their options and presentations."""

from __future__ import annotations

from typing import ClassVar

from ratings.systems.messages import Message as _
from ratings.systems.options import corrections
from ratings.systems.presentation import Presentation
from ratings.systems.protocol import System
from ratings.systems.rules import Rules
from ratings.systems.values import Category, Row, RowExplanation

from .explain import explained_2000, explained_2016
from .grading import Grading2000, Grading2016
from .rating import Rating2000, Rating2016
from .rules import GRADE_NOTE, rules_2000, rules_2016
from .state import FesaState


class FesaPresentation(Presentation):
    """Presentation of both editions."""

    files = ("grid", "published", "trf", "csv", "xlsx")
    grade_note = GRADE_NOTE
    legend: ClassVar = {
        Category.UNRATED: _("too few games so far, or only wins or only losses"),
        Category.PROVISIONAL: _("fewer than 18 games"),
    }


class Presentation2016(FesaPresentation):
    """Presentation of the edition of 2016."""

    def explained(self, row: Row, *, fixed_opponents: bool = False) -> RowExplanation:
        return explained_2016(row, fixed_opponents=fixed_opponents)

    def rules(self) -> Rules:
        return rules_2016()


class Presentation2000(FesaPresentation):
    """Presentation of the edition of 2000."""

    def explained(self, row: Row, *, fixed_opponents: bool = False) -> RowExplanation:
        return explained_2000(row, fixed_opponents=fixed_opponents)

    def rules(self) -> Rules:
        return rules_2000()


class Fesa2016(System[FesaState]):
    """FESA system of 2016, registered as fesa-2016."""

    key = "fesa-2016"
    name = _("FESA/USSF Elo system (2016)")
    summary = _("For shogi: the present rules, with grades that are kept, handicap games, and approval of high grades.")
    options: ClassVar = (corrections("kept"),)
    rating_class = Rating2016
    grading_class = Grading2016
    presentation_class = Presentation2016


class Fesa2000(System[FesaState]):
    """FESA system of 2000, registered as fesa-2000: handicap games are not rated, and there is no bonus below 1800."""

    key = "fesa-2000"
    name = _("FESA Elo system, first edition (2000)")
    summary = _("For shogi: the rules before 2016; handicap games are not rated.")
    options: ClassVar = (corrections("kept"),)
    rating_class = Rating2000
    grading_class = Grading2000
    presentation_class = Presentation2000
