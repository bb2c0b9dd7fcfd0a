"""Rating, grade and last event of some players, to tell who is meant by a name."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import OuterRef, Subquery

from ratings.models import Entry, Player, RatingList, Standing


@dataclass(frozen=True)
class PlayingFacts:
    """The standing of a player on the first of some lists, and the name and last day of the last event."""

    standing: Standing | None = None
    event: str = ""
    day: dt.date | None = None


def read_playing_facts(players: Collection[Player], lists: Sequence[RatingList]) -> dict[str, PlayingFacts]:
    """Return the facts of players by public id, with two queries."""
    standings: dict[int, Standing] = {}
    order = {rating_list.pk: position for position, rating_list in enumerate(lists)}
    known = Standing.objects.filter(list__in=lists, player__in=players, rating__isnull=False).select_related("list")
    for standing in sorted(known, key=lambda standing: order[standing.list_id]):
        standings.setdefault(standing.player_id, standing)
    last = Entry.objects.filter(player=OuterRef("pk")).order_by("-table__last_day", "-pk")
    with_event = Player.objects.filter(pk__in=[player.pk for player in players]).annotate(
        event_name=Subquery(last.values("table__event__name")[:1]),
        event_day=Subquery(last.values("table__last_day")[:1]),
    )
    fields = with_event.values_list("pk", "public_id", "event_name", "event_day")
    return {id: PlayingFacts(standings.get(pk), name or "", day) for pk, id, name, day in fields}
