"""Provisional ratings of a running event: what the ratings would be if its results were accepted now.

A worker computes them by the same preview that officers see. They are stored with the hall, not with the list: no
digest, export or rating run reads them.
"""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import F
from django.utils import timezone

from ratings.domain.results.accepting import accept_submissions
from ratings.domain.results.steps import lock_event
from ratings.domain.results.submissions import create_submission
from ratings.domain.runs.previewing import Preview, preview
from ratings.domain.runs.task_queue import send_task
from ratings.formats.sheet_content import SheetContent, content_from_json
from ratings.models import Event, Hall, Submission
from ratings.queries.results.halls import HallState, read_hall

from .sheets import ABSENT, build_content, find_days

PAUSE = dt.timedelta(seconds=20)
"""Least time between two computations of a hall, since every tap requests one."""
TABLES_AT_MOST = 300
FORGET_AFTER = dt.timedelta(days=2)
"""Time after the last change from which on the ratings of a hall are no longer computed by the sweep."""


def request_ratings(hall: Hall) -> None:
    """Let a worker compute the ratings of a locked hall, unless that was requested a moment ago; the sweep follows.

    Where tasks run at once there is no sweep that would follow: then every change computes the ratings.
    """
    now = timezone.now()
    pause = dt.timedelta(0) if settings.CELERY_TASK_ALWAYS_EAGER else PAUSE
    if hall.rating_requested_at is None or hall.rating_requested_at <= now - pause:
        hall.rating_requested_at = now
        hall.save(update_fields=["rating_requested_at"])
        send_task("ratings.hall", hall.pk)


def request_missing_ratings() -> None:
    """Send the task for each hall that has changed since its ratings were computed."""
    changed = Hall.objects.exclude(rated_version=F("version")).filter(changed_at__gt=timezone.now() - FORGET_AFTER)
    for pk in changed.filter(event__state__in=Event.OPEN).values_list("pk", flat=True):
        send_task("ratings.hall", pk)


def save_provisional_ratings(hall_id: int) -> None:
    """Compute and store the provisional ratings of a hall, unless they are those of its version already."""
    hall = Hall.objects.select_related("event").filter(pk=hall_id).first()
    if hall is None or hall.rated_version == hall.version or not hall.event.is_open:
        return
    values = compute_provisional_ratings(hall.event, read_hall(hall))
    Hall.objects.filter(pk=hall.pk).update(provisional=values, rated_version=hall.version)


def compute_provisional_ratings(event: Event, state: HallState) -> dict[str, list[list[object]]]:
    """Return for each list of an event, by its slug, the rows [id of the person, rating before, rating after].

    A rating is None for a person who is not on the list. Nothing can be rated without a finished game.
    """
    content, people = build_rated_content(state)
    if len(content.rows) < 2:
        return {}
    ids: dict[str, int] = {}

    def change() -> None:
        submission = create_submission(event, content, days=find_days(event))
        Submission.objects.filter(pk=submission.pk).update(state=Submission.State.SUBMITTED)
        Event.objects.filter(pk=event.pk).update(state=Event.State.SUBMITTED)
        accept_submissions(lock_event(event), event.submissions.filter(pk=submission.pk), confirmation="?")
        submission.refresh_from_db()
        ids.update(
            (row.player, person) for row, person in zip(content_from_json(submission.content).rows, people, strict=True)
        )

    try:
        previews = preview(change, tables_at_most=TABLES_AT_MOST)
    except ValidationError:  # for example two players with the same id; the submission will show it
        return {}
    return {each.rating_list.slug: _list_rows(each, ids) for each in previews if not (each.problem or each.postponed)}


def _list_rows(preview: Preview, ids: dict[str, int]) -> list[list[object]]:
    return [
        [ids[moved.player.public_id], moved.before, moved.after]
        for moved in preview.moved
        if moved.player.public_id in ids
    ]


def build_rated_content(state: HallState) -> tuple[SheetContent, list[int]]:
    """Return the results so far as they can be rated, and the id of the person of each row.

    Boards without a result count as absences, unknown names as new players, and people without a game are left out.
    """
    played = {
        person
        for each in state.rounds
        for board in each.boards
        if not (board.is_bye or board.code is None)
        for person in (board.board.first, board.board.second)
    }
    people = {id: person for id, person in state.people.items() if id in played}
    content = build_content(HallState(people, state.rounds))
    for row in content.rows:
        row.new = not row.player
        row.cells = [cell or ABSENT for cell in row.cells]
    return content, list(people)
