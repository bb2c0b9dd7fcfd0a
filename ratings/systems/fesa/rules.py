"""Descriptions of both FESA editions for the page that explains ratings, with tables from the code's data."""

from __future__ import annotations

from ratings.systems.messages import Message as _
from ratings.systems.rules import Rules, RuleTable, make_rule_table

from .event_2000 import BONUS_FROM, BONUS_PER_GAME, LOWEST_UNRATED
from .game import BONUS_BELOW, BONUS_GAMES, FLOOR
from .grades import ESTABLISHED_FROM, FUTURE_LOSSES, PROVISIONAL_FROM, SCALE_2000, SCALE_2016, Scale
from .seats import MAX_ROUNDS
from .tables import HANDICAPS, K_TABLE, LOWEST_K

HANDICAP_NAMES = {
    "s": _("sente"),
    "l": _("lance"),
    "b": _("bishop"),
    "r": _("rook"),
    "rl": _("rook and lance"),
    "2p": _("2 pieces"),
    "4p": _("4 pieces"),
    "5p": _("5 pieces"),
    "6p": _("6 pieces"),
}


def k_table() -> RuleTable:
    rows = [(_("{lowest} and more", lowest=lowest), k) for lowest, k in K_TABLE]
    return make_rule_table(
        _("K factor"), (_("Rating"), "K"), *rows, (_("below {rating}", rating=K_TABLE[-1][0]), LOWEST_K)
    )


def grade_rows(scale: Scale) -> RuleTable:
    rows = (
        (g.name, g.lower_bound, g.midpoint, g.upper_bound, g.lower_bound_games, g.midpoint_games)
        for g in reversed(scale.grades)
    )
    note = _(
        "A grade is won in one of three ways: reach its upper limit; play enough games in a row with a rating at or"
        " above its lower limit, one of them at or above its middle; or play enough games in a row with a rating at or"
        " above its middle. 5 and 6 Dan need the approval of Nihon Shogi Renmei."
    )
    columns = (
        _("Grade"),
        _("Lower limit (LB)"),
        _("Middle (MP)"),
        _("Upper limit (UB)"),
        _("Games from the lower limit"),
        _("Games from the middle"),
    )
    return make_rule_table(_("Grades"), columns, *rows, note=note)


def handicaps() -> RuleTable:
    rows = ((HANDICAP_NAMES[key], value) for key, value in HANDICAPS.items())
    return make_rule_table(_("Handicaps"), (_("Handicap"), _("Grades")), *rows)


CATEGORIES = _(
    "The games of the event itself count for its category. Unrated: the first event, fewer than {provisional_from}"
    " games with this event, or only wins or only losses before it. Provisional: fewer than {established_from} games"
    " with this event. Established: {established_from} games or more.",
    provisional_from=PROVISIONAL_FROM,
    established_from=ESTABLISHED_FROM,
)
GRADE_NOTE = _(
    "For grades, the change of an event is spread evenly over its games: each of them moves the rating by the same"
    " number of points."
)
SHARED_READINGS = (
    _(
        "A player’s first event is rated as unrated, however many games it has. With nine or more games it can win a"
        " grade."
    ),
    _(
        "The ratings of an event are computed player by player, in the order of its results, each from the newest "
        "ratings of the others, until a whole pass changes nothing. After {most_rounds} passes the last values count,"
        " and the event names the players with a rating that still changes.",
        most_rounds=MAX_ROUNDS,
    ),
    _("A grade from before the first event counts as a loss and a win against the middle of that grade."),
    _("Halves are rounded to the even number. No rating falls below 1."),
    GRADE_NOTE,
    _(
        "A promotion that losing the next {imagined_games} games could not prevent is awarded at once.",
        imagined_games=FUTURE_LOSSES,
    ),
    _(
        "Provisional players win a grade only by reaching the upper limit of the grade above it. After any promotion,"
        " games in a row are counted from zero again."
    ),
)


def rules_2016() -> Rules:
    return Rules(
        _("FESA, Elo system and grades, rules last edited on {day}", day="2016-02-04"),
        (
            _(
                "All games of an event count as played at the same time, against the opponents’ ratings after the"
                " event."
            ),
            _(
                "The change for a game is K × (result − expected score), where the expected score is 1 ÷ (1 +"
                " 10^(difference ÷ 400)). Opponents count with at least {floor}. Beating a much stronger player counts"
                " K × difference ÷ 160 if that is more.",
                floor=FLOOR,
            ),
            _(
                "Below {bonus_below}, each of the first {bonus_games} rated games adds a bonus of ({bonus_below} −"
                " rating) ÷ 200.",
                bonus_below=BONUS_BELOW,
                bonus_games=BONUS_GAMES,
            ),
            CATEGORIES,
            _(
                "Unrated players get their performance over all their games: the rating at which this score would have"
                " been expected. A player who lost every game gets 1; a player who won every game is credited with a"
                " draw against their strongest opponent."
            ),
        ),
        (k_table(), grade_rows(SCALE_2016), handicaps()),
        (
            *SHARED_READINGS,
            _("A player’s own rating moves on after each game without rounding; the sum is rounded once."),
            _(
                "With a handicap, the receiver’s opponent counts as that many grades weaker, and the giver’s opponent"
                " as that many grades stronger."
            ),
        ),
    )


def rules_2000() -> Rules:
    return Rules(
        _("FESA, Elo system and grades, first edition (2000)"),
        (
            _(
                "All games of an event count as played at the same time, against the opponents’ ratings after the"
                " event."
            ),
            _(
                "The change for a game is K × (result − expected score), from the rating before the event. Each game"
                " is rounded by itself."
            ),
            _(
                "For provisional players, the sum is multiplied by {established_from} ÷ number of games. A game"
                " against a player with n < {established_from} games has the weight (1 + n ÷ {established_from}) ÷ 2.",
                established_from=ESTABLISHED_FROM,
            ),
            _(
                "The part of a change above {bonus_from} + {bonus_a_game} × games counts twice, but does not raise the"
                " rating above the performance.",
                bonus_from=BONUS_FROM,
                bonus_a_game=BONUS_PER_GAME,
            ),
            CATEGORIES,
            _(
                "Unrated players get their performance over all their games, at least {lowest_unrated}.",
                lowest_unrated=LOWEST_UNRATED,
            ),
            _("Handicap games are not rated."),
        ),
        (k_table(), grade_rows(SCALE_2000)),
        (*SHARED_READINGS, _("Opponents count with their rating, however low it is.")),
    )
