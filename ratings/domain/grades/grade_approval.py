"""Checks that refuse records which would put a grade that needs approval in force without an approval.

The rating system names these grades. Only `approvals` saves decisions on them. The exception is the start of a list:
before its first rated table, an administrator may record such a grade with its source; if the list has a second
approver, a second person confirms the record.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import connection
from django.db.models import Q
from django.utils.translation import gettext as _

from ratings.access import Action, may
from ratings.batches import in_batches
from ratings.domain.site.acting import acting_user
from ratings.localize import format_day, join_parts
from ratings.models import (
    Adjustment,
    Approval,
    Claim,
    Decision,
    Event,
    ListPlayer,
    Merge,
    Player,
    RatingList,
)
from ratings.queries.lists.history import tables_of
from ratings.systems import values
from ratings.systems.values import ANSWERING_RULINGS, Ruling

from .waiting_grades import WaitingGrades

Given = Adjustment | Decision
GradeRecord = Adjustment | Decision | ListPlayer


@dataclass(frozen=True)
class ListStart:
    """The start of a list, at which people may record grades that players hold already.

    It is created before an import saves its first table. `empty` is True if the list had no rated table; `by` is the
    administrator and `second` the second person who record the grades.
    """

    rating_list: RatingList
    empty: bool
    by: User | None
    second: User | None = None
    proposing: bool = field(default=False, kw_only=True)
    """True if a second person confirms the record later, so that none is needed yet."""
    own: frozenset[int] | None = field(default=None, kw_only=True)
    """Primary keys of the players that are one of these persons; None if they are looked up."""

    def problem(self, grade: str, player: Player | None, source: str) -> str:
        """Return why a grade that needs approval cannot be recorded; empty if it can."""
        message = self._list_problem() or self._people_problem(player)
        if not message and not source.strip():
            message = _("name the source that shows that the player holds it.")
        names = {"grade": grade, "list": self.rating_list, "problem": message}
        return _("%(grade)s needs approval on %(list)s: %(problem)s") % names if message else ""

    def _list_problem(self) -> str:
        if not self.empty:
            return _("the list has rated tables, so request an approval of the grade instead.")
        return ""

    def _people_problem(self, player: Player | None) -> str:
        if self.by is None:
            return _("name the administrator who records it (--as on the command line).")
        if not self.by.is_superuser or not self.by.is_active:
            return _("only an administrator records it when a list starts.")
        if self.rating_list.second_approver and not self.proposing and not self._has_valid_second():
            return _(
                "two people record it, so name another administrator or approver (--second on the command line),"
                " or leave the grade out and add it as an adjustment in the admin, where a second person confirms it."
            )
        if player is not None and self._is_own(player):
            return _("nobody records a grade of their own.")
        return ""

    def _is_own(self, player: Player) -> bool:
        if self.own is not None:
            return player.pk in self.own
        return any(user and is_own(player, user) for user in (self.by, self.second))

    def _has_valid_second(self) -> bool:
        second = self.second
        return second is not None and second != self.by and may(second, Action.APPROVE, _ListObject(self.rating_list))

    def check(self, grade: str, player: Player | None, source: str, name: str) -> None:
        """Raise ValidationError for the field `name` if a grade that needs approval cannot be recorded."""
        if message := self.problem(grade, player, source):
            raise ValidationError({name: message})


@dataclass(frozen=True)
class _ListObject:
    """Stand-in for an object of a list, which `access.may` expects."""

    list: RatingList


def get_list_start(
    rating_list: RatingList,
    *,
    second: User | None = None,
    proposing: bool = False,
    accepted_now: Collection[Event] = (),
) -> ListStart:
    """Return the start of a list for the acting user and a second person; lock the list in a transaction.

    `accepted_now` are events that the same step accepted before: their tables belong to the start of the list.
    """
    if connection.in_atomic_block:
        list(RatingList.objects.select_for_update().filter(pk=rating_list.pk))  # so that no table is accepted meanwhile
    empty = not tables_of(rating_list).exclude(event__in=accepted_now).exists()
    return ListStart(rating_list, empty, acting_user(), second, proposing=proposing)


def needs_approval(rating_list: RatingList, grade: str | None) -> bool:
    """Return True if a grade of a list comes into force only by an approval."""
    return rating_list.has_grades and grade in rating_list.rating_system.grading.grades_needing_approval


def needs_other_person(rating_list: RatingList, user: User | None, people_involved: Iterable[User | None]) -> bool:
    """Return True if a list requires another person than `user` to confirm what `people_involved` entered."""
    involved = {person.pk for person in people_involved if person is not None}
    return rating_list.four_eyes and (user is None or user.pk in involved)


def check_list_record(
    record: Given,
    *,
    case: Approval | None = None,
    start: ListStart | None = None,
    waiting: WaitingGrades | None = None,
) -> None:
    """Raise ValidationError if a new or changed adjustment or decision decides a grade that needs approval.

    `case` is the approval that the decision settles; `start` allows grades that players hold when the list starts;
    `waiting` are the grades that wait for approval, if they were read before.
    """
    stored = type(record)._default_manager.filter(pk=record.pk).first() if record.pk is not None else None
    if isinstance(stored, Decision) and _belongs_to_approval(stored):
        raise ValidationError(_("This decision belongs to an approval: reopen the approval instead."))
    if case is not None:
        _check_settles(record, case)
        return
    if not record.list.rating_system.grading.grades_needing_approval or record.list.comparison_to_id:
        return
    grade = get_decided_grade(record) or (get_decided_grade(stored) if stored else "")
    if grade:
        name = "grade" if isinstance(record, Decision) else "set"
        (start or get_list_start(record.list)).check(grade, record.player, record.source, name)
    elif isinstance(record, Decision):
        _check_leaves_waiting(record, waiting or WaitingGrades.read(record.list, [record.player_id]))


def get_decided_grade(row: GradeRecord) -> str:
    """Return the grade needing approval on which a record decides; empty if there is none."""
    if isinstance(row, ListPlayer):
        return row.prior_grade if needs_approval(row.list, row.prior_grade) else ""
    if isinstance(row, Adjustment):
        return _get_adjusted_grade(row)
    if needs_approval(row.list, row.grade) or (
        row.ruling in ANSWERING_RULINGS and row.list.rating_system.grading.grades_needing_approval
    ):
        return row.grade
    return ""


def _get_adjusted_grade(adjustment: Adjustment) -> str:
    """Return the grade needing approval that an adjustment sets or lets wait; empty if there is none."""
    if adjustment.set is None:
        return ""
    system = adjustment.list.rating_system
    try:
        state = system.rating.adjust(system.rating.with_rating(system.rating.newcomer(), 1500), adjustment.set)
    except (ValueError, TypeError, AttributeError):
        return ""  # the adjustment's own validation reports this error
    standing = system.rating.standing(state, values.Player(""))
    for grade in (standing.grade, standing.waiting):
        if grade in system.grading.grades_needing_approval:
            return str(grade)
    # setting "waiting" without such a grade would end a waiting grade
    return system.grading.grades_needing_approval[0] if "waiting" in adjustment.set else ""


def _check_settles(record: Given, case: Approval) -> None:
    """Raise ValidationError unless the record is a new decision that matches the answer of an open approval."""
    rulings = (Ruling.APPROVED, Ruling.GIVEN) if case.granted else (Ruling.DECLINED,)
    fits = isinstance(record, Decision) and record.pk is None and case.is_open and case.granted is not None
    fits = fits and (record.list_id, record.player_id) == (case.list_id, case.player_id)
    if not (fits and isinstance(record, Decision) and record.grade == case.grade and record.ruling in rulings):
        raise ValidationError(_("This decision does not answer the approval."))


def _check_leaves_waiting(decision: Decision, grades: WaitingGrades) -> None:
    """Raise ValidationError if a decision on another grade would end the waiting for a grade that needs approval."""
    if decision.ruling == Ruling.KEPT and not _is_promotion(decision, grades.held.get(decision.player_id)):
        return
    day = decision.before.last_day if decision.before else decision.date
    for grade, earned_on in grades.waiting.get(decision.player_id, ()):
        if earned_on == day if decision.ruling == Ruling.WITHHELD else earned_on <= day:
            message = _("%(grade)s, earned on %(day)s, waits for approval: answer that first.")
            raise ValidationError({"grade": message % {"grade": grade, "day": format_day(earned_on)}})


def _is_promotion(decision: Decision, held: str | None) -> bool:
    """Return True if the decision's grade is higher than the player's current grade."""
    order = list(decision.list.rating_system.grading.grades)
    return not held or order.index(held) < order.index(decision.grade)


def check_removal(row: GradeRecord, *, case: Approval | None = None) -> None:
    """Raise ValidationError if a record decides on a grade that needs approval and must not be removed."""
    is_answer = isinstance(row, Decision) and _belongs_to_approval(row)
    if is_answer and case is not None and case.decision_id == row.pk:
        return
    if problem := _find_removal_problem(row, acting_user(), is_answer=is_answer):
        raise problem


def find_removal_problems(rows: Sequence[Given]) -> list[ValidationError | None]:
    """Return for each of many records why it must not be removed, as `check_removal` raises it."""
    user, answered = acting_user(), set[int | None]()
    for batch in in_batches([row.pk for row in rows if isinstance(row, Decision)]):
        answered.update(Approval.objects.filter(decision__in=batch).values_list("decision", flat=True))
    return [_find_removal_problem(row, user, is_answer=row.pk in answered) for row in rows]


def _find_removal_problem(row: GradeRecord, user: User | None, *, is_answer: bool) -> ValidationError | None:
    if isinstance(row, Decision) and is_answer:
        return ValidationError(_("This decision belongs to an approval: reopen the approval instead."))
    grade = get_decided_grade(row)
    if grade and not (user and user.is_superuser):
        message = _("%(grade)s needs approval: only an administrator removes a record of it.")
        return ValidationError(message % {"grade": grade})
    return None


def _belongs_to_approval(decision: Decision) -> bool:
    return Approval.objects.filter(decision=decision.pk).exists()


def check_list_player(row: ListPlayer, stored: ListPlayer | None, start: ListStart | None = None) -> None:
    """Raise ValidationError if a player's list data adds or removes a prior grade for which approval is needed."""
    same = stored is not None and (stored.list_id, stored.player_id, stored.prior_grade) == (
        row.list_id,
        row.player_id,
        row.prior_grade,
    )
    if same:
        return
    if stored is not None:
        check_removal(stored)
    if grade := get_decided_grade(row):
        (start or get_list_start(row.list)).check(grade, row.player, row.prior_evidence, "prior_grade")


def check_system(rating_list: RatingList, old: RatingList) -> None:
    """Raise ValidationError if grades recorded under the old rules of a list need approval under the new ones."""
    before, after = (
        set(one.rating_system.grading.grades_needing_approval if one.has_grades else ()) for one in (old, rating_list)
    )
    added = after - before
    if not added:
        return
    decisions = rating_list.decisions.filter(grade__in=added, approval=None).exclude(ruling=Ruling.WITHHELD)
    known = rating_list.members.filter(prior_grade__in=added)
    adjustments = rating_list.adjustments.filter(set__isnull=False).select_related("player")
    if (
        decisions.exists()
        or known.exists()
        or any(_get_adjusted_grade_under(adjustment, rating_list) in added for adjustment in adjustments)
    ):
        message = _("Players of this list were given grades that need approval by these rules: %(grades)s.")
        raise ValidationError({"system": message % {"grades": join_parts(sorted(added))}})


def _get_adjusted_grade_under(adjustment: Adjustment, rating_list: RatingList) -> str:
    adjustment.list = rating_list
    return _get_adjusted_grade(adjustment)


def is_own(player: Player, user: User) -> bool:
    """Return True if a player, or one merged with them, is the user: by account, or by a claim not declined.

    A withdrawn claim counts too: otherwise a user could claim their own page, withdraw the claim and decide.
    """
    root = player.merged_into_id or player.pk
    if root is None:
        return False
    people = Player.objects.filter(Q(pk__in=[root, player.pk]) | Q(merged_into=root))
    claimed = Claim.objects.filter(player__in=people, user=user).exclude(state=Claim.State.DECLINED)
    return people.filter(account=user.pk).exists() or claimed.exists()


def list_own_players(*users: User | None) -> frozenset[int]:
    """Return the primary keys of the players for whom `is_own` is True for one of the users."""
    accounts = Player.objects.filter(account__in=[user for user in users if user])
    claims = Claim.objects.filter(user__in=[user for user in users if user]).exclude(state=Claim.State.DECLINED)
    own = Player.objects.filter(Q(pk__in=accounts.values("pk")) | Q(pk__in=claims.values("player")))
    roots = {merged_into or pk for pk, merged_into in own.values_list("pk", "merged_into")}
    merged = Player.objects.filter(merged_into__in=roots).values_list("pk", flat=True) if roots else ()
    return frozenset(roots.union(merged))


def has_prepared(case: Approval, user: User) -> bool:
    """Return True if a user requested an approval or prepared its basis other than by entering results.

    Preparing means moving the approval or its results to the player, or entering an adjustment of the player dated on
    or after the first rated table of the list.
    """
    if case.requested_by_id == user.pk:
        return True
    moved = Merge.objects.filter(Q(kept=case.player_id) | Q(gone=case.player_id), by=user, undone_at=None)
    if any(_has_moved(record, case) for record in moved):
        return True
    first = tables_of(case.list).order_by("last_day").values_list("last_day", flat=True).first()
    adjustments = Adjustment.objects.filter(list=case.list_id, player=case.player_id, made_by=user)
    return adjustments.filter(date__gte=first or dt.date.max).exists()


def _has_moved(record: Merge, case: Approval) -> bool:
    moved = record.moved
    return case.pk in moved.get("approval", ()) or case.table_id in moved.get("table", ())


def check_merge(gone: Player, kept: Player) -> None:
    """Raise ValidationError if a merge would give a player a grade that was approved or recorded for the other one."""
    held = _load_approved_grades(kept)
    for rating_list, grade in _load_approved_grades(gone):
        order = rating_list.rating_system.grading.grades
        if not any(own == rating_list and order.index(own_grade) >= order.index(grade) for own, own_grade in held):
            message = _(
                "%(player)s has %(grade)s by an approval or a record of their own: keep %(player)s, and merge the other"
                " player into them."
            )
            raise ValidationError(message % {"player": gone.name, "grade": grade})
    declined = Decision.objects.filter(player=gone, ruling=Ruling.DECLINED)
    if Approval.objects.filter(player=kept, state__in=Approval.OPEN, list__in=declined.values("list")).exists():
        message = _(
            "A grade of %(player)s waits for approval, and the other player was declined one: answer that first."
        )
        raise ValidationError(message % {"player": kept.name})
    if user := acting_user():
        both = [(gone, kept), (kept, gone)]
        if any(is_own(own, user) and _load_approved_grades(other) for own, other in both):
            raise ValidationError(
                _(
                    "You are one of these players, and the other one has a grade that needed approval:"
                    " another officer merges them."
                )
            )


def _load_approved_grades(player: Player) -> set[tuple[RatingList, str]]:
    """Return the list and grade of each record that decides on a grade needing approval for a player."""
    rows: list[GradeRecord] = [
        *Decision.objects.filter(player=player).select_related("list"),
        *Adjustment.objects.filter(player=player).select_related("list"),
        *ListPlayer.objects.filter(player=player).select_related("list"),
    ]
    return {(row.list, grade) for row in rows if (grade := get_decided_grade(row))}


def check_undo(record: Merge) -> None:
    """Raise ValidationError if the merged player got an approval since, as it was granted to both as one player."""
    since = Approval.objects.filter(player=record.kept_id, state=Approval.State.APPROVED, decided_at__gte=record.at)
    if case := since.first():
        message = _("%(grade)s was approved for %(player)s since: reopen that approval first.")
        raise ValidationError(message % {"grade": case.grade, "player": record.kept.name})
