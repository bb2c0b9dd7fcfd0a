"""Re-rating: a list's derived rows are brought to what its inputs say, run by run.

A run computes first, holding neither lock nor transaction on any row, and then stores in one short transaction if no
input has changed meanwhile; if one has, it computes again. A lock that dies with its holder admits one run a list.
"""

from __future__ import annotations

import datetime as dt
import gc
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import Max
from django.utils import timezone

from ratings.models import RatingList, Run

from .computing import compute
from .corrections import keep_corrections, standings
from .locks import list_lock
from .outcome import Outcome, Told, UnratableError
from .storing import store

logger = logging.getLogger(__name__)
TELL_EVERY = 0.5  # seconds between two looks at the record of a run


class CancelledError(Exception):
    """An officer cancelled the run."""


def rerate(list_id: int) -> Run | None:
    """Rate a list again until it is up to date; None where it is already, is gone, or is being rated by somebody else.

    What cannot be rated is raised (UnratableError) and leaves the list as it was.
    """
    done: Run | None = None
    while RatingList.objects.filter(pk=list_id, out_of_date_from__isnull=False).exists():
        with list_lock(list_id) as held:
            if not held:
                return done  # whoever holds it looks once more when he has finished
            rating_list = RatingList.objects.filter(pk=list_id, out_of_date_from__isnull=False).first()
            if rating_list is not None:
                done = _run(rating_list)
    return done


def _run(rating_list: RatingList) -> Run:
    run = _record(rating_list)
    try:
        while not _attempt(rating_list, run):
            rating_list.refresh_from_db()
    except BaseException as error:
        cancelled = isinstance(error, CancelledError)
        Run.objects.filter(pk=run.pk).update(  # it may have gone with its list
            state=Run.State.CANCELLED if cancelled else Run.State.FAILED,
            error="" if cancelled else f"{type(error).__name__}: {error}",
            ended_at=timezone.now(),
        )
        raise
    told = {"run": run.pk, "list": rating_list.slug, "since": str(run.since), "tables": run.done, "rated": run.visited}
    logger.info("run %(run)s: list %(list)s from %(since)s: %(tables)s tables, %(rated)s rated", told, extra=told)
    return run


def _record(rating_list: RatingList) -> Run:
    """The record that waits for this run; else that of the last one, if it was cut off or failed; else a new one."""
    runs = Run.objects.filter(list=rating_list, preview=False)
    last = runs.filter(state=Run.State.WAITING).first() or runs.order_by("-pk").first()
    over = (Run.State.FINISHED, Run.State.CANCELLED)
    run = Run(list=rating_list) if last is None or last.state in over else last
    run.state, run.started_at, run.ended_at, run.error = Run.State.RUNNING, timezone.now(), None, ""
    run.save()
    left = runs.filter(state=Run.State.RUNNING).exclude(pk=run.pk)
    left.update(state=Run.State.FAILED, error="the worker was stopped; the next run did its work")
    return run


def _attempt(rating_list: RatingList, run: Run) -> bool:
    """Compute and store; False (and nothing stored) if an input changed meanwhile."""
    revision = rating_list.revision
    run.since = rating_list.out_of_date_from
    try:
        with _without_collections():
            outcome = compute(rating_list, _first_step(rating_list), _teller(run))
    except (CancelledError, KeyboardInterrupt):
        raise
    except Exception:
        # what was read while somebody wrote may fit nowhere
        if RatingList.objects.get(pk=rating_list.pk).revision != revision:
            return False
        raise
    with transaction.atomic():
        locked = RatingList.objects.select_for_update().get(pk=rating_list.pk)
        if locked.revision != revision:
            return False
        before = standings(rating_list, outcome)
        store(rating_list, outcome)
        RatingList.objects.filter(pk=rating_list.pk).update(out_of_date_from=None, problem="")
        _finish(run, outcome)
        keep_corrections(run, outcome, before)
    return True


@contextmanager
def _without_collections() -> Iterator[None]:
    """A run makes rows by the hundred thousand and no cycles: looking for those takes a third of its time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _finish(run: Run, outcome: Outcome) -> None:
    run.state, run.ended_at = Run.State.FINISHED, timezone.now()
    run.to_do, run.done, run.visited = outcome.to_do, outcome.done, outcome.visited
    run.save()


def _first_step(rating_list: RatingList) -> dt.date:
    """From where a run begins: closing days after the last table before it may come or go with the tables after it."""
    since = rating_list.out_of_date_from or dt.date.min
    last = rating_list.rated_tables.filter(day__lt=since).aggregate(last=Max("day"))["last"]
    return since if last is None else min(since, last + dt.timedelta(days=1))


def _teller(run: Run) -> Told:
    """Writes now and then how far the run is, and looks whether it is to be cancelled."""
    last = time.monotonic()

    def tell(done: int, visited: int) -> None:
        nonlocal last
        if time.monotonic() - last < TELL_EVERY:
            return
        last = time.monotonic()
        Run.objects.filter(pk=run.pk).update(done=done, visited=visited)
        if Run.objects.filter(pk=run.pk, cancel=True).exists():
            raise CancelledError

    return tell


def cancel_run(run: Run) -> bool:
    """Ask a run that goes on to stop at its next look; the list stays as it was and out of date."""
    going_on = Run.objects.filter(pk=run.pk, state__in=[Run.State.WAITING, Run.State.RUNNING])
    return bool(going_on.update(cancel=True))


def rerate_or_tell(list_id: int) -> None:
    """Rate a list; what stops it is logged and shown to the officers, and leaves the list as it was."""
    try:
        rerate(list_id)
    except CancelledError:
        logger.info("run of list %s cancelled", list_id)
    except (OperationalError, InterfaceError):
        logger.exception("list %s: the database went away; the next sweep goes on", list_id)
        connection.close_if_unusable_or_obsolete()
    except Exception as error:
        logger.exception("list %s could not be rated", list_id)
        told = str(error) if isinstance(error, UnratableError) else f"{type(error).__name__}: {error}"
        RatingList.objects.filter(pk=list_id).update(problem=told)


def sweep() -> None:
    """Rate every list that has pending work; so whatever a lost message left behind is finished."""
    for list_id in RatingList.objects.filter(out_of_date_from__isnull=False).values_list("pk", flat=True):
        rerate_or_tell(list_id)
