"""The rating systems of the Renju International Federation, with their options and presentations."""

from __future__ import annotations

from typing import ClassVar

from ratings.systems.messages import Message as _
from ratings.systems.options import choice, count, number_or_none
from ratings.systems.presentation import Presentation
from ratings.systems.protocol import System
from ratings.systems.rules import Rules
from ratings.systems.tiebreaks import CHESS_NAMES
from ratings.systems.values import Row, RowExplanation

from . import explain, explain_2021, rules
from .rating_1995 import Rating1995
from .rating_1997 import Rating1997
from .rating_2021 import Rating2021
from .state import State1995, State1997
from .state_2021 import State2021


class Presentation1995(Presentation):
    """Presentation of the system of 1995."""

    defines_performance = False
    tie_breaks = CHESS_NAMES

    def explained(self, row: Row, *, fixed_opponents: bool = False) -> RowExplanation:
        return explain.explained_1995(row)

    def rules(self) -> Rules:
        return rules.rules_1995(self.settings)


class Presentation1997(Presentation):
    """Presentation of the system of 1997."""

    tie_breaks = CHESS_NAMES
    empty_list_reason = _(
        "Under these rules only games with established players count, so a list without established players cannot"
        " start by itself. A rating officer can enter first ratings, or the results can be rated by the rules of 1995"
        " first."
    )

    def explained(self, row: Row, *, fixed_opponents: bool = False) -> RowExplanation:
        return explain.explained_1997(row)

    def rules(self) -> Rules:
        return rules.rules_1997()


class Rif1995(System[State1995]):
    """Renju system of 1995, registered as rif-1995."""

    key = "rif-1995"
    name = _("Renju International Federation rating (1995)")
    summary = _("For renju: ratings are published on fixed list days.")
    options: ClassVar = (
        choice(
            "new_vs_new",
            "ignore",
            _(
                "Games between two newcomers, where points against officially rated players are needed: left out, or"
                " solved together with the others."
            ),
            "ignore",
            "joint",
            label=_("Games between two newcomers"),
        ),
        choice(
            "zero_rule",
            None,
            _(
                "Whether a newcomer without points against officially rated players gets no start rating; by default"
                " from 1996 on."
            ),
            "on",
            "off",
            label=_("No start rating from lost games only"),
        ),
    )
    rating_class = Rating1995
    presentation_class = Presentation1995


class Rif1997(System[State1997]):
    """Renju system of 1997, registered as rif-1997."""

    key = "rif-1997"
    name = _("Renju International Federation rating (1997)")
    summary = _("For renju: new players need results against established ones.")
    rating_class = Rating1997
    presentation_class = Presentation1997


class Presentation2021(Presentation):
    """Presentation of the system of 2021: whole points on lists, two decimals in explanations."""

    defines_performance = False
    tie_breaks = CHESS_NAMES
    legend: ClassVar = {"provisional": _("the rating rests on few games")}

    def explained(self, row: Row, *, fixed_opponents: bool = False) -> RowExplanation:
        return explain_2021.explained(row)

    def rules(self) -> Rules:
        return explain_2021.rules(self.settings)


class Rif2021(System[State2021]):
    """Renju system of 2021, registered as rif-2021."""

    key = "rif-2021"
    name = _("Renju International Federation rating (2021)")
    summary = _("For renju and gomoku: each list fits all ratings to all games so far (Whole-History Rating).")
    rating_class = Rating2021
    presentation_class = Presentation2021
    options: ClassVar = (
        choice(
            "discipline",
            "renju",
            _("The game of the list, which determines how fast ratings can drift."),
            "renju",
            "gomoku",
            label=_("Discipline"),
            changeable=False,
        ),
        number_or_none(
            "w2",
            0.01,
            1000,
            _("Variance of the drift of a rating per day, in points squared, in place of the discipline’s."),
            label=_("Drift (w²)"),
        ),
        count(
            "virtual_games",
            2,
            1,
            20,
            _("Draws against a player of 1900 with which every player begins."),
            label=_("Virtual draws"),
        ),
        choice(
            "lists",
            "quarterly",
            _("How often a list is made: on the last day of each month, quarter or year."),
            "monthly",
            "quarterly",
            "yearly",
            label=_("Lists"),
            changeable=False,
        ),
        count(
            "established_games",
            10,
            0,
            100,
            _("Rated games from which a player is established, and on the public list."),
            label=_("Established from games"),
        ),
        choice(
            "online", "no", _("Whether games on the internet are rated."), "yes", "no", label=_("Games on the internet")
        ),
        choice(
            "correspondence",
            "no",
            _("Whether correspondence games are rated."),
            "yes",
            "no",
            label=_("Correspondence games"),
        ),
        count(
            "least_minutes",
            0,
            0,
            300,
            _("Events with a shorter known thinking time are not rated."),
            label=_("Least thinking time in minutes"),
        ),
    )
