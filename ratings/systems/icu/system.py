"""The rating system of the Irish Chess Union of 1989, with its options and its presentation."""

from __future__ import annotations

from typing import ClassVar

from ratings.systems.messages import Message as _
from ratings.systems.options import choice, count, rating
from ratings.systems.presentation import Presentation
from ratings.systems.protocol import System
from ratings.systems.rules import Rules
from ratings.systems.tiebreaks import CHESS_NAMES
from ratings.systems.values import Category, Row, RowExplanation

from . import explain
from .rating import IcuRating
from .state import GRADED_FROM, IcuState


class IcuPresentation(Presentation):
    """Presentation of the Irish system."""

    list_layout = "fide"
    tie_breaks = CHESS_NAMES
    legend: ClassVar = {Category.PROVISIONAL: _("based on few games")}
    assumptions = explain.ASSUMPTIONS

    def explained(self, row: Row, *, fixed_opponents: bool = False) -> RowExplanation:
        return explain.explained(row, fixed_opponents=fixed_opponents)

    def rules(self) -> Rules:
        return explain.rules(self.settings)


class Icu1989(System[IcuState]):
    """Rating system registered as icu-1989."""

    key = "icu-1989"
    name = _("Irish Chess Union rating procedures (1989)")
    summary = _("For chess: with bonus points, and provisional ratings for the first 20 games.")
    rating_class = IcuRating
    presentation_class = IcuPresentation
    options = (
        rating("cap", 2100, _("Bonus points raise no rating above this one."), label=_("Highest rating by bonus")),
        count(
            "min_bonus_games",
            4,
            4,
            50,
            _("Number of games in an event from which a bonus can be earned."),
            label=_("Games for a bonus"),
        ),
        choice(
            "bracket_for_graded",
            False,
            _("Whether a provisional opponent counts with their performance, if it is higher, for graded players too."),
            False,
            True,
            label=_("Performance of provisional opponents counts for all"),
        ),
        count(
            "prov_limit",
            GRADED_FROM,
            1,
            100,
            _("Number of games from which a player is graded instead of provisional."),
            label=_("Games until a player is graded"),
        ),
        count(
            "bracket_games",
            5,
            1,
            50,
            _("Number of games in an event from which a provisional player’s performance may count."),
            label=_("Games until a performance counts"),
        ),
        choice(
            "prov_counts_as_rated",
            True,
            _("Whether a game against a provisional player connects an ungraded player with the rated players."),
            True,
            False,
            label=_("Provisional players connect ungraded ones"),
        ),
        rating(
            "publish_floor",
            None,
            _("Ratings below this one are computed but not published."),
            label=_("Lowest published rating"),
        ),
    )
