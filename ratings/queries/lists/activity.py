"""Activity of players: who counts as active on a list, by their games or by an import of the list.

A federation's list that was just imported has players without games. They are active from the day of the imported
list, for as long as by their last game, and all of them as long as no event is rated.
"""

from __future__ import annotations

import datetime as dt

from django.db.models import Case, Exists, Q, QuerySet, Value, When

from ratings.models import Adjustment, RatedTable, RatingList, Standing
from ratings.models.messages import RecordReason


def active_standings(rating_list: RatingList, day: dt.date) -> Q:
    """Return the condition that the player of a standing of the list is active on a day."""
    by_games, by_import = split_active_standings(rating_list, day)
    return by_games | by_import


def split_active_standings(rating_list: RatingList, day: dt.date) -> tuple[Q, Q]:
    """Return the conditions that the player of a standing is active on a day by games, and by an import.

    PostgreSQL uses an index for each of them, and none if they are joined by OR.
    """
    by_games = Q(last_played__gte=rating_list.active_since(day))
    return by_games, Q(player__in=active_by_import(rating_list, day))


def is_active(standing: Standing, day: dt.date) -> bool:
    """Return True if the player of a standing is active on a day.

    The database is asked only about players who are not active by their games.
    """
    rating_list = standing.list
    if standing.last_played is not None and standing.last_played >= rating_list.active_since(day):
        return True
    return active_by_import(rating_list, day).filter(player=standing.player_id).exists()


def active_by_import(rating_list: RatingList, day: dt.date) -> QuerySet[Adjustment, int | None]:
    """Return the primary keys of the players who are active on a day because an imported list names them."""
    rated = RatedTable.objects.filter(list=rating_list, day__lte=day)
    # a single first day lets PostgreSQL use the index of days, which “recent, or nothing is rated” would not
    first = Case(When(Exists(rated), then=Value(rating_list.active_since(day))), default=Value(dt.date.min))
    imported = Adjustment.objects.filter(
        list=rating_list.source, date__range=(first, day), player__isnull=False, reason=RecordReason.OPENING()
    )
    return imported.order_by().values_list("player", flat=True)
