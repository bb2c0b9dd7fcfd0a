"""Queries for the pages of organisers and officers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db.models import CharField, Exists, F, Max, Min, OuterRef, Prefetch, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Cast, Coalesce, Concat
from django.utils.translation import gettext as _

from ratings.access import APPROVERS, OFFICERS, ORGANISERS, Action, is_officer, may
from ratings.localize import join_parts
from ratings.models import (
    Change,
    Club,
    Event,
    EventEntry,
    EventStep,
    Player,
    Proposal,
    RatingList,
    Report,
    Submission,
    Table,
    Upload,
)
from ratings.queries.events.events import with_time_zone
from ratings.systems.messages import message_from_json

SUBMITTING = (EventStep.What.SUBMITTED, EventStep.What.PROPOSED)
"""Steps from which on results wait for an officer."""
REMINDERS = (EventStep.What.REMINDED, EventStep.What.OFFICERS_REMINDED)
"""Steps that change nothing but the history of an event."""

FIRST_RESULTS = "first_results"
"""Key in the data of a correction after which an event has the results that were accepted first."""


def events_of(user: Any) -> QuerySet[Event]:
    """Return the events that a user organises; for officers also all events of their lists that are not accepted.

    `days`: within how many days the strictest list wants the results. `since`: when results were last submitted.
    """
    shared = Event.organisers.through.objects.filter(user=user.pk).values("event")
    clubs = Club.organisers.through.objects.filter(user=user.pk).values("club")
    own = Q(created_by=user.pk) | Q(pk__in=shared) | Q(club__in=clubs)
    if is_officer(user):
        own |= Q(pk__in=events_of_officer(user).exclude(state=Event.State.ACCEPTED))
    submitted = EventStep.objects.filter(event=OuterRef("pk"), what__in=SUBMITTING).order_by("-at").values("at")[:1]
    events = with_progress(Event.objects.filter(own).exclude(state=Event.State.DELETED))
    events = events.annotate(days=Min("lists__results_within"), since=Subquery(submitted))
    return events.order_by("-end", "-start", "name")


def list_time_zones_of(user: Any) -> set[str]:
    """Return the names of the time zones of an officer's lists."""
    zones = officer_lists(user).order_by().values_list("federation__time_zone", flat=True)
    return set(zones.distinct())


def deleted_events_of(user: Any) -> QuerySet[Event]:
    """Return the deleted events that a user can restore, the latest deleted first."""
    deleted = Event.objects.filter(state=Event.State.DELETED, created_by=user.pk)
    return with_page_version(deleted).order_by("-deleted_at")


def with_progress(events: QuerySet[Event]) -> QuerySet[Event]:
    """Return events with `drafts`, `is_corrected`, `is_rated`, `is_pending` and `time_zone`.

    `drafts`: results are entered, but not submitted. `is_corrected`: a correction was accepted and not undone.
    `is_rated`: a game of the event counts on a list. `is_pending`: a list of the event must be rated again from the
    event's last day or an earlier day.
    """
    corrections = EventStep.objects.filter(event=OuterRef("event"), what=EventStep.What.CORRECTED).order_by("-pk")
    latest = EventStep.objects.filter(event=OuterRef("pk"), pk=Subquery(corrections.values("pk")[:1]))
    corrected = latest.exclude(data__has_key=FIRST_RESULTS)
    pending = RatingList.objects.filter(events=OuterRef("pk"), out_of_date_from__lte=OuterRef("end"))
    rated = Change.objects.filter(table__event=OuterRef("pk"), games__gt=0)
    drafts = Submission.objects.filter(event=OuterRef("pk"), state__in=Submission.OPEN)
    return with_time_zone(events).annotate(
        drafts=Exists(drafts), is_corrected=Exists(corrected), is_pending=Exists(pending), is_rated=Exists(rated)
    )


def with_page_version(events: QuerySet[Event]) -> QuerySet[Event]:
    """Return events with `shown_version`, a text that changes with every step, change of data or saved submission.

    Reminders do not change it: an officer can still accept the results on a page that was opened before one.
    """
    counting = EventStep.objects.filter(event=OuterRef("pk")).exclude(what__in=REMINDERS)
    steps = counting.order_by().values("event").values(number=Max("pk"))
    submissions = Submission.objects.filter(event=OuterRef("pk")).order_by().values("event")
    saves = submissions.values(number=Sum(F("version") + 1))
    numbers = (F("version"), Coalesce(Subquery(steps), 0), Coalesce(Subquery(saves), 0))
    version, step, saved = (Cast(number, CharField()) for number in numbers)
    return events.annotate(shown_version=Concat(version, Value("."), step, Value("."), saved))


def page_version(event: Event) -> str:
    """Return the version that pages of an event send with their forms; see `with_page_version`."""
    stored: Any = with_page_version(Event.objects.filter(pk=event.pk)).get()
    return str(stored.shown_version)


def page_versions(events: Iterable[int]) -> dict[int, str]:
    """Return the page versions of events by primary key; see `page_version`."""
    stored: Any = with_page_version(Event.objects.filter(pk__in=list(events)))
    return {event.pk: event.shown_version for event in stored}


def officer_lists(user: Any) -> QuerySet[RatingList]:
    """Return the lists of an officer: those that name them or no officers; all lists for administrators."""
    lists = RatingList.objects.order_by("pk")
    return lists if user.is_superuser else lists.filter(Q(officers=None) | Q(officers=user.pk)).distinct()


def approver_lists(user: Any) -> QuerySet[RatingList]:
    """Return the lists on which a user approves grades, and those that they look after as an officer."""
    mine = Q(pk__in=officer_lists(user).values("pk")) if is_officer(user) else Q(pk__in=[])
    if user.has_perm("ratings.approve_grade"):
        mine |= Q(approvers=None) | Q(approvers=user.pk)
    return RatingList.objects.filter(Q() if user.is_superuser else mine).distinct().order_by("pk")


def events_of_officer(user: Any) -> QuerySet[Event]:
    """Return the events that are only on lists of an officer."""
    others = RatingList.objects.exclude(pk__in=officer_lists(user).values("pk"))
    return Event.objects.exclude(lists__in=others)


def visible_events(user: Any) -> QuerySet[Event]:
    """Return the events whose submissions, files and steps a user may see: their own and those of their lists."""
    visible = Q(created_by=user.pk)
    visible |= Q(pk__in=Event.objects.filter(organisers=user.pk).values("pk"))
    visible |= Q(pk__in=Event.objects.filter(club__organisers=user.pk).values("pk"))
    if is_officer(user):
        visible |= Q(pk__in=events_of_officer(user).values("pk"))
    return Event.objects.filter(visible)


def waiting_events(user: Any) -> QuerySet[Event]:
    """Return the events of an officer's lists with submitted results, the longest waiting first."""
    submitted_submissions = Submission.objects.filter(state=Submission.State.SUBMITTED)
    waiting = events_of_officer(user).filter(
        pk__in=submitted_submissions.values("event"), state__in=[Event.State.SUBMITTED, Event.State.ACCEPTED]
    )
    submitted = Q(steps__what__in=SUBMITTING)
    waiting = waiting.annotate(since=Max("steps__at", filter=submitted)).order_by("since")
    submissions = Prefetch("submissions", submitted_submissions.defer("content"), to_attr="submitted")
    return (
        with_page_version(with_progress(waiting))
        .select_related("created_by")
        .prefetch_related(submissions, Prefetch("lists", RatingList.objects.select_related("federation")), "steps")
    )


PLAYER_PARTS = ("promotions", "waiting", "odd")
"""Parts of a summary whose rows begin with a player."""


def summary_of(event: Event) -> dict[str, Any] | None:
    """Return the stored summary of an event's submission, with players' current names; None if there is none."""
    return summaries_of([event])[0]


def summaries_of(events: Sequence[Event]) -> list[dict[str, Any] | None]:
    """Return the stored summaries of several events, in their order, with two queries and the events' steps."""
    return name_players([_load_summary(event) for event in events])


def name_players(stored: Sequence[dict[str, Any] | None]) -> list[dict[str, Any] | None]:
    """Return stored summaries with players and lists instead of their ids, and with messages; two queries."""
    ids = {row[0] for summary in stored if summary for name in PLAYER_PARTS for row in summary[name]}
    ids |= {row[1] for summary in stored if summary for row in summary["biggest"]}
    slugs = {row[0] for summary in stored if summary for row in summary["biggest"]}
    names = {player.public_id: player for player in Player.objects.filter(public_id__in=ids)} if ids else {}
    lists = {item.slug: item for item in RatingList.objects.filter(slug__in=slugs)} if slugs else {}
    return [summary and _add_names(summary, names, lists) for summary in stored]


def _load_summary(event: Event) -> dict[str, Any] | None:
    kinds = (EventStep.What.SUBMITTED, EventStep.What.PROPOSED)
    steps = [step for step in event.steps.all() if step.what in kinds]
    last = max(steps, key=lambda step: step.pk, default=None)
    return None if last is None else last.data.get("summary")


def _add_names(summary: dict[str, Any], names: Mapping[str, Player], lists: Mapping[str, RatingList]) -> dict[str, Any]:
    named = {name: [[names.get(row[0], row[0]), *row[1:]] for row in summary[name]] for name in PLAYER_PARTS}
    biggest = [[lists.get(slug), names.get(player, player), change] for slug, player, change in summary["biggest"]]
    named["odd"] = [[player, message_from_json(message)] for player, message in named["odd"]]
    return {**summary, **named, "biggest": biggest, "problem": message_from_json(summary["problem"])}


def returned_note(event: Event) -> str:
    """Return the officer's note on a returned event until it is submitted or accepted again; else an empty text."""
    returned = event.steps.filter(what=EventStep.What.RETURNED).last()
    what = EventStep.What
    later = (what.SUBMITTED, what.PROPOSED, what.RETURN_UNDONE, what.ACCEPTED, what.ACCEPTANCE_UNDONE)
    if returned is None or event.steps.filter(pk__gt=returned.pk, what__in=later).exists():
        return ""
    return returned.note


def returned_notes(events: Sequence[Event]) -> dict[int, str]:
    """Return the officer's note by primary key for those of some events that are returned now."""
    returned = [event.pk for event in events if event.state == Event.State.RETURNED]
    steps = EventStep.objects.filter(event__in=returned, what=EventStep.What.RETURNED).order_by("pk")
    return {step.event_id: step.note for step in steps}


def describe_related_data(event: Event) -> list[str]:
    """Return descriptions of the data that belongs to an event, to be displayed before it is deleted."""
    counts = (
        (event.submissions.exclude(state=Submission.State.DELETED).count(), _("draft results: %(count)d")),
        (event.uploads.count(), _("files: %(count)d")),
        (event.organisers.count(), _("people it is shared with: %(count)d")),
        (event.player_entries.filter(state__in=EventEntry.ACTIVE).count(), _("entries of players: %(count)d")),
    )
    contents = [text % {"count": count} for count, text in counts if count]
    return [*contents, _("its place in the public calendar")] if event.announced_at else contents


def people_with_access(event: Event) -> list[tuple[str, str]]:
    """Return the names of the people who may see an event's drafts, each once with a reason; the officers last.

    Officers must look after all lists of the event; they are one entry, with the lists.
    """
    reasons: dict[User, str] = {}
    if event.created_by is not None:
        reasons[event.created_by] = _("created the event")
    for user in event.organisers.order_by("username"):
        reasons.setdefault(user, _("the event is shared with this person"))
    if event.club is not None:
        for user in event.club.organisers.order_by("username"):
            reasons.setdefault(user, str(event.club))
    people = [(str(user), reason) for user, reason in reasons.items() if may(user, Action.SEE_EVENT, event)]
    return [*people, (_("Rating officers"), join_parts(event.lists.order_by("pk")))]


def submissions_of(event: Event) -> list[Submission]:
    """Return all submissions of an event with their files, without the files' content."""
    files = Prefetch("uploads", Upload.objects.defer("data"))
    return list(event.submissions.select_related("made_by", "accepted_by", "table").prefetch_related(files))


def earlier_version(submission: Submission) -> Submission | None:
    """Return the version of a table that an accepted submission replaced; None for the first version."""
    versions = Submission.objects.filter(table=submission.table_id, state=Submission.State.ACCEPTED)
    in_order = list(versions.order_by(F("accepted_at").asc(nulls_first=True), "pk"))
    index = [version.pk for version in in_order].index(submission.pk)
    return in_order[index - 1] if index else None


def latest_version(table: Table) -> Submission | None:
    """Return the version of a table that was accepted last; None if it has no versions."""
    versions = Submission.objects.filter(table=table, state=Submission.State.ACCEPTED)
    return versions.order_by(F("accepted_at").asc(nulls_first=True), "pk").last()


def imported_lists(rating_list: RatingList) -> QuerySet[Upload]:
    """Return the imported rating lists from which a list was started, without the files' content."""
    stored = rating_list.uploads.filter(format=Upload.RATING_LIST)
    return stored.defer("data").select_related("by")


def event_steps(event: Event) -> QuerySet[EventStep]:
    """Return the steps of an event, oldest first."""
    return event.steps.select_related("by")


def staff_users() -> QuerySet[User]:
    """Return all active officers, organisers, approvers and administrators, by user name."""
    users = User.objects.filter(
        Q(groups__name__in=[OFFICERS, ORGANISERS, APPROVERS]) | Q(is_superuser=True), is_active=True
    ).distinct()
    return users.prefetch_related("groups", "clubs").order_by("username")


def open_reports() -> QuerySet[Report]:
    """Return the reported errors that have not been answered, oldest first."""
    return Report.objects.filter(state=Report.State.OPEN).select_related("event", "player").order_by("pk")


def waiting_proposals(user: Any) -> QuerySet[Proposal]:
    """Return the proposals waiting for a second person on an officer's lists, oldest first."""
    waiting = Proposal.objects.filter(state=Proposal.State.WAITING, list__in=officer_lists(user).values("pk"))
    return waiting.select_related("list", "player", "by").order_by("pk")


def closed_proposals(user: Any) -> QuerySet[Proposal]:
    """Return the confirmed and withdrawn proposals on an officer's lists, latest first."""
    closed = Proposal.objects.filter(list__in=officer_lists(user).values("pk")).exclude(state=Proposal.State.WAITING)
    return closed.select_related("list", "player", "by", "closed_by").order_by("-closed_at", "-pk")
