"""Explanations of icu-1989 ratings: the terms of a game, the lines of a row, and the rules with a list's settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ratings.systems.arithmetic import expected_score
from ratings.systems.messages import Message as _
from ratings.systems.parts import game_parts, rule_part
from ratings.systems.rules import Rules, make_rule_table
from ratings.systems.values import Column, Line, Part, PartKind, Row, RowExplanation

from .event import (
    GRADED,
    K_MASTER,
    K_NEW,
    K_OF_BONUS,
    K_SETTLED,
    K_YOUNG,
    MASTER,
    PROVISIONAL,
    SETTLED_AFTER,
    Entrant,
    bonus_threshold,
    compute_gain,
)

USED = (Column("opponent_rating", _("Their rating"), "points"), Column("score", _("Result"), "score"))
FEEDBACK = Column("feedback", _("Feedback"), "signed")
GRADED_COLUMNS = (
    *USED,
    Column("expected", _("Expected"), "share"),
    Column("change", _("K × (result − expected)"), "signed"),
    FEEDBACK,
)
OTHER_COLUMNS = (*USED, Column("worth", _("Rating + 400 for a win, − 400 for a loss"), "points"), FEEDBACK)
CUTS = {
    "performance": _("Bonus, cut so that the new rating does not exceed the performance"),
    "cap": _("Bonus, cut so that it does not raise the rating above the cap"),
    "": _("Bonus: the gain at K = 32 above the threshold, multiplied by K ÷ 32"),
}
FIXED_OPPONENTS = _("Opponents count with the ratings entered.")
MEAN_WORTH = _("Ungraded: the rating is the mean of the second-last column.")
NOTES_GRADED = (
    _(
        "Ungraded and provisional opponents count with their rating after this event, all others with their rating"
        " before it."
    ),
    _("Feedback: games against opponents who earned a bonus are rated again with their new rating."),
)
NOTES_PROVISIONAL = (
    _("Provisional: the old rating counts as many times as the games it is based on, each game of this event once."),
    _(
        "Provisional opponents count with their rating after this event, or with their performance in it if that is"
        " higher and based on enough games. Graded opponents count with their rating before it."
    ),
)
NOTES_UNGRADED = (
    _(
        "Ungraded: the rating that equals the mean of the second-last column. Ungraded players who met each other are"
        " solved together, each with the solutions of the others."
    ),
    _(
        "Feedback: the gain and bonus of an opponent who earned a bonus, divided by the number of games that the"
        " rating is based on."
    ),
)

ASSUMPTIONS = {
    "birth_date": _("birth date unknown: taken as 21 or older"),
    "start_year": _("start year unknown: taken as settled"),
}
"""What the rules take for unknown values, by the name of the value."""


def terms(player: Entrant) -> Iterator[dict[str, Any]]:
    """Yield one dictionary per game: opponent, opponent_rating and score.

    Games of graded players also have k, expected and change, all others worth; all have feedback.
    """
    for game in player.played:
        term = {"opponent": game.opponent.id, "opponent_rating": game.rating, "score": game.score}
        if player.kind == GRADED:
            expected = expected_score(player.before or 0, game.rating)
            term |= {"k": player.k, "expected": expected, "change": player.k * (game.score - expected)}
        else:
            term |= {"worth": game.worth}
        yield term | {"feedback": game.feedback}


def figures(player: Entrant, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a row besides the common columns, in rating points except k, points and expected."""
    shared = {"exact": player.after, "feedback": player.feedback}
    if player.kind != GRADED:
        total = sum(game.worth for game in player.played)
        return shared | {
            "games_before": player.games_before,
            "sum": total,
            "first": player.first,
            "revised": player.revised,
        }
    return shared | {
        "k": player.k,
        "points": player.points,
        "expected": player.expected,
        "gain": player.gain,
        "threshold": player.get_threshold(settings),
        "bonus": player.bonus,
        "cut": player.cut,
        "over_cap": (player.before or 0) + player.gain + player.bonus + player.feedback - player.after,
    }


def explained(row: Row, *, fixed_opponents: bool = False) -> RowExplanation:
    if row.category == GRADED:
        notes = (FIXED_OPPONENTS,) if fixed_opponents else NOTES_GRADED
        notes = (*notes, *row.figures["assumed"])
        lines, parts = tuple(_make_graded_lines(row)), tuple(_make_graded_parts(row))
        return RowExplanation(GRADED_COLUMNS, lines, notes, parts, row.figures["expected"])
    if row.category == PROVISIONAL:
        notes = (NOTES_PROVISIONAL[0], FIXED_OPPONENTS) if fixed_opponents else NOTES_PROVISIONAL
        return RowExplanation(OTHER_COLUMNS, tuple(_make_provisional_lines(row)), notes)
    notes = (FIXED_OPPONENTS, MEAN_WORTH) if fixed_opponents else NOTES_UNGRADED
    return RowExplanation(OTHER_COLUMNS, tuple(_make_ungraded_lines(row)), notes)


def _make_graded_lines(row: Row) -> Iterator[Line]:
    values = row.figures
    yield Line(_("Rating before"), row.before or 0, "rating")
    yield Line("K", values["k"], "plain")
    yield Line(_("Gain: sum of the games"), values["gain"], "signed")
    if values["threshold"] is not None:
        yield Line(_("Gain at K = 32"), compute_gain(K_OF_BONUS, values["points"], values["expected"]), "signed")
        yield Line(_("Threshold of the bonus for {games} games", games=row.games), values["threshold"], "plain")
    if values["cut"] == "performance":
        yield Line(_("Performance, the limit of the bonus"), row.performance or 0, "points")
    yield Line(CUTS[values["cut"]] if values["bonus"] or values["cut"] else _("Bonus"), values["bonus"], "signed")
    yield Line(_("Feedback"), values["feedback"], "signed")
    if abs(values["over_cap"]) > 1e-9:
        yield Line(_("Taken back: the bonus does not raise the rating above the cap"), -values["over_cap"], "signed")
    yield Line(_("Exact result"), values["exact"], "points")
    yield Line(_("Rounded"), row.after or 0, "rating")


def _make_graded_parts(row: Row) -> Iterator[Part]:
    values = row.figures
    yield from game_parts(row.terms)
    yield from rule_part(_("Bonus"), values["bonus"], PartKind.BONUS)
    yield from rule_part(_("Feedback"), values["feedback"])
    yield from rule_part(
        _("Taken back: the bonus does not raise the rating above the cap"), -values["over_cap"], PartKind.BONUS
    )


def _make_provisional_lines(row: Row) -> Iterator[Line]:
    values = row.figures
    yield Line(
        _("Rating before, multiplied by the {games_before} games it is based on", games_before=values["games_before"]),
        (row.before or 0) * values["games_before"],
        "points",
    )
    yield Line(_("Sum of this event's games"), values["sum"], "points")
    if values["revised"] is not None:
        yield Line(_("First value, before the revision"), values["first"], "points")
    value = values["first"] if values["revised"] is None else values["revised"]
    yield Line(
        _("Both, divided by {games_before} games", games_before=values["games_before"] + row.games), value, "points"
    )
    yield Line(_("Feedback"), values["feedback"], "signed")
    yield Line(_("Rounded"), row.after or 0, "rating")


def _make_ungraded_lines(row: Row) -> Iterator[Line]:
    values = row.figures
    yield Line(_("Sum of this event's games"), values["sum"], "points")
    if values["revised"] is not None:
        yield Line(_("First solution, before the revision"), values["first"], "points")
    value = values["first"] if values["revised"] is None else values["revised"]
    yield Line(_("Solution: the sum divided by {games} games", games=row.games), value, "points")
    yield Line(_("Feedback"), values["feedback"], "signed")
    yield Line(_("Rounded"), row.after or 0, "rating")


def rules(settings: Mapping[str, Any]) -> Rules:
    least, limit = settings["min_bonus_games"], settings["prov_limit"]
    thresholds = ((n, bonus_threshold(n, least)) for n in range(1, 21))
    return Rules(
        _("Irish Chess Union, rating procedures: fax of Fred Harte to NAGOR, 1989"),
        (
            _(
                "An event is rated as a whole: first the ungraded players, then the provisional ones. Those of both"
                " who met provisional players are rated once more. Graded players come last, against the new ratings"
                " of the others."
            ),
            _("The expected score is 1 ÷ (1 + 10^((opponent − own) ÷ 400)), however large the difference."),
            _(
                "Ungraded players are rated by simultaneous equations. A group that met nobody with a rating stays"
                " ungraded."
            ),
            _(
                "Provisional players have fewer than {limit} games before the event. Their new rating is (N × rating +"
                " sum of opponents ± 400) ÷ (N + n), with N games before the event and n games in it.",
                limit=limit,
            ),
            _(
                "The change of graded players is K × (points − expected points), plus bonus, plus feedback, rounded"
                " once with halves away from zero."
            ),
        ),
        (
            make_rule_table(
                _("K factor"),
                (_("Player"), "K"),
                (_("rated {master} or more before the event", master=MASTER), K_MASTER),
                (_("under 21 on the first day of the event"), K_YOUNG),
                (_("at most {settled_after} years after the start year", settled_after=SETTLED_AFTER), K_NEW),
                (_("all others"), K_SETTLED),
            ),
            make_rule_table(
                _("Threshold of the bonus"),
                (_("Games in the event"), _("Gain at K = 32")),
                *((games, threshold) for games, threshold in thresholds if threshold is not None),
                note=_(
                    "Each point of gain above the threshold earns one bonus point. For each game beyond the table, the"
                    " threshold is two points higher. For other K, the bonus is computed at K = 32 and multiplied by K"
                    " ÷ 32; K = 24 and K = 16 earn none."
                ),
            ),
        ),
        (
            _(
                "Reaching the threshold exactly earns no bonus. A gain that alone exceeds the performance is kept in"
                " full."
            ),
            _(
                "Bonus points raise no rating above {cap}. A player who reaches it by the gain alone gets none.",
                cap=settings["cap"],
            ),
            _("Feedback is counted once for each game and does not change a bonus."),
            _(
                "Age is counted in full years on the first day of the event. A player without a known birth date "
                "counts as 21 or older, and without a known start year as settled."
            ),
            _("The time since the start year is counted to the year of the event. Exactly 8 years still give K = 32."),
            _(
                "Provisional opponents count with their performance, if it is higher, only where players are rated"
                " once more."
            )
            if not settings["bracket_for_graded"]
            else _("Provisional opponents count with their performance, if it is higher, for graded players too."),
        ),
    )
