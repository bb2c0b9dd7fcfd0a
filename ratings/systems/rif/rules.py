"""Rules of both systems of the Renju International Federation, for the page that explains the ratings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ratings.systems.arithmetic import round_half_away_from_zero
from ratings.systems.messages import Message as _
from ratings.systems.rules import Rules, RuleTable, make_rule_table

from .event_1995 import FACTOR, INTERVAL, MIN_GAMES, PIVOT, REACH, SPREAD, win_expectancy
from .event_1997 import ESTABLISHED_GAMES, ESTABLISHED_POINTS, MOST_ABOVE
from .rating import LEAST_MINUTES, LEAST_MINUTES_BEFORE_1996
from .state import ABSENCE_YEARS

FURTHEST = 2000  # highest rating difference of the appendix


def appendix() -> RuleTable:
    """Return the appendix of 1995: contributions of a single game, by the formula, for differences up to 2000."""
    bands: list[list[int]] = []
    for points in range(FURTHEST + 1):
        gain = round_half_away_from_zero(FACTOR * (1 - win_expectancy(-points)))
        if bands and bands[-1][2] == gain:
            bands[-1][1] = points
        else:
            bands.append([points, points, gain])
    rows = [(f"{low}–{high}", gain, FACTOR - gain, FACTOR // 2 - gain) for low, high, gain in bands]
    note = _(
        "Computed by the formula. The printed appendix ends its second-last band at 724, where the formula gives 717."
    )
    columns = (_("Difference"), _("The higher rated wins"), _("The lower rated wins"), _("Draw, for the lower rated"))
    return make_rule_table(_("A single game"), columns, *rows, note=note)


SHARED_READINGS = (
    _(
        "The expected score is 1 ÷ (1 + 2^(dR ÷ {spread})). Where the table of the appendix differs, the formula"
        " counts.",
        spread=SPREAD,
    ),
    _(
        "Players need at least {least} minutes of thinking time each ({earlier} before 1996). Results with an unknown"
        " thinking time are rated.",
        least=LEAST_MINUTES,
        earlier=LEAST_MINUTES_BEFORE_1996,
    ),
    _(
        "After {absence_years} years without a rated event, a rating is no longer published. Playing again brings it"
        " back unchanged.",
        absence_years=ABSENCE_YEARS,
    ),
    _(
        "Walk-overs, correspondence and online games are not rated. Ratings are rounded to the nearest whole number,"
        " halves away from zero."
    ),
)


def rules_1995(settings: Mapping[str, Any]) -> Rules:
    newcomers = {
        "ignore": _(
            "Since 1996, a newcomer without points against officially rated players gets no start rating, and games"
            " between newcomers are left out."
        ),
        "joint": _(
            "Since 1996, a newcomer without points against officially rated players gets no start rating, and games"
            " between newcomers are solved together with the others."
        ),
    }[settings["new_vs_new"]]
    return Rules(
        _("Renju International Federation, General Assembly 1995 (#1–#9) with the decisions of 1996"),
        (
            _(
                "Lists are dated 30 April, 31 August and 31 December. An event starts from the official ratings on its"
                " first day, and counts for the first list on or after its last day."
            ),
            _(
                "The contribution of an event is F = {factor} × (Et − Ee), rounded once: Et are the points, Ee = N ÷"
                " (1 + 2^(dR ÷ {spread})) the points expected from N games, and dR the average rating of the opponents"
                " minus the player’s start rating. On the day of a list, all contributions since the list before are"
                " added.",
                factor=FACTOR,
                spread=SPREAD,
            ),
            _(
                "Newcomers need {least_games} games. Their start rating is the one that explains their points: within"
                " {low}–{high} if the opponents average {pivot} or more, otherwise within {reach} points of that"
                " average.",
                least_games=MIN_GAMES,
                low=INTERVAL[0],
                high=INTERVAL[1],
                pivot=PIVOT,
                reach=REACH,
            ),
            newcomers,
        ),
        (appendix(),),
        (
            *SHARED_READINGS,
            _(
                "Newcomers of one event are solved together where games between them count. A group that met no rated"
                " player has no solution; its players are rated once, against {pivot}.",
                pivot=PIVOT,
            ),
            _("Between two lists, a newcomer continues from the unofficial rating."),
        ),
    )


def rules_1997() -> Rules:
    return Rules(
        _("Renju International Federation, General Assembly 1997 (3, 5–9)"),
        (
            _(
                "Each event is rated by itself, in the order of their last days, and the next one starts from its"
                " result."
            ),
            _(
                "Established: at least {established_games} games with established players and {established_points}"
                " points in them. The change for a game is Rc = {factor} × (W − We), with the result W and the"
                " expected score We = 1 ÷ (1 + 2^(dR ÷ {spread})). The sum is rounded once.",
                established_games=ESTABLISHED_GAMES,
                established_points=ESTABLISHED_POINTS,
                factor=FACTOR,
                spread=SPREAD,
            ),
            _("Established players are rated only in games with each other."),
            _(
                "Before that: Rp = Ra + 400 × (W − L) ÷ N over all games with established players, at most Ra +"
                " {most_above}. Ra is the average of the opponents, W and L are wins and losses, and N is the number"
                " of games. This rating is not published. A player who passes the limits during an event is"
                " established after it.",
                most_above=MOST_ABOVE,
            ),
        ),
        (appendix(),),
        (*SHARED_READINGS, _("A late result updates all later ratings.")),
    )
