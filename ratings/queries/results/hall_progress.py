"""Progress of several halls, for the pages of organisers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ratings.models import Event, Hall

from .halls import read_halls


@dataclass(frozen=True)
class HallProgress:
    """The current round of a hall, with its boards, results and questions, and the number of complete rounds."""

    players: int
    rounds: int
    round: int
    boards: int
    results: int
    questions: int
    completed: int


def read_hall_progress(events: Iterable[Event]) -> Mapping[int, HallProgress]:
    """Return the progress of the halls of some events, by the primary key of the event, with three queries."""
    halls = list(Hall.objects.filter(event__in=[event.pk for event in events]))
    found = {}
    for hall, state in zip(halls, read_halls(halls), strict=True):
        current = state.rounds[state.current - 1]
        found[hall.event_id] = HallProgress(
            len(state.people),
            len(state.rounds),
            current.number,
            len(current.boards),
            current.results,
            current.questions,
            state.completed,
        )
    return found
