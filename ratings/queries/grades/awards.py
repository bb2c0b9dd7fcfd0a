"""Grades that were won: which are announced, what waits, and what a player's history of them tells."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.db.models import (
    Case,
    CharField,
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
from django.db.models.functions import Cast, Coalesce

from ratings.models import Approval, Award, Decision, EventStep, Player, RatingList

BY_DECISION = ("printed", "given", "kept", "approved")
"""How a grade was won that no result earned."""
HOLDS, GIVE = ("kept", "approved"), ("given", "printed")
SETTLED = (EventStep.What.ACCEPTED, EventStep.What.CORRECTED, EventStep.What.REMAPPED)
NOT_YET, ANNOUNCED, WAITING, FINAL = "awarded", "announced", "waiting", "final"


def with_state(awards: QuerySet[Award]) -> QuerySet[Any]:
    """Awards with `state`: awarded (moves with every run), announced (held), waiting for approval, or final."""
    later = Decision.objects.filter(list=OuterRef("list"), player=OuterRef("player"), date__gt=OuterRef("day"))
    # a grade announced or approved later is no lower, and holds those below it
    held = later.filter(Q(ruling__in=HOLDS) | Q(ruling__in=GIVE, grade=OuterRef("grade")))
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
    """Awards with `case`: the state of the approval that was asked for, empty where there is none."""
    cases = Approval.objects.filter(
        list=OuterRef("list"), player=OuterRef("player"), grade=OuterRef("grade"), earned_on=OuterRef("day")
    )
    asked = Subquery(cases.exclude(state=Approval.State.FALLEN).order_by("-pk").values("state")[:1])
    annotated: QuerySet[Any] = with_state(awards).annotate(case=Coalesce(asked, Value("")))
    return annotated


def unannounced(rating_list: RatingList) -> QuerySet[Any]:
    """Grades that results earned and nobody has announced, with `settled_at`: when any of the player's results until
    then was last decided on, as a correction of an earlier event may have brought the grade.
    """
    steps = EventStep.objects.filter(
        what__in=SETTLED, event__lists=OuterRef("list"), event__start__lte=OuterRef("day"),
        event__tables__entries__player=OuterRef("player"),
    )  # fmt: skip
    last = steps.order_by("-at").values("at")[:1]
    awards = rating_list.awards.filter(last_of_step=True, table__isnull=False).exclude(how="demotion")
    settled = Coalesce(Subquery(last), Cast(F("day"), DateTimeField()), output_field=DateTimeField())
    several: QuerySet[Any] = (
        with_state(awards)
        .filter(state=NOT_YET)
        .annotate(settled_at=ExpressionWrapper(settled, DateTimeField()))
        .select_related("table__event", "player")
        .order_by("day", "place", "pk")
    )
    return several


def approvals_of(player: Player, rating_list: RatingList) -> list[Approval]:
    """The ways of a player's grades that needed approval, newest first."""
    return list(player.approvals.filter(list=rating_list).select_related("table__event", "decision").defer("letter"))


def waiting_approvals(user_lists: QuerySet[RatingList]) -> QuerySet[Approval]:
    """Open approvals on some lists, the longest waiting first."""
    open_ = Approval.objects.filter(state__in=Approval.OPEN, list__in=user_lists).defer("letter")
    return open_.select_related("player", "list", "table__event").order_by("opened_at")


def settled_approvals(user_lists: QuerySet[RatingList]) -> QuerySet[Approval]:
    """Those that were answered or fell away, the latest first."""
    settled = Approval.objects.exclude(state__in=Approval.OPEN).filter(list__in=user_lists).defer("letter")
    return settled.select_related("player", "list", "table__event").order_by("-pk")


def overdue(today: dt.datetime) -> list[Approval]:
    """Open approvals of whom their approvers are to be reminded."""
    several = Approval.objects.filter(state__in=Approval.OPEN, list__remind_after__isnull=False).select_related("list")
    return [
        case
        for case in several.defer("letter")
        if (case.reminded_at or case.opened_at) <= today - dt.timedelta(days=case.list.remind_after or 0)
    ]
