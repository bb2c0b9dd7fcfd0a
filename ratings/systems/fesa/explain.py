"""Explanations of ratings in both FESA editions: columns, lines and notes."""

from __future__ import annotations

from collections.abc import Iterator

from ratings.systems.messages import Message as _
from ratings.systems.parts import game_parts, rule_part, sum_expected
from ratings.systems.values import Category, Column, Line, Part, PartKind, Row, RowExplanation

LOWEST = 1
"""Lowest rating of a rated player."""

USED = (Column("opponent_rating", _("Their rating"), "rating"), Column("score", _("Result"), "score"))
EXPECTED = Column("expected", _("Expected"), "share")
WEIGHT = Column("weight", _("Weight"), "share")

OPTIONAL_2016 = (Column("upset_gain", _("Upset gain instead"), "signed"), Column("bonus", _("Bonus"), "signed"))
"""Columns that are left out if no game has a value in them."""
RATED_2016 = (
    *USED,
    Column("rating", _("Own rating before the game"), "points"),
    EXPECTED,
    Column("k", "K", "plain"),
    Column("formula", _("K × (result − expected)"), "signed"),
    *OPTIONAL_2016,
    Column("change", _("Change"), "signed"),
)
RATED_2000 = (
    *USED,
    Column("rating", _("Own rating before the event"), "rating"),
    EXPECTED,
    Column("k", "K", "plain"),
    WEIGHT,
    Column("change", _("Change, rounded"), "signed"),
)
OPPONENTS_2016 = {
    False: _(
        "Opponents count with their rating after this event, never below 400. The player’s own rating moves on after"
        " each game."
    ),
    True: _(
        "Opponents count with the ratings entered, never below 400. The player’s own rating moves on after each game."
    ),
}
OPPONENTS_2000 = {
    False: _(
        "Opponents count with their rating after this event. Each game is rated from the rating before the event, and"
        " rounded."
    ),
    True: _(
        "Opponents count with the ratings entered. Each game is rated from the rating before the event, and rounded."
    ),
}
"""Notes by whether the opponents' ratings are fixed."""
NOTES_2016 = (
    _("Beating a much stronger player counts K × difference ÷ 160 if that is more."),
    _("Below 1800, each of the first 100 rated games adds a bonus of (1800 − own rating) ÷ 200."),
)
NOTES_2000 = (_("A game against a player with n < 18 games has the weight (1 + n ÷ 18) ÷ 2."),)
UNRATED = (
    _("Unrated: the first event, fewer than nine games including this event, or only wins or only losses before it."),
    _("The performance is the rating at which this score would have been expected."),
)
UNRATED_2016 = (
    *UNRATED,
    _(
        "A player who lost every game gets 1; a player who won every game is credited with a draw against their"
        " strongest opponent."
    ),
    _("An opponent below 400 counts as 400."),
)
UNRATED_2000 = (
    *UNRATED,
    _(
        "No rating is below 400, which a player who lost every game gets; a player who won every game is credited with"
        " a draw against their strongest opponent."
    ),
)


def explained_2016(row: Row, *, fixed_opponents: bool = False) -> RowExplanation:
    if row.category == Category.UNRATED:
        return RowExplanation((*USED, EXPECTED), _make_performance_lines(row), UNRATED_2016)
    notes = (OPPONENTS_2016[fixed_opponents], *NOTES_2016)
    bonus = sum(game["bonus"] for game in row.terms)
    parts = (
        *game_parts(row.terms, without="bonus"),
        *rule_part(_("Bonus of the first 100 rated games"), bonus, PartKind.BONUS),
        *_make_lowest_part(row),
    )
    unused = {column.key for column in OPTIONAL_2016 if not any(game[column.key] for game in row.terms)}
    columns = tuple(column for column in RATED_2016 if column.key not in unused)
    return RowExplanation(columns, _make_sum_lines(row), notes, parts, sum_expected(row.terms))


def explained_2000(row: Row, *, fixed_opponents: bool = False) -> RowExplanation:
    if row.category == Category.UNRATED:
        return RowExplanation((*USED, WEIGHT, EXPECTED), _make_performance_lines(row), UNRATED_2000)
    lines = [*_make_sum_lines(row)]
    corrections = []
    if row.category == Category.PROVISIONAL:
        corrections.append(
            Line(_("Provisional: multiplied by 18 ÷ number of games"), row.figures["provisional"], "signed")
        )
    if row.figures["bonus"]:
        corrections.append(Line(_("Bonus for fast improvers"), row.figures["bonus"], "signed"))
    notes = (OPPONENTS_2000[fixed_opponents], *NOTES_2000)
    change = row.figures["sum"] if row.figures["provisional"] is None else row.figures["provisional"]
    parts = (
        *game_parts(row.terms),
        *rule_part(_("Provisional ratings move more: multiplied by 18 ÷ number of games"), change - row.figures["sum"]),
        *rule_part(_("Bonus for fast improvers"), row.figures["bonus"], PartKind.BONUS),
        *_make_lowest_part(row),
    )
    return RowExplanation(RATED_2000, (*lines[:2], *corrections, *lines[2:]), notes, parts, sum_expected(row.terms))


def _make_lowest_part(row: Row) -> Iterator[Part]:
    """Yield what the floor adds (2016: rule 8; 2000: rule 1): a sum below the lowest rating becomes that rating."""
    raised = max(0.0, LOWEST - row.figures["exact"])
    yield from rule_part(_("No rating falls below {lowest}", lowest=LOWEST), raised, PartKind.FLOOR)


def _make_performance_lines(row: Row) -> tuple[Line, ...]:
    return (
        Line(_("Performance over all these games"), row.figures["exact"], "points"),
        Line(_("Rounded"), row.after or 0, "rating"),
    )


def _make_sum_lines(row: Row) -> tuple[Line, ...]:
    return (
        Line(_("Rating before"), row.before or 0, "rating"),
        Line(_("Sum of the games"), row.figures["sum"], "signed"),
        Line(_("Exact result"), row.figures["exact"], "points"),
        Line(_("Rounded"), row.after or 0, "rating"),
    )
