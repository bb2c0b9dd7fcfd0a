"""Explanations of fide-2024 ratings: games of a table, the making of a list, and the rules of a chapter."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ratings.systems.messages import Message as _
from ratings.systems.rules import Rules, make_rule_table
from ratings.systems.values import Column, Line, Part, Row, RowExplanation

from . import tables
from .game import change_of_game
from .lists import ListResult
from .messages import FideMessage

# a birth year may not be published, so juniors and new players have one sentence
K_OF_40 = _("K = 40: fewer than 30 rated games before, or a junior who was never published with 2300 or more")
K_RULES = {
    "2400": _("K = 10: once published with 2400 or more"),
    "junior": K_OF_40,
    "new": K_OF_40,
    "other": _("K = 20"),
}
ASSUMPTIONS = {"birth_date": _("birth year unknown: not taken as a junior")}
"""What the rules take for unknown values, by the name of the value."""


def explain_refused_games(ratings: Sequence[tuple[int, int]], minutes: float | None, chapter: str) -> Iterator[str]:
    """Yield why games between players of these ratings are not rated, with their numbers (1.1 and 7.3.1).

    `minutes` is the thinking time for 60 moves.
    """
    if not ratings:
        return
    if chapter != "standard":
        values = {"above": tables.PROTECTED_ABOVE, "difference": tables.PROTECTED_DIFFERENCE}
        yield FideMessage.GAMES_TOO_UNEVEN(games=len(ratings), **values)
        return
    counts = Counter(
        next((bound, least) for bound, least in tables.LEAST_MINUTES if max(pair) >= bound) for pair in ratings
    )
    for (bound, least), games in sorted(counts.items()):
        yield FideMessage.GAMES_TOO_FAST(games=games, minutes=minutes, least=least, bound=bound)


def terms(
    games: Sequence[tuple[str, int, float]], own: int | None, start: dt.date, chapter: str
) -> tuple[dict[str, Any], ...]:
    """Return the games of a table as JSON for the explanation.

    The keys are opponent, opponent_rating and score, and for a rated player difference (as used), capped, expected,
    change and `counted_as`, which says how a difference above 400 counts.
    """
    return tuple(
        {"opponent": id, "opponent_rating": rating, "score": score, **_change(own, rating, score, start, chapter)}
        for id, rating, score in games
    )


def _change(own: int | None, opponent: int, score: float, start: dt.date, chapter: str) -> dict[str, Any]:
    if own is None:
        return {}
    game = change_of_game(own, opponent, score, start, chapter)
    beyond = abs(own - opponent) > tables.CAP
    counted_as = ""
    if game.capped:
        counted_as = _("counted as 400")
    elif beyond:
        counted_as = _("real difference: own rating 2650 or more")
    return {
        "difference": game.difference,
        "capped": game.capped,
        "expected": game.expected / 100,
        "change": game.change / 100,
        "counted_as": counted_as,
    }


def list_terms(result: ListResult, chapter: str) -> tuple[dict[str, Any], ...]:
    """Return the games that counted for a list as JSON, without the opponents' names, which a state does not hold.

    The keys are those of a table's games, and `start`, the first day of the game's table.
    """
    k, terms = result.figures.get("k", 0), []
    for entry in result.tables:
        for rating, score in entry.games:
            change = _change(entry.rating, rating, score, entry.start, chapter)
            points = {"points": k * change["change"]} if change else {}
            terms.append(
                {
                    "start": entry.start.isoformat(),
                    "rating": entry.rating,
                    "opponent_rating": rating,
                    "score": score,
                    **change,
                    **points,
                }
            )
    return tuple(terms)


USED = (Column("opponent_rating", _("Their rating"), "rating"), Column("score", _("Result"), "score"))
RATED = (
    Column("difference", _("Difference"), "plain"),
    Column("counted_as", _("Counted as"), "plain"),
    Column("expected", _("Expected"), "points"),
    Column("change", _("Result − expected"), "signed"),
)
STARTED = Column("start", _("First day of the event"), "day")
OWN = Column("rating", _("Own rating"), "rating")
POINTS = Column("points", _("K × (result − expected)"), "signed")
NOTES = (
    _("Ratings are those of the list in force on the first day of the event."),
    _(
        "When a list is made, the sum of result − expected over all games that count for it is multiplied by K and"
        " rounded once."
    ),
)
FIRST_NOTES = (
    _(
        "A player without a rating collects games against rated opponents: five of them on the last 26 lists give a"
        " first rating."
    ),
)


def explained(row: Row) -> RowExplanation:
    """Explain a row of a table, whose points wait for a list, or a row of a list."""
    if "counts_for" in row.figures:
        return _explain_table(row)
    if "average" in row.figures:
        return _explain_first_rating(row)
    if "k" in row.figures:
        return _explain_list(row)
    return RowExplanation((STARTED, *USED), (Line(_("Games so far"), row.figures["games"], "plain"),), FIRST_NOTES)


def _explain_table(row: Row) -> RowExplanation:
    at = row.figures
    if at["sum"] is None:
        collected = Line(_("Games collected so far"), at["collected"], "plain")
        return RowExplanation(USED, (collected,), FIRST_NOTES)
    lines = (
        Line(_("Rating of the list of {day}", day=at["start_list"]), at["start"], "rating"),
        Line(_("Sum of result − expected"), at["sum"], "signed"),
        Line(K_RULES[at["k_rule"]], at["k"], "plain"),
        Line(_("K × sum, for the list of {day}", day=at["counts_for"]), row.change or 0.0, "signed"),
    )
    parts = tuple(Part(at["k"] * game["change"], n) for n, game in enumerate(row.terms))
    return RowExplanation((*USED, *RATED), lines, NOTES, parts, sum(game["expected"] for game in row.terms))


def _explain_list(row: Row) -> RowExplanation:
    at = row.figures
    k_lines = [Line(K_RULES[at["k_rule"]], at["k_listed"], "plain")]
    if at["k"] != at["k_listed"]:
        label = _(
            "K {listed} becomes {k}, because {games} × {listed} is more than 700",
            listed=at["k_listed"],
            k=at["k"],
            games=at["games"],
        )
        k_lines.append(Line(label, at["k"], "plain"))
    lines = (
        Line(_("Rating before"), at["base"], "rating"),
        *_table_lines(row),
        Line(_("Games"), at["games"], "plain"),
        Line(_("Sum of result − expected"), at["sum"], "signed"),
        *k_lines,
        Line(_("K × sum"), at["exact"], "signed"),
        Line(_("Rounded, halves away from zero"), f"{round(row.change or 0):+d}".replace("-", "−"), "plain"),
        Line(_("Rating after"), at["new_rating"], "rating"),
        *(
            [Line(_("Below 1400, the lowest rating: the player is unrated from this list on"), "–", "plain")]
            if row.after is None
            else []
        ),
    )
    rounding = (row.change or 0) - at["exact"]
    parts = [Part(game["points"], n) for n, game in enumerate(row.terms)]
    if rounding:
        parts.append(Part(rounding, label=_("Rounding")))
    columns = (STARTED, OWN, *USED, *RATED, POINTS)
    return RowExplanation(columns, lines, NOTES, tuple(parts), sum(game["expected"] for game in row.terms))


def _table_lines(row: Row) -> Iterator[Line]:
    """Yield the sum of each table of a period, if there are several."""
    sums: dict[str, float] = {}
    for game in row.terms:
        sums[game["start"]] = sums.get(game["start"], 0.0) + game["points"]
    if len(sums) > 1:
        for start, points in sums.items():
            yield Line(_("Events begun on {day}: K × sum", day=start), points, "signed")


def _explain_first_rating(row: Row) -> RowExplanation:
    at = row.figures
    limit = []
    if at["new_rating"] == tables.FIRST_AT_MOST and at["exact"] > tables.FIRST_AT_MOST:
        limit = [Line(_("A first rating is at most 2200"), tables.FIRST_AT_MOST, "rating")]
    if row.after is None:
        limit = [Line(_("Below 1400, the lowest rating: no first rating yet; the games are kept"), "–", "plain")]
    lines = (
        Line(_("Sum of the opponents’ ratings"), at["sum_of_ratings"], "plain"),
        Line(_("Games"), at["games"], "plain"),
        Line(_("Points"), at["points"], "plain"),
        Line(_("Average with two opponents of 1800"), at["average"], "points"),
        Line(_("Share of the points, with two draws against them"), at["p"], "points"),
        Line(_("Rating difference of this share"), at["dp"], "plain"),
        Line(_("Average + difference"), at["exact"], "points"),
        *limit,
        *([] if row.after is None else [Line(_("First rating"), row.after, "rating")]),
    )
    return RowExplanation((STARTED, *USED), lines, FIRST_NOTES)


def rules(settings: Mapping[str, Any]) -> Rules:
    """Return the rules of a chapter."""
    chapter = settings["chapter"]
    ends = (0, *(end + 1 for end in tables.DIFFERENCES))
    expected = []
    for number, first in enumerate(ends):
        last = tables.DIFFERENCES[number] if number < len(tables.DIFFERENCES) else None
        differences = f"≥ {first}" if last is None else f"{first}–{last}"
        higher = tables.expected_hundredths(first)
        expected.append((differences, f"{higher / 100:.2f}", f"{1 - higher / 100:.2f}"))
    performances = [
        (f"{hundredths / 100:.2f}", tables.performance_difference(hundredths)) for hundredths in range(100, 49, -1)
    ]
    times = {
        "standard": _(
            "Standard: at least 60 minutes for 60 moves; at least 90 if a player is rated 1800 or more, and 120 if one"
            " is rated 2400 or more."
        ),
        "rapid": _("Rapid: more than 10 and less than 60 minutes for 60 moves."),
        "blitz": _("Blitz: more than 3 and at most 10 minutes for 60 moves."),
    }[chapter]
    cap = (
        _(
            "A rating difference of more than 400 counts as 400. From 1 October 2025 on, the real difference counts for"
            " players of 2650 or more."
        )
        if chapter == "standard"
        else _("A rating difference of more than 400 counts as 400.")
    )
    more = (
        ()
        if chapter == "standard"
        else (
            _("A player without a rating on this list begins with the standard rating, if there is one."),
            _("Since 1 December 2024, a game with a difference of 600 or more is not rated if a player is above 2600."),
        )
    )
    k_rows = [
        (_("once published with 2400 or more"), 10),
        (_("up to the year of the 18th birthday, never published with 2300 or more"), 40),
        (_("fewer than 30 games"), 40),
        (_("others"), 20),
    ]
    return Rules(
        _("FIDE Rating Regulations effective from 1 March 2024, with the amendment of 1 October 2025"),
        (
            _("A list is made on the first day of each month, and is in force from that day on."),
            _(
                "An event counts for the first list at least three days after its end. Its games are rated by the"
                " ratings of the list in force on its first day."
            ),
            cap,
            _("The change for a game is result − expected, with the expected score from the table below."),
            _("The changes of a period are added, multiplied by K and rounded once, halves away from zero."),
            _("K × games is at most 700: K is lowered for players with many games in a period."),
            _(
                "A first rating needs five games against rated opponents on the last 26 lists. Two draws against"
                " opponents of 1800 are added to them. The first rating is then the average of the opponents’ ratings"
                " plus the rating difference of the score, and at most 2200."
            ),
            _("A first event without a point does not count for a first rating."),
            _("1400 is the lowest rating: a player who falls below it becomes unrated."),
        ),
        (
            make_rule_table("K", (_("Players"), _("K")), *k_rows, note=_("The first line that fits counts.")),
            make_rule_table(
                _("Expected score by rating difference (8.1.2)"), (_("Difference"), _("Higher"), _("Lower")), *expected
            ),
            make_rule_table(_("Rating difference of a score (8.1.1)"), (_("Score"), _("Difference")), *performances),
        ),
        (
            times,
            *more,
            _("An event reported later than the third list after its end is not rated."),
            _("Players without a rated game on the last twelve lists are marked as inactive and stay on the list."),
            _("Games on the internet, correspondence games and games with a handicap are not rated."),
        ),
    )
