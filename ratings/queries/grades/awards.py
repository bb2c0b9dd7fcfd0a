"""Queries for awards of grades and for approvals."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any

from django.db.models import (
    Case,
    CharField,
    Count,
    DateField,
    DateTimeField,
    Exists,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Cast, Coalesce, TruncDate, TruncMonth

from ratings.models import (
    Approval,
    ApprovalQuestion,
    ApprovalStep,
    Award,
    Decision,
    EventStep,
    Player,
    RatingList,
    Standing,
)
from ratings.systems.values import AwardHow, Ruling

BY_DECISION = (AwardHow.PRINTED, AwardHow.GIVEN, AwardHow.KEPT, AwardHow.APPROVED)
"""Values of `Award.how` for grades given by a decision instead of results."""
FIXING_RULINGS, GRANTING_RULINGS = (Ruling.KEPT, Ruling.APPROVED), (Ruling.GIVEN, Ruling.PRINTED)
SETTLED = (EventStep.What.ACCEPTED, EventStep.What.CORRECTED, EventStep.What.REMAPPED)
MONTH = dt.timedelta(days=31)
"""Days after the first day of a month until which the next month has begun."""
NOT_YET, ANNOUNCED, WAITING, FINAL = "awarded", "announced", "waiting", "final"


def with_state(awards: QuerySet[Award]) -> QuerySet[Any]:
    """Return awards with `state`: awarded (may change in every run), announced (fixed), waiting, or final.

    Waiting awards need an approval.
    """
    later = Decision.objects.filter(list=OuterRef("list"), player=OuterRef("player"), date__gt=OuterRef("day"))
    # a grade announced or approved later is at least as high, and fixes the grades below it
    held = later.filter(Q(ruling__in=FIXING_RULINGS) | Q(ruling__in=GRANTING_RULINGS, grade=OuterRef("grade")))
    annotated: QuerySet[Any] = awards.annotate(
        state=Case(
            When(needs_approval=True, then=Value(WAITING)),
            When(how__in=BY_DECISION, then=Value(FINAL)),
            When(Exists(held), then=Value(ANNOUNCED)),
            default=Value(NOT_YET),
            output_field=CharField(),
        )
    )
    return annotated


def with_case(awards: QuerySet[Award]) -> QuerySet[Any]:
    """Return awards with `case`, the state of their approval; empty if there is none."""
    cases = Approval.objects.filter(
        list=OuterRef("list"), player=OuterRef("player"), grade=OuterRef("grade"), earned_on=OuterRef("day")
    )
    case_state = Subquery(cases.exclude(state=Approval.State.FALLEN).order_by("-pk").values("state")[:1])
    annotated: QuerySet[Any] = with_state(awards).annotate(case=Coalesce(case_state, Value("")))
    return annotated


def read_case_states(rating_list: RatingList, player: int, day: dt.date) -> dict[str, str]:
    """Return the states of the approvals of grades that a player earned on a day, by grade.

    Approvals that fell away are left out. `player` is a primary key.
    """
    cases = Approval.objects.filter(list=rating_list, player=player, earned_on=day)
    return dict(cases.exclude(state=Approval.State.FALLEN).order_by("pk").values_list("grade", "state"))


def count_by_month(awards: QuerySet[Award], first: dt.date, last: dt.date) -> dict[dt.date, int]:
    """Return the number of awards in each month from that of `first` to that of `last`, by the month's first day."""
    within = awards.filter(day__gte=first.replace(day=1), day__lt=(last.replace(day=1) + MONTH).replace(day=1))
    months = within.order_by().annotate(month=TruncMonth("day")).values_list("month")
    return dict(months.annotate(Count("pk")))


def waiting_awards(rating_list: RatingList) -> list[Award]:
    """Return the grades that published players of a list earned and that wait for an approval, newest first."""
    waiting = Standing.objects.filter(list=rating_list, published=True, player=OuterRef("player"))
    awards = rating_list.awards.filter(
        Exists(waiting.filter(waiting=OuterRef("grade"))), needs_approval=True, last_of_step=True
    )
    newest = {award.player_id: award for award in awards.select_related("player", "table__event")}  # oldest first
    return sorted(newest.values(), key=lambda award: (award.day, award.pk), reverse=True)


def can_announce(rating_list: RatingList) -> bool:
    """Return True if grades of a list can be announced: it is public and graded, and corrections keep grades."""
    keeps_grades = rating_list.rating_system.settings.get("corrections") == "kept"
    return rating_list.public and rating_list.has_grades and keeps_grades


def find_announcing_lists(lists: QuerySet[RatingList]) -> list[RatingList]:
    """Return those of some lists whose grades can be announced now; lists that are being rated again wait."""
    return [rating_list for rating_list in lists.filter(out_of_date_from=None) if can_announce(rating_list)]


def unannounced_awards(rating_list: RatingList) -> QuerySet[Any]:
    """Return the grades earned by results but not announced yet, oldest first, with `settled_at`.

    `settled_at` is when any of the player's events up to then was last accepted or corrected, as a correction of an
    earlier event may have led to the grade.
    """
    steps = EventStep.objects.filter(
        what__in=SETTLED,
        event__lists=OuterRef("list"),
        event__start__lte=OuterRef("day"),
        event__tables__entries__player=OuterRef("player"),
    )
    last = steps.order_by("-at").values("at")[:1]
    settled = Coalesce(Subquery(last), Cast(F("day"), DateTimeField()), output_field=DateTimeField())
    annotated: QuerySet[Any] = (
        _keep_unannounced(rating_list.awards.all())
        .annotate(settled_at=ExpressionWrapper(settled, DateTimeField()))
        .select_related("table__event", "player")
        .order_by("day", "place", "pk")
    )
    return annotated


def count_unannounced_awards(lists: Iterable[RatingList]) -> int:
    """Return the number of grades on some lists that results earned and that are not announced yet."""
    return _keep_unannounced(Award.objects.filter(list__in=lists)).count()


def _keep_unannounced(awards: QuerySet[Award]) -> QuerySet[Any]:
    earned = awards.filter(last_of_step=True, table__isnull=False).exclude(how=AwardHow.DEMOTION)
    return with_state(earned).filter(state=NOT_YET)


def approvals_of(player: Player, rating_list: RatingList) -> list[Approval]:
    """Return the approvals of a player's grades on a list, newest first."""
    return list(player.approvals.filter(list=rating_list).select_related("table__event", "decision").defer("letter"))


def waiting_approvals(user_lists: QuerySet[RatingList]) -> QuerySet[Approval]:
    """Return the open approvals on some lists, the longest waiting first."""
    open_ = Approval.objects.filter(state__in=Approval.OPEN, list__in=user_lists).defer("letter")
    related = open_.select_related("player", "list", "table__event").prefetch_related("questions")
    return related.order_by("opened_at")


def open_questions(user_lists: QuerySet[RatingList]) -> QuerySet[ApprovalQuestion]:
    """Return the questions about open approvals on some lists that are not answered yet, the oldest first."""
    questions = ApprovalQuestion.objects.filter(
        replied_at=None, withdrawn_at=None, case__state__in=Approval.OPEN, case__list__in=user_lists
    )
    return questions.select_related("case__player", "case__list", "asked_by").defer("case__letter").order_by("pk")


def settled_approvals(user_lists: QuerySet[RatingList]) -> QuerySet[Approval]:
    """Return the approvals on some lists that are no longer open, with `settled_on`, the latest first.

    `settled_on` is the day of the answer; without an answer, the day of the last step.
    """
    steps = ApprovalStep.objects.filter(case=OuterRef("pk")).order_by("-pk").values("at")[:1]
    days = Coalesce("answered_on", TruncDate(Subquery(steps)), TruncDate("opened_at"), output_field=DateField())
    settled = Approval.objects.exclude(state__in=Approval.OPEN).filter(list__in=user_lists).defer("letter")
    related = settled.select_related("player", "list", "table__event")
    return related.annotate(settled_on=days).order_by("-settled_on", "-pk")


def overdue_approvals(now: dt.datetime) -> list[Approval]:
    """Return the open approvals of which people must be reminded by now.

    They are reminded on the day to answer by, and in the interval that the list sets.
    """
    cases = Approval.objects.filter(state__in=Approval.OPEN).select_related(
        "list__federation", "player__account", "table__event", "sent_by"
    )
    return [case for case in cases.defer("letter").prefetch_related("questions") if _needs_reminder(case, now)]


def _needs_reminder(case: Approval, now: dt.datetime) -> bool:
    """Return True if the day to answer by has come since the last reminder, or the interval of the list is over."""
    if case.due_on <= now.date() and (case.reminded_at is None or case.reminded_at.date() < case.due_on):
        return True
    interval = case.list.remind_after
    return interval is not None and (case.reminded_at or case.opened_at) <= now - dt.timedelta(days=interval)
