"""Both systems of the Renju International Federation in words: terms, lines, and the rules with a list's settings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .rif_1995_event import (
    FACTOR,
    SPREAD,
    Starter,
    difference,
    interval,
)
from .rif_1997_event import ESTABLISHED_GAMES, ESTABLISHED_POINTS, MOST_ABOVE, Scored
from .rif_state import list_day_before, next_list_day
from .values import Column, Explained, Line, Row, Table
from .words import Words as _

GAMES_1995 = (Column("opponent_rating", _("Start rating"), "rating"), Column("score", _("Result"), "score"))
GAMES_1997 = (Column("opponent_rating", _("Rating before"), "rating"), Column("score", _("Result"), "score"))
CHANGES_1997 = (*GAMES_1997, Column("expected", "We", "share"), Column("change", "Rc = 32 × (W − We)", "signed"))
EDGES = {
    "lower": _("R0: set to the lower end of the interval"),
    "upper": _("R0: set to the upper end of the interval"),
    "": "",
}


def terms_1995(player: Starter) -> Iterator[dict[str, Any]]:
    """One object a game that counts: opponent, opponent_rating (his start rating), score."""
    for game in player.counted:
        yield {"opponent": game.opponent.id, "opponent_rating": game.opponent.start, "score": game.score}


def figures_1995(player: Starter, table: Table) -> dict[str, Any]:
    """`start` R or R0, `average` Ra, `expected` Ee, `sum` F unrounded, `edge` and `exact` of a newcomer, and the
    lists: `list` whose ratings are the start ratings, `counts_for` the one the contribution goes to.
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


def explained_1995(row: Row) -> Explained:
    lines = tuple(_newcomer_lines(row) if row.category == "new" else _rated_lines(row))
    notes = [
        _("The contribution is computed from the average of the opponents' start ratings, not game by game."),
        _("Start ratings are the official ratings in force on the first day; official ratings move on list days only."),
    ]
    if row.category == "new":
        notes.append(_(
"A newcomer's start rating is the one at which his results are what was expected, inside the"
" interval; newcomers who met each other are solved together."
))  # fmt: skip
    return Explained(GAMES_1995, lines, tuple(notes))


def _rated_lines(row: Row) -> Iterator[Line]:
    got = row.figures
    source = (
        _("R: start rating (list of {list})", list=got["list"])
        if row.category == "official"
        else _("R: start rating, unofficial")
    )
    yield Line(source, got["start"], "rating")
    yield from _contribution(row)
    yield from _period(row)


def _newcomer_lines(row: Row) -> Iterator[Line]:
    got = row.figures
    low, high = interval(got["average"])
    yield Line(_("Ra: average of the opponents"), got["average"], "points")
    yield Line(_("Interval, lower end"), low, "points")
    yield Line(_("Interval, upper end"), high, "points")
    if not got["edge"]:
        yield Line(f"dR = {SPREAD} × log₂(N / Et − 1)", got["difference"], "signed")
        yield Line("R0 = Ra − dR", got["exact"], "points")
        yield Line("R0, rounded", got["start"], "rating")
        yield Line(_("F: none inside the interval"), 0, "signed")
    else:
        yield Line(EDGES[got["edge"]], got["start"], "rating")
        yield from _contribution(row)
    yield from _period(row)


def _contribution(row: Row) -> Iterator[Line]:
    got = row.figures
    yield Line(_("Ra: average of the opponents"), got["average"], "points")
    yield Line("dR = Ra − R", got["average"] - got["start"], "signed")
    yield Line(_("Et: points"), got["points"], "points")
    yield Line(f"Ee = N / (1 + 2^(dR / {SPREAD}))", got["expected"], "share")
    yield Line(f"{FACTOR} × (Et − Ee)", got["sum"], "signed")
    yield Line(_("F: contribution, rounded"), row.change or 0, "signed")


def _period(row: Row) -> Iterator[Line]:
    got = row.figures
    if row.category == "official":
        yield Line(_("Official rating, unchanged until the list day"), row.after or 0, "rating")
        yield Line(_("The contribution is added on the list of"), got["counts_for"], "plain")
    else:
        yield Line(_("Rating so far (unofficial)"), row.after or 0, "rating")
        yield Line(_("It becomes official on the list of"), got["counts_for"], "plain")


def terms_1997(player: Scored) -> Iterator[dict[str, Any]]:
    """One object a game: opponent, opponent_rating, score; of established players also expected and change.

    Before he is established, the games of earlier events come first, without an opponent.
    """
    if player.rating is None:
        for rating, score in player.results:
            yield {"opponent": None, "opponent_rating": rating, "score": score}
    for game in player.games:
        term = {"opponent": game.opponent, "opponent_rating": game.opponent_rating, "score": game.score}
        yield term if game.expected is None else term | {"expected": game.expected, "change": game.change}


def figures_1997(player: Scored) -> dict[str, Any]:
    """`exact` the unrounded rating, `sum` of Rc; of others `total` games, `points`, `average`, `balance`."""
    if player.rating is not None:
        return {"exact": player.exact, "sum": sum(game.change for game in player.games)}
    results = player.all_results
    return {
        "exact": player.exact,
        "total": len(results),
        "points": sum(score for _, score in results),
        "average": sum(rating for rating, _ in results) / len(results),
        "balance": sum(2 * score - 1 for _, score in results),
    }


def explained_1997(row: Row) -> Explained:
    got = row.figures
    if row.category == "established":
        lines = [
            Line(_("Rating before"), row.before or 0, "rating"),
            Line(_("Sum of Rc"), got["sum"], "signed"),
            Line(_("Together"), got["exact"], "share"),
            Line(_("Rounded, once for the event"), row.after or 0, "rating"),
        ]
        return Explained(CHANGES_1997, tuple(lines), (_("Only games with other established players count."),))
    lines = [
        Line(_("Games with established players so far (N)"), got["total"], "plain"),
        Line(_("Points in them"), got["points"], "points"),
        Line(_("Ra: average of the opponents"), got["average"], "points"),
        Line("400 × (W − L) / N", 400 * got["balance"] / got["total"], "signed"),
        Line(_("Rp, at most Ra + {most_above}", most_above=MOST_ABOVE), got["exact"], "points"),
    ]
    if row.after is not None:
        lines.append(Line(_("Established, rounded"), row.after, "rating"))
    need = _(
        "Established from {established_games} games and {established_points} points on; until then not published.",
        established_games=ESTABLISHED_GAMES,
        established_points=ESTABLISHED_POINTS,
    )
    return Explained(
        GAMES_1997, tuple(lines), (need, _("All games with established players count, of earlier events too."))
    )
