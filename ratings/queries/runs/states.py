"""States as rating runs stored them: before a day, or as they came to a table."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import JSONField, OuterRef, Q, QuerySet, Subquery, TextField
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

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


LAST_PLAYED = Cast(KeyTextTransform("last_played", Cast("state", JSONField())), TextField())
"""As the states of a system that drops who is long absent tell it."""


def listed_on(changes: QuerySet[Change], rating_list: RatingList, day: dt.date) -> QuerySet[Change]:
    """Of last changes until a day those of players who stood on the list at its end: published then, and not absent
    for too long.
    """
    listed = changes.filter(published=True, hidden=False, after__isnull=False)
    absent = rating_list.rating_system.absent_since(day)
    if absent is None:
        return listed
    listed = listed.alias(last_played=LAST_PLAYED)
    return listed.filter(Q(last_played__isnull=True) | Q(last_played__gt=f"{absent}"))


def is_absent(last_played: str | None, absent: dt.date | None) -> bool:
    """The same of one who played last on a day; `absent` as the system's `absent_since` gives it."""
    return absent is not None and last_played is not None and last_played <= f"{absent}"


def is_listed(player: Player, rating_list: RatingList, day: dt.date) -> bool:
    """Whether a player stood on a list at the end of a day."""
    return listed_on(latest_changes(rating_list, Q(day__lte=day), [player.pk]), rating_list, day).exists()


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
