"""Both FESA editions as the page «how these ratings are made» tells them, tables straight from the code's data."""

from __future__ import annotations

from .fesa_2000 import BONUS_A_GAME, BONUS_FROM, LOWEST_UNRATED
from .fesa_games import BONUS_BELOW, BONUS_GAMES, FLOOR
from .fesa_grades import ESTABLISHED_FROM, IMAGINED_GAMES, PROVISIONAL_FROM, SCALE_2000, SCALE_2016, Scale
from .fesa_seats import MOST_ROUNDS
from .fesa_tables import HANDICAPS, K_TABLE, LOWEST_K
from .rules import Rules, RuleTable, columns_of

HANDICAP_NAMES = {
    "s": "sente", "l": "lance", "b": "bishop", "r": "rook", "rl": "rook and lance", "2p": "2 pieces",
    "4p": "4 pieces", "5p": "5 pieces", "6p": "6 pieces",
}  # fmt: skip


def k_table() -> RuleTable:
    rows = [(f"{lowest} and more", k) for lowest, k in K_TABLE]
    return columns_of("K factor", ("Rating", "K"), *rows, (f"below {K_TABLE[-1][0]}", LOWEST_K))


def grade_rows(scale: Scale) -> RuleTable:
    rows = (
        (g.name, g.lower_bound, g.midpoint, g.upper_bound, g.lower_bound_games, g.midpoint_games)
        for g in reversed(scale.grades)
    )
    note = (
        "Won by a rating of UB, by so many games in a row at or above LB with one at or above MP, or at or above MP."
        " 5 and 6 Dan need the approval of Nihon Shogi Renmei."
    )
    columns = ("Grade", "LB", "MP", "UB", "Games above LB", "Games above MP")
    return columns_of("Grades", columns, *rows, note=note)


def handicaps() -> RuleTable:
    rows = ((HANDICAP_NAMES[key], value) for key, value in HANDICAPS.items())
    return columns_of("Handicaps", ("Handicap", "Grades"), *rows)


CATEGORIES = (
    f"Unrated: fewer than {PROVISIONAL_FROM} games, or none but wins or none but losses before. Provisional: fewer than"
    f" {ESTABLISHED_FROM} games. Established: the others."
)
SHARED_READINGS = (
    "A first table is rated as unrated however many games it has; nine or more games in it can win a grade.",
    (
        "Players take their turn in the table's order, each by the newest ratings of the others, until a"
        " whole round moves"
        f" nobody; after {MOST_ROUNDS} rounds the last values stand and the table says who still moves."
    ),
    "A prior grade counts as a loss and a win against its midpoint.",
    "Roundings: half to even. Ratings are at least 1.",
    f"Bound to get it: a promotion that losing the next {IMAGINED_GAMES} games could not prevent is awarded at once.",
    "Provisional players win a grade only by the upper bound of the one above it; any promotion clears the runs.",
)


def rules_2016() -> Rules:
    return Rules(
        "FESA, Elo system and grades, rules last edited 2016-02-04",
        (
            "All games of a table count as simultaneous, against the opponents' ratings after it.",
            (
                f"Opponents count as at least {FLOOR}. K × (result − expected score), expected score 1 / (1 +"
                " 10^(difference /"
                " 400)); a win against a stronger player counts K × difference / 160 where that is more."
            ),
            (
                f"Below {BONUS_BELOW} every one of the first {BONUS_GAMES} rated games brings ({BONUS_BELOW} −"
                " rating) / 200."
            ),
            CATEGORIES,
            (
                "Unrated players get their performance over all their games: the rating at which the results are"
                " what was"
                " expected. At 0 % it is 1; at 100 % a draw with the strongest opponent is added."
            ),
        ),
        (k_table(), grade_rows(SCALE_2016), handicaps()),
        (
            *SHARED_READINGS,
            "The own rating runs along unrounded from game to game, and the sum is rounded once.",
            "The receiver of a handicap sees the giver so many grades lower; the giver sees the receiver raised alike.",
        ),
    )


def rules_2000() -> Rules:
    return Rules(
        "FESA, Elo system and grades, first edition (2000)",
        (
            "All games of a table count as simultaneous, against the opponents' ratings after it.",
            "K × (result − expected score) from the rating before the table, every game rounded by itself.",
            (
                f"Provisional players: the sum times {ESTABLISHED_FROM} / number of games. A game against a"
                " player with n <"
                f" {ESTABLISHED_FROM} games has the weight (1 + n / {ESTABLISHED_FROM}) / 2."
            ),
            (
                f"What a change exceeds {BONUS_FROM} + {BONUS_A_GAME} × games counts twice, but not beyond the"
                " performance."
            ),
            CATEGORIES,
            f"Unrated players get their performance over all their games, at least {LOWEST_UNRATED}.",
            "Handicap games are not rated.",
        ),
        (k_table(), grade_rows(SCALE_2000)),
        (*SHARED_READINGS, "Opponents count without a floor."),
    )
