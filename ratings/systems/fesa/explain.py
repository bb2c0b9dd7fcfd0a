"""Both FESA editions: how a number was made, in words and columns for the explanation."""

from __future__ import annotations

from .values import Column, Explained, Line, Row
from .words import Words as _

USED = (Column("opponent_rating", _("Rating used"), "rating"), Column("score", _("Result"), "score"))
EXPECTED = Column("expected", _("Expected"), "share")
WEIGHT = Column("weight", _("Weight"), "share")

RATED_2016 = (
    *USED,
    Column("rating", _("Own rating"), "points"),
    EXPECTED,
    Column("k", "K", "plain"),
    Column("formula", _("K × (result − expected)"), "signed"),
    Column("upset_gain", _("Upset gain instead"), "signed"),
    Column("bonus", _("Bonus"), "signed"),
    Column("change", _("Change"), "signed"),
)
RATED_2000 = (
    *USED,
    Column("rating", _("Own rating"), "rating"),
    EXPECTED,
    Column("k", "K", "plain"),
    WEIGHT,
    Column("change", _("Change, rounded"), "signed"),
)
NOTES_2016 = (
    _("Opponents count with their rating after this table, at least 400; the own rating runs along from game to game."),
    _("A win against a stronger player counts the upset gain, K × (difference) / 160, where that is more."),
    _("Below 1800 every one of the first 100 rated games brings a bonus of (1800 − own rating) / 200."),
)
NOTES_2000 = (
    _(
        "Opponents count with their rating after this table; every game is rated from the rating before it,"
        " and rounded."
    ),
    _("A game against a player with n < 18 games has the weight (1 + n/18) / 2."),
)
UNRATED = (
    _("Unrated: fewer than nine games so far, or only wins or only losses before."),
    _("The performance is the rating at which the results are what was expected."),
)
UNRATED_2016 = (
    *UNRATED,
    _("At 0 % the rating is 1; at 100 % a draw with the highest opponent is added."),
    _("An opponent below 400 counts as 400."),
)
UNRATED_2000 = (
    *UNRATED,
    _("At 0 % the rating is 400, which is also the least; at 100 % a draw with the highest opponent is added."),
)


def explained_2016(row: Row) -> Explained:
    if row.category == "unrated":
        return Explained((*USED, EXPECTED), _performance(row), UNRATED_2016)
    return Explained(RATED_2016, _sum(row), NOTES_2016)


def explained_2000(row: Row) -> Explained:
    if row.category == "unrated":
        return Explained((*USED, WEIGHT, EXPECTED), _performance(row), UNRATED_2000)
    lines = [*_sum(row)]
    corrections = []
    if row.category == "provisional":
        corrections.append(Line(_("Provisional: times 18 / number of games"), row.figures["provisional"], "signed"))
    if row.figures["bonus"]:
        corrections.append(Line(_("Bonus for fast improvers"), row.figures["bonus"], "signed"))
    return Explained(RATED_2000, (*lines[:2], *corrections, *lines[2:]), NOTES_2000)


def _performance(row: Row) -> tuple[Line, ...]:
    return (
        Line(_("Performance over all these games"), row.figures["exact"], "points"),
        Line(_("Rounded"), row.after or 0, "rating"),
    )


def _sum(row: Row) -> tuple[Line, ...]:
    return (
        Line(_("Rating before"), row.before or 0, "rating"),
        Line(_("Sum of the games"), row.figures["sum"], "signed"),
        Line(_("Together"), row.figures["exact"], "points"),
        Line(_("Rounded"), row.after or 0, "rating"),
    )
