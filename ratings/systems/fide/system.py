"""FIDE's rating system since 2024, with its chapters and its presentation."""

from __future__ import annotations

from typing import ClassVar

from ratings.systems.messages import Message as _
from ratings.systems.options import choice
from ratings.systems.presentation import Presentation
from ratings.systems.protocol import System
from ratings.systems.rules import Rules
from ratings.systems.tiebreaks import CHESS_NAMES
from ratings.systems.values import Row, RowExplanation

from . import explain
from .rating import FideRating
from .state import FideState


class FidePresentation(Presentation):
    """Presentation of FIDE's system."""

    defines_performance = False
    tie_breaks = CHESS_NAMES
    list_layout = "fide"
    files = ("grid", "trf", "uschess", "chessresults", "csv", "xlsx")
    assumptions = explain.ASSUMPTIONS
    legend: ClassVar = {"inactive": _("no rated game on the last twelve lists")}

    def explained(self, row: Row, *, fixed_opponents: bool = False) -> RowExplanation:
        return explain.explained(row)

    def rules(self) -> Rules:
        return explain.rules(self.settings)


class Fide2024(System[FideState]):
    """Rating system registered as fide-2024."""

    key = "fide-2024"
    name = _("FIDE rating (2024)")
    summary = _("For chess: FIDE’s regulations since 2024, with monthly lists for standard, rapid or blitz games.")
    rating_class = FideRating
    presentation_class = FidePresentation
    options: ClassVar = (
        choice(
            "chapter",
            "standard",
            _("Which games the list rates, by their thinking time."),
            "standard",
            "rapid",
            "blitz",
            label=_("Chapter"),
            changeable=False,
        ),
    )
