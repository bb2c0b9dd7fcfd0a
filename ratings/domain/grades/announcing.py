"""Announcements of grades, which make earned grades final.

An announcement is stored as a decision, so that later corrections of results do not change the grade.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from ratings.domain.lists.adjustments import delete_adjustment, save_adjustment
from ratings.domain.lists.list_permissions import check_officer
from ratings.domain.site.acting import acting_user
from ratings.domain.site.change_messages import queue_messages, sends_changes, split_rows
from ratings.domain.site.recording import lock_step, record_step, record_undo
from ratings.localize import award_message, format_day
from ratings.models import Award, ChangeKind, DatedLine, Decision, RatingList, RecordedStep
from ratings.models.messages import RecordReason
from ratings.queries.grades.awards import can_announce, unannounced_awards
from ratings.systems.values import Ruling

ANNOUNCED = RecordedStep.What.GRADE_ANNOUNCED


@transaction.atomic
def announce_grades(rating_list: RatingList, awards: Iterable[Award], *, reason: str) -> list[Decision]:
    """Announce grades of a list and return the stored decisions.

    Only the highest grade of each player is announced, since it includes the lower ones. Nothing is announced if the
    list is not public, or if its grades follow corrected results.
    """
    if not can_announce(RatingList.objects.select_for_update().get(pk=rating_list.pk)):
        return []
    wanted = {award.pk for award in awards}
    # read again, now that the list is locked
    awards = [award for award in unannounced_awards(rating_list) if award.pk in wanted]
    order = list(rating_list.rating_system.grading.grades)
    highest: dict[int, Award] = {}
    for award in awards:
        known = highest.get(award.player_id)
        if known is None or order.index(known.grade) < order.index(award.grade):
            highest[award.player_id] = award
    decisions = [_announce_award(rating_list, award, reason) for award in highest.values()]
    queue_grade_messages(rating_list, decisions)
    return decisions


def _announce_award(rating_list: RatingList, award: Award, reason: str) -> Decision:
    """Store the decision that keeps a grade from the day after the table, even if the results are corrected."""
    decision = Decision(
        list=rating_list,
        player_id=award.player_id,
        grade=award.grade,
        date=award.day + dt.timedelta(days=1),
        ruling=Ruling.KEPT,
        reason=RecordReason.EARNED(reason=reason, day=award.day, how=award_message(award.how)),
        source=str(award.table or "")[:200],
        made_by=acting_user(),
    )
    save_adjustment(decision)
    values = {"decision": decision.pk, "grade": award.grade, "day": award.day.isoformat()}
    record_step(ANNOUNCED, values, player=decision.player, rating_list=rating_list, reason=reason)
    return decision


def queue_grade_messages(rating_list: RatingList, decisions: Iterable[Decision], *, withdrawn: bool = False) -> None:
    """Queue messages that grades were announced or approved, or that this was withdrawn.

    No messages are sent about lists that are not public, or about comparisons.
    """
    kind = ChangeKind.GRADE_ANNOUNCED
    if sends_changes(rating_list):
        rows = (
            {"player": decision.player.public_id, "grade": decision.grade, "from": decision.date.isoformat()}
            for decision in decisions
        )
        messages = split_rows(kind, rating_list, {"withdrawn": withdrawn}, "grades", rows)
        queue_messages(messages, kinds={kind}, federation=rating_list.federation_id)


@transaction.atomic
def undo_announcement(step: RecordedStep, *, reason: str = "") -> None:
    """Undo an announcement by deleting its decision, so that the grade follows the results again.

    The grade is not announced again automatically after the list's term, only by an officer or with a dated list.
    Raise ValidationError if the decision was deleted already or a published list shows the grade, and PermissionDenied
    if the acting user is not an officer of the list.
    """
    rating_list = RatingList.objects.select_for_update().get(recorded_steps=step)
    check_officer([rating_list])
    step = lock_step(step, ANNOUNCED)
    if refusal := announcement_undo_problem(step):
        raise ValidationError(refusal)
    decision = Decision.objects.select_related("list", "player", "before").get(pk=step.values["decision"])
    delete_adjustment(decision)
    queue_grade_messages(rating_list, [decision], withdrawn=True)
    record_undo(step, reason)


def announcement_undo_problem(step: RecordedStep) -> str:
    """Return why an announcement cannot be undone now; empty if it can."""
    decision = Decision.objects.filter(pk=step.values["decision"], ruling=Ruling.KEPT).select_related("list").first()
    if decision is None:
        return gettext("Its decision was deleted already.")
    grades = decision.list.rating_system.grading.grades
    as_high = list(grades)[list(grades).index(decision.grade) :]
    lines = DatedLine.objects.filter(
        player=decision.player_id, dated__list=decision.list, dated__day__gte=step.values["day"], grade__in=as_high
    )
    if line := lines.select_related("dated").order_by("dated__day").first():
        message = gettext(
            "The list published for %(day)s shows this grade, so it stays announced. If it has to go, delete the"
            " decision “kept” in the admin."
        )
        return message % {"day": format_day(line.dated.day)}
    return ""


def _load_undone_announcements(rating_list: RatingList) -> set[tuple[int | None, str, str]]:
    """Return the player, grade and day of each undone announcement of a list."""
    steps = RecordedStep.objects.filter(what=ANNOUNCED, list=rating_list, undone_at__isnull=False)
    return {(step.player_id, step.values["grade"], step.values["day"]) for step in steps}


def announce_due_grades() -> int:
    """Announce the grades whose term is over on all lists with automatic announcements; return their number.

    The term of `announce_after` days begins when the results were accepted or last corrected.
    """
    count = 0
    for rating_list in RatingList.objects.filter(announce_after__isnull=False, out_of_date_from__isnull=True):
        if can_announce(rating_list):
            until = timezone.now() - dt.timedelta(days=rating_list.announce_after or 0)
            undone = _load_undone_announcements(rating_list)
            due = [
                award
                for award in unannounced_awards(rating_list).filter(settled_at__lte=until)
                if (award.player_id, award.grade, award.day.isoformat()) not in undone
            ]
            count += len(announce_grades(rating_list, due, reason=RecordReason.ANNOUNCED_AFTER_TERM()))
    return count


def announce_grades_until(rating_list: RatingList, day: dt.date) -> int:
    """Announce every grade earned up to the day of a published list, and return the number of announcements."""
    due = unannounced_awards(rating_list).filter(day__lte=day)
    return len(announce_grades(rating_list, due, reason=RecordReason.ANNOUNCED_WITH_LIST(day=day)))
