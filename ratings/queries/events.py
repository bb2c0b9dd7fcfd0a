"""Reading events."""

from __future__ import annotations

from django.db.models import Count, QuerySet

from ratings.models import Event


def public_events() -> QuerySet[Event]:
    """Accepted events, newest first, with the number of their players."""
    accepted = Event.objects.filter(state=Event.State.ACCEPTED)
    players = Count("tables__entries__player", distinct=True)
    return accepted.annotate(players=players).prefetch_related("lists").order_by("-end", "-start", "name")
