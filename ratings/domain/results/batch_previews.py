"""Previews of the ratings for the files of a batch: computed by a worker, each for its file alone.

They are the summaries that officers see of submitted results (`summaries.py`).
"""

from __future__ import annotations

import datetime as dt
import hashlib
import logging
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.utils import timezone

from ratings.domain.runs.task_queue import send_task
from ratings.domain.site.acting import act_as
from ratings.formats.problems import FileProblem
from ratings.models import BatchFile, FileBatch
from ratings.queries.results.batches import files_of

from .summaries import Summary, summarise, summary_to_json

MAX_PREVIEWS, MAX_PREVIEWS_AT_ONCE = 50, 10
"""Maximum number of files of a batch whose ratings are previewed, the latest events first: with a worker, and without,
where the page waits for them.
"""
TABLES_AT_MOST = 300
LATE = dt.timedelta(minutes=2)
logger = logging.getLogger(__name__)


def list_previewable(files: Sequence[BatchFile]) -> list[BatchFile]:
    """Return the files of a batch whose drafts can be previewed: open ones without errors and open questions."""
    ready = [
        (file.event.end, file)
        for file in files
        if file.state == BatchFile.State.READ
        and file.report.get("ready")
        and file.submission is not None
        and file.submission.is_open
        and file.event is not None
        and file.event.lists.all()
    ]
    ready.sort(key=lambda pair: pair[0], reverse=True)
    limit = MAX_PREVIEWS_AT_ONCE if settings.CELERY_TASK_ALWAYS_EAGER else MAX_PREVIEWS
    return [file for _end, file in ready[:limit]]


def request_previews(files: Sequence[BatchFile]) -> int:
    """Let a worker compute the previews that are missing or out of date; return how many are not computed yet."""
    changed = []
    for file in list_previewable(files):
        key = make_key(file)
        if file.preview_key != key:
            file.preview, file.preview_key, file.preview_requested_at = None, key, timezone.now()
            changed.append(file)
    if changed:
        BatchFile.objects.bulk_update(changed, ["preview", "preview_key", "preview_requested_at"])
        send_task("ratings.preview_batch", changed[0].batch_id)
    return sum(file.preview is None for file in list_previewable(files))


def make_key(file: BatchFile) -> str:
    """Return a text that changes with the draft of a file and with the ratings of its lists."""
    assert file.submission is not None
    assert file.event is not None
    lists = sorted((rating_list.pk, rating_list.revision) for rating_list in file.event.lists.all())
    return hashlib.sha256(f"{file.submission.pk} {file.submission.version} {lists}".encode()).hexdigest()[:16]


def request_late_previews() -> None:
    """Send the task again for each batch whose previews are missing because the message was lost."""
    late = BatchFile.objects.filter(preview__isnull=True, preview_requested_at__lt=timezone.now() - LATE)
    day_ago = timezone.now() - dt.timedelta(days=1)
    for batch_id in late.filter(preview_requested_at__gt=day_ago).order_by().values_list("batch", flat=True).distinct():
        send_task("ratings.preview_batch", batch_id)


def save_previews(batch_id: int) -> None:
    """Compute and store the requested previews of a batch; safe to run twice."""
    batch = FileBatch.objects.select_related("made_by").filter(pk=batch_id).first()
    if batch is None:
        return
    with act_as(batch.made_by):
        for file in list_previewable(files_of(batch)):
            if file.preview is None and file.preview_key == make_key(file):
                summary = _summarise(file)
                same = BatchFile.objects.filter(pk=file.pk, preview_key=file.preview_key)
                same.update(preview=summary_to_json(summary))


def _summarise(file: BatchFile) -> Summary:
    """Return the summary of a draft; an unexpected error is logged, and the other files are previewed nevertheless."""
    submission: Any = file.submission
    try:
        return summarise(submission.event, [submission], tables_at_most=TABLES_AT_MOST)
    except Exception:
        logger.exception("the ratings of file %s of batch %s cannot be previewed", file.pk, file.batch_id)
        return Summary(problem=FileProblem.UNEXPECTED())
