"""bgf in words: the terms of a game, the lines of a row, and the rules with a list's settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from . import bgf_tables
from .bgf_games import Term, expected_of_black
from .rules import Rules, RuleTable, columns_of
from .values import Column, Explained, Line, Row

GAME = (Column("opponent_rating", "Rating used", "points"), Column("score", "Result", "score"))
STONES = (Column("stones", "Stones", "plain"), Column("colour", "Colour", "plain"))
FORMULA = (
    Column("rating", "Own rating", "points"),
    Column("a", "A", "points"),
    Column("expected", "Expected", "share"),
    Column("con", "Con", "points"),
)
WEIGHTS = (
    Column("handicap_weight", "Handicap", "share"),
    Column("place_weight", "Place", "share"),
    Column("board_weight", "Board", "share"),
    Column("online_weight", "Online", "share"),
    Column("time_weight", "Time", "share"),
)
BONUS, CHANGE = Column("bonus", "Free points", "signed"), Column("change", "Change", "signed")
NOTES = (
    (
        "Change = con × (result − expected) × all weights. Con is the own one, A the weaker player's for both;"
        " weights that are 1 for all games are not shown."
    ),
    "All games of an event are rated from the ratings before it; the sum is applied after it.",
)
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
        "colour": ("Black" if game.black else "White") if game.stones else "",
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
        Line("Rating before", row.before or 0, "points"),
        Line("Sum of the games", row.change or 0, "signed"),
        Line("Rating after", row.after or 0, "points"),
    )
    return Explained((*GAME, *stones, *FORMULA, *weights, *free, CHANGE), lines, NOTES)


def table_1() -> RuleTable:
    ratings = [bgf_tables.LOWEST_ANCHOR + bgf_tables.STEP * i for i in range(len(bgf_tables.CON))]
    rows = (
        (bgf_tables.grade_name(bgf_tables.grade_of(rating)), rating, con, bgf_tables.a_factor(rating))
        for rating, con in zip(ratings, bgf_tables.CON, strict=True)
    )
    note = "Linear between these ratings and on beyond them."
    return columns_of("Table I", ("Rank", "Rating", "Con", "A"), *rows, note=note)


def table_2() -> RuleTable:
    """What a win in an even tournament game brings, by the opponent's rating relative to one's own."""
    rows = []
    for grade in RANKS:
        own = bgf_tables.entry_rating(grade)
        full = bgf_tables.con_factor(own) * bgf_tables.PLACE[True]
        gains = (full * (1 - expected_of_black(own, own + by, 0)) for by in DIFFERENCES)
        rows.append((bgf_tables.grade_name(grade), own, *(round(gain, 2) for gain in gains)))
    columns = ("Rank", "Rating", *(f"{by:+d}".replace("-", "−") if by else "0" for by in DIFFERENCES))
    return columns_of("Table II: points for a win in an even tournament game", columns, *rows,
                      note="The columns are the opponent's rating less one's own.")  # fmt: skip


def weights() -> Iterator[RuleTable]:
    stones = [
        (n, bgf_tables.handicap_weight(n, black=True, squared=True),
         round(bgf_tables.handicap_weight(n, black=False, squared=True), 4))
        for n in range(bgf_tables.MOST_STONES + 1)
    ]  # fmt: skip
    yield columns_of("Handicap", ("Stones", "Black", "White"), *stones)
    boards = [(f"{size}×{size}", weight) for size, weight in bgf_tables.BOARDS.items()]
    yield columns_of("Board", ("Board", "Weight"), *boards)
    places = [("Tournament", bgf_tables.PLACE[True]), ("Club", bgf_tables.PLACE[False]),
              ("Online, correspondence: besides", bgf_tables.ONLINE)]  # fmt: skip
    yield columns_of("Place", ("Place", "Weight"), *places)


def grade_rows(top: str | None) -> RuleTable:
    """The bands with their inertia, highest first; `top` is the highest grade that is shown."""
    highest = HIGHEST if top is None else bgf_tables.grade_number(top)
    step = bgf_tables.STEP
    rows = (
        (bgf_tables.grade_name(n), step * n, None if n == highest else step * (n + 1), step * (n - 1))
        for n in range(highest, LOWEST - 1, -1)
    )
    return columns_of("Grades", ("Grade", "Band from", "Next grade above", "Lost below"), *rows)


def rules(settings: Mapping[str, Any]) -> Rules:
    within = {"event": "the event", "round": "every round"}[settings["within"]]
    return Rules(
        "Belgian Go Federation, page «rating system» with annexes 1 and 2",
        (
            "100 points are one rank and one stone: 1 dan is 0 to 100, 1 kyu −100 to 0.",
            ("Expected result of Black: 1 / (1 + exp(−D / A)), D = Black + 100 × handicap − White; A by the"
            " weaker rating."),
            "Change = con × (result − expected) × weights of handicap, place, board, online and thinking time.",
            f"Ratings move after {within}; a late result makes everything after it anew, ratings and grades.",
            "A grade is won by a rating above its band and lost more than 100 points below it.",
            "A new player begins in the middle of his declared rank; without one his games are not rated.",
        ),
        (table_1(), grade_rows(settings["top_label"]), *weights(), table_2()),
        (
            ("Handicap is the number of stones less a half; White's weight is Black's, squared from"
            f" {settings['white_squared_from']} on."),
            (f"Small boards before {settings['board_2021']}: from 1 at 20 kyu to 0 at 1 kyu by the player's own rating;"
            " other sizes are not rated."),
            ("Thinking time: minutes / 75, at most 1; overtime adds 60 moves of Canadian, 45 of Japanese, 120"
            " increments."),
            "Too fast: under 40 minutes sudden death, or under 30 with overtime or faster than 20 moves in 5 minutes.",
            "Where the thinking time is not known its weight is 1. Jigo counts half a point.",
            "«Free points for every game» have no published formula: " + {
                "none": "none are given.",
                "epsilon": "the stronger player gets 0.016 × con, equals half of it each.",
                "egf2021": "ln(1 + exp((250 − rating) / 80)) / 5 are given.",
            }[settings["bonus"]],
        ),
    )  # fmt: skip
