"""What organisers and officers have before them."""

from __future__ import annotations

from typing import Any

from django.db.models import Max, Prefetch, Q, QuerySet

from ratings.access import is_officer
from ratings.models import Event, EventStep, RatingList, Report, Sheet, Upload


def events_of(user: Any) -> QuerySet[Event]:
    """The events that somebody organises; for officers all that are not accepted yet, and his own."""
    own = Q(created_by=user.pk) | Q(organisers=user.pk)
    if is_officer(user):
        own |= ~Q(state=Event.State.ACCEPTED)
    return Event.objects.filter(own).distinct().order_by("-end", "-start", "name")


def waiting_events() -> QuerySet[Event]:
    """Events of which something was submitted, the longest waiting first."""
    waiting = Event.objects.filter(sheets__state=Sheet.State.SUBMITTED).distinct()
    submitted = Q(steps__what__in=[EventStep.What.SUBMITTED, EventStep.What.PROPOSED])
    return waiting.annotate(since=Max("steps__at", filter=submitted)).order_by("since").select_related("created_by")


def sheets_of(event: Event) -> list[Sheet]:
    """All sheets of an event with their files, without the files' bytes."""
    files = Prefetch("uploads", Upload.objects.defer("data"))
    return list(event.sheets.select_related("made_by", "accepted_by", "table").prefetch_related(files))


def openings_of(rating_list: RatingList) -> QuerySet[Upload]:
    """The rating lists from which a list was started, without their bytes."""
    stored = rating_list.uploads.filter(form=Upload.RATING_LIST)
    return stored.defer("data").select_related("by")


def shown_steps(event: Event) -> QuerySet[EventStep]:
    """What happened to an event, oldest first."""
    return event.steps.select_related("by")


def open_reports() -> QuerySet[Report]:
    """Reported errors that nobody has answered, oldest first."""
    return Report.objects.filter(state=Report.State.OPEN).select_related("event", "player").order_by("pk")
