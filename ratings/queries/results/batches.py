"""Queries for the pages of batches of files."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Q, QuerySet

from ratings.models import BatchFile, Event, FileBatch


def batches_of(user: Any) -> QuerySet[FileBatch]:
    """Return the batches of a user that were not undone, the latest first, each with `total` and `waiting` files."""
    waiting = Count("files", filter=Q(files__state=BatchFile.State.WAITING))
    batches = FileBatch.objects.filter(made_by=user.pk, undone_at=None)
    return batches.annotate(total=Count("files"), waiting=waiting).order_by("-pk")


def files_of(batch: FileBatch) -> list[BatchFile]:
    """Return the files of a batch without their bytes, with their drafts, events, lists and replaced drafts."""
    files = batch.files.defer("data").select_related("submission__event", "event")
    return list(files.prefetch_related("event__lists", "submission__replaced"))


def events_lacking(files: list[BatchFile]) -> dict[str, list[Event]]:
    """Return the new events of a batch that lack a detail which can be answered for all at once, by its name."""
    events = {
        file.event.pk: file.event
        for file in files
        if file.state == BatchFile.State.READ and file.found == BatchFile.Found.NEW and file.event is not None
    }
    lacking = {
        "lists": [event for event in events.values() if not event.lists.all()],
        "time_control": [event for event in events.values() if not event.time_control],
        "place": [event for event in events.values() if not event.place],
    }
    return {name: found for name, found in lacking.items() if found}
