"""Objects with public pages, in a stable order, with only the fields that their addresses need."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet

from ratings.models import Club, Event, NameVisibility, Player, RatingList, Standing
from ratings.queries.lists.lists import public_lists


def lists() -> QuerySet[RatingList]:
    return public_lists().order_by("pk")


def events() -> QuerySet[Event]:
    return Event.objects.filter(state=Event.State.ACCEPTED).only("public_id", "name").order_by("pk")


def clubs() -> QuerySet[Club]:
    return Club.objects.only("public_id", "name").order_by("pk")


def players() -> QuerySet[Player]:
    """Return the players whom a public list shows by full name."""
    standings = Standing.objects.filter(player=OuterRef("pk"), published=True, rating__isnull=False)
    query = Player.objects.filter(
        Exists(standings.filter(list__in=public_lists())), shown=NameVisibility.FULL, merged_into=None
    )
    return query.only("public_id", "family_name", "given_name", "shown").order_by("pk")
