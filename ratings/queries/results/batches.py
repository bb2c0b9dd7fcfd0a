"""Queries for the pages of batches of files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Count, Q, QuerySet, prefetch_related_objects

from ratings.models import BatchFile, Event, FileBatch, Submission


def batches_of(user: Any) -> QuerySet[FileBatch]:
    """Return the batches of a user that were not undone, the latest first, each with `total` and `waiting` files."""
    waiting = Count("files", filter=Q(files__state=BatchFile.State.WAITING))
    batches = FileBatch.objects.filter(made_by=user.pk, undone_at=None)
    return batches.annotate(total=Count("files"), waiting=waiting).order_by("-pk")


def files_of(batch: FileBatch) -> list[BatchFile]:
    """Return the files of a batch with their drafts, events and lists, without their bytes and the drafts' contents."""
    files = batch.files.defer("data", "submission__content").select_related("submission__event", "event")
    return list(files.prefetch_related("event__lists"))


def load_contents(drafts: Sequence[Submission], *, replaced: bool = False) -> None:
    """Load the contents of drafts of `files_of` that are not loaded yet, and the drafts that they replaced.

    There is one query for the contents, if any is missing, and one for the drafts that were replaced.
    """
    missing = [draft for draft in drafts if "content" in draft.get_deferred_fields()]
    if missing:
        contents = dict(Submission.objects.filter(pk__in=[draft.pk for draft in missing]).values_list("pk", "content"))
        for draft in missing:
            draft.content = contents[draft.pk]
    if replaced:
        prefetch_related_objects(drafts, "replaced")


def has_batch_choices(batch: FileBatch) -> bool:
    """Return True if players were chosen in several drafts of a batch at once, which can be undone in an open one."""
    drafts = Submission.objects.filter(batch_files__batch=batch, state__in=Submission.OPEN)
    return drafts.filter(content__last_choices__batch_step__gt="").exists()


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
