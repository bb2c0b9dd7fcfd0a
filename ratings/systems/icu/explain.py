"""Explanations of icu-1989 ratings: the terms of a game, the lines of a row, and the rules with a list's settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ratings.systems.arithmetic import expected_score
from ratings.systems.messages import Message as _
from ratings.systems.parts import game_parts, rule_part
from ratings.systems.rules import Rules, make_rule_table
from ratings.systems.values import Column, Line, Part, Row, RowExplanation

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

USED = (Column("opponent_rating", _("Rating used"), "points"), Column("score", _("Result"), "score"))
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
    "cap": _("Bonus, cut so that it carries nobody past the cap"),
    "": _("Bonus: as much as the gain at K = 32 exceeds the threshold, times K / 32"),
}
FIXED_OPPONENTS = _("Opponents count with the ratings entered.")
MEAN_WORTH = _("Ungraded: the rating is the mean of the last column but one.")
NOTES_GRADED = (
    _(
        "Ungraded and provisional opponents count with their rating after this event, all others with the"
        " one before it."
    ),
    _("Feedback: games against opponents who earned a bonus are rated again with their new rating."),
)
NOTES_PROVISIONAL = (
    _("Provisional: the old rating weighs as many games as it is based on, each game of this event one."),
    _(
        "Provisional opponents count with their rating after this event, or with their performance in it"
        " where that is higher and well enough based; graded ones with their rating before it."
    ),
)
NOTES_UNGRADED = (
    _(
        "Ungraded: the rating at which the mean of the last column but one is the rating itself. Ungraded"
        " players who met each other are solved together: each one's solution stands in the others'"
        " equations."
    ),
    _("Feedback: an opponent's gain and bonus, divided by the games the rating is based on, where he earned a bonus."),
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
        return shared | {"games_before": player.games_before, "sum": total, "first": player.first,
                         "revised": player.revised}  # fmt: skip
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
        yield Line(_("Performance, which the bonus must not pass"), row.performance or 0, "points")
    yield Line(CUTS[values["cut"]] if values["bonus"] or values["cut"] else _("Bonus"), values["bonus"], "signed")
    yield Line(_("Feedback"), values["feedback"], "signed")
    if abs(values["over_cap"]) > 1e-9:
        yield Line(_("Taken back: the bonus carries nobody past the cap"), -values["over_cap"], "signed")
    yield Line(_("Together"), values["exact"], "points")
    yield Line(_("Rounded"), row.after or 0, "rating")


def _make_graded_parts(row: Row) -> Iterator[Part]:
    values = row.figures
    yield from game_parts(row.terms)
    yield from rule_part(_("Bonus"), values["bonus"])
    yield from rule_part(_("Feedback"), values["feedback"])
    yield from rule_part(_("Taken back: the bonus carries nobody past the cap"), -values["over_cap"])


def _make_provisional_lines(row: Row) -> Iterator[Line]:
    values = row.figures
    yield Line(_("Rating before, times the {games_before} games it is based on", games_before=values["games_before"]),
               (row.before or 0) * values["games_before"], "points")  # fmt: skip
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
                "An event is rated as a whole: first ungraded players, then provisional ones, then those of both who"
                " met provisional players once more, then graded players, with what the others came to."
            ),
            _("Expected score: 1 / (1 + 10^((opponent − own) / 400)), without a limit of the difference."),
            _("Ungraded: simultaneous equations; a group that met nobody with a rating stays ungraded."),
            _(
                "Provisional, fewer than {limit} games before the event: (N × rating + sum of opponents ± 400) /"
                " (N + n).",
                limit=limit,
            ),
            _(
                "Graded: K × (points − expected points), plus bonus, plus feedback; rounded once, halves away from"
                " zero."
            ),
        ),
        (
            make_rule_table(
                _("K factor"),
                (_("Player"), "K"),
                (_("rated {master} or more before the event", master=MASTER), K_MASTER),
                (_("under 21 on the first day of the event"), K_YOUNG),
                (_("at most {settled_after} years after the start year", settled_after=SETTLED_AFTER), K_NEW),
                (_("everybody else"), K_SETTLED),
            ),
            make_rule_table(
                _("Threshold of the bonus"),
                (_("Games in the event"), _("Gain at K = 32")),
                *((games, threshold) for games, threshold in thresholds if threshold is not None),
                note=_(
                    "One point of bonus for every point of gain beyond; two points more for every further game. Other"
                    " K: computed at 32, then times K / 32; K = 24 and K = 16 earn none."
                ),
            ),
        ),
        (
            _("Exactly the threshold earns no bonus. Where the gain alone exceeds the performance, it stays whole."),
            _("Nobody passes {cap} by bonus points; who reaches it by the gain alone gets none.", cap=settings["cap"]),
            _("Feedback is counted a game, once, and changes no bonus."),
            _(
                "Age: full years on the event's first day. Birth date unknown: not under 21. Start year unknown:"
                " settled."
            ),
            _("The list year is the year of the event; a difference of exactly 8 years still gives 32."),
            _("Provisional opponents count with the performance, where it is higher, in the revision only")
            if not settings["bracket_for_graded"]
            else _("Provisional opponents count with the performance, where it is higher, for graded players too."),
        ),
    )
