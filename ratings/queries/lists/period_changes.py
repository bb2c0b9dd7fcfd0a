"""Results tables behind the changes of some players between two days, read with one query for a page of a list."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable

from ratings.models import Change, RatingList


def read_period_tables(
    rating_list: RatingList, players: Iterable[int], since: dt.date, until: dt.date
) -> dict[int, int | None]:
    """Return the results table behind each player's changes after `since` and up to `until`, by primary keys.

    The table is None for a player with several changes; players without a rated event in the period are omitted.
    """
    changes = Change.objects.filter(
        list=rating_list, player__in=list(players), day__gt=since, day__lte=until, hidden=False, published=True
    )
    tables: dict[int, list[int | None]] = defaultdict(list)
    for player, table, games in changes.order_by("day", "place").values_list("player", "table", "games"):
        tables[player].append(table if games else None)
    return {player: steps[0] if len(steps) == 1 else None for player, steps in tables.items() if any(steps)}
