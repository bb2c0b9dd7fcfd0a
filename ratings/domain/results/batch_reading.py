"""Reading of the files of a batch, one after the other: drafts of known or new events are made from them."""

from __future__ import annotations

import datetime as dt
import logging
import math
from collections.abc import Iterator, Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from ratings.access import Action, may
from ratings.domain.events.tables import save_event
from ratings.domain.site.acting import act_as
from ratings.formats.event_head import Head
from ratings.formats.parsed import FATAL, ParsedTable, Problems
from ratings.formats.people.new_players import NewPlayer, read_new_players
from ratings.formats.problems import FileProblem
from ratings.formats.recognise import ReadResult, read_results_file
from ratings.formats.sheet_content import content_from_json
from ratings.models import BatchFile, Event, FileBatch, RatingList
from ratings.queries.lists.lists_of_days import find_list_of_day
from ratings.queries.results.batches import files_of
from ratings.systems.messages import has_code, message_to_json

from .announced_players import (
    HAS_TABLE,
    describe_people,
    find_people_reading,
    has_table,
    read_announced,
    read_people_file,
    store_people_reading,
)
from .batch_previews import request_previews
from .batch_splitting import STORED_PROBLEMS, split_histories
from .batches import request_reading
from .draft_reports import store_report
from .event_matching import COMMON_SHARE, find_known_event
from .file_comparison import select_lists_of_discipline
from .file_submissions import ResultsFile, create_submission_from_file
from .findings import CheckedSubmission
from .imports import build_event
from .submission_checks import check_submission
from .submissions import check_size

State, Found = BatchFile.State, BatchFile.Found
logger = logging.getLogger(__name__)
LATE = dt.timedelta(minutes=2)
"""Time after which the reading of a waiting batch is requested again, because the message may be lost."""


def request_late_batches() -> None:
    """Request the reading of each batch whose files wait too long because the message was lost."""
    late = FileBatch.objects.filter(files__state=State.WAITING, made_at__lt=timezone.now() - LATE, undone_at=None)
    for batch in late.distinct():
        request_reading(batch)


def read_batch(batch_id: int) -> None:
    """Read the waiting files of a batch, each in its own transaction; safe to run twice at the same time.

    Histories are split before. Files of new players come first, since they announce people of the other files; results
    come in date order.
    """
    batch = FileBatch.objects.select_related("made_by").filter(pk=batch_id).first()
    if batch is None or not may(batch.made_by, Action.ORGANISE):
        return
    with act_as(batch.made_by):
        split_histories(batch)
        for file in batch.files.filter(state=State.WAITING):
            _read_people(file)
        waiting = [(file, _read_results(file)) for file in batch.files.filter(state=State.WAITING)]
        waiting.sort(key=lambda pair: _get_order(pair[1]))
        announced = list(read_announced(batch))
        for file, result in waiting:
            _store_or_fail(file, result, announced)
    if waiting:
        request_previews(files_of(batch))


def _get_order(result: ReadResult) -> tuple[dt.date, dt.date]:
    table = result.table
    return (dt.date.max, dt.date.max) if table is None else (table.last_day, table.first_day)


def _read_people(file: BatchFile) -> None:
    """Mark a file as one of new players if it is a sheet with last names and no results."""
    data = bytes(file.data)
    reading = find_people_reading(file)
    players, problems = read_new_players(data, reading.columns)
    if not players or problems.fatal or read_results_file(data, Head("?", None, None), dt.date.max).table is not None:
        return
    with transaction.atomic():
        locked = _lock_waiting(file)
        if locked is not None:
            store_people_reading(locked, reading)
            locked.state, locked.report = State.PEOPLE, describe_people(read_people_file(locked))
            locked.save(update_fields=["state", "report", "head"])


def _read_results(file: BatchFile) -> ReadResult:
    texts = (file.head.get("first_day"), file.head.get("last_day"))
    first, last = (dt.date.fromisoformat(text) if text else None for text in texts)
    head = Head(file.head.get("name", ""), first, last, file.name)
    return read_results_file(bytes(file.data), head, timezone.now().date())


def _lock_waiting(file: BatchFile) -> BatchFile | None:
    """Return a file, with its batch locked; None if another process has read it meanwhile."""
    FileBatch.objects.select_for_update().get(pk=file.batch_id)
    return BatchFile.objects.select_related("batch__made_by").filter(pk=file.pk, state=State.WAITING).first()


def _store_or_fail(file: BatchFile, result: ReadResult, announced: Sequence[NewPlayer]) -> None:
    """Make a draft from a file; an unexpected error is logged, and the other files are read nevertheless."""
    try:
        _store_results(file, result, announced)
    except Exception:
        logger.exception("file %s of batch %s cannot be read", file.pk, file.batch_id)
        problems = Problems()
        problems.error(FileProblem.UNEXPECTED())
        _fail(file, problems)


@transaction.atomic
def _store_results(file: BatchFile, result: ReadResult, announced: Sequence[NewPlayer]) -> None:
    """Make a draft from a file that was read; else store why none could be made, or what must be answered first."""
    locked = _lock_waiting(file)
    if locked is None:
        return
    file = locked
    if result.table is None or not result.table.rows:
        _fail(file, result.problems, result.table)
        return
    file.missing = list(_list_missing(result))
    if file.missing:
        file.state, file.head = State.ASKS, {"name": result.table.name, **file.head}
        file.save()
        return
    try:
        with transaction.atomic():
            check_size(len(result.table.rows), result.table.rounds)
            _create_draft(file, result, announced)
    except ValidationError as error:
        for message in error.messages:
            result.problems.error(message)
        _fail(file, result.problems, result.table)


def _list_missing(result: ReadResult) -> Iterator[str]:
    """Yield what a file must say before an event can be made: name and days."""
    if result.table is not None and not result.table.name:
        yield "name"
    if any(has_code(problem.message, FileProblem.DAYS_MISSING) for problem in result.problems.all):
        yield "days"


def _fail(file: BatchFile, problems: Problems, table: ParsedTable | None = None) -> None:
    """Store why a file cannot be read, and the event that it names, whose results can be typed instead."""
    listed = sorted(problems.sorted_by_position(), key=lambda problem: problem.level != FATAL)[:STORED_PROBLEMS]
    name = table.name if table is not None else ""
    file.state, file.report = State.FAILED, {HAS_TABLE: has_table(bytes(file.data))}
    file.report["name"] = name or file.head.get("name", "")
    file.event = find_known_event(file.batch.made_by, table) if table is not None and name else None
    file.problems = [[problem.level, problem.line, message_to_json(problem.message)] for problem in listed]
    file.save()


def _create_draft(file: BatchFile, result: ReadResult, announced: Sequence[NewPlayer]) -> None:
    assert result.table is not None
    user, table = file.batch.made_by, result.table
    known = None if file.head.get("as_new_event") else find_known_event(user, table)
    file.found = Found.NEW if known is None else Found.RECOGNISED
    before = transaction.savepoint()
    event = _create_event(file, build_event(table), table.discipline) if known is None else known
    results = ResultsFile(file.name, bytes(file.data), result.format, table, result.problems)
    submission, is_new = create_submission_from_file(event, results, new_players=announced)
    BatchFile.objects.filter(pk=file.pk).update(submission=submission)  # the check reads the other files of the batch
    checked = check_submission(submission, content_from_json(submission.content), user)
    if known is None and not event.lists.exists() and (proposed := _find_common_list(event, checked, table.discipline)):
        save_event(event, [proposed])
        checked = check_submission(submission, content_from_json(submission.content), user)
    if checked.duplicate is not None and is_new:
        transaction.savepoint_rollback(before)
        file.event, file.submission, is_new = checked.duplicate.event, None, False
    else:
        transaction.savepoint_commit(before)
        file.event, file.submission = event, submission
    file.state = State.READ if is_new else State.KNOWN
    if is_new:
        _set_report(file, checked)
    file.save()


def _create_event(file: BatchFile, event: Event, discipline: str) -> Event:
    """Save a new event of the person who dropped a file, rated on the lists of the batch or on the only list.

    Where one list continues another, the event's first day decides between them.
    """
    named = list(file.batch.lists.all())
    possible = named or RatingList.objects.filter(comparison_to=None, successor=None)
    lists = select_lists_of_discipline(possible, discipline)
    event.created_by = file.batch.made_by
    event.full_clean()
    chosen = lists if named or len(lists) == 1 else []
    return save_event(event, {find_list_of_day(rating_list, event.end) for rating_list in chosen})


def _find_common_list(event: Event, checked: CheckedSubmission, discipline: str) -> RatingList | None:
    """Return the only list of the discipline with half of a file's players; None if there are several or none."""
    known = [player.pk for player in checked.players.values() if player.pk]
    on_lists = RatingList.objects.filter(comparison_to=None, standings__player__in=known)
    least = math.ceil(COMMON_SHARE * len(checked.rows))
    shared = on_lists.annotate(known=Count("standings")).filter(known__gte=least)
    of_discipline = select_lists_of_discipline(shared, discipline)
    lists = {find_list_of_day(rating_list, event.end) for rating_list in of_discipline}
    return lists.pop() if len(lists) == 1 else None


def refresh_reports(files: Sequence[BatchFile], user: Any) -> None:
    """Check the open drafts of a batch again that were changed since their figures were computed."""
    for file in files:
        submission = file.submission
        if file.state != State.READ or submission is None or file.checked_version == submission.version:
            continue
        _set_report(file, check_submission(submission, content_from_json(submission.content), user))
        file.save(update_fields=["report", "checked_version"])


def _set_report(file: BatchFile, checked: CheckedSubmission) -> None:
    """Store the figures of a checked draft with the draft and with its file."""
    assert file.submission is not None
    file.report = store_report(file.submission, checked)
    file.checked_version = file.submission.version
