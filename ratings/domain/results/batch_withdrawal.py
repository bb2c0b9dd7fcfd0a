"""Withdrawal of the submitted events of a batch of files together: which can be withdrawn, and which not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from ratings.access import Action, may
from ratings.models import BatchFile, Event, Submission
from ratings.queries.results.workflow import events_of

State = Submission.State


@dataclass(frozen=True)
class Withdrawals:
    """The events of a batch whose results wait for an officer, and others with why they cannot be withdrawn."""

    events: Sequence[Event] = ()
    others: Sequence[tuple[Event, str]] = ()


def list_submitted(files: Iterable[BatchFile]) -> list[Event]:
    """Return the events of a batch whose results from it wait for an officer, in date order."""
    return _list_events(files, State.SUBMITTED)


def list_withdrawals(files: Sequence[BatchFile], user: Any) -> Withdrawals:
    """Return which events of a batch a user can withdraw, and which were accepted or are not theirs."""
    submitted, accepted = list_submitted(files), _list_events(files, State.ACCEPTED)
    own = set(events_of(user).filter(pk__in=[event.pk for event in submitted]).order_by().values_list("pk", flat=True))
    events, others = [], []
    for event in submitted:
        if event.pk in own or may(user, Action.WITHDRAW, event):
            events.append(event)
        else:
            others.append((event, _("You do not organise this event.")))
    known = {event.pk for event in submitted}
    reason = _("Already accepted. Only an officer can void it.")
    others += [(event, reason) for event in accepted if event.pk not in known]
    return Withdrawals(events, others)


def _list_events(files: Iterable[BatchFile], state: str) -> list[Event]:
    found = {
        file.event.pk: file.event
        for file in files
        if file.event is not None and file.submission is not None and file.submission.state == state
    }
    return sorted(found.values(), key=lambda event: (event.end, event.start, event.pk))
