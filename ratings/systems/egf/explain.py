"""Explanations of egf-2021 ratings: the terms of a game, the lines of a row, and the rules with a list's settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ratings.systems.messages import Message as _
from ratings.systems.parts import game_parts, rule_part, sum_expected
from ratings.systems.rules import Rules, RuleTable, make_rule_table
from ratings.systems.thinking_time import BYO_YOMI_MOVES, CANADIAN_MOVES, INCREMENT_MOVES, adjusted_minutes
from ratings.systems.values import Column, Line, PartKind, Row, RowExplanation, Table

from . import tables
from .game import Term

GAME = (Column("opponent_rating", _("Their rating"), "exact"), Column("score", _("Result"), "score"))
STONES = (
    Column("stones", _("Stones"), "plain"),
    Column("colour", _("Colour"), "plain"),
    Column("counted_rating", _("Own rating with handicap"), "exact"),
    Column("counted_opponent_rating", _("Their rating with handicap"), "exact"),
)
EXPECTED = (Column("expected", _("Expected"), "share"), Column("con", _("Con"), "exact"))
CLASS = (Column("class", _("Class"), "plain"), Column("weight", _("Weight"), "share"))
BONUS, CHANGE = Column("bonus", _("Bonus × weight"), "exact_signed"), Column("change", _("Change"), "exact_signed")
NOTES = (
    _(
        "Change = weight × (con × (result − expected) + bonus). Con and bonus follow from the player’s own rating"
        " without handicap, the expected score from both ratings with it."
    ),
    _("All games of an event are rated by the ratings at its start. The changes are added after it."),
)
EXAMPLES = range(-900, 3000, 300)
DIFFERENCES = (0, 50, 100, 200, 300, 400)
OWN_RATINGS = (100, 1100, 2100, 2600)


def term(game: Term) -> dict[str, Any]:
    """Return a game as JSON for the explanation.

    Its keys are opponent, opponent_rating, rating, score, stones, colour, counted_rating and counted_opponent_rating
    (with the handicap), expected, con, class, weight, bonus (times the weight) and change.
    """
    own, other = game.counted_ratings
    return {
        "opponent": game.opponent,
        "opponent_rating": game.opponent_rating,
        "rating": game.rating,
        "score": game.score,
        "stones": game.stones,
        "colour": (_("Black") if game.black else _("White")) if game.stones else "",
        "counted_rating": own,
        "counted_opponent_rating": other,
        "expected": game.expected,
        "con": game.con,
        "class": game.time_class,
        "weight": game.weight,
        "bonus": game.weighted_bonus,
        "change": game.change,
    }


def time_figures(table: Table) -> dict[str, Any]:
    """Return what decided the class of a table, as figures of its rows.

    The keys are `class_given` (by the federation), or `basic_minutes` and `adjusted_minutes`; none if no thinking time
    is known.
    """
    if table.time_class:
        return {"class_given": table.time_class}
    if table.minutes is None:
        return {}
    return {
        "basic_minutes": table.minutes,
        "adjusted_minutes": adjusted_minutes(table.minutes, table.overtime),
    }


def explained(row: Row) -> RowExplanation:
    """Explain a row by the changes of its games, their bonus, and the lowest rating if that was reached."""
    stones = STONES if any(game["stones"] for game in row.terms) else ()
    weights = CLASS if any(game["weight"] != 1 for game in row.terms) else ()
    bonus = sum(game["bonus"] for game in row.terms)
    results = sum(game["change"] for game in row.terms) - bonus
    raised = (row.change or 0.0) - results - bonus
    floor = _("Raised to the lowest rating, {lowest}", lowest=f"{tables.LOWEST:.0f}".replace("-", "−"))
    reached = raised > 1e-9
    lines = (
        Line(_("Rating before"), row.before or 0.0, "exact"),
        Line(_("Sum of the results: weight × con × (result − expected)"), results, "exact_signed"),
        Line(_("Sum of the bonus: weight × bonus"), bonus, "exact_signed"),
        *([Line(floor, raised, "exact_signed")] if reached else []),
        Line(_("Rating after"), row.after or 0.0, "exact"),
        Line(_("Nearest rank"), tables.nearest_rank(row.after or 0.0), "plain"),
    )
    parts = (
        *game_parts(row.terms, without="bonus"),
        *rule_part(_("Bonus for every game"), bonus, PartKind.BONUS),
        *(rule_part(floor, raised, PartKind.FLOOR) if reached else ()),
    )
    columns = (*GAME, *stones, *EXPECTED, *weights, *([BONUS] if bonus else []), CHANGE)
    return RowExplanation(columns, lines, (*NOTES, *_class_notes(row)), parts, sum_expected(row.terms))


def _class_notes(row: Row) -> tuple[str, ...]:
    """Return the sentence that says why the games have their class."""
    classes = sorted({game["class"] for game in row.terms} - {tables.ONLINE})
    if not classes:
        return ()
    if "class_given" in row.figures:
        return (_("The federation gave this event the class {name}.", name=classes[0]),)
    if "basic_minutes" not in row.figures:
        return (_("The thinking time is unknown; the games count with class {name}.", name=classes[0]),)
    return (
        _(
            "Class {name}: {basic} minutes of basic time, {adjusted} minutes with overtime.",
            name=classes[0],
            basic=f"{row.figures['basic_minutes']:g}",
            adjusted=f"{row.figures['adjusted_minutes']:g}",
        ),
    )


def _values_by_rating() -> RuleTable:
    rows = (
        (tables.nearest_rank(own), own, round(tables.con_factor(own), 3), round(tables.bonus_points(own), 3))
        for own in EXAMPLES
    )
    columns = (_("Rank"), _("Rating"), _("Con"), _("Bonus"))
    return make_rule_table(_("Con and bonus by rating"), columns, *rows)


def _expected_scores() -> RuleTable:
    rows = ((own, *(round(tables.expected_of_black(own, own + by, 0), 3) for by in DIFFERENCES)) for own in OWN_RATINGS)
    columns = (_("Rating"), *(f"+{by}" if by else "0" for by in DIFFERENCES))
    note = _("The columns are the opponent’s rating minus the player’s own.")
    return make_rule_table(_("Expected score"), columns, *rows, note=note)


def _classes() -> RuleTable:
    rows = ((one.name, one.weight, one.basic, one.adjusted, one.fischer) for one in tables.CLASSES.values())
    columns = (
        _("Class"),
        _("Weight"),
        _("Basic time at least"),
        _("With overtime at least"),
        _("Basic time with an increment at least"),
    )
    note = _(
        "In minutes. D is the class of games played on the internet. Club games are of class C at most. A class that"
        " the federation gives to an event counts in place of the times."
    )
    return make_rule_table(_("Classes"), columns, *rows, note=note)


def rules(settings: Mapping[str, Any]) -> Rules:
    """Return the rules with a list's settings."""
    bonus = {
        "on": _("Every rated game, won or lost, brings a bonus of ln(1 + exp((2300 − rating) ÷ 80)) ÷ 5."),
        "off": _("This list gives no bonus for games."),
    }[settings["bonus"]]
    weights = {
        "by_class": _("The change for each game, with its bonus, is multiplied by the weight of the event’s class."),
        "none": _("Every event counts fully, whatever its class is."),
    }[settings["weights"]]
    most = settings["max_stones"]
    stones = (
        _("Games with more handicap stones than {most} are not rated.", most=most)
        if most
        else _("Games with a handicap are not rated.")
    )
    return Rules(
        _("European Go Federation, page “EGF rating system”, since 2021"),
        (
            _("100 points are one rank: 1 dan is 2100, 1 kyu 2000, 20 kyu 100. No rating is below −900."),
            _(
                "The expected score of a player rated r against an opponent rated s is"
                " (3300 − s)⁷ ÷ ((3300 − r)⁷ + (3300 − s)⁷)."
            ),
            _("The change for a game is con × (result − expected), with con = ((3300 − rating) ÷ 200)^1.6."),
            bonus,
            weights,
            _("All games of an event are rated by the ratings at its start. The changes are added after it."),
            _(
                "A new player begins with the rating of the declared rank; professionals of 1 dan with 2700, and 30"
                " points more for each further dan. Games of a player with neither a rating nor a declared rank are not"
                " rated, for the opponent either."
            ),
        ),
        (_classes(), _values_by_rating(), _expected_scores()),
        (
            _(
                "The handicap is the number of stones minus ½. For the expected score, Black’s rating is raised by 100"
                " points times the handicap."
            ),
            stones,
            _(
                "Overtime adds the time of {canadian} moves (Canadian), {byo_yomi} moves (byo-yomi) or {increment}"
                " increments.",
                canadian=CANADIAN_MOVES,
                byo_yomi=BYO_YOMI_MOVES,
                increment=INCREMENT_MOVES,
            ),
            _(
                "A tournament of unknown thinking time counts with class {name}, club games with class C.",
                name=settings["unknown_time"],
            ),
            _(
                "Games on boards other than 19×19, correspondence games and games too fast for class C (on the"
                " internet: class D) are not rated."
            ),
            _("Events that ended before 1996 are not rated."),
            _("The system awards no grades. Ranks are declared; a list may show the rank that is nearest to a rating."),
        ),
    )
