"""Division of the files of a batch: archives are unpacked on upload, a worker splits histories."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from ratings.formats.archives import is_archive, looks_like_history, split_history, unpack_archive
from ratings.formats.history.file import HistoryError, read_history
from ratings.formats.parsed import BYTES_AT_MOST
from ratings.formats.problems import FileProblem
from ratings.formats.recognise import remove_private_data
from ratings.formats.rif.split import split_rif
from ratings.models import BatchFile, FileBatch
from ratings.systems.messages import message_to_json

State = BatchFile.State
MAX_BATCH_FILES = 2000
"""Maximum number of files of a batch, unpacked."""
MEGABYTE = 1_000_000
RECORDS = "records"
"""Key in `head` of what a history has beside results: the `system` of the history, and the `number` of records."""
UNSPLIT = "unsplit"
"""Key in `head` of a history that a worker has not split yet."""
STORED_PROBLEMS = 50
"""Number of problems that are stored with a file that cannot be read."""


@dataclass
class AddedFiles:
    """Numbers of new files added to a batch, and of duplicates that were ignored."""

    new: int = 0
    known: int = 0


@dataclass(frozen=True)
class Part:
    """A file to add to a batch; `problem` says why it cannot be read, or is empty."""

    name: str
    data: bytes
    problem: str = ""
    head: dict[str, Any] = field(default_factory=dict)


def list_parts(name: str, data: bytes) -> list[Part]:
    """Return the files that an uploaded file holds: those of an archive, or the tournaments of RenjuNet's database.

    Histories stay whole, since splitting a long one takes more time and memory than a request may use.
    """
    largest = settings.HISTORY_MB * MEGABYTE
    if not is_archive(data):
        return list(_list_parts_of_file(name, data, largest))
    files, problem = unpack_archive(data, most=settings.ARCHIVE_MB * MEGABYTE, history_most=largest)
    if problem:
        return [Part(name, data[: BYTES_AT_MOST + 1], problem)]
    return [part for file_name, file in files for part in _list_parts_of_file(file_name, file, largest)]


def _list_parts_of_file(name: str, data: bytes, largest: int) -> Iterable[Part]:
    if looks_like_history(data):
        if len(data) > largest:
            yield Part(name, data[: BYTES_AT_MOST + 1], FileProblem.FILE_TOO_LARGE(data=len(data), most=largest))
        else:
            yield Part(name, data, head={UNSPLIT: True})
        return
    tournaments, left_out = split_rif(data)
    if not tournaments:
        yield Part(name, data[: BYTES_AT_MOST + 1])  # the reader reports a file that is too large
        return
    for part_name, part in tournaments:
        yield Part(part_name, part)
    if left_out:
        yield Part(name, data, left_out)


def store_parts(batch: FileBatch, parts: Iterable[Part]) -> AddedFiles:
    """Add files to a locked batch. Files that it has already are ignored.

    Raise ValidationError if there would be more than MAX_BATCH_FILES.
    """
    known, added = set(batch.files.values_list("digest", flat=True)), AddedFiles()
    rows = []
    for part in parts:
        data = remove_private_data(part.data)
        digest = hashlib.sha256(data).hexdigest()
        if digest in known:
            added.known += 1
            continue
        known.add(digest)
        problems = [["error", None, message_to_json(part.problem)]] if part.problem else []
        state = State.FAILED if part.problem else State.WAITING
        file = BatchFile(batch=batch, name=part.name[-200:], data=data, digest=digest, state=state)
        file.problems, file.head = problems, part.head
        rows.append(file)
    if len(known) > MAX_BATCH_FILES:
        raise ValidationError(_("At most %(most)d files at once.") % {"most": MAX_BATCH_FILES})
    BatchFile.objects.bulk_create(rows, batch_size=100)
    added.new = len(rows)
    return added


def split_histories(batch: FileBatch) -> None:
    """Replace each new history of a batch by the files of its tables; safe to run twice at the same time.

    A history with one table, or with none that can be read, stays and is read as other files are.
    """
    for pk in batch.files.filter(state=State.WAITING, **{f"head__{UNSPLIT}": True}).values_list("pk", flat=True):
        _split_history_file(batch, pk)


@transaction.atomic
def _split_history_file(batch: FileBatch, pk: int) -> None:
    batch = FileBatch.objects.select_for_update().get(pk=batch.pk)
    file = batch.files.filter(pk=pk, state=State.WAITING, **{f"head__{UNSPLIT}": True}).first()
    if file is None:
        return
    data, head = bytes(file.data), {key: value for key, value in file.head.items() if key != UNSPLIT}
    split = split_history(data)
    parts = [Part(name, part, head=head) for name, part in split.tables]
    if split.problem:
        records = {RECORDS: {"system": split.system, "number": split.records}}
        parts = parts or [Part(file.name, data, head=head)]
        parts.append(Part(file.name, split.rest, split.problem, head | records))
    problems = [] if parts else _list_history_problems(data)
    if parts:
        try:
            with transaction.atomic():
                BatchFile.objects.filter(pk=pk).delete()
                store_parts(batch, parts)
        except ValidationError as error:
            problems = error.messages
        else:
            return
    if problems:
        file.state = State.FAILED
        file.problems = [["error", None, message_to_json(problem)] for problem in problems]
    else:
        file.head = head
    file.save(update_fields=["state", "problems", "head"])


def _list_history_problems(data: bytes) -> list[str]:
    """Return the reasons why a long history cannot be split; an empty list if it has at most BYTES_AT_MOST bytes."""
    if len(data) <= BYTES_AT_MOST:
        return []
    try:
        read_history(data)
    except HistoryError as error:
        return list(error.problems[:STORED_PROBLEMS])
    return []
