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
    "s": _("sente"), "l": _("lance"), "b": _("bishop"), "r": _("rook"), "rl": _("rook and lance"), "2p": _("2 pieces"),
    "4p": _("4 pieces"), "5p": _("5 pieces"), "6p": _("6 pieces"),
}  # fmt: skip


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
        "Won by a rating of UB, by so many games in a row at or above LB with one at or above MP, or at or"
        " above MP. 5 and 6 Dan need the approval of Nihon Shogi Renmei."
    )
    columns = (_("Grade"), "LB", "MP", "UB", _("Games above LB"), _("Games above MP"))
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
SHARED_READINGS = (
    _("A first table is rated as unrated however many games it has; nine or more games in it can win a grade."),
    _(
        "Players take their turn in the table's order, each by the newest ratings of the others, until a"
        " whole round moves nobody; after {most_rounds} rounds the last values stand and the table says who"
        " still moves.",
        most_rounds=MAX_ROUNDS,
    ),
    _("A prior grade counts as a loss and a win against its midpoint."),
    _("Roundings: half to even. Ratings are at least 1."),
    _(
        "Bound to get it: a promotion that losing the next {imagined_games} games could not prevent is"
        " awarded at once.",
        imagined_games=FUTURE_LOSSES,
    ),
    _("Provisional players win a grade only by the upper bound of the one above it; any promotion clears the runs."),
)


def rules_2016() -> Rules:
    return Rules(
        _("FESA, Elo system and grades, rules last edited 2016-02-04"),
        (
            _("All games of a table count as simultaneous, against the opponents' ratings after it."),
            _(
                "Opponents count as at least {floor}. K × (result − expected score), expected score 1 / (1 +"
                " 10^(difference / 400)); a win against a stronger player counts K × difference / 160 where that is"
                " more.",
                floor=FLOOR,
            ),
            _(
                "Below {bonus_below} every one of the first {bonus_games} rated games brings ({bonus_below} −"
                " rating) / 200.",
                bonus_below=BONUS_BELOW,
                bonus_games=BONUS_GAMES,
            ),
            CATEGORIES,
            _(
                "Unrated players get their performance over all their games: the rating at which the results are"
                " what was expected. Of who lost all it is 1; who won all is given a draw with the strongest opponent"
                " more."
            ),
        ),
        (k_table(), grade_rows(SCALE_2016), handicaps()),
        (
            *SHARED_READINGS,
            _("The own rating runs along unrounded from game to game, and the sum is rounded once."),
            _(
                "The receiver of a handicap sees the giver so many grades lower; the giver sees the receiver raised"
                " alike."
            ),
        ),
    )


def rules_2000() -> Rules:
    return Rules(
        _("FESA, Elo system and grades, first edition (2000)"),
        (
            _("All games of a table count as simultaneous, against the opponents' ratings after it."),
            _("K × (result − expected score) from the rating before the table, every game rounded by itself."),
            _(
                "Provisional players: the sum times {established_from} / number of games. A game against a player"
                " with n < {established_from} games has the weight (1 + n / {established_from}) / 2.",
                established_from=ESTABLISHED_FROM,
            ),
            _(
                "What a change exceeds {bonus_from} + {bonus_a_game} × games counts twice, but not beyond the"
                " performance.",
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
        (*SHARED_READINGS, _("Opponents count without a floor.")),
    )
