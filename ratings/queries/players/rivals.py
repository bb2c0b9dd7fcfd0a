"""Expected score of a player against the opponent they have played most, by both ratings and their deviations."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from ratings.models import Player
from ratings.queries.lists.deviations import set_deviations, with_deviation_states
from ratings.queries.lists.lists import published_standings

from .breakdowns import Opponent
from .careers import Career
from .players import Facts
from .versus import expected_now


@dataclass(frozen=True)
class Rival:
    """An opponent with the present rating and deviation in rating points, and the player's expected score (0..1).

    `if_sure` is the expected score that both ratings would give without a deviation.
    """

    player: Player
    rating: float
    deviation: float
    expected: float
    if_sure: float


def find_rival(career: Career, facts: Facts, opponents: Sequence[Opponent], today: dt.date) -> Rival | None:
    """Return the first of some opponents who is on the list now, in one query.

    Return None for a player who is not on the list now, and without a query on lists whose own system has no
    deviations.
    """
    rating_list = career.rating_list
    is_known = career.on is None and facts.listed and facts.deviation is not None
    if rating_list.deviation_source != rating_list or not is_known or not opponents:
        return None
    rows = published_standings(rating_list, None).filter(player__in=[opponent.pk for opponent in opponents])
    standings = {
        row.player_id: row for row in set_deviations(list(with_deviation_states(rows, rating_list)), rating_list, today)
    }
    for opponent in opponents:
        standing = standings.get(opponent.pk)
        if standing is None or standing.rating is None or standing.deviation is None:
            continue
        both = (facts.deviation or 0.0, standing.deviation)
        expected, if_sure = (expected_now(rating_list, facts.rating, standing.rating, known) for known in (both, None))
        if expected is not None and if_sure is not None:
            return Rival(standing.player, standing.rating, standing.deviation, expected, if_sure)
    return None
