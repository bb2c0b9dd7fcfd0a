"""Inputs of a list other than results: adjustments, decisions, and the list's data about players.

Each change marks the affected lists as out of date from its day on.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext

from ratings.batches import BATCH
from ratings.domain.grades.grade_approval import (
    ListStart,
    check_list_player,
    check_list_record,
    check_removal,
    check_system,
)
from ratings.domain.players.visibility import apply_visibility, record_visibility
from ratings.domain.runs.marking import mark_lists_out_of_date, mark_player_out_of_date
from ratings.domain.runs.table_facts import request_facts
from ratings.models import Adjustment, Approval, Decision, ListPlayer, Player, RatedTable, RatingList, Table, TableFacts
from ratings.models.messages import RunReason
from ratings.systems import get_system
from ratings.systems.values import OptionChange

from .adjustment_checks import RecordChecks, check_adjusted_state, get_effective_day


@transaction.atomic
def save_adjustment(
    row: Adjustment | Decision, *, case: Approval | None = None, start: ListStart | None = None
) -> None:
    """Save a new or changed adjustment or decision. ValidationError: the list's system refuses it.

    A grade that needs approval is saved with the approval that it answers (`case`), or at the start of a list.
    """
    row.full_clean()
    check_list_record(row, case=case, start=start)
    check_adjusted_state(row)
    if row.pk is not None:
        _mark(type(row).objects.get(pk=row.pk))
    row.save()
    _mark(row)


@transaction.atomic
def save_adjustments(rows: Sequence[Adjustment | Decision], *, reason: str, start: ListStart | None = None) -> None:
    """Save many new adjustments and decisions of one list, and mark the list once; `reason` is stored with the run.

    They are checked together, with a few queries. ValidationError: one of them is invalid.
    """
    if not rows:
        return
    checks = RecordChecks(rows[0].list, rows, start=start)
    for row in rows:
        checks.check(row)
    store_checked(rows, reason=reason)


@transaction.atomic
def store_checked(rows: Sequence[Adjustment | Decision], *, reason: str) -> None:
    """Store new rows of one list that `RecordChecks` has checked, and mark the list once."""
    Adjustment.objects.bulk_create([row for row in rows if isinstance(row, Adjustment)], BATCH)
    Decision.objects.bulk_create([row for row in rows if isinstance(row, Decision)], BATCH)
    mark_rows_out_of_date(rows, reason)


def mark_rows_out_of_date(rows: Collection[Adjustment | Decision], reason: str) -> None:
    """Mark the list of some rows as out of date from the first of their days on, once, with the tables of decisions."""
    if not rows:
        return
    rating_list = next(iter(rows)).list
    decisions = [row for row in rows if isinstance(row, Decision)]
    before = {row.before_id for row in decisions if row.before_id is not None}
    own_tables = Q(pk__in=before) | Q(last_day__in={row.date for row in decisions if row.before_id is None})
    tables = Table.objects.filter(own_tables, event__lists=rating_list) if decisions else ()
    mark_lists_out_of_date([rating_list], min(map(_get_first_day, rows)), reason, tables=tables)


def _mark(row: Adjustment | Decision, *, deleted: bool = False) -> None:
    """Mark the list as out of date; tables whose own rating a decision may concern are rated again."""
    own_tables = Q(pk=row.before_id) if row.before_id else Q(last_day=row.date)
    tables = Table.objects.filter(own_tables, event__lists=row.list) if isinstance(row, Decision) else ()
    mark_lists_out_of_date([row.list], _get_first_day(row), _reason(row, deleted=deleted), tables=tables)


def _get_first_day(row: Adjustment | Decision) -> dt.date:
    """Return the first day that a record concerns: that of its effect or, in the log, its own."""
    return min(row.date, get_effective_day(row))


def _reason(row: Adjustment | Decision, *, deleted: bool) -> str:
    """Return the reason of the run; it has no names, because reasons are public and names may not be."""
    whom = RunReason.OF_PLAYER(player=row.player.public_id) if row.player else RunReason.OF_LIST()
    fields = {"date": row.date, "whom": whom}
    if isinstance(row, Decision):
        if deleted:
            return RunReason.DECISION_WITHDRAWN(**fields)
        return RunReason.DECISION_CHANGED(**fields)
    if deleted:
        return RunReason.ADJUSTMENT_WITHDRAWN(**fields)
    return RunReason.ADJUSTMENT_CHANGED(**fields)


@transaction.atomic
def save_list_player(row: ListPlayer, *, start: ListStart | None = None) -> None:
    """Save a list's data about a player, and mark the list as out of date from the player's first table on."""
    row.full_clean()
    old = ListPlayer.objects.get(pk=row.pk) if row.pk is not None else None
    check_list_player(row, old, start)
    if old is not None:
        mark_player_out_of_date(old.list, old.player)
    row.save()
    mark_player_out_of_date(row.list, row.player)


@transaction.atomic
def delete_list_player(row: ListPlayer) -> None:
    check_removal(row)
    mark_player_out_of_date(row.list, row.player)
    row.delete()


@transaction.atomic
def save_list(rating_list: RatingList) -> None:
    """Save a list; changing the list it is compared with marks it as out of date from the beginning.

    ValidationError: the system was changed and is fixed, or the list has results and its options were changed; use
    `change_options` for that.
    """
    old = RatingList.objects.select_for_update().filter(pk=rating_list.pk).first()
    if old and old.system != rating_list.system and (reason := why_system_is_fixed(old)):
        raise ValidationError({"system": reason})
    if old and has_results(old) and _settings(old) != _settings(rating_list):
        raise ValidationError(gettext("This list has results: change its options by “Change options”."))
    _store_list(rating_list, old)


@transaction.atomic
def change_options(rating_list: RatingList, options: Mapping[str, Any]) -> None:
    """Change the options of a list, even if it has results: all of them are rated again."""
    old = RatingList.objects.select_for_update().get(pk=rating_list.pk)
    rating_list.system, rating_list.options = old.system, dict(options)
    _store_list(rating_list, old)


@transaction.atomic
def save_option_changes(rating_list: RatingList, changes: Iterable[OptionChange]) -> None:
    """Replace the changes of a list's options: its results are rated again from the first day that differs.

    ValidationError: an option is unknown, invalid or cannot change, or two changes are on one day.
    """
    old = RatingList.objects.select_for_update().get(pk=rating_list.pk)
    rating_list.system, rating_list.options = old.system, old.options
    rating_list.set_option_changes(changes)
    _store_list(rating_list, old)


def why_system_is_fixed(rating_list: RatingList) -> str:
    """Return why the rating system of a list cannot be changed any more, and what to do instead; empty if it can."""
    if rating_list.pk is None:
        return ""
    if has_results(rating_list):
        return gettext(
            "The rating system is fixed, because results have been rated on this list. To try other rules, create a"
            " comparison list."
        )
    if rating_list.adjustments.exists():
        return gettext(
            "The rating system is fixed, because players have starting ratings on this list. To choose another system,"
            " undo their import first."
        )
    return ""


def has_results(rating_list: RatingList) -> bool:
    """Return whether tables have been rated on a list."""
    return RatedTable.objects.filter(list=rating_list).exists()


def _settings(rating_list: RatingList) -> tuple[str, Any]:
    """Return the system and the settings of a list, without default options; invalid options are returned as stored."""
    try:
        return rating_list.system, get_system(rating_list.system, rating_list.options).settings
    except (KeyError, TypeError, ValueError, AttributeError):
        return rating_list.system, rating_list.options


def _store_list(rating_list: RatingList, old: RatingList | None) -> None:
    rating_list.full_clean()
    if old is not None:
        check_system(rating_list, old)
    rating_list.save()
    inputs = (rating_list.system, rating_list.options, rating_list.comparison_to_id, rating_list.seed_list_id)
    before = (old.system, old.options, old.comparison_to_id, old.seed_list_id) if old else (*inputs[:2], None, None)
    if old is not None and old.tie_breaks != rating_list.tie_breaks:
        _compute_winners_again(rating_list)
    if before != inputs:
        mark_lists_out_of_date([rating_list], dt.date.min, RunReason.OPTIONS_CHANGED(), tables=None)
    elif old is not None:
        first = _find_first_difference(old.parsed_option_changes, rating_list.parsed_option_changes)
        mark_lists_out_of_date([rating_list], first, RunReason.OPTIONS_CHANGED(), tables=None)


def _compute_winners_again(rating_list: RatingList) -> None:
    """Have the facts of a list's tables computed again, and their pages made anew."""
    lists = RatingList.objects.filter(Q(pk=rating_list.pk) | Q(comparison_to=rating_list))
    lists.update(revision=F("revision") + 1)
    TableFacts.objects.filter(rated__list__in=lists).delete()
    for pk in lists.values_list("pk", flat=True):
        request_facts(pk)


def _find_first_difference(old: Iterable[OptionChange], new: Iterable[OptionChange]) -> dt.date | None:
    """Return the earliest day from which changes of options differ; None if they are equal."""
    by_day = [{change.date: change.options for change in changes} for changes in (old, new)]
    days = {day for day in {**by_day[0], **by_day[1]} if by_day[0].get(day) != by_day[1].get(day)}
    return min(days, default=None)


@transaction.atomic
def rate_from_the_beginning(rating_list: RatingList) -> None:
    """Have everything of a list rated again, whether anything has changed or not."""
    mark_lists_out_of_date([rating_list], dt.date.min, RunReason.RATED_FROM_THE_START(), tables=None)


@transaction.atomic
def save_player(player: Player) -> None:
    """Save a player; a changed birth date or year marks the player's lists as out of date."""
    player.full_clean()
    old = Player.objects.filter(pk=player.pk).first()
    player.save()
    if old and old.shown != player.shown:
        apply_visibility(player, player.shown)
    if old:
        record_visibility(old, player)
    if old and (old.birth_date, old.birth_year) != (player.birth_date, player.birth_year):
        for rating_list in RatingList.objects.filter(standings__player=player):
            mark_player_out_of_date(rating_list, player)


@transaction.atomic
def delete_adjustment(row: Adjustment | Decision, *, case: Approval | None = None) -> None:
    """Delete an adjustment or decision; the decision of an approval only if its `case` is reopened."""
    check_removal(row, case=case)
    _mark(row, deleted=True)
    row.delete()
