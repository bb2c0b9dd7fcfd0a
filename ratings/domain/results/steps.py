"""Recording of the steps of an event, and the lock on its row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from ratings.domain.runs.locks import lock_seats
from ratings.domain.site.acting import acting_user
from ratings.domain.site.follow_queue import queue_followed_step
from ratings.domain.site.mails import notify_step
from ratings.localize import format_moment
from ratings.models import Event, EventStep, Submission
from ratings.queries.results.workflow import REMINDERS, event_steps, page_version

from .step_figures import Figures, count_submissions


def lock_event(event: Event) -> Event:
    """Return the stored event, locked until the transaction ends.

    Rows that belong to the event can be inserted meanwhile, as results in the hall are: their commit would otherwise
    wait for this transaction, which may wait for a row that they have locked.
    """
    return Event.objects.select_for_update(no_key=True).get(pk=event.pk)


def check_unchanged(event: Event, version: str, *, exclusive: bool = False) -> None:
    """Lock an event and compare it with the version on the page from which a form was sent.

    An empty version is not compared, since API clients send none. `exclusive`: no results may be saved until the
    transaction ends. Raise ValidationError if the event, one of its submissions or its state has changed since the page
    was opened; the message names the last step taken since.
    """
    lock_seats(exclusive=exclusive)  # before any row lock, because the step that follows may save table entries
    lock_event(event)
    if not version or version == page_version(event):
        return
    messages = [_("Nothing was done: this event has been changed since you opened the page. It is shown as it is now.")]
    step = event_steps(event).exclude(what__in=REMINDERS).last()
    if step is None or version.split(".")[1:2] == [str(step.pk)]:
        messages.append(_("Its data or draft results were changed."))
    else:
        messages.append(
            _("Last step: %(step)s, %(user)s, %(time)s.")
            % {
                "step": step.get_what_display(),
                "user": step.by or "–",
                "time": format_moment(step.at),
            }
        )
    raise ValidationError(messages)


def record_event_step(
    event: Event,
    what: str,
    note: str = "",
    *,
    data: Mapping[str, Any] | None = None,
    submissions: Iterable[Submission] = (),
    figures: Figures | None = None,
) -> EventStep:
    """Record a step of an event with the data needed to undo it, and mail the people concerned and the followers.

    `submissions` are the results that the step concerns: their figures are stored with it, and `figures` are added.
    """
    data = dict(data or {})
    submissions = list(submissions)
    counted = (count_submissions(submissions) if submissions else {}) | (figures or {})
    if counted:
        data["figures"] = counted
    step = EventStep.objects.create(event=event, what=what, note=note, by=acting_user(), data=data)
    notify_step(step)
    queue_followed_step(step)
    return step
