"""Studies of a list: officers request them, a worker with a queue of its own makes them, officers may cancel them."""

from __future__ import annotations

import datetime as dt
import logging
import time
from typing import Any

from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone

from ratings.domain.runs.task_queue import send_task
from ratings.formats.history.file import read_history, write_history
from ratings.laboratory.document import result_document, study_document
from ratings.laboratory.study import StudyDefinition, run_study
from ratings.laboratory.study_file import parse_study
from ratings.models import RatingList, Study
from ratings.queries.lists.history import export_history
from ratings.systems.messages import RatingMessage, storable_message
from ratings.systems.values import History

logger = logging.getLogger(__name__)
State = Study.State
LATE = dt.timedelta(minutes=2)
"""Time after which a waiting study is requested again, because the message may be lost."""
ABANDONED = dt.timedelta(minutes=10)
"""Time without a sign of a running study after which its worker counts as lost."""
SECONDS_BETWEEN_CHECKS = 2.0


class StudyEndedError(Exception):
    """Error by which a run ends because its study was cancelled or deleted, or another worker took it over."""


def create_study(rating_list: RatingList, definition: StudyDefinition, user: Any) -> Study:
    """Store a study of a list, and request that a worker makes it."""
    study = Study.objects.create(list=rating_list, definition=study_document(definition), made_by=user)
    request_study(study)
    return study


def request_study(study: Study) -> None:
    send_task("ratings.evaluate", study.pk)


def cancel_study(study: Study) -> bool:
    """Cancel a waiting or running study; return False if it has ended already. A worker notices within seconds."""
    open_ones = Study.objects.filter(pk=study.pk, state__in=[State.WAITING, State.RUNNING])
    return bool(open_ones.update(state=State.CANCELLED, finished_at=timezone.now()))


def request_late_studies() -> None:
    """Request again each study whose message was lost or whose worker has given no sign for long."""
    now = timezone.now()
    abandoned = Study.objects.filter(state=State.RUNNING, active_at__lt=now - ABANDONED)
    abandoned.update(state=State.WAITING, runs_done=0)
    for study in Study.objects.filter(state=State.WAITING, made_at__lt=now - LATE):
        request_study(study)


def make_study(study_id: int) -> None:
    """Make a waiting study: rate the list's history by each candidate, and store the result or the error.

    Do nothing if the study does not wait, so that a second message has no effect.
    """
    now = timezone.now()
    begun = Study.objects.filter(pk=study_id, state=State.WAITING)
    if not begun.update(state=State.RUNNING, active_at=now, runs_done=0):
        return
    study = Study.objects.select_related("list").get(pk=study_id)
    watch = _Watch(study_id, now)
    try:
        definition = parse_study(study.definition)
        history = _read_own_export(study.list)
        result = run_study(history, definition, tick=watch.tick, progress=watch.record)
    except StudyEndedError:
        return
    except ValueError as error:
        watch.finish(State.FAILED, error=storable_message(error))
    except (OperationalError, InterfaceError):
        raise  # the database was away: the study is taken up again
    except Exception:
        logger.exception("study %s failed", study_id)
        watch.finish(State.FAILED, error=RatingMessage.UNEXPECTED())
    else:
        watch.finish(State.DONE, result=result_document(history, definition, result))


def _read_own_export(rating_list: RatingList) -> History:
    """Return a list's history as its export is read, so that the command line has equal inputs: 90 is 90.0 there."""
    return read_history(write_history(export_history(rating_list, true_names=True)).encode())


class _Watch:
    """Watch over a running study: it tells that the worker is alive, and ends the run of a cancelled study."""

    def __init__(self, study_id: int, begun: dt.datetime) -> None:
        self.study_id, self.active_at = study_id, begun
        self.next_check = time.monotonic() + SECONDS_BETWEEN_CHECKS

    def tick(self) -> None:
        if time.monotonic() >= self.next_check:
            self.update()

    def record(self, done: int, runs: int) -> None:
        self.update(runs_done=done, runs=runs)

    def finish(self, state: str, **values: Any) -> None:
        """Store the end of the study, unless it was cancelled meanwhile."""
        with transaction.atomic():
            self.running().update(state=state, finished_at=timezone.now(), **values)

    def update(self, **values: Any) -> None:
        now = timezone.now()
        if not self.running().update(active_at=now, **values):
            raise StudyEndedError
        self.active_at, self.next_check = now, time.monotonic() + SECONDS_BETWEEN_CHECKS

    def running(self) -> Any:
        """Return the study as this worker left it: none if it was cancelled or another worker took it over."""
        return Study.objects.filter(pk=self.study_id, state=State.RUNNING, active_at=self.active_at)
