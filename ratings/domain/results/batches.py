"""Batches of result files: files come in together, and each step of the batch can be undone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.access import Action, may
from ratings.domain.events.tables import save_event
from ratings.domain.runs.task_queue import send_task
from ratings.domain.site.acting import acting_user
from ratings.models import BatchFile, Event, FileBatch, RatingList, Submission
from ratings.queries.lists.lists_of_days import find_list_of_day

from .batch_splitting import AddedFiles, list_parts, store_parts
from .deleting import delete_event, delete_submission, restore_submission

State, Found = BatchFile.State, BatchFile.Found
SENT_AS = "token"
"""Key in `head` of the files of a batch: the token with which a browser sent them."""


@transaction.atomic
def create_batch(files: Iterable[tuple[str, bytes]], *, token: str = "") -> FileBatch:
    """Create a batch of the acting user from files, given as (name, bytes), and request that they are read.

    If the user has sent files with this token before, their batch is returned: the browser had got no answer.
    """
    user = acting_user()
    if user is None:
        raise PermissionDenied
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # the same files may come twice at once
    known = FileBatch.objects.filter(made_by=user, **{f"files__head__{SENT_AS}": token}).first() if token else None
    if known is not None:
        return known
    batch = FileBatch.objects.create(made_by=user)
    add_files(batch, files)
    if token:
        for file in batch.files.only("head"):
            file.head = {SENT_AS: token, **file.head}
            file.save(update_fields=["head"])
    return batch


@transaction.atomic
def add_files(batch: FileBatch, files: Iterable[tuple[str, bytes]]) -> AddedFiles:
    """Add files to a batch and request that they are read; archives and RenjuNet's databases are split.

    Files that the batch has already are ignored. Raise ValidationError if there would be more than MAX_BATCH_FILES.
    """
    batch = FileBatch.objects.select_for_update().get(pk=batch.pk)
    added = store_parts(batch, (part for name, data in files for part in list_parts(name, data)))
    request_reading(batch)
    return added


def request_reading(batch: FileBatch) -> None:
    """Request that the waiting files of a batch are read."""
    send_task("ratings.read_batch", batch.pk)


@dataclass
class Answer:
    """The answers to what the files of a batch do not say; empty ones leave the question open.

    `heads` holds name, first_day and last_day by the primary key of a file.
    """

    lists: Sequence[RatingList] = ()
    time_control: str = ""
    place: str = ""
    heads: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)


@transaction.atomic
def answer_questions(batch: FileBatch, answer: Answer) -> None:
    """Use answers for all files and new events of a batch that lack them; raise ValidationError for an invalid one."""
    batch = FileBatch.objects.select_for_update().get(pk=batch.pk)
    if answer.lists:
        batch.lists.set(answer.lists)
    events = Event.objects.filter(pk__in=batch.files.filter(found=Found.NEW, state=State.READ).values("event"))
    for event in events.select_for_update():
        changed = {
            name: text
            for name, text in (("time_control", answer.time_control), ("place", answer.place))
            if text and not getattr(event, name)
        }
        lists = list(answer.lists) if answer.lists and not event.lists.exists() else None
        if (changed or lists) and may(acting_user(), Action.CHANGE_EVENT, event):
            for name, text in changed.items():
                setattr(event, name, text)
            event.full_clean()
            save_event(event, lists and {find_list_of_day(rating_list, event.end) for rating_list in lists})
    for file in batch.files.filter(pk__in=list(answer.heads), state=State.ASKS):
        file.head = dict(file.head) | dict(answer.heads[file.pk])
        file.state = State.WAITING
        file.save(update_fields=["head", "state"])
    batch.files.update(checked_version=None)
    request_reading(batch)


@transaction.atomic
def undo_file(file: BatchFile) -> None:
    """Undo what was made from a file: delete its draft, restore the draft that it replaced, delete a new event.

    The file stays in the batch and can be read again. Raise ValidationError if its results are submitted or accepted.
    """
    file = BatchFile.objects.select_for_update(of=("self",)).select_related("submission", "event").get(pk=file.pk)
    if file.state == State.UNDONE:
        raise ValidationError(_("%(file)s was undone already.") % {"file": file})
    if file.state == State.READ and file.submission is not None:
        _undo_draft(file, file.submission)
    file.state, file.submission, file.event, file.found = State.UNDONE, None, None, ""
    file.save(update_fields=["state", "submission", "event", "found"])


def _undo_draft(file: BatchFile, submission: Submission) -> None:
    if submission.state in (Submission.State.SUBMITTED, Submission.State.ACCEPTED):
        message = _("%(file)s: the results are %(state)s. Withdraw the submission on the event's page first.")
        raise ValidationError(message % {"file": file, "state": submission.get_state_display()})
    replaced = submission.replaced.filter(state=Submission.State.DELETED).first()
    if submission.is_open and replaced is not None:
        restore_submission(replaced)
    elif submission.is_open:
        delete_submission(submission)
    event = submission.event
    event.refresh_from_db()
    has_others = event.submissions.exclude(state=Submission.State.DELETED).exists() or event.tables.exists()
    if file.found == Found.NEW and event.is_open and not has_others:
        delete_event(event)


def undo_batch_of_files(batch: FileBatch) -> list[str]:
    """Undo all files of a batch, the last first, each alone; return the messages of those that could not be undone."""
    failed = []
    for file in batch.files.exclude(state=State.UNDONE).defer("data").order_by("-pk"):
        try:
            undo_file(file)
        except ValidationError as error:
            failed += error.messages
    if not failed:
        FileBatch.objects.filter(pk=batch.pk).update(undone_at=timezone.now())
    return failed


@transaction.atomic
def read_again(file: BatchFile, *, as_new_event: bool = False) -> None:
    """Read a file of a batch again; `as_new_event` makes an event of its own from it instead of using a known one."""
    if file.state == State.READ:
        undo_file(file)
        file.refresh_from_db()
    if as_new_event:
        file.head = dict(file.head) | {"as_new_event": True}
    file.state, file.problems, file.report, file.checked_version = State.WAITING, [], {}, None
    file.save()
    FileBatch.objects.filter(pk=file.batch_id).update(undone_at=None)
    request_reading(file.batch)
