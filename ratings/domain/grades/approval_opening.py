"""Approvals of grades that rating runs open and close, and requests for grades held elsewhere."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from ratings.domain.site.acting import acting_user
from ratings.domain.site.outbox import notify
from ratings.models import Approval, ApprovalStep, Award, Player, RatingList
from ratings.time_zones import find_today

from .approval_locks import lock_in_state
from .approval_steps import add_step
from .grade_approval import needs_approval

State, What = Approval.State, ApprovalStep.What


def update_all_approvals() -> None:
    """Open and close approvals on every list with a waiting grade or an open approval."""
    waiting = RatingList.objects.filter(standings__waiting__gt="").values("pk")
    open_ = RatingList.objects.filter(approvals__state__in=Approval.OPEN).values("pk")
    for pk in RatingList.objects.filter(Q(pk__in=waiting) | Q(pk__in=open_)).values_list("pk", flat=True):
        update_approvals(pk)


@transaction.atomic
def update_approvals(list_id: int) -> None:
    """Open an approval for every grade that waits on a list, and close those whose grade no longer waits.

    Requested approvals stay open, since their grades were not earned by results. Nothing is done while the list is out
    of date.
    """
    rating_list = RatingList.objects.select_for_update().get(pk=list_id)
    if rating_list.out_of_date_from is not None or not rating_list.has_grades:
        return
    waiting = dict(rating_list.standings.exclude(waiting="").values_list("player", "waiting"))
    awards = _find_awards(rating_list, waiting)
    for case in rating_list.approvals.filter(state__in=Approval.OPEN):
        if waiting.get(case.player_id) == case.grade:
            del waiting[case.player_id]
            if not case.is_requested:
                _update_earning_table(case, awards.get((case.player_id, case.grade)))
        elif not case.is_requested:
            case.state = State.FALLEN
            case.save(update_fields=["state"])
            notify("approval", case.pk)
    for player, grade in waiting.items():
        award = awards.get((player, grade))
        if award is not None:
            case = Approval(list=rating_list, player_id=player, grade=grade, earned_on=award.day, table=award.table)
            case.save()
            notify("approval", case.pk)


def _update_earning_table(case: Approval, award: Award | None) -> None:
    """Update the day and table of an approval, since a correction can change which table earned the grade."""
    if award is not None and (case.earned_on, case.table_id) != (award.day, award.table_id):
        case.earned_on, case.table = award.day, award.table
        case.save(update_fields=["earned_on", "table"])


def _find_awards(rating_list: RatingList, players: Collection[int]) -> dict[tuple[int, str], Award]:
    """Return the latest award of each grade that needs approval, by the player's primary key and the grade."""
    awards = rating_list.awards.filter(player__in=players, needs_approval=True).select_related("table")
    return {(award.player_id, award.grade): award for award in awards.order_by("day", "place")}


@transaction.atomic
def request_approval(
    rating_list: RatingList, player: Player, grade: str, *, held_since: dt.date, evidence: str
) -> Approval:
    """Open an approval of a grade that a player holds elsewhere; it has the same steps as for an earned grade.

    Raise ValidationError if the grade needs no approval, if the player holds it already, if the evidence is missing, if
    `held_since` is in the future, if an approval of the grade is open, if the player was merged, or without an acting
    user.
    """
    player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    rating_list = RatingList.objects.select_for_update().get(pk=rating_list.pk)
    user = acting_user()
    if user is None:
        raise ValidationError(_("Enter who signed."))
    if not needs_approval(rating_list, grade):
        raise ValidationError({"grade": _("This grade needs no approval.")})
    if player.merged_into_id is not None:
        raise ValidationError({"player": _("This player was merged with another player: choose that player.")})
    if not evidence.strip():
        raise ValidationError({"evidence": _("Enter the evidence that the player holds the grade.")})
    if held_since > find_today(rating_list.federation.time_zone):
        raise ValidationError({"held_since": _("The day cannot be in the future.")})
    _check_higher(rating_list, player, grade)
    if rating_list.approvals.filter(player=player, grade=grade, state__in=Approval.OPEN).exists():
        raise ValidationError({"grade": _("An approval of this grade is open already.")})
    case = Approval(
        list=rating_list, player=player, grade=grade, earned_on=held_since, evidence=evidence.strip(), requested_by=user
    )
    case.full_clean()
    case.save()
    add_step(case, What.REQUESTED, evidence.strip())
    notify("approval", case.pk)
    return case


def _check_higher(rating_list: RatingList, player: Player, grade: str) -> None:
    """Raise ValidationError if the player holds the grade, or a higher one, already."""
    order = list(rating_list.rating_system.grading.grades)
    held = rating_list.standings.filter(player=player).values_list("grade", flat=True).first()
    if held and order.index(held) >= order.index(grade):
        raise ValidationError({"grade": _("The player holds %(grade)s already.") % {"grade": held}})


@transaction.atomic
def withdraw(case: Approval, reason: str) -> None:
    """Withdraw the request for an approval that is not answered yet; `reason` is required."""
    case = lock_in_state(case, State.WAITING, State.SENT)
    if not case.is_requested:
        raise ValidationError(_("Results earned this grade; it waits until it is answered."))
    if not reason.strip():
        raise ValidationError({"reason": _("Enter the reason for withdrawing the request.")})
    case.state = State.WITHDRAWN
    case.save(update_fields=["state"])
    add_step(case, What.WITHDRAWN, reason.strip())
    notify("approval", case.pk)
