"""Changes as rating runs store them, read without their models where a page needs many."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from django.db.models import F, Q, Value
from django.db.models.functions import Coalesce, Least

from ratings.models import Change, RatingList, Standing


class StoredChange(NamedTuple):
    """A change as it is stored; without a table, an adjustment and a decision it is a closing day's.

    `change` is in rating points; those that count on a later day leave the ratings `before` and `after` equal.
    """

    day: dt.date
    before: float | None
    after: float | None
    change: float | None
    table: int | None
    games: int
    adjustment: int | None
    decision: int | None
    published: bool

    @property
    def is_closing(self) -> bool:
        return self.table is None and self.adjustment is None and self.decision is None


ChangesByPlayer = dict[int, list[StoredChange]]
"""Changes that may be displayed, oldest first, by player's primary key."""


def read_changes(rating_list: RatingList, players: Collection[int], is_read: Q) -> ChangesByPlayer:
    """Return the changes of some players that a condition selects."""
    changes = Change.objects.filter(is_read, list=rating_list, player__in=players, hidden=False)
    return _group_by_player(changes.order_by("day", "place").values_list("player", *StoredChange._fields))


def read_changes_of_lines(
    rating_list: RatingList, standings: Sequence[Standing], first_day: dt.date
) -> ChangesByPlayer:
    """Return the changes of the players of some standings since a day, or since an earlier last event of a player."""
    since = Least(Value(first_day), Coalesce(F("last_played"), Value(first_day)))
    changes, of_change = "player__changes", {"list": rating_list, "hidden": False, "day__gte": since}
    rows = Standing.objects.filter(
        pk__in=[line.pk for line in standings], **{f"{changes}__{name}": value for name, value in of_change.items()}
    )
    in_order = rows.order_by(f"{changes}__day", f"{changes}__place")
    return _group_by_player(in_order.values_list("player", *(f"{changes}__{name}" for name in StoredChange._fields)))


def _group_by_player(rows: Iterable[tuple[Any, ...]]) -> ChangesByPlayer:
    changes: ChangesByPlayer = defaultdict(list)
    for player, *row in rows:
        changes[player].append(StoredChange._make(row))
    return changes
