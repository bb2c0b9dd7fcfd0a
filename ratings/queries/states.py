"""States as rating runs stored them: before a day, or as they came to a table."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery

from ratings.models import Change, Player, RatedTable, RatingList
from ratings.systems import values
from ratings.systems.protocol import System
from ratings.systems.replay import opening_state
from ratings.systems.texts import state_of

from .values import MANY


def latest_changes(
    rating_list: RatingList, among: Q | None = None, players: Collection[int] | None = None
) -> QuerySet[Change]:
    """The last change of every player (of changes that satisfy `among`); of many `players` that of all is given."""
    of_player = rating_list.changes.filter(among or Q(), player=OuterRef("pk")).order_by("-day", "-place")
    several = Player.objects.all()
    if players is not None and len(players) <= MANY:
        several = several.filter(pk__in=players)
    last = several.annotate(last=Subquery(of_player.values("pk")[:1])).filter(last__isnull=False)
    return Change.objects.filter(pk__in=last.values("last"))


def state_at(player: Player, rating_list: RatingList, on: dt.date | None = None) -> Any:
    """A player's state after his last step on a list, or at the end of a day; None where it is not known."""
    changes = rating_list.changes.filter(player=player).order_by("-day", "-place")
    if on is not None:
        changes = changes.filter(day__lte=on)
    return known_state(rating_list, changes.values_list("state", flat=True).first())


def known_state(rating_list: RatingList, stored: str | None) -> Any:
    """None where there is none that the list's system reads, as while it is to be rated by another one."""
    try:
        return None if stored is None else state_of(rating_list.rating_system, stored)
    except ValueError:
        return None


def incoming_states(rated: RatedTable, system: System[Any], players: Mapping[str, values.Player]) -> dict[str, Any]:
    """The states that the players of a rated table brought to it, by the ids of the table's value."""
    earlier = Q(day__lt=rated.day) | Q(day=rated.day, place__lt=rated.place)
    seated = rated.table.entries.values_list("player", flat=True)
    changes = latest_changes(rated.list, earlier, list(seated))
    stored = dict(changes.values_list("player__public_id", "state"))
    return {
        id: state_of(system, stored[id]) if id in stored else opening_state(system, player)
        for id, player in players.items()
    }
