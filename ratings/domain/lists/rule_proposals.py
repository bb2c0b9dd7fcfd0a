"""Proposed changes of a list's rules: published for comments, then adopted, rejected or withdrawn by officers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.domain.runs.task_queue import send_task
from ratings.domain.site.acting import acting_user
from ratings.laboratory.conversion import has_other_scale
from ratings.laboratory.effects import put_in_force
from ratings.localize import format_day, translate_message
from ratings.models import RatingList, RuleProposal, RuleProposalStep
from ratings.systems import SYSTEMS
from ratings.systems.dated import check_changeable
from ratings.systems.messages import message_of
from ratings.systems.values import OptionChange
from ratings.time_zones import find_today

from .adjustments import save_option_changes
from .proposal_effects import request_effects

LEAST_NOTICE = dt.timedelta(days=30)
"""Time between the publication of proposed rules and the day on which they come into force."""
State = RuleProposal.State
What = RuleProposalStep.What
STEPS_TO = {State.OPEN: What.PUBLISHED, State.REJECTED: What.REJECTED, State.WITHDRAWN: What.WITHDRAWN}


@transaction.atomic
def save_proposal(proposal: RuleProposal) -> None:
    """Save a draft, and request that a worker computes its effects; raise ValidationError if it was published."""
    if proposal.pk is not None:
        _lock(proposal, [State.DRAFT])
    proposal.work, proposal.figures, proposal.error = RuleProposal.Work.WAITING, None, ""
    proposal.full_clean()
    _check_rules(proposal)
    proposal.save()
    request_effects(proposal)


def _check_rules(proposal: RuleProposal) -> None:
    """Raise ValidationError if a list cannot take the options of a proposal on its day."""
    if proposal.starts_successor:
        if RatingList.objects.filter(slug=proposal.successor_slug).exists():
            raise ValidationError({"successor_slug": _("A list with this short name exists already.")})
        own, system = proposal.list.rating_system, SYSTEMS[proposal.system]
        if has_other_scale(own, system):
            text = _(
                "A list rated by “%(new)s” cannot begin with ratings of “%(old)s”: their scales differ. Create a list"
                " of its own."
            )
            names = {"new": translate_message(system.name), "old": translate_message(own.name)}
            raise ValidationError(text % names)
        return
    rating_list = proposal.list
    try:
        check_changeable(type(rating_list.rating_system), proposal.options)
        later = OptionChange(proposal.in_force, proposal.options)
        check = RatingList(system=rating_list.system, options=rating_list.options)
        check.set_option_changes(put_in_force(rating_list.parsed_option_changes, later))
        check.dated_system  # noqa: B018 - raises ValueError for invalid changes
    except ValueError as error:
        raise ValidationError(translate_message(message_of(error))) from None


def check_notice(in_force: dt.date, published: dt.date) -> None:
    """Raise ValidationError if proposed rules come into force too soon after the day on which they are published."""
    earliest = published + LEAST_NOTICE
    if in_force < earliest:
        text = _(
            "Rules come into force at least %(days)s days after they are published: choose %(day)s or a later day."
        )
        raise ValidationError(text % {"days": LEAST_NOTICE.days, "day": format_day(earliest)})


@transaction.atomic
def publish_proposal(proposal: RuleProposal, *, on: dt.date | None = None) -> None:
    """Publish a draft for comments, today or as of another day.

    ValidationError: its effects are not computed, or it comes into force too soon.
    """
    locked = _lock(proposal, [State.DRAFT])
    if locked.work != RuleProposal.Work.DONE:
        raise ValidationError(_("The effects are not computed yet."))
    check_notice(locked.in_force, on or find_today(locked.list.federation.time_zone))
    locked.published_at = timezone.now()
    _move(locked, State.OPEN, "")


@transaction.atomic
def discard_draft(proposal: RuleProposal) -> None:
    """Delete a proposal that was never published; raise ValidationError for others."""
    _lock(proposal, [State.DRAFT]).delete()


@transaction.atomic
def adopt_proposal(proposal: RuleProposal, reason: str) -> None:
    """Adopt an open proposal: set its options from its day on, or let the successor list start on that day.

    ValidationError: it is not open; it was published by the same officer, on a list where a second one confirms; or
    the list has changed one of its options on that day or later.
    """
    locked = _lock(proposal, [State.OPEN])
    _check_second_officer(locked)
    if locked.list.successor is not None:
        raise ValidationError(_("The list is already continued by %(list)s.") % {"list": locked.list.successor})
    if not locked.starts_successor:
        _put_options_in_force(locked)
    _move(locked, State.ADOPTED, reason)
    if locked.starts_successor:
        send_task("ratings.sweep")  # it starts the list if its day has come


def _check_second_officer(proposal: RuleProposal) -> None:
    published = proposal.steps.filter(what=What.PUBLISHED).last()
    user = acting_user()
    if proposal.list.four_eyes and published is not None and user is not None and published.by_id == user.pk:
        raise ValidationError(_("You published this proposal: another officer must adopt it."))


def _put_options_in_force(proposal: RuleProposal) -> None:
    rating_list = RatingList.objects.select_for_update().get(pk=proposal.list_id)
    changes = rating_list.parsed_option_changes
    for change in changes:
        if change.date >= proposal.in_force and not proposal.options.keys().isdisjoint(change.options):
            text = _("The list changes these options on %(day)s, by another decision. Choose a later day.")
            raise ValidationError(text % {"day": format_day(change.date)})
    new = OptionChange(proposal.in_force, proposal.options, proposal.title)
    save_option_changes(rating_list, put_in_force(changes, new))


@transaction.atomic
def reject_proposal(proposal: RuleProposal, reason: str) -> None:
    """Reject an open proposal; its page stays."""
    _move(_lock(proposal, [State.OPEN]), State.REJECTED, reason)


@transaction.atomic
def withdraw_proposal(proposal: RuleProposal, reason: str) -> None:
    """Withdraw an open proposal; its page stays."""
    _move(_lock(proposal, [State.OPEN]), State.WITHDRAWN, reason)


@transaction.atomic
def reopen_proposal(proposal: RuleProposal, reason: str) -> None:
    """Open a decided proposal again: an adopted one takes its options back, and the results are rated again.

    ValidationError: no reason is given, or the successor list has started.
    """
    locked = _lock(proposal, [State.ADOPTED, State.REJECTED, State.WITHDRAWN])
    if not reason.strip():
        raise ValidationError({"reason": _("Enter the reason.")})
    if locked.successor is not None:
        raise ValidationError(_("The successor list has started: propose a change of its rules instead."))
    if locked.state == State.ADOPTED and not locked.starts_successor:
        _take_options_back(locked)
    _move(locked, State.OPEN, reason, What.REOPENED)


def _take_options_back(proposal: RuleProposal) -> None:
    rating_list = RatingList.objects.select_for_update().get(pk=proposal.list_id)
    save_option_changes(rating_list, _leave_out(rating_list.parsed_option_changes, proposal))


def _leave_out(changes: Iterable[OptionChange], proposal: RuleProposal) -> Iterable[OptionChange]:
    for change in changes:
        if change.date != proposal.in_force:
            yield change
        elif others := {key: value for key, value in change.options.items() if key not in proposal.options}:
            yield OptionChange(change.date, others, change.reason)


def _lock(proposal: RuleProposal, states: list[State]) -> RuleProposal:
    """Return the proposal, locked; raise ValidationError unless it is in one of these states."""
    locked = RuleProposal.objects.select_for_update().select_related("list__federation").get(pk=proposal.pk)
    if locked.state not in states:
        text = _("Nothing was done: the proposal is %(state)s by now.")
        raise ValidationError(text % {"state": locked.get_state_display()})
    return locked


def _move(proposal: RuleProposal, state: State, reason: str, what: Any = None) -> None:
    proposal.state, proposal.changed_at = state, timezone.now()
    proposal.save()
    record_step(proposal, what or STEPS_TO.get(state, What.ADOPTED), reason)


def record_step(proposal: RuleProposal, what: str, reason: str = "") -> None:
    step = RuleProposalStep(proposal=proposal, what=what, reason=reason, by=acting_user())
    step.full_clean()
    step.save()
