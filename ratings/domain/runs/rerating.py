"""Rating runs, which bring the derived rows of a list up to date with its inputs.

A run first computes, without a lock or a transaction on any row. It then stores its outcome in one short transaction
if no input has changed meanwhile; otherwise it computes again. The first run of a list inserts rows while it computes,
and takes them back if an input has changed. A lock allows one run per list at a time; it is released if its process
dies.
"""

from __future__ import annotations

import datetime as dt
import gc
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain

from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import Max
from django.utils import timezone

from ratings.domain.lists.successors import renew_starting_ratings
from ratings.models import RatingList, Run
from ratings.models.messages import RunReason
from ratings.systems.messages import has_code, message_of

from .checkpoints import read_marked_tables, write_missing_checkpoints, write_run_checkpoint
from .computing import RunMode, compute
from .corrections import load_standings, save_corrections
from .locks import lock_list
from .marking import join_reasons, mark_lists_out_of_date
from .outcome import BatchReceiver, Outcome, ProgressCallback, UnratableError
from .run_messages import queue_run_messages
from .storing import store
from .streaming import can_be_streamed, compute_and_insert

logger = logging.getLogger(__name__)
PROGRESS_INTERVAL = 0.5  # seconds between two updates of a run's record


class CancelledError(Exception):
    """Cancellation of a run by an officer."""


class OutdatedError(Exception):
    """An input was changed while a run was computing."""


def rerate(list_id: int) -> Run | None:
    """Rate a list again until it is up to date, and return the last run.

    Return None if the list is up to date already, is deleted, or is being rated by another process. UnratableError: a
    step cannot be rated; the list stays as it was.
    """
    done: Run | None = None
    while RatingList.objects.filter(pk=list_id, out_of_date_from__isnull=False).exists():
        with lock_list(list_id) as held:
            if not held:
                return done  # the process that holds the lock checks the list again when it has finished
            rating_list = RatingList.objects.filter(pk=list_id, out_of_date_from__isnull=False).first()
            if rating_list is not None:
                done = _run_until_stored(rating_list)
    return done


def _run_until_stored(rating_list: RatingList) -> Run:
    run = _start_record(rating_list)
    try:
        while not _attempt(rating_list, run):
            rating_list.refresh_from_db()
    except BaseException as error:
        cancelled = isinstance(error, CancelledError)
        Run.objects.filter(pk=run.pk).update(  # the run may have been deleted with its list
            state=Run.State.CANCELLED if cancelled else Run.State.FAILED,
            error="" if cancelled else f"{type(error).__name__}: {error}",
            ended_at=timezone.now(),
        )
        raise
    fields = {
        "run": run.pk,
        "list": rating_list.slug,
        "since": str(run.since),
        "tables": run.done,
        "rated": run.visited,
    }
    logger.info("run %(run)s: list %(list)s from %(since)s: %(tables)s tables, %(rated)s rated", fields, extra=fields)
    return run


def _start_record(rating_list: RatingList) -> Run:
    """Start the record of a run and return it.

    This is the waiting record; else the last one, if it was interrupted or failed; else a new one.
    """
    runs = Run.objects.filter(list=rating_list, preview=False)
    last = runs.filter(state=Run.State.WAITING).first() or runs.order_by("-pk").first()
    ended_states = (Run.State.FINISHED, Run.State.CANCELLED)
    run = Run(list=rating_list) if last is None or last.state in ended_states else last
    run.state, run.started_at, run.ended_at, run.error = Run.State.RUNNING, timezone.now(), None, ""
    run.save()
    interrupted = runs.filter(state=Run.State.RUNNING).exclude(pk=run.pk)
    interrupted.update(state=Run.State.FAILED, error="the worker was stopped; the next run did its work")
    return run


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Disable garbage collection, which would take a third of a run's time.

    A run creates hundreds of thousands of rows and no reference cycles.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@without_garbage_collection()
def _attempt(rating_list: RatingList, run: Run) -> bool:
    """Compute and store a list; return False, with nothing stored, if an input changed meanwhile."""
    revision = rating_list.revision
    run.since = rating_list.out_of_date_from
    mode = RunMode(logged=True, new_options=_has_new_options(rating_list))
    since, report_progress = _first_day(rating_list), _progress_callback(run)

    def compute_list(receive_batch: BatchReceiver | None = None) -> Outcome:
        return compute(rating_list, since, report_progress, replace(mode, receive_batch=receive_batch))

    try:
        if can_be_streamed(rating_list):
            with transaction.atomic():
                _store(rating_list, run, revision, compute_and_insert(compute_list))
        else:
            outcome = compute_list()
            with transaction.atomic():
                _store(rating_list, run, revision, outcome)
    except (CancelledError, KeyboardInterrupt):
        raise
    except Exception:
        # data read while an input was being changed may be inconsistent
        if RatingList.objects.get(pk=rating_list.pk).revision != revision:
            return False
        raise
    return True


def _store(rating_list: RatingList, run: Run, revision: int, outcome: Outcome) -> None:
    """Store an outcome; OutdatedError: an input has changed since the computation began."""
    locked = RatingList.objects.select_for_update().get(pk=rating_list.pk)
    if locked.revision != revision:
        raise OutdatedError
    before, changed = load_standings(rating_list, outcome), read_marked_tables(rating_list)
    store(rating_list, outcome)
    RatingList.objects.filter(pk=rating_list.pk).update(out_of_date_from=None, problem="")
    _merge_waiting_run(run)
    _finish(run, outcome)
    after = load_standings(rating_list, outcome)
    save_corrections(run, outcome, before, after)
    queue_run_messages(run, outcome, before, after)
    write_run_checkpoint(run, min(run.since or dt.date.min, outcome.since), changed, outcome)
    mark_seeded_lists(rating_list, outcome)
    renew_starting_ratings(locked, list(outcome.states))


def _has_new_options(rating_list: RatingList) -> bool:
    """Return True if the list's system or options were changed since the last finished run."""
    unfinished = Run.objects.filter(
        list=rating_list, preview=False, state__in=[Run.State.WAITING, Run.State.RUNNING, Run.State.FAILED]
    )
    reasons = chain.from_iterable(unfinished.values_list("reasons", flat=True))
    return any(has_code(reason, RunReason.OPTIONS_CHANGED) for reason in reasons)


def _merge_waiting_run(run: Run) -> None:
    """Merge the record of a waiting run into this run, which has just done the waiting run's work.

    An input changed while the run was computing, and was read when it computed again. The caller has locked the list's
    row, so that no other record can be created meanwhile.
    """
    for waiting in Run.objects.filter(list=run.list_id, state=Run.State.WAITING, preview=False).exclude(pk=run.pk):
        run.reasons = join_reasons(run.reasons, waiting.reasons)
        run.asked_by = run.asked_by or waiting.asked_by
        waiting.delete()


def _finish(run: Run, outcome: Outcome) -> None:
    run.state, run.ended_at = Run.State.FINISHED, timezone.now()
    run.to_do, run.done, run.visited = outcome.to_do, outcome.done, outcome.visited
    run.save()


def mark_seeded_lists(rating_list: RatingList, outcome: Outcome) -> None:
    """Mark the lists that take first ratings from this one, if a rating has changed; it holds from its month on."""
    if outcome.removed_changes or any(row.table_id is None for row in outcome.changes):  # tables move no FIDE rating
        day = outcome.since.replace(day=1)
        reason = RunReason.SEED_LIST_CHANGED(list=rating_list.slug)
        mark_lists_out_of_date(rating_list.seeded_lists.all(), day, reason, tables=None)


def _first_day(rating_list: RatingList) -> dt.date:
    """Return the day on which a run begins: the day after the last table before the first day out of date.

    Without such a table, it is that first day itself. Closing days after that table are added or removed with
    the tables that follow them.
    """
    since = rating_list.out_of_date_from or dt.date.min
    last = rating_list.rated_tables.filter(day__lt=since).aggregate(last=Max("day"))["last"]
    return since if last is None else min(since, last + dt.timedelta(days=1))


def _progress_callback(run: Run) -> ProgressCallback:
    """Return a callback that saves the progress of a run now and then, and raises CancelledError if asked to."""
    last = time.monotonic()

    def save_progress(done: int, visited: int) -> None:
        nonlocal last
        if time.monotonic() - last < PROGRESS_INTERVAL:
            return
        last = time.monotonic()
        Run.objects.filter(pk=run.pk).update(done=done, visited=visited)
        if Run.objects.filter(pk=run.pk, cancel=True).exists():
            raise CancelledError

    return save_progress


def cancel_run(run: Run) -> bool:
    """Ask a waiting or running run to stop at its next check of the record; return False if it has ended already.

    The list stays as it was, and out of date.
    """
    unfinished = Run.objects.filter(pk=run.pk, state__in=[Run.State.WAITING, Run.State.RUNNING])
    return bool(unfinished.update(cancel=True))


def rerate_and_log(list_id: int) -> None:
    """Rate a list; an error is logged, shown to the officers, and leaves the list as it was."""
    try:
        rerate(list_id)
    except CancelledError:
        logger.info("run of list %s cancelled", list_id)
    except (OperationalError, InterfaceError):
        logger.exception("list %s: lost the connection to the database; the next sweep continues", list_id)
        connection.close_if_unusable_or_obsolete()
    except Exception as error:
        logger.exception("list %s could not be rated", list_id)
        problem = message_of(error) if isinstance(error, UnratableError) else f"{type(error).__name__}: {error}"
        RatingList.objects.filter(pk=list_id).update(problem=problem)


def sweep() -> None:
    """Rate every list that is out of date, including lists whose task was lost."""
    done = Run.objects.filter(state=Run.State.WAITING, preview=False, list__out_of_date_from=None)
    done.update(state=Run.State.CANCELLED, ended_at=timezone.now(), error="another run has done this work")
    for list_id in RatingList.objects.filter(out_of_date_from__isnull=False).values_list("pk", flat=True):
        rerate_and_log(list_id)
    write_missing_checkpoints()
