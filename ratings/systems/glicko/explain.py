"""Explanations of glicko-2 ratings: the terms of a game, the lines of a row, and the rules with a list's settings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ratings.systems.messages import Message as _
from ratings.systems.parts import game_parts, sum_expected
from ratings.systems.rules import Rules, RuleTable, make_rule_table
from ratings.systems.values import Column, Line, Row, RowExplanation

from .game import SCALE, Period, Result, expected_score, weigh_deviation


def terms(opponents: Sequence[str | None], results: Sequence[Result], period: Period) -> tuple[dict[str, Any], ...]:
    """Return the games of a rated period as JSON for the explanation.

    The keys are opponent, opponent_rating, opponent_deviation, score, g, expected, surprise (g x (score - expected))
    and change, the game's share of the rating change. The opponent is None if only the rating is known.
    """
    return tuple(
        {
            "opponent": opponent,
            "opponent_rating": result.rating,
            "opponent_deviation": result.deviation,
            "score": result.score,
            "g": share.g,
            "expected": share.expected,
            "surprise": share.g * (result.score - share.expected),
            "change": share.change,
        }
        for opponent, result, share in zip(opponents, results, period.games, strict=True)
    )


def waiting_terms(opponents: Sequence[str], rating: float, results: Sequence[Result]) -> tuple[dict[str, Any], ...]:
    """Return the games of a table that waits for the end of its month; they have no change yet."""
    return tuple(
        {
            "opponent": opponent,
            "opponent_rating": result.rating,
            "opponent_deviation": result.deviation,
            "score": result.score,
            "g": weigh_deviation(result.deviation),
            "expected": expected_score(rating, result.rating, result.deviation),
        }
        for opponent, result in zip(opponents, results, strict=True)
    )


def figures(deviation: float, volatility: float, idle: float, period: Period) -> dict[str, float]:
    """Return the figures of a rated row: deviations and volatility before and after, v, delta, idle and grown."""
    return {
        "exact": period.rating,
        "deviation_before": deviation,
        "deviation": period.deviation,
        "volatility_before": volatility,
        "volatility": period.volatility,
        "v": period.v,
        "delta": period.delta / SCALE,
        "idle": idle,
        "deviation_grown": period.grown,
    }


GAME = (
    Column("opponent_rating", _("Their rating"), "points"),
    Column("opponent_deviation", _("± (deviation)"), "points"),
    Column("score", _("Result"), "score"),
    Column("g", "g", "share"),
    Column("expected", _("Expected"), "share"),
)
RATED = (Column("surprise", _("g × (result − expected)"), "share"), Column("change", _("Change"), "signed"))
NOTES = (
    _(
        "A game counts less the less certain the opponent’s rating is: g falls from 1 as their deviation grows. The"
        " change of a game is the factor below × g × (result − expected)."
    ),
    _("All games of a period are rated by the ratings and deviations at its start."),
)
WAITING = _("The games of a month are rated together on its last day.")


def explained(row: Row) -> RowExplanation:
    """Explain a rated row by the shares of its games, or a row whose games wait for the end of the month."""
    if "v" not in row.figures:
        return RowExplanation(GAME, (Line(_("Rating before"), row.before or 0.0, "points"),), (WAITING,))
    at = row.figures
    factor = at["deviation"] ** 2 / SCALE
    lines = (
        Line(_("Rating before"), row.before or 0.0, "points"),
        Line(_("Periods of absence before"), at["idle"], "points"),
        Line(_("Deviation at the start of the period"), at["deviation_before"], "points"),
        Line(_("Deviation of a rating from these games alone (√v)"), SCALE * math.sqrt(at["v"]), "points"),
        Line(_("Improvement by these games alone (Δ)"), SCALE * at["delta"], "signed"),
        Line(_("Volatility before"), f"{at['volatility_before']:.6f}", "plain"),
        Line(_("Volatility after"), f"{at['volatility']:.6f}", "plain"),
        Line(_("Deviation with the growth of this period"), at["deviation_grown"], "points"),
        Line(_("Deviation after the games"), at["deviation"], "points"),
        Line(_("Factor: deviation² ÷ 173.7178"), factor, "points"),
        Line(_("Rating change"), row.change or 0.0, "signed"),
        Line(_("Rating after"), row.after or 0.0, "points"),
    )
    return RowExplanation((*GAME, *RATED), lines, NOTES, tuple(game_parts(row.terms)), sum_expected(row.terms))


DEVIATIONS = (0, 30, 50, 80, 110, 150, 200, 250, 300, 350)
COLUMNS = (0, 50, 110, 200, 350)
DIFFERENCES = (0, 50, 100, 200, 300, 400, 600)


def _weights() -> RuleTable:
    rows = ((deviation, round(weigh_deviation(deviation), 4)) for deviation in DEVIATIONS)
    return make_rule_table(_("Weight of a game by the opponent’s deviation"), (_("Deviation"), "g"), *rows)


def _expected_scores() -> RuleTable:
    rows = ((by, *(round(expected_score(by, 0, deviation), 3) for deviation in COLUMNS)) for by in DIFFERENCES)
    columns = (_("Rating difference"), *(f"±{deviation}" for deviation in COLUMNS))
    return make_rule_table(_("Expected score of the higher rated player"), columns, *rows)


def rules(settings: Mapping[str, Any]) -> Rules:
    """Return the rules with a list's settings."""
    period = (
        _("All games of events that end in a calendar month are one rating period, which is rated on its last day.")
        if settings["period"] == "month"
        else _("Every event is a rating period of its own for those who play in it.")
    )
    absence = (
        _("A month without a game counts as one period: the deviation grows, and the rating stays.")
        if settings["period"] == "month"
        else _(
            "Days without an event count as a period for each {days} of them, with fractions: the deviation grows, and"
            " the rating stays.",
            days=settings["idle_days"],
        )
    )
    start = _(
        "A new player begins with the rating {rating}, the deviation {deviation} and the volatility {volatility}.",
        rating=f"{settings['initial_rating']:g}",
        deviation=f"{settings['initial_deviation']:g}",
        volatility=f"{settings['initial_volatility']:g}",
    )
    return Rules(
        _("M. Glickman, “Example of the Glicko-2 system”"),
        (
            _(
                "Every player has a rating, a deviation, which says how certain the rating is, and a volatility, which"
                " says how much the playing strength changes."
            ),
            start,
            period,
            _(
                "The expected score follows from the rating difference, and is nearer to ½ the less certain the"
                " opponent’s rating is."
            ),
            _(
                "The rating moves by a factor × g × (result − expected) for each game. The factor is large while the"
                " player’s own deviation is large; g is the weight of the game by the opponent’s deviation."
            ),
            _(
                "Games lower the deviation, and each period raises it a little. Surprising results raise the"
                " volatility, expected ones lower it."
            ),
            absence,
        ),
        (_weights(), _expected_scores()),
        (
            _(
                "The deviation shown is one standard deviation. The strength is within two of them with a certainty of"
                " 95 %."
            ),
            _("Absence never raises the deviation above {deviation}.", deviation=f"{settings['initial_deviation']:g}"),
            _(
                "Players with a deviation above {deviation} are marked as provisional.",
                deviation=f"{settings['provisional_above']:g}",
            ),
            _("How much the volatility can change in a period is limited by τ = {tau}.", tau=f"{settings['tau']:g}"),
            _("Games with a handicap are not rated, because the formulas have no term for a handicap."),
            _(
                "Outsiders without a deviation of their own have the deviation {deviation}.",
                deviation=f"{settings['outsider_deviation']:g}",
            ),
        ),
    )
