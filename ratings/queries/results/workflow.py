"""What organisers and officers have before them."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.db.models import Exists, F, Max, OuterRef, Prefetch, Q, QuerySet

from ratings.access import APPROVERS, OFFICERS, ORGANISERS, is_officer
from ratings.models import Event, EventStep, RatingList, Report, Sheet, Upload


def events_of(user: Any) -> QuerySet[Event]:
    """The events that somebody organises; for officers all that are not accepted yet, and his own."""
    own = Q(created_by=user.pk) | Q(organisers=user.pk) | Q(club__organisers=user.pk)
    if is_officer(user):
        own |= Q(pk__in=_kept_by(user).exclude(state=Event.State.ACCEPTED))
    return with_progress(Event.objects.filter(own).distinct()).order_by("-end", "-start", "name")


def with_progress(events: QuerySet[Event]) -> QuerySet[Event]:
    """Events with `is_corrected`, and `is_pending` while one of their lists is to be rated from then or before."""
    corrected = EventStep.objects.filter(event=OuterRef("pk"), what=EventStep.What.CORRECTED)
    pending = RatingList.objects.filter(events=OuterRef("pk"), out_of_date_from__lte=OuterRef("end"))
    return events.annotate(is_corrected=Exists(corrected), is_pending=Exists(pending))


def lists_kept_by(user: Any) -> QuerySet[RatingList]:
    """The lists of an officer: those that name him, and those that name nobody; for administrators all."""
    lists = RatingList.objects.order_by("pk")
    return lists if user.is_superuser else lists.filter(Q(officers=None) | Q(officers=user.pk)).distinct()


def lists_approved_by(user: Any) -> QuerySet[RatingList]:
    """The lists on which somebody approves grades, and those that he keeps."""
    mine = Q(pk__in=lists_kept_by(user).values("pk")) if is_officer(user) else Q()
    if user.has_perm("ratings.approve_grade"):
        named = Q(approvers=None) | Q(approvers=user.pk)
        mine = (mine | named) if mine else named
    return RatingList.objects.filter(Q() if user.is_superuser else mine).distinct().order_by("pk")


def _kept_by(user: Any) -> QuerySet[Event]:
    """Events all of whose lists are an officer's."""
    others = RatingList.objects.exclude(pk__in=lists_kept_by(user).values("pk"))
    return Event.objects.exclude(lists__in=others)


def waiting_events(user: Any) -> QuerySet[Event]:
    """Events of an officer's lists of which something was submitted, the longest waiting first."""
    submitted_sheets = Sheet.objects.filter(state=Sheet.State.SUBMITTED)
    waiting = _kept_by(user).filter(pk__in=submitted_sheets.values("event"))
    submitted = Q(steps__what__in=[EventStep.What.SUBMITTED, EventStep.What.PROPOSED])
    waiting = waiting.annotate(since=Max("steps__at", filter=submitted)).order_by("since")
    sheets = Prefetch("sheets", submitted_sheets.defer("content"), to_attr="submitted")
    return with_progress(waiting).select_related("created_by").prefetch_related(sheets, "lists", "steps")


def sheets_of(event: Event) -> list[Sheet]:
    """All sheets of an event with their files, without the files' bytes."""
    files = Prefetch("uploads", Upload.objects.defer("data"))
    return list(event.sheets.select_related("made_by", "accepted_by", "table").prefetch_related(files))


def earlier_version(sheet: Sheet) -> Sheet | None:
    """The version of a table that an accepted sheet took the place of."""
    versions = Sheet.objects.filter(table=sheet.table_id, state=Sheet.State.ACCEPTED)
    in_order = list(versions.order_by(F("accepted_at").asc(nulls_first=True), "pk"))
    place = [version.pk for version in in_order].index(sheet.pk)
    return in_order[place - 1] if place else None


def openings_of(rating_list: RatingList) -> QuerySet[Upload]:
    """The rating lists from which a list was started, without their bytes."""
    stored = rating_list.uploads.filter(form=Upload.RATING_LIST)
    return stored.defer("data").select_related("by")


def shown_steps(event: Event) -> QuerySet[EventStep]:
    """What happened to an event, oldest first."""
    return event.steps.select_related("by")


def people() -> QuerySet[User]:
    """Everybody who enters or accepts results."""
    users = User.objects.filter(
        Q(groups__name__in=[OFFICERS, ORGANISERS, APPROVERS]) | Q(is_superuser=True), is_active=True
    ).distinct()
    return users.prefetch_related("groups", "clubs").order_by("username")


def open_reports() -> QuerySet[Report]:
    """Reported errors that nobody has answered, oldest first."""
    return Report.objects.filter(state=Report.State.OPEN).select_related("event", "player").order_by("pk")
