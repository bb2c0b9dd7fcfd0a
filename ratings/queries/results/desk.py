"""Queries for the desks: what waits for a user, what is overdue, what was accepted lately, and all events."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, Min, OuterRef, Prefetch, Q, QuerySet, Subquery

from ratings.models import Change, Event, EventStep, Player, Submission, Table
from ratings.queries.grades.awards import count_unannounced_awards, find_announcing_lists, waiting_approvals
from ratings.queries.players.claims import open_claims
from ratings.queries.players.duplicates import count_probable_duplicates
from ratings.queries.players.erasure_requests import open_erasure_requests
from ratings.queries.site.search import contains_parts, name_filter, parts_of

from .workflow import (
    approver_lists,
    events_of_officer,
    officer_lists,
    open_reports,
    waiting_proposals,
    with_progress,
)

DAYS_LOOKED_BACK = 120
"""Days after its last day for which an event without results is shown as overdue; older ones were given up."""
MAX_SEARCHED = 1000
"""Maximum number of submissions in progress whose rows are searched for a name, latest first."""
LATELY = 10
"""Number of accepted events that the desk lists, if not more were accepted together."""


def count_officer_work(user: Any) -> Mapping[str, int | None]:
    """Return the number of things that wait for an officer, or for others on the officer's lists, by kind.

    None for duplicates that are too many to count quickly.
    """
    returned = events_of_officer(user).filter(state=Event.State.RETURNED)
    return {
        "announcements": count_unannounced_awards(find_announcing_lists(officer_lists(user))),
        "proposals": waiting_proposals(user).count(),
        "claims": open_claims().count(),
        "erasures": open_erasure_requests().count(),
        "reports": open_reports().count(),
        "duplicates": count_probable_duplicates(),
        "approvals": waiting_approvals(approver_lists(user)).count(),
        "returned": returned.count(),
    }


@dataclass(frozen=True)
class LateEvent:
    """An event whose results are late: the day on which they were due, and the reminders sent.

    `pause` is the number of days between reminders that the strictest of its lists asks for; None for no reminders.
    """

    event: Event
    due: dt.date
    reminders: Sequence[EventStep]
    pause: int | None


def late_events_of_officer(user: Any, today: dt.date) -> list[LateEvent]:
    """Return the events of an officer's lists whose results are late, the earliest end first."""
    return list_late_events(events_of_officer(user), today)


def list_late_events(events: QuerySet[Event], today: dt.date) -> list[LateEvent]:
    """Return those of some events whose results are late, the earliest end first.

    Results are due as many days after the last day of an event as the strictest of its lists says (`results_within`);
    events whose lists name no number of days are never late.
    """
    reminders = EventStep.objects.filter(what=EventStep.What.REMINDED).order_by("pk")
    waiting = Submission.objects.filter(event=OuterRef("pk"), state=Submission.State.SUBMITTED)
    over = events.filter(state__in=Event.OPEN, end__lt=today)
    over = over.filter(end__gte=today - dt.timedelta(DAYS_LOOKED_BACK)).exclude(Exists(waiting))
    pauses = Min("lists__remind_organisers", filter=Q(lists__remind_organisers__gt=0))
    with_days = over.annotate(days=Min("lists__results_within"), pause=pauses).exclude(days=None)
    in_order = with_days.select_related("created_by").order_by("end", "name")
    found: QuerySet[Any] = in_order.prefetch_related(Prefetch("steps", reminders, to_attr="reminders"))
    late = [LateEvent(event, event.end + dt.timedelta(event.days), event.reminders, event.pause) for event in found]
    return [each for each in late if each.due < today]


def accepted_lately(user: Any, number: int = LATELY) -> QuerySet[Event]:
    """Return the events that were accepted last on an officer's lists, with `accepted_at` and `accepted_by`."""
    steps = EventStep.objects.filter(
        event=OuterRef("pk"), what__in=[EventStep.What.ACCEPTED, EventStep.What.CORRECTED]
    ).order_by("-pk")
    accepted = events_of_officer(user).filter(state=Event.State.ACCEPTED)
    accepted = accepted.annotate(
        accepted_at=Subquery(steps.values("at")[:1]), accepted_by=Subquery(steps.values("by__username")[:1])
    )
    return accepted.exclude(accepted_at=None).order_by("-accepted_at", "-pk")[:number]


def find_last_step(user: Any) -> EventStep | None:
    """Return the last step that a user did with an event; None if they have done none."""
    return EventStep.objects.filter(by=user.pk).select_related("event").order_by("-pk").first()


def count_changed_ratings(events: Iterable[Event]) -> dict[int, int]:
    """Return the number of players whose rating an event changed, by the event's primary key."""
    players: dict[int, set[int]] = {}
    changes = Change.objects.filter(
        table__event__in=[event.pk for event in events], games__gt=0, list__comparison_to=None
    )
    for event, player in changes.order_by().values_list("table__event", "player").distinct():
        players.setdefault(event, set()).add(player)
    return {event: len(several) for event, several in players.items()}


def find_events(user: Any, text: str, state: str) -> QuerySet[Event]:
    """Return the events of an officer's lists in any state, latest first.

    Each word of `text` is looked for in name and place, in the organiser's user name and in the names of the players,
    also of results that are not accepted yet. An empty `state` is any state.
    """
    events = with_progress(events_of_officer(user)).select_related("created_by").order_by("-end", "-start", "name")
    if state:
        events = events.filter(state=state)
    words = parts_of(text)
    if not words:
        return events
    entered = Table.objects.filter(event=OuterRef("pk")).filter(name_filter(words, "entries__player__"))
    by_user = Q()
    for word in words:
        by_user &= Q(created_by__username__icontains=word)
    in_work = _find_events_in_progress(events, words)
    return events.filter(name_filter(words) | by_user | Exists(entered) | Q(pk__in=in_work))


def _find_events_in_progress(events: QuerySet[Event], words: Sequence[str]) -> set[int]:
    """Return the primary keys of events with a player of this name in a draft or in results that wait.

    A row has the name as it was typed, and names a player of the portal by public id.
    """
    in_work = Submission.objects.filter(
        event__in=events.order_by().values("pk"), state__in=Submission.IN_PROGRESS
    ).order_by("-pk")
    players = set(Player.objects.filter(name_filter(words)).values_list("public_id", flat=True))
    return {
        event
        for event, rows in in_work.values_list("event", "content__rows")[:MAX_SEARCHED]
        if any(
            row.get("player") in players or contains_parts(f"{row.get('family')} {row.get('given')}", words)
            for row in rows or ()
        )
    }
