"""Checks of new adjustments and decisions: one by one, or many of a list with few queries."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.translation import gettext

from ratings.domain.grades.grade_approval import ListStart, check_list_record, get_list_start, list_own_players
from ratings.domain.grades.waiting_grades import WaitingGrades
from ratings.localize import translate_message
from ratings.models import Adjustment, Decision, RatingList
from ratings.queries.runs.states import latest_changes, read_states_before
from ratings.systems.messages import message_of
from ratings.systems.state_json import state_from_json

RELATIONS = ("list", "player", "before", "made_by")
"""Fields that hold objects read before: whether they exist is not asked again."""


def get_effective_day(row: Adjustment | Decision) -> dt.date:
    """Return the day on which an adjustment or decision takes effect: its own, or that of the table it precedes."""
    return row.before.last_day if row.before else row.date


def check_adjusted_state(row: Adjustment | Decision) -> None:
    """Raise ValidationError if an adjustment does not fit the state that the player has on its day."""
    if not isinstance(row, Adjustment) or row.player is None or row.set is None:
        return
    changes = latest_changes(row.list, Q(day__lt=get_effective_day(row)), [row.player.pk])
    _check_fits(row, changes.values_list("state", flat=True).first())


def _check_fits(row: Adjustment, stored: str | None) -> None:
    """Raise ValidationError if an adjustment does not fit a stored state of its player; None before the first one."""
    if row.set is None:
        return
    system = row.list.rating_system
    state = system.rating.newcomer() if stored is None else state_from_json(system, stored)
    try:
        system.rating.adjust(state, row.set)
    except ValueError as error:
        raise ValidationError({"set": translate_message(message_of(error))}) from None


class RecordChecks:
    """Checks of many new adjustments and decisions of one list. What they need is read in a few queries.

    `start` says who records grades that need approval; by default only the acting user.
    """

    def __init__(
        self, rating_list: RatingList, rows: Sequence[Adjustment | Decision], *, start: ListStart | None = None
    ) -> None:
        start = start or get_list_start(rating_list)
        decisions = [row for row in rows if isinstance(row, Decision)]
        self.start = replace(start, own=list_own_players(start.by, start.second))
        self._waiting = WaitingGrades.read(rating_list, {row.player_id for row in decisions})
        adjusted = {(row.player_id, get_effective_day(row)) for row in rows if isinstance(row, Adjustment)}
        self._states = read_states_before(rating_list, [(pk, day) for pk, day in adjusted if pk is not None])
        given = rating_list.decisions.filter(before=None) if decisions else Decision.objects.none()
        self._decided = set(given.values_list("player", "grade", "date", "ruling"))

    def check(self, row: Adjustment | Decision, *, proposing: bool = False) -> None:
        """Raise ValidationError if a row cannot be saved, or proposed to a second person; count it as saved else."""
        row.clean_fields(exclude=RELATIONS)
        row.clean()
        start = replace(self.start, proposing=proposing)
        if isinstance(row, Decision):
            decided = (row.player_id, row.grade, row.date, row.ruling)
            if row.before is None and decided in self._decided:
                raise ValidationError(gettext("The list has this already."))
            check_list_record(row, start=start, waiting=self._waiting)
            self._decided.add(decided)
            return
        if (row.player is None) != (row.set is None) or (row.set is None) == (row.shift is None):
            raise ValidationError(gettext("Either a state for one player or a shift of the whole list."))
        check_list_record(row, start=start)
        if row.player_id is not None:
            _check_fits(row, self._states.get((row.player_id, get_effective_day(row))))
