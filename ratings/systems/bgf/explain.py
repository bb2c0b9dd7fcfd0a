"""Explanations of bgf ratings: the terms of a game, the lines of a row, and the rules with a list's settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ratings.systems.handicaps import MAX_STONES
from ratings.systems.messages import Message as _
from ratings.systems.parts import game_parts, rule_part, sum_expected
from ratings.systems.rules import Rules, RuleTable, make_rule_table
from ratings.systems.values import Column, Line, PartKind, Row, RowExplanation

from . import tables
from .game import Term, expected_of_black, multiply_weights

GAME = (Column("opponent_rating", _("Their rating"), "points"), Column("score", _("Result"), "score"))
STONES = (Column("stones", _("Stones"), "plain"), Column("colour", _("Colour"), "plain"))
FORMULA = (
    Column("rating", _("Own rating"), "points"),
    Column("a", "A", "points"),
    Column("expected", _("Expected"), "share"),
    Column("con", _("Con"), "points"),
)
WEIGHTS = (
    Column("handicap_weight", _("Handicap"), "share"),
    Column("place_weight", _("Place"), "share"),
    Column("board_weight", _("Board"), "share"),
    Column("online_weight", _("Online"), "share"),
    Column("time_weight", _("Time"), "share"),
)
BONUS, CHANGE = Column("bonus", _("Free points"), "signed"), Column("change", _("Change"), "signed")
NOTES = (
    _(
        "Change = con × (result − expected) × all weights. Con follows from the player’s own rating, A from that of"
        " the weaker player. Weights that are 1 in all games are not shown."
    ),
    _("All games of an event are rated from the ratings before it; the sum is added after it."),
)
WON = _(
    "A grade is won by a rating above the band of the grade before it, and lost by a rating more than 100 points below"
    " its own band."
)
FREE_POINTS = {
    "none": _("“Free points for every game” have no published formula: none are given."),
    "epsilon": _(
        "“Free points for every game” have no published formula: the stronger player gets 0.016 × con, equal players"
        " half of it each."
    ),
    "egf2021": _(
        "“Free points for every game” have no published formula: ln(1 + exp((250 − rating) ÷ 80)) ÷ 5 are given."
    ),
}
RANKS, DIFFERENCES = range(-20, 6), range(-200, 201, 50)  # of Table II: 20 kyu to 6 dan
LOWEST, HIGHEST = -30, 8  # of the table of grades: 30 kyu to 9 dan


def term(game: Term) -> dict[str, Any]:
    """Return a game as JSON for the explanation.

    Its keys are opponent, opponent_rating, rating, score, stones, colour, expected, con, a, the five weights and their
    product `weight`, bonus and change.
    """
    factors = game.factors
    return {
        "opponent": game.opponent,
        "opponent_rating": game.opponent_rating,
        "rating": game.rating,
        "score": game.score,
        "stones": game.stones,
        "colour": (_("Black") if game.black else _("White")) if game.stones else "",
        "expected": factors.expected,
        "con": factors.con,
        "a": factors.a,
        "handicap_weight": factors.handicap,
        "place_weight": factors.place,
        "board_weight": factors.board,
        "online_weight": factors.online,
        "time_weight": factors.time,
        "weight": multiply_weights(factors),
        "bonus": factors.bonus,
        "change": game.change,
    }


def explained(row: Row) -> RowExplanation:
    # omit weights that are always 1, and stones if no game has any
    stones = STONES if any(game["stones"] for game in row.terms) else ()
    weights = [column for column in WEIGHTS if any(game[column.key] != 1 for game in row.terms)]
    bonus = [BONUS] if any(game["bonus"] for game in row.terms) else []
    lines = (
        Line(_("Rating before"), row.before or 0, "points"),
        Line(_("Sum of the games"), row.change or 0, "signed"),
        Line(_("Rating after"), row.after or 0, "points"),
    )
    parts = (
        *game_parts(row.terms, without="bonus"),
        *rule_part(_("Free points for every game"), sum(game["bonus"] for game in row.terms), PartKind.BONUS),
    )
    columns = (*GAME, *stones, *FORMULA, *weights, *bonus, CHANGE)
    return RowExplanation(columns, lines, NOTES, parts, sum_expected(row.terms))


def table_1() -> RuleTable:
    ratings = [tables.LOWEST_ANCHOR + tables.STEP * i for i in range(len(tables.CON))]
    rows = (
        (tables.grade_name(tables.grade_of(rating)), rating, con, tables.a_factor(rating))
        for rating, con in zip(ratings, tables.CON, strict=True)
    )
    note = _("Between these ratings the values change in a straight line, which continues beyond them.")
    return make_rule_table(
        _("Con and A by rating (Table I)"), (_("Rank"), _("Rating"), _("Con"), "A"), *rows, note=note
    )


def table_2() -> RuleTable:
    """Return Table II: the points for a win in an even tournament game, by the rating difference of the opponent."""
    rows = []
    for grade in RANKS:
        own = tables.entry_rating(grade)
        full = tables.con_factor(own) * tables.PLACE[True]
        gains = (full * (1 - expected_of_black(own, own + by, 0)) for by in DIFFERENCES)
        rows.append((tables.grade_name(grade), own, *(round(gain, 2) for gain in gains)))
    columns = (_("Rank"), _("Rating"), *(f"{by:+d}".replace("-", "−") if by else "0" for by in DIFFERENCES))
    return make_rule_table(
        _("Points for a win in an even tournament game (Table II)"),
        columns,
        *rows,
        note=_("The columns are the opponent’s rating minus the player’s own."),
    )


def weights() -> Iterator[RuleTable]:
    stones = [
        (
            n,
            tables.handicap_weight(n, black=True, squared=True),
            round(tables.handicap_weight(n, black=False, squared=True), 4),
        )
        for n in range(MAX_STONES + 1)
    ]
    yield make_rule_table(_("Handicap"), (_("Stones"), _("Black"), _("White")), *stones)
    boards = [(f"{size}×{size}", weight) for size, weight in tables.BOARDS]
    yield make_rule_table(_("Board"), (_("Board"), _("Weight")), *boards)
    places = [
        (_("Tournament"), tables.PLACE[True]),
        (_("Club"), tables.PLACE[False]),
        (_("Online or correspondence: multiplied by"), tables.ONLINE),
    ]
    yield make_rule_table(_("Place"), (_("Place"), _("Weight")), *places)


def grade_rows(top: str | None) -> RuleTable:
    """Return the bands with their inertia, highest first; `top` is the highest displayed grade."""
    highest = HIGHEST if top is None else tables.grade_number(top)
    rows = (
        (
            tables.grade_name(grade),
            tables.lower_bound(grade),
            None if grade == highest else tables.promotion_bound(grade),
            tables.demotion_bound(grade),
        )
        for grade in range(highest, LOWEST - 1, -1)
    )
    columns = (_("Grade"), _("Band from"), _("Next grade above"), _("Lost below"))
    return make_rule_table(_("Grades"), columns, *rows, note=WON)


def rules(settings: Mapping[str, Any]) -> Rules:
    within = {
        "event": _("Ratings change after the event. A late result updates all later ratings and grades."),
        "round": _("Ratings change after every round. A late result updates all later ratings and grades."),
    }[settings["within"]]
    return Rules(
        _("Belgian Go Federation, page “rating system” with annexes 1 and 2"),
        (
            _("100 points are one rank and one stone: 1 dan is 0 to 100, 1 kyu −100 to 0."),
            _(
                "The expected result of Black is 1 ÷ (1 + exp(−D ÷ A)), with D = Black’s rating + 100 × handicap −"
                " White’s rating, and A by the rating of the weaker player."
            ),
            _(
                "The change for a game is con × (result − expected) × the weights of handicap, place, board, online"
                " play and thinking time."
            ),
            within,
            WON,
            _(
                "A new player starts in the middle of the declared rank. Without a declared rank, the games are not"
                " rated."
            ),
        ),
        (table_1(), grade_rows(settings["top_label"]), *weights(), table_2()),
        (
            _(
                "The handicap is the number of stones minus ½. White’s weight is Black’s weight, squared since"
                " {white_squared_from}.",
                white_squared_from=settings["white_squared_from"],
            ),
            _(
                "Before {board_2021}, the weight of a small board fell from 1 at 20 kyu to 0 at 1 kyu, by the player’s"
                " own rating. Other sizes are not rated.",
                board_2021=settings["board_2021"],
            ),
            _(
                "The weight of the thinking time is minutes ÷ 75, at most 1. Overtime adds the time of 60 moves"
                " (Canadian), 45 moves (Japanese) or 120 increments."
            ),
            _(
                "A game is too fast with less than 40 minutes and no overtime, with less than 30 minutes and overtime,"
                " or with overtime faster than 20 moves in 5 minutes."
            ),
            _("An unknown thinking time has the weight 1. Jigo counts half a point."),
            FREE_POINTS[settings["bonus"]],
        ),
    )
