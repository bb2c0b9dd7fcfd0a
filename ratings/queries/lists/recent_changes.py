"""Last event and curve of the last twelve months of some players, read with one query for a page of a list."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import OuterRef, Q, Subquery
from django.db.models.expressions import Combinable

from ratings.models import Change, RatingList, Standing

YEAR = dt.timedelta(days=365)


class Row(NamedTuple):
    """A change as it is stored; `table` is its results table."""

    day: dt.date
    before: float | None
    after: float | None
    table: int | None
    games: int


@dataclass(frozen=True)
class RecentChanges:
    """A player's last event and the published ratings of the last twelve months.

    `table` is the results table of the last event, None if there is none or its rating is not published. `points` are
    days and ratings, oldest first, beginning with the rating before the first change; `change` is the change of all of
    them in rating points, None for a player without a rating before them.
    """

    table: int | None
    points: Sequence[tuple[dt.date, float]]
    change: float | None


class TopPlayer(NamedTuple):
    """A standing on a list with the results table of its last change; None if that is not explained."""

    standing: Standing
    table: int | None


def add_last_tables(rating_list: RatingList, standings: Sequence[Standing], today: dt.date) -> list[TopPlayer]:
    """Return standings of a list, each with the table of its last change, with one query."""
    recent = read_recent_changes(rating_list, standings, today)
    return [
        TopPlayer(standing, recent[standing.player_id].table if standing.player_id in recent else None)
        for standing in standings
    ]


def read_recent_changes(
    rating_list: RatingList, standings: Sequence[Standing], today: dt.date
) -> dict[int, RecentChanges]:
    """Return the recent changes of the players of some standings, by player's primary key."""
    first_day = today - YEAR
    is_read = Q(day__gte=first_day)
    for line in standings:
        if line.last_played is not None and line.last_played < first_day:
            is_read |= Q(player=line.player_id, day=line.last_played)
    last_played = {line.player_id: line.last_played for line in standings}
    rows = _read_rows(rating_list, last_played, is_read)
    return {player: _summarize(several, first_day, last_played[player]) for player, several in rows.items()}


def read_points_of_year(
    rating_list: RatingList, players: Collection[int], today: dt.date
) -> dict[int, Sequence[tuple[dt.date, float]]]:
    """Return days and ratings of the last twelve months, by player's primary key, as in `RecentChanges.points`."""
    first_day = today - YEAR
    rows = _read_rows(rating_list, players, Q(day__gte=first_day))
    return {player: _summarize(several, first_day, None).points for player, several in rows.items()}


def change_of_year(today: dt.date) -> Combinable:
    """Return the expression by which standings are sorted by the change in `RecentChanges`."""
    of_player = Change.objects.filter(list=OuterRef("list"), player=OuterRef("player"), hidden=False)
    of_year = of_player.filter(day__gte=today - YEAR, after__isnull=False)
    first, last = of_year.order_by("day", "place"), of_year.order_by("-day", "-place")
    return Subquery(last.values("after")[:1]) - Subquery(first.values("before")[:1])


def _read_rows(rating_list: RatingList, players: Collection[int], is_read: Q) -> dict[int, list[Row]]:
    """Return the published changes of some players that a condition selects, oldest first, by player's primary key."""
    changes = Change.objects.filter(is_read, list=rating_list, player__in=players, hidden=False)
    rows: dict[int, list[Row]] = defaultdict(list)
    for player, *row in changes.order_by("day", "place").values_list("player", *Row._fields):
        rows[player].append(Row._make(row))
    return rows


def _summarize(rows: Sequence[Row], first_day: dt.date, last_played: dt.date | None) -> RecentChanges:
    tables = [row.table for row in rows if row.games and row.table and row.day == last_played]
    table = tables[-1] if tables else None
    of_year = [row for row in rows if row.day >= first_day and row.after is not None]
    start = of_year[0].before if of_year else None
    points = [(row.day, row.after) for row in of_year if row.after is not None]
    if start is None:
        return RecentChanges(table, points, None)
    return RecentChanges(table, [(first_day, start), *points], points[-1][1] - start)
