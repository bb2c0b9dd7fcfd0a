"""The Glicko-2 rating system, with its options and its presentation."""

from __future__ import annotations

from typing import ClassVar

from ratings.systems.messages import Message as _
from ratings.systems.options import choice, count, number
from ratings.systems.presentation import Presentation
from ratings.systems.protocol import System
from ratings.systems.rules import Rules
from ratings.systems.values import Row, RowExplanation

from . import explain
from .rating import GlickoRating
from .state import GlickoState


class GlickoPresentation(Presentation):
    """Presentation of Glicko-2: whole points on lists, two decimals in explanations."""

    defines_performance = False
    legend: ClassVar = {"provisional": _("the rating is uncertain: its deviation is large")}

    def explained(self, row: Row, *, fixed_opponents: bool = False) -> RowExplanation:
        return explain.explained(row)

    def rules(self) -> Rules:
        return explain.rules(self.settings)


class Glicko2(System[GlickoState]):
    """Rating system registered as glicko-2."""

    key = "glicko-2"
    name = _("Glicko-2")
    summary = _("For any game: ratings with a deviation, which says how certain each rating is.")
    rating_class = GlickoRating
    presentation_class = GlickoPresentation
    options: ClassVar = (
        choice(
            "period",
            "table",
            _("Whether each event is a rating period of its own, or all games of a month are rated together."),
            "table",
            "month",
            label=_("Rating period"),
            changeable=False,
        ),
        number(
            "tau",
            0.5,
            0.2,
            1.5,
            _("How much the volatility can change in a period (τ)."),
            label=_("Limit of volatility"),
        ),
        number("initial_rating", 1500, 1, 5000, _("The rating of a new player."), label=_("First rating")),
        number(
            "initial_deviation",
            350,
            30,
            500,
            _("The deviation of a new player; absence raises no deviation above it."),
            label=_("First deviation"),
        ),
        number(
            "initial_volatility", 0.06, 0.01, 0.2, _("The volatility of a new player."), label=_("First volatility")
        ),
        count(
            "idle_days",
            30,
            1,
            3650,
            _("Days without an event that count as one period, if each event is a period."),
            label=_("Days of a period of absence"),
        ),
        number(
            "provisional_above",
            110,
            0,
            500,
            _("Players with a larger deviation are marked; 500 marks nobody."),
            label=_("Provisional above a deviation of"),
        ),
        number(
            "outsider_deviation",
            0,
            0,
            500,
            _("The deviation of outsiders who have none of their own."),
            label=_("Deviation of outsiders"),
        ),
    )
