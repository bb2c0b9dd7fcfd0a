"""bgf in words: the terms of a game, the lines of a row, and the rules with a list's settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from . import bgf_tables
from .bgf_games import Term, expected_of_black
from .rules import Rules, RuleTable, columns_of
from .values import Column, Explained, Line, Row
from .words import Words as _

GAME = (Column("opponent_rating", _("Rating used"), "points"), Column("score", _("Result"), "score"))
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
        "Change = con × (result − expected) × all weights. Con is the own one, A the weaker player's for"
        " both; weights that are 1 for all games are not shown."
    ),
    _("All games of an event are rated from the ratings before it; the sum is applied after it."),
)
FREE_POINTS = {
    "none": _("«Free points for every game» have no published formula: none are given."),
    "epsilon": _(
        "«Free points for every game» have no published formula: the stronger player gets 0.016 × con, equals half of"
        " it each."
    ),
    "egf2021": _(
        "«Free points for every game» have no published formula: ln(1 + exp((250 − rating) / 80)) / 5 are given."
    ),
}
RANKS, DIFFERENCES = range(-20, 6), range(-200, 201, 50)  # of Table II: 20 kyu to 6 dan
LOWEST, HIGHEST = -30, 8  # of the table of grades: 30 kyu to 9 dan


def term(game: Term) -> dict[str, Any]:
    """opponent, opponent_rating, rating, score, stones, colour, expected, con, a, the five weights, bonus, change."""
    return {
        "opponent": game.opponent,
        "opponent_rating": game.opponent_rating,
        "rating": game.rating,
        "score": game.score,
        "stones": game.stones,
        "colour": (_("Black") if game.black else _("White")) if game.stones else "",
        "expected": game.expected,
        "con": game.con,
        "a": game.a,
        "handicap_weight": game.handicap,
        "place_weight": game.place,
        "board_weight": game.board,
        "online_weight": game.online,
        "time_weight": game.time,
        "weight": game.weight,
        "bonus": game.bonus,
        "change": game.change,
    }


def explained(row: Row) -> Explained:
    # weights of 1 and stones that nobody got are left out
    stones = STONES if any(game["stones"] for game in row.terms) else ()
    weights = [column for column in WEIGHTS if any(game[column.key] != 1 for game in row.terms)]
    free = [BONUS] if any(game["bonus"] for game in row.terms) else []
    lines = (
        Line(_("Rating before"), row.before or 0, "points"),
        Line(_("Sum of the games"), row.change or 0, "signed"),
        Line(_("Rating after"), row.after or 0, "points"),
    )
    return Explained((*GAME, *stones, *FORMULA, *weights, *free, CHANGE), lines, NOTES)


def table_1() -> RuleTable:
    ratings = [bgf_tables.LOWEST_ANCHOR + bgf_tables.STEP * i for i in range(len(bgf_tables.CON))]
    rows = (
        (bgf_tables.grade_name(bgf_tables.grade_of(rating)), rating, con, bgf_tables.a_factor(rating))
        for rating, con in zip(ratings, bgf_tables.CON, strict=True)
    )
    note = _("Linear between these ratings and on beyond them.")
    return columns_of(_("Table I"), (_("Rank"), _("Rating"), _("Con"), "A"), *rows, note=note)


def table_2() -> RuleTable:
    """What a win in an even tournament game brings, by the opponent's rating relative to one's own."""
    rows = []
    for grade in RANKS:
        own = bgf_tables.entry_rating(grade)
        full = bgf_tables.con_factor(own) * bgf_tables.PLACE[True]
        gains = (full * (1 - expected_of_black(own, own + by, 0)) for by in DIFFERENCES)
        rows.append((bgf_tables.grade_name(grade), own, *(round(gain, 2) for gain in gains)))
    columns = (_("Rank"), _("Rating"), *(f"{by:+d}".replace("-", "−") if by else "0" for by in DIFFERENCES))
    return columns_of(_("Table II: points for a win in an even tournament game"), columns, *rows,
                      note=_("The columns are the opponent's rating less one's own."))  # fmt: skip


def weights() -> Iterator[RuleTable]:
    stones = [
        (n, bgf_tables.handicap_weight(n, black=True, squared=True),
         round(bgf_tables.handicap_weight(n, black=False, squared=True), 4))
        for n in range(bgf_tables.MOST_STONES + 1)
    ]  # fmt: skip
    yield columns_of(_("Handicap"), (_("Stones"), _("Black"), _("White")), *stones)
    boards = [(f"{size}×{size}", weight) for size, weight in bgf_tables.BOARDS.items()]
    yield columns_of(_("Board"), (_("Board"), _("Weight")), *boards)
    places = [(_("Tournament"), bgf_tables.PLACE[True]), (_("Club"), bgf_tables.PLACE[False]),
              (_("Online, correspondence: besides"), bgf_tables.ONLINE)]  # fmt: skip
    yield columns_of(_("Place"), (_("Place"), _("Weight")), *places)


def grade_rows(top: str | None) -> RuleTable:
    """The bands with their inertia, highest first; `top` is the highest grade that is shown."""
    highest = HIGHEST if top is None else bgf_tables.grade_number(top)
    step = bgf_tables.STEP
    rows = (
        (bgf_tables.grade_name(n), step * n, None if n == highest else step * (n + 1), step * (n - 1))
        for n in range(highest, LOWEST - 1, -1)
    )
    return columns_of(_("Grades"), (_("Grade"), _("Band from"), _("Next grade above"), _("Lost below")), *rows)


def rules(settings: Mapping[str, Any]) -> Rules:
    within = {
        "event": _("Ratings move after the event; a late result makes everything after it anew, ratings and grades."),
        "round": _("Ratings move after every round; a late result makes everything after it anew, ratings and grades."),
    }[settings["within"]]
    return Rules(
        _("Belgian Go Federation, page «rating system» with annexes 1 and 2"),
        (
            _("100 points are one rank and one stone: 1 dan is 0 to 100, 1 kyu −100 to 0."),
            (_(
"Expected result of Black: 1 / (1 + exp(−D / A)), D = Black + 100 × handicap − White; A by the"
" weaker rating."
)),
            _("Change = con × (result − expected) × weights of handicap, place, board, online and thinking time."),
            within,
            _("A grade is won by a rating above its band and lost more than 100 points below it."),
            _("A new player begins in the middle of his declared rank; without one his games are not rated."),
        ),
        (table_1(), grade_rows(settings["top_label"]), *weights(), table_2()),
        (
            (_(
"Handicap is the number of stones less a half; White's weight is Black's, squared from"
" {white_squared_from} on.", white_squared_from=settings["white_squared_from"]
)),
            (_(
"Small boards before {board_2021}: from 1 at 20 kyu to 0 at 1 kyu by the player's own rating; other"
" sizes are not rated.", board_2021=settings["board_2021"]
)),
            (_(
"Thinking time: minutes / 75, at most 1; overtime adds 60 moves of Canadian, 45 of Japanese, 120"
" increments."
)),
            _(
"Too fast: under 40 minutes sudden death, or under 30 with overtime or faster than 20 moves in 5"
" minutes."
),
            _("Where the thinking time is not known its weight is 1. Jigo counts half a point."),
            FREE_POINTS[settings["bonus"]],
        ),
    )  # fmt: skip
