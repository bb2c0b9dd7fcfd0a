"""Entries on an organiser's desk: tasks of coming events, and templates with the entered players."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ratings.formats.spreadsheet.templates import DEFAULT_ROUNDS
from ratings.localize import format_day
from ratings.queries.events.entry_counts import EntryCounts

from .organiser_tasks import EventLine, Task

MAX_TEMPLATES = 5


def list_entry_tasks(lines: Iterable[EventLine], counts: Mapping[int, EntryCounts], today: dt.date) -> list[Task]:
    """Return a task for each event with entries to confirm that is not over, the next event first.

    Entries are to be confirmed before they close, or before the event begins.
    """
    waiting = [line.event for line in lines if line.event.pk in counts and counts[line.event.pk].asked]
    coming = sorted((event for event in waiting if event.end >= today), key=lambda event: event.start)
    return [_build_task(event, counts[event.pk]) for event in coming]


def _build_task(event: Any, counts: EntryCounts) -> Task:
    tag = ngettext("%(count)d entry", "%(count)d entries", counts.asked) % {"count": counts.asked}
    entered = ngettext("%(count)d player entered", "%(count)d players entered", counts.confirmed)
    waiting = ngettext("%(count)d waits for your confirmation", "%(count)d wait for your confirmation", counts.asked)
    sentence = _("%(entered)s, %(waiting)s.") % {
        "entered": entered % {"count": counts.confirmed},
        "waiting": waiting % {"count": counts.asked},
    }
    if counts.closes_at is not None:
        sentence += " " + _("Entries close on %(day)s.") % {"day": format_day(counts.closes_at)}
    address = reverse("manage_entries", args=[event.public_id])
    day = event.start if counts.closes_at is None else timezone.localdate(counts.closes_at)
    return Task(tag, "accent", event, sentence, _("Confirm entries"), address, day=day)


def list_templates(lines: Sequence[EventLine], counts: Mapping[int, EntryCounts]) -> list[tuple[Any, int, int]]:
    """Return events with entered players, each with the number of these and of its rounds, the next event first."""
    entered = [line.event for line in lines if line.event.pk in counts and counts[line.event.pk].confirmed]
    entered.sort(key=lambda event: event.start)
    return [(event, counts[event.pk].confirmed, event.rounds or DEFAULT_ROUNDS) for event in entered[:MAX_TEMPLATES]]
