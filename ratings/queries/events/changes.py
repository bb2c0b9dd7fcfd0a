"""Rating changes beside a given one: of the same player, and of the other players at the event."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.db.models.functions import Abs

from ratings.models import Change, Event, Player

from .crosstables import public_changes_filter


class NearbyChanges(NamedTuple):
    """Latest changes of the player until the event's day and after it, and the largest changes of other players."""

    own: list[Change]
    others: list[Change]
    players: int
    """Number of players at the event whose rating was computed."""


def find_nearby_changes(change: Change, number: int) -> NearbyChanges:
    """Return up to this number of changes of the same player in events, newest first, and of others at the event."""
    public = Change.objects.filter(public_changes_filter(), list=change.list_id, games__gt=0, after__isnull=False)
    accepted = public.filter(table__event__state=Event.State.ACCEPTED)
    own = accepted.filter(player=change.player_id).select_related("table__event").order_by("-day", "-place")
    at_event = public.filter(table=change.table_id)
    others = at_event.exclude(player=change.player_id).select_related("player")
    largest = others.order_by(Abs("change").desc(nulls_last=True), "pk")
    return NearbyChanges(list(own[:number]), list(largest[:number]), at_event.count())


def players_by_public_id(public_ids: Iterable[str]) -> dict[str, Player]:
    """Return players by their public id."""
    return {player.public_id: player for player in Player.objects.filter(public_id__in=set(public_ids))}
