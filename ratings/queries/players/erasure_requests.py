"""Requests to erase a person that wait for an officer."""

from __future__ import annotations

from django.db.models import QuerySet

from ratings.models import Player, RecordedStep


def open_erasure_requests() -> QuerySet[RecordedStep]:
    """Return the requests that were neither withdrawn nor declined nor carried out, oldest first."""
    requests = RecordedStep.objects.filter(
        what=RecordedStep.What.ERASURE_REQUESTED, undone_at=None, player__erased_at=None
    )
    return requests.select_related("player", "by").order_by("pk")


def find_open_request(player: Player) -> RecordedStep | None:
    """Return the request to erase a player that waits for an officer, None if there is none."""
    return open_erasure_requests().filter(player=player).first()
