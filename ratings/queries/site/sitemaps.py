"""What has a public page of its own, in an order that stays: of each only what its address is made of."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet

from ratings.models import Club, Event, Player, RatingList, Shown, Standing

from .lists import public_lists


def lists() -> QuerySet[RatingList]:
    return public_lists().order_by("pk")


def events() -> QuerySet[Event]:
    return Event.objects.filter(state=Event.State.ACCEPTED).only("public_id", "name").order_by("pk")


def clubs() -> QuerySet[Club]:
    return Club.objects.only("public_id", "name").order_by("pk")


def players() -> QuerySet[Player]:
    """Those whom a list shows by their full names."""
    standings = Standing.objects.filter(player=OuterRef("pk"), published=True, rating__isnull=False)
    shown = Player.objects.filter(Exists(standings.filter(list__in=public_lists())), shown=Shown.FULL, merged_into=None)
    return shown.only("public_id", "family_name", "given_name", "shown").order_by("pk")
