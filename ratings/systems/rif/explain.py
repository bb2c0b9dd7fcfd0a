"""Explanations of both systems of the Renju International Federation: the terms of a game and the lines of a row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ratings.systems.messages import Message as _
from ratings.systems.parts import game_parts, sum_expected
from ratings.systems.values import Category, Column, Line, Row, RowExplanation, Table

from .event_1995 import FACTOR, SPREAD, Entrant1995, difference, start_rating_interval
from .event_1997 import (
    ESTABLISHED_GAMES,
    ESTABLISHED_POINTS,
    MOST_ABOVE,
    Entrant1997,
    bonus,
    count_balance,
    mean_rating,
    split_results,
)
from .state import list_day_before, next_list_day

GAMES_1995 = (Column("opponent_rating", _("Start rating"), "rating"), Column("score", _("Result"), "score"))
GAMES_1997 = (Column("opponent_rating", _("Rating before"), "rating"), Column("score", _("Result"), "score"))
CHANGES_1997 = (*GAMES_1997, Column("expected", "We", "share"), Column("change", "Rc = 32 × (W − We)", "signed"))
EDGES = {
    "lower": _("R0: set to the lower end of the interval"),
    "upper": _("R0: set to the upper end of the interval"),
    "": "",
}


def terms_1995(player: Entrant1995) -> Iterator[dict[str, Any]]:
    """Yield one dictionary per counted game: opponent, opponent_rating (their start rating), score."""
    for game in player.counted:
        yield {"opponent": game.opponent.id, "opponent_rating": game.opponent.start, "score": game.score}


def figures_1995(player: Entrant1995, table: Table) -> dict[str, Any]:
    """Return the values of a row besides the common columns.

    `start` is R or R0, `average` Ra, `difference` dR of a newcomer, `expected` Ee, `sum` F unrounded, `edge` and
    `exact` are those of a newcomer; `list` is the list whose ratings are the start ratings, `counts_for` the list to
    which the contribution is added.
    """
    return {
        "start": player.start,
        "points": player.points,
        "average": player.average,
        "difference": difference(player) if player.new else None,
        "expected": player.expected,
        "sum": player.unrounded,
        "exact": player.exact,
        "edge": player.edge,
        "list": list_day_before(table.date).isoformat(),
        "counts_for": next_list_day(table.last_day).isoformat(),
    }


def explained_1995(row: Row) -> RowExplanation:
    lines = tuple(_make_newcomer_lines(row) if row.category == Category.NEW else _make_rated_lines(row))
    notes = [
        _("The contribution is computed from the average of the opponents' start ratings, not game by game."),
        _("Start ratings are the official ratings in force on the first day; official ratings move on list days only."),
    ]
    if row.category == Category.NEW:
        notes.append(
            _(
                "A newcomer’s start rating is the one at which this score would have been expected, inside the"
                " interval. Newcomers who met each other are solved together."
            )
        )
    expected = None if row.category == Category.NEW else row.figures["expected"]
    return RowExplanation(GAMES_1995, lines, tuple(notes), expected=expected)


def _make_rated_lines(row: Row) -> Iterator[Line]:
    figures = row.figures
    source = (
        _("R: start rating (list of {day})", day=figures["list"])
        if row.category == Category.OFFICIAL
        else _("R: start rating, unofficial")
    )
    yield Line(source, figures["start"], "rating")
    yield from _make_contribution_lines(row)
    yield from _make_period_lines(row)


def _make_newcomer_lines(row: Row) -> Iterator[Line]:
    figures = row.figures
    low, high = start_rating_interval(figures["average"])
    yield Line(_("Ra: average of the opponents"), figures["average"], "points")
    yield Line(_("Interval, lower end"), low, "points")
    yield Line(_("Interval, upper end"), high, "points")
    if not figures["edge"]:
        yield Line(f"dR = {SPREAD} × log₂(N / Et − 1)", figures["difference"], "signed")
        yield Line("R0 = Ra − dR", figures["exact"], "points")
        yield Line("R0, rounded", figures["start"], "rating")
        yield Line(_("F: none inside the interval"), 0, "signed")
    else:
        yield Line(EDGES[figures["edge"]], figures["start"], "rating")
        yield from _make_contribution_lines(row)
    yield from _make_period_lines(row)


def _make_contribution_lines(row: Row) -> Iterator[Line]:
    figures = row.figures
    yield Line(_("Ra: average of the opponents"), figures["average"], "points")
    yield Line("dR = Ra − R", figures["average"] - figures["start"], "signed")
    yield Line(_("Et: points"), figures["points"], "points")
    yield Line(f"Ee = N / (1 + 2^(dR / {SPREAD}))", figures["expected"], "share")
    yield Line(f"{FACTOR} × (Et − Ee)", figures["sum"], "signed")
    yield Line(_("F: contribution, rounded"), row.change or 0, "signed")


def _make_period_lines(row: Row) -> Iterator[Line]:
    figures = row.figures
    if row.category == Category.OFFICIAL:
        yield Line(_("Official rating, unchanged until the list day"), row.after or 0, "rating")
        yield Line(_("The contribution is added on the list of"), figures["counts_for"], "day")
    else:
        yield Line(_("Rating so far (unofficial)"), row.after or 0, "rating")
        yield Line(_("It becomes official on the list of"), figures["counts_for"], "day")


def terms_1997(player: Entrant1997) -> Iterator[dict[str, Any]]:
    """Yield one dictionary per game: opponent, opponent_rating, score; if established also expected and change.

    For players who are not established, the games of earlier events come first, without an opponent.
    """
    if player.rating is None:
        for rating, score in player.results:
            yield {"opponent": None, "opponent_rating": rating, "score": score}
    for game in player.games:
        term = {"opponent": game.opponent, "opponent_rating": game.opponent_rating, "score": game.score}
        yield term if game.expected is None else term | {"expected": game.expected, "change": game.change}


def figures_1997(player: Entrant1997) -> dict[str, Any]:
    """Return the values of a row besides the common columns.

    `exact` is the unrounded rating. Established players also have `sum` of Rc, all others `total` games, `points`,
    `average` and `balance` (wins minus losses).
    """
    if player.rating is not None:
        return {"exact": player.exact, "sum": sum(game.change for game in player.games)}
    results = player.all_results
    ratings, scores = split_results(results)
    return {
        "exact": player.exact,
        "total": len(results),
        "points": player.points,
        "average": mean_rating(ratings),
        "balance": count_balance(scores),
    }


def explained_1997(row: Row) -> RowExplanation:
    figures = row.figures
    if row.category == Category.ESTABLISHED:
        lines = [
            Line(_("Rating before"), row.before or 0, "rating"),
            Line(_("Sum of Rc"), figures["sum"], "signed"),
            Line(_("Exact result"), figures["exact"], "share"),
            Line(_("Rounded, once for the event"), row.after or 0, "rating"),
        ]
        notes = (_("Only games with other established players count."),)
        return RowExplanation(CHANGES_1997, tuple(lines), notes, tuple(game_parts(row.terms)), sum_expected(row.terms))
    lines = [
        Line(_("Games with established players so far (N)"), figures["total"], "plain"),
        Line(_("Points in them"), figures["points"], "points"),
        Line(_("Ra: average of the opponents"), figures["average"], "points"),
        Line("400 × (W − L) / N", bonus(figures["balance"], figures["total"]), "signed"),
        Line(_("Rp, at most Ra + {most_above}", most_above=MOST_ABOVE), figures["exact"], "points"),
    ]
    if row.after is not None:
        lines.append(Line(_("Established, rounded"), row.after, "rating"))
    need = _(
        "Established from {established_games} games and {established_points} points on. Until then, the rating is not"
        " published.",
        established_games=ESTABLISHED_GAMES,
        established_points=ESTABLISHED_POINTS,
    )
    return RowExplanation(
        GAMES_1997,
        tuple(lines),
        (need, _("All games with established players count, including those of earlier events.")),
    )
