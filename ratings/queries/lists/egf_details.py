"""Data that the European Go Database's list format has beside the rows of a rating list."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.db.models import Count, Max

from ratings.batches import in_batches
from ratings.formats.egf.rating_list import EgfDetails
from ratings.models import Player, RatingList, Registry
from ratings.queries.players.outside_ids import read_public_ids


def read_egf_details(rating_list: RatingList, ids: Sequence[str], day: dt.date) -> dict[str, EgfDetails]:
    """Return the details of players, given by public id, as they were on a day; a PIN only beside a full name."""
    played = rating_list.changes.filter(games__gt=0, day__lte=day, table__isnull=False).order_by().values("player")
    events = {
        pk: (count, last)
        for pk, count, last in played.annotate(count=Count("table__event", distinct=True), last=Max("day")).values_list(
            "player", "count", "last"
        )
    }
    details = {}
    for batch in in_batches(ids):
        players = dict(Player.objects.filter(public_id__in=batch).values_list("pk", "public_id"))
        pins = read_public_ids(players, Registry.EGD)
        for pk, id in players.items():
            details[id] = EgfDetails(pk, pins.get(pk, ""), *events.get(pk, (0, None)))
    return details
