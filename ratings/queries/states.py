"""States as rating runs stored them: before a day, or as they came to a table."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery

from ratings.models import Change, Player, RatedTable, RatingList
from ratings.systems import values
from ratings.systems.protocol import System
from ratings.systems.replay import opening_state


def latest_changes(rating_list: RatingList, among: Q | None = None) -> QuerySet[Change]:
    """The last change of every player (of those that satisfy `among`)."""
    of_player = rating_list.changes.filter(among or Q(), player=OuterRef("pk")).order_by("-day", "-place")
    last = Player.objects.annotate(last=Subquery(of_player.values("pk")[:1])).filter(last__isnull=False)
    return Change.objects.filter(pk__in=last.values("last"))


def states_before(rating_list: RatingList, day: dt.date) -> dict[str, Mapping[str, Any]]:
    """The stored state of every player as it was before a day, by public id."""
    changes = latest_changes(rating_list, Q(day__lt=day))
    return dict(changes.values_list("player__public_id", "state"))


def incoming_states(rated: RatedTable, system: System[Any], players: Mapping[str, values.Player]) -> dict[str, Any]:
    """The states that the players of a rated table brought to it, by the ids of the table's value."""
    earlier = Q(day__lt=rated.day) | Q(day=rated.day, place__lt=rated.place)
    changes = latest_changes(rated.list, earlier).filter(player__entries__table=rated.table_id)
    stored = dict(changes.values_list("player__public_id", "state"))
    return {
        id: system.read(stored[id], fixed=True) if id in stored else opening_state(system, player)
        for id, player in players.items()
    }
