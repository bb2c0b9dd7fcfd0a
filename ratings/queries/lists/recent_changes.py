"""Last event and curve of the last twelve months of some players, read with one query for a page of a list."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import OuterRef, Q, Subquery
from django.db.models.expressions import Combinable

from ratings.displayed_changes import round_difference
from ratings.models import Change, RatingList, Standing

from .stored_changes import ChangesByPlayer, StoredChange, read_changes, read_changes_of_lines

YEAR = dt.timedelta(days=365)


@dataclass(frozen=True)
class RecentChanges:
    """A player's last event and the published ratings of the last twelve months.

    `table` is the results table of the last event, None if there is none or its rating is not published. `closing_day`
    is the day on which the rating moved for it, None if the event itself moved it, or nothing has yet. `points` are
    days and ratings, oldest first, beginning with the rating before the first change; `change` is the change of all of
    them in rating points, as it is displayed, None for a player without a rating before them.
    """

    table: int | None
    points: Sequence[tuple[dt.date, float]]
    change: float | None
    closing_day: dt.date | None = None


NO_CHANGES = RecentChanges(None, (), None)


class TopPlayer(NamedTuple):
    """A standing on a list with its player's recent changes."""

    standing: Standing
    recent: RecentChanges


def add_recent_changes(rating_list: RatingList, standings: Sequence[Standing], today: dt.date) -> list[TopPlayer]:
    """Return standings of a list, each with the player's recent changes, with one query."""
    recent = read_recent_changes(rating_list, standings, today)
    return [TopPlayer(standing, recent.get(standing.player_id, NO_CHANGES)) for standing in standings]


def read_recent_changes(
    rating_list: RatingList, standings: Sequence[Standing], today: dt.date
) -> dict[int, RecentChanges]:
    """Return the recent changes of the players of some standings, by player's primary key."""
    return find_recent_changes(
        rating_list, standings, read_changes_of_lines(rating_list, standings, today - YEAR), today
    )


def find_recent_changes(
    rating_list: RatingList, standings: Sequence[Standing], changes: ChangesByPlayer, today: dt.date
) -> dict[int, RecentChanges]:
    """Return the recent changes from those that `read_changes_of_lines` has read for a year or longer."""
    last_played = {line.player_id: line.last_played for line in standings}
    return {
        player: _summarize(several, today - YEAR, last_played[player], rating_list.decimals)
        for player, several in changes.items()
    }


def read_points_of_year(
    rating_list: RatingList, players: Collection[int], today: dt.date
) -> dict[int, Sequence[tuple[dt.date, float]]]:
    """Return days and ratings of the last twelve months, by player's primary key, as in `RecentChanges.points`."""
    first_day = today - YEAR
    rows = read_changes(rating_list, players, Q(day__gte=first_day))
    return {
        player: _summarize(several, first_day, None, rating_list.decimals).points for player, several in rows.items()
    }


def change_of_year(today: dt.date) -> Combinable:
    """Return the expression by which standings are sorted by the change in `RecentChanges`."""
    of_player = Change.objects.filter(list=OuterRef("list"), player=OuterRef("player"), hidden=False)
    of_year = of_player.filter(day__gte=today - YEAR, after__isnull=False)
    first, last = of_year.order_by("day", "place"), of_year.order_by("-day", "-place")
    return Subquery(last.values("after")[:1]) - Subquery(first.values("before")[:1])


def _summarize(
    rows: Sequence[StoredChange], first_day: dt.date, last_played: dt.date | None, decimals: int
) -> RecentChanges:
    played = [number for number, row in enumerate(rows) if row.games and row.table and row.day == last_played]
    table = rows[played[-1]].table if played else None
    closing_day = _find_closing_day(rows[played[-1] :]) if played else None
    of_year = [row for row in rows if row.day >= first_day and row.after is not None]
    start = of_year[0].before if of_year else None
    points = [(row.day, row.after) for row in of_year if row.after is not None]
    if start is None:
        return RecentChanges(table, points, None, closing_day)
    change = round_difference(start, points[-1][1], decimals)
    return RecentChanges(table, [(first_day, start), *points], change, closing_day)


def _find_closing_day(rows: Sequence[StoredChange]) -> dt.date | None:
    """Return the closing day that moved the rating for the event of the first of these rows; None if it did itself."""
    if rows[0].change or rows[0].before != rows[0].after:
        return None
    return next((row.day for row in rows[1:] if row.is_closing), None)
