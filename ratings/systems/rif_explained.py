"""Both systems of the Renju International Federation in words: terms, lines, and the rules with a list's settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .arithmetic import away_from_zero
from .rif_1995_event import (
    FACTOR,
    INTERVAL,
    LEAST_GAMES,
    PIVOT,
    REACH,
    SPREAD,
    Starter,
    difference,
    interval,
    win_expectancy,
)
from .rif_1997_event import ESTABLISHED_GAMES, ESTABLISHED_POINTS, MOST_ABOVE, Scored
from .rif_state import ABSENCE_YEARS, list_day_before, next_list_day
from .rules import Rules, RuleTable, columns_of
from .values import Column, Explained, Line, Row, Table

GAMES_1995 = (Column("opponent_rating", "Start rating", "rating"), Column("score", "Result", "score"))
GAMES_1997 = (Column("opponent_rating", "Rating before", "rating"), Column("score", "Result", "score"))
CHANGES_1997 = (*GAMES_1997, Column("expected", "We", "share"), Column("change", "Rc = 32 × (W − We)", "signed"))
EDGES = {"lower": "set to the lower end of the interval", "upper": "set to the upper end of the interval", "": ""}
FURTHEST = 2000  # points of difference that the appendix goes to


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
        "The contribution is computed from the average of the opponents' start ratings, not game by game.",
        "Start ratings are the official ratings in force on the first day; official ratings move on list days only.",
    ]
    if row.category == "new":
        notes.append("A newcomer's start rating is the one at which his results are what was expected, inside the"
                     " interval; newcomers who met each other are solved together.")  # fmt: skip
    return Explained(GAMES_1995, lines, tuple(notes))


def _rated_lines(row: Row) -> Iterator[Line]:
    got = row.figures
    source = f"R: start rating (list of {got['list']})" if row.category == "official" else "R: start rating, unofficial"
    yield Line(source, got["start"], "rating")
    yield from _contribution(row)
    yield from _period(row)


def _newcomer_lines(row: Row) -> Iterator[Line]:
    got = row.figures
    low, high = interval(got["average"])
    yield Line("Ra: average of the opponents", got["average"], "points")
    yield Line("Interval, lower end", low, "points")
    yield Line("Interval, upper end", high, "points")
    if not got["edge"]:
        yield Line(f"dR = {SPREAD} × log₂(N / Et − 1)", got["difference"], "signed")
        yield Line("R0 = Ra − dR", got["exact"], "points")
        yield Line("R0, rounded", got["start"], "rating")
        yield Line("F: none inside the interval", 0, "signed")
    else:
        yield Line(f"R0: {EDGES[got['edge']]}", got["start"], "rating")
        yield from _contribution(row)
    yield from _period(row)


def _contribution(row: Row) -> Iterator[Line]:
    got = row.figures
    yield Line("Ra: average of the opponents", got["average"], "points")
    yield Line("dR = Ra − R", got["average"] - got["start"], "signed")
    yield Line("Et: points", got["points"], "points")
    yield Line(f"Ee = N / (1 + 2^(dR / {SPREAD}))", got["expected"], "share")
    yield Line(f"{FACTOR} × (Et − Ee)", got["sum"], "signed")
    yield Line("F: contribution, rounded", row.change or 0, "signed")


def _period(row: Row) -> Iterator[Line]:
    got = row.figures
    if row.category == "official":
        yield Line("Official rating, unchanged until the list day", row.after or 0, "rating")
        yield Line("The contribution is added on the list of", got["counts_for"], "plain")
    else:
        yield Line("Rating so far (unofficial)", row.after or 0, "rating")
        yield Line("It becomes official on the list of", got["counts_for"], "plain")


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
            Line("Rating before", row.before or 0, "rating"),
            Line("Sum of Rc", got["sum"], "signed"),
            Line("Together", got["exact"], "points"),
            Line("Rounded, once for the event", row.after or 0, "rating"),
        ]
        return Explained(CHANGES_1997, tuple(lines), ("Only games with other established players count.",))
    lines = [
        Line("Games with established players so far (N)", got["total"], "plain"),
        Line("Points in them", got["points"], "points"),
        Line("Ra: average of the opponents", got["average"], "points"),
        Line("400 × (W − L) / N", 400 * got["balance"] / got["total"], "signed"),
        Line(f"Rp, at most Ra + {MOST_ABOVE}", got["exact"], "points"),
    ]
    if row.after is not None:
        lines.append(Line("Established, rounded", row.after, "rating"))
    need = f"Established from {ESTABLISHED_GAMES} games and {ESTABLISHED_POINTS} points on; until then not published."
    return Explained(
        GAMES_1997, tuple(lines), (need, "All games with established players count, of earlier events too.")
    )


def appendix() -> RuleTable:
    """The appendix of 1995: contributions of a single game, by the formula, for differences up to 2000."""
    bands: list[list[int]] = []
    for points in range(FURTHEST + 1):
        gain = away_from_zero(FACTOR * (1 - win_expectancy(-points)))
        if bands and bands[-1][2] == gain:
            bands[-1][1] = points
        else:
            bands.append([points, points, gain])
    rows = [(f"{low}–{high}", gain, FACTOR - gain, FACTOR // 2 - gain) for low, high, gain in bands]
    note = "By the formula. The printed appendix ends its last band but one at 724, where the formula gives 717."
    columns = ("Difference", "The higher rated wins", "The lower rated wins", "Draw, for the lower rated")
    return columns_of("A single game", columns, *rows, note=note)


SHARED_READINGS = (
    "Expected score: 1 / (1 + 2^(dR / 120)); it rules where the appendix's table differs.",
    "Least thinking time: 60 minutes a player (45 before 1996); where it is not known, the table is rated.",
    (
        f"After {ABSENCE_YEARS} years without a rated table a rating is no longer published; play brings"
        " it back unchanged."
    ),
    "Walk-overs, correspondence and online games are not rated. Roundings: nearest integer, halves away from zero.",
)


def rules_1995(settings: Mapping[str, Any]) -> Rules:
    met = "left out" if settings["new_vs_new"] == "ignore" else "solved together with the rest"
    return Rules(
        "Renju International Federation, General Assembly 1995 (#1–#9) with the decisions of 1996",
        (
            (
                "Lists of 30 April, 31 August and 31 December. A table starts from the official ratings in force on its"
                " first day and counts for the first list day on or after its last."
            ),
            (
                f"Contribution: F = {FACTOR} × (Et − Ee), Ee = N / (1 + 2^(dR / {SPREAD})), dR = average of the"
                " opponents −"
                " own start rating; rounded once. On the list day all contributions of the period are added."
            ),
            (
                f"Newcomers need {LEAST_GAMES} games; their start rating is the one that explains their points, within"
                f" {INTERVAL[0]}–{INTERVAL[1]} where the opponents average {PIVOT} or more, else within {REACH}"
                " of the average."
            ),
            (
                "From 1996 on a newcomer without points against officially rated players gets no start rating,"
                " and games"
                f" between newcomers are {met}."
            ),
        ),
        (appendix(),),
        (
            *SHARED_READINGS,
            (
                "Newcomers of one table are solved together where games between them count; a group that met no rated"
                f" player has no solution and is taken in one pass against {PIVOT}."
            ),
            "Between two lists a newcomer goes on from his unofficial rating.",
        ),
    )


def rules_1997() -> Rules:
    return Rules(
        "Renju International Federation, General Assembly 1997 (3, 5–9)",
        (
            "Each event is rated by itself, by its last day, and the next one starts from what it gave.",
            (
                f"Established: at least {ESTABLISHED_GAMES} games with established players and"
                f" {ESTABLISHED_POINTS} points in"
                f" them. Game by game Rc = {FACTOR} × (W − We), We = 1 / (1 + 2^(dR / {SPREAD})); the sum is"
                " rounded once."
            ),
            "Established players are rated only in games with each other.",
            (
                "Before that: Rp = Ra + 400 × (W − L) / N over all games with established players, at most Ra +"
                f" {MOST_ABOVE};"
                " computed, not published. Who passes the limits during an event is established after it."
            ),
        ),
        (appendix(),),
        (*SHARED_READINGS, "Late reports: everything from their date on is rated again."),
    )
