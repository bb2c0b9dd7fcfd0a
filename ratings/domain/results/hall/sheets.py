"""The results of a hall as a submission: the rows and cells of a crosstable."""

from __future__ import annotations

import datetime as dt

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.domain.events.details import read_announced_details
from ratings.domain.results.draft_reports import store_report
from ratings.domain.results.file_submissions import copy_choices
from ratings.domain.results.steps import lock_event, record_event_step
from ratings.domain.results.submissions import create_submission
from ratings.domain.site.acting import acting_user
from ratings.formats.parsed import Cell
from ratings.formats.sheet_content import SheetContent, SheetRow, content_from_json
from ratings.localize import join_parts
from ratings.models import Event, EventStep, Hall, Submission
from ratings.queries.events.events import find_time_zone
from ratings.queries.results.halls import POINTS, BoardState, Code, HallState, read_hall
from ratings.time_zones import find_today

from .halls import lock_hall, save_changed

ABSENT = Cell(0, 0).token()


def build_content(state: HallState) -> SheetContent:
    """Return the results of a hall as entered so far, of its people; a board without a result is an empty cell."""
    rounds = state.paired
    numbers = {id: number for number, id in enumerate(state.people, 1)}
    cells = {id: [ABSENT] * rounds for id in state.people}
    for each in state.rounds[:rounds]:
        for board in each.boards:
            _enter_board(board, each.number, numbers, cells)
    rows = [
        SheetRow(person.family, person.given, person.country, person.player, cells=cells[id])
        for id, person in state.people.items()
    ]
    return SheetContent(rounds, rows)


def _enter_board(state: BoardState, round_: int, numbers: dict[int, int], cells: dict[int, list[str]]) -> None:
    board, points = state.board, None if state.code is None else POINTS.get(Code(state.code))
    if not {board.first, board.second or board.first} <= cells.keys():
        return  # left out
    if board.second is None:
        cells[board.first][round_ - 1] = "" if points is None else Cell(0, points).token()
        return
    if points is None:
        cells[board.first][round_ - 1] = cells[board.second][round_ - 1] = ""
        return
    black = None if not board.black else board.black == "a"
    handicap = board.handicap or None
    cell = Cell(numbers[board.second], points, handicap, board.giver == "a", board.stones, black)
    mirrored = cell.mirrored(numbers[board.first])
    cells[board.first][round_ - 1] = cell.token() + cell.mark
    cells[board.second][round_ - 1] = mirrored.token() + mirrored.mark


@transaction.atomic
def make_submission(hall: Hall) -> Submission:
    """Make draft results from a hall; they replace the draft that was made from it before, which can be restored.

    Raise ValidationError if there are no boards, a board has two different results, or the event is not open.
    """
    event = lock_event(hall.event)
    hall = lock_hall(hall)
    state = read_hall(hall)
    if not state.paired:
        raise ValidationError(_("There are no results yet."))
    questions = [f"{each.number}.{b.board.number}" for each in state.rounds for b in each.boards if b.is_question]
    if questions:
        message = _("Two different results are entered at board %(boards)s: decide who won first.")
        raise ValidationError(message % {"boards": join_parts(questions)})
    content = build_content(state)
    content.details = read_announced_details(event)
    old = Submission.objects.select_for_update(of=("self",)).filter(pk=hall.submission_id or 0).first()
    is_replaced = old is not None and old.is_open
    if old is not None and is_replaced:
        copy_choices(content_from_json(old.content), content)
        old.state, old.deleted_at, old.deleted_by = Submission.State.DELETED, timezone.now(), acting_user()
        old.save(update_fields=["state", "deleted_at", "deleted_by"])
    submission = create_submission(event, content, days=find_days(event))
    if old is not None and is_replaced:
        Submission.objects.filter(pk=old.pk).update(replaced_by=submission)
    hall.submission = submission
    save_changed(hall, "submission")
    store_report(submission)
    record_event_step(event, EventStep.What.HALL, data={"sheet": submission.pk}, submissions=[submission])
    return submission


def find_days(event: Event) -> tuple[dt.date, dt.date]:
    """Return the days of the results: those of the event, without days to come."""
    today = find_today(find_time_zone(event))
    return min(event.start, today), min(event.end, today)
