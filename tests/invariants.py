"""Invariants of an event after every step, and the steps that are possible then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ratings.domain.results.table_versions import build_content_from_table
from ratings.formats.parsed import Cell
from ratings.formats.sheet_content import SheetContent, content_from_json
from ratings.formats.tokens import read_cell
from ratings.models import Change, Event, EventStep, Merge, RatedTable, Submission, Table
from ratings.queries.results.workflow import latest_version

What, State = EventStep.What, Event.State
LEADS_TO = {
    What.SUBMITTED: ({State.DRAFT, State.RETURNED, State.ACCEPTED}, State.SUBMITTED),
    What.RETURN_UNDONE: ({State.RETURNED, State.ACCEPTED}, State.SUBMITTED),
    What.ACCEPTED: ({State.SUBMITTED}, State.ACCEPTED),
    What.ACCEPTANCE_UNDONE: ({State.ACCEPTED}, State.SUBMITTED),
    What.PROPOSED: ({State.ACCEPTED}, State.ACCEPTED),
    What.CORRECTED: ({State.ACCEPTED}, State.ACCEPTED),
    What.DELETED: ({State.DRAFT, State.RETURNED}, State.DELETED),
    What.VOIDED: ({State.ACCEPTED}, State.VOID),
    What.UNVOIDED: ({State.VOID}, State.ACCEPTED),
    What.TABLE_DELETED: ({State.ACCEPTED, State.VOID}, None),
    What.TABLE_RESTORED: ({State.ACCEPTED, State.VOID}, None),
}
"""The states in which a step can be taken, and the state to which it leads; None: it stays."""


def state_problems(event: Event, began: str | None = None) -> list[str]:
    """Return what does not agree in the stored states of an event, its submissions and its tables; empty if all does.

    `began` is the state before the first recorded step, where tests stored the event without steps.
    """
    event = Event.objects.get(pk=event.pk)
    submissions = list(event.submissions.select_related("table", "replaced_by"))
    tables = list(Table.with_deleted.filter(event=event))
    found = [*_of_event(event, submissions, tables), *_of_steps(event, began)]
    found += [problem for submission in submissions for problem in _of_submission(event, submission)]
    found += [problem for table in tables for problem in _of_table(event, table)]
    return found


def _of_event(event: Event, submissions: list[Submission], tables: list[Table]) -> Iterator[str]:
    submitted = [submission for submission in submissions if submission.state == Submission.State.SUBMITTED]
    accepted = [submission for submission in submissions if submission.state == Submission.State.ACCEPTED]
    has_content = [
        submission for submission in submitted if any(row.cells for row in content_from_json(submission.content).rows)
    ]
    if event.state == State.SUBMITTED and not has_content:
        yield "the event is submitted without results"
    if submitted and event.state not in (State.SUBMITTED, State.ACCEPTED):
        yield f"results are submitted in an event that is {event.state}"
    if event.state in (State.ACCEPTED, State.VOID) and _came_by_steps(event) and not accepted:
        yield f"the event is {event.state} without an accepted version"
    if event.state not in (State.ACCEPTED, State.VOID) and (accepted or tables):
        yield f"the event is {event.state} and has tables or accepted versions"
    names = Counter(table.name for table in tables if table.deleted_at is None)
    yield from (f"{number} tables are named {name}" for name, number in names.items() if number > 1)
    if (event.state == State.DELETED) != (event.deleted_at is not None):
        yield f"the event is {event.state}, deleted at {event.deleted_at}"
    if event.state == State.DELETED and event.announced_at is not None:
        yield "the event is deleted and announced"
    if (event.state == State.VOID) != bool(event.void_reason):
        yield f"the event is {event.state}, void because of “{event.void_reason}”"


def _came_by_steps(event: Event) -> bool:
    """Return whether results of an event were submitted or accepted; others were stored by the test, without versions."""
    steps = {What.SUBMITTED, What.PROPOSED, What.ACCEPTED, What.CORRECTED}
    return event.steps.filter(what__in=steps).exists()


def _of_steps(event: Event, began: str | None) -> Iterator[str]:
    """Take the recorded steps again: each has to be possible, and the last leads to the stored state."""
    steps = list(event.steps.order_by("pk"))
    first = next((step for step in steps if step.what in LEADS_TO), None)
    starts_accepted = first is None or first.what == What.ACCEPTED  # tests store those without a submission
    state = State(began) if began else State.SUBMITTED if starts_accepted and first else State.DRAFT
    for step in steps:
        if step.what in LEADS_TO:
            before, after = LEADS_TO[What(step.what)]
            if state not in before:
                yield f"{step.what} is recorded in an event that was {state}"
            waits = step.what in (What.SUBMITTED, What.RETURN_UNDONE)
            waits_again = waits and state == State.ACCEPTED  # a returned correction
            state = state if waits_again else after or state
        elif step.what == What.RETURNED and state != State.ACCEPTED:
            state = State.RETURNED
        elif step.what == What.WITHDRAWN and state != State.ACCEPTED:
            state = State.DRAFT
        elif step.what == What.RESTORED:
            state = State(steps[[s.what for s in steps].index(What.DELETED)].data["state"])
    if state != event.state:
        yield f"the steps lead to {state}, the event is {event.state}"


def _of_submission(event: Event, submission: Submission) -> Iterator[str]:
    name = f"submission {submission.name} ({submission.state})"
    if (submission.state == Submission.State.DELETED) != (submission.deleted_at is not None):
        yield f"{name}: deleted at {submission.deleted_at}"
    if submission.state == Submission.State.ACCEPTED and submission.table is None:
        yield f"{name}: has no table"
    if submission.table is not None and submission.table.event_id != event.pk:
        yield f"{name}: corrects a table of another event"
    if submission.replaced_by is not None and (
        submission.state != Submission.State.DELETED
        or submission.replaced_by.event_id != event.pk
        or submission.replaced_by == submission
    ):
        yield f"{name}: replaced by {submission.replaced_by_id}"


def _of_table(event: Event, table: Table) -> Iterator[str]:
    ended = (Submission.State.ACCEPTED, Submission.State.DELETED)
    seats, newest = table.entries.count(), latest_version(table)
    if newest is None and _came_by_steps(event):
        yield f"table {table.name} has no accepted version"
    if table.deleted_at is not None:
        if seats or table.games.exists():
            yield f"table {table.name} is deleted and has results"
        if table.submissions.exclude(state__in=ended).exists():
            yield f"table {table.name} is deleted and has an open correction"
    elif not seats:
        yield f"table {table.name} has no players"
    elif newest is not None and _results(build_content_from_table(table)) != _results(
        content_from_json(newest.content)
    ):
        yield f"table {table.name} does not hold what its newest version says"


def _results(content: SheetContent) -> list[tuple[str, list[Cell | None]]]:
    """Return who plays and the cells of each row; players who were ever merged are the same, for undoing moves seats."""
    same: dict[str, str] = {}
    for gone, kept in Merge.objects.order_by("pk").values_list("gone__public_id", "kept__public_id"):
        old, new = same.get(gone, gone), same.get(kept, kept)
        same = {one: new if other == old else other for one, other in same.items()} | {gone: new, kept: new}
    rows = [row for row in content.rows if not row.empty]
    return [(same.get(row.player, row.player), [read_cell(text) for text in row.cells]) for row in rows]


def rating_problems(event: Event) -> list[str]:
    """Return what is rated of an event although it does not count, after its lists were rated."""
    event = Event.objects.get(pk=event.pk)
    live = set() if event.state != State.ACCEPTED else set(event.tables.values_list("pk", flat=True))
    rated = set(RatedTable.objects.filter(table__event=event).values_list("table", flat=True))
    changed = set(Change.objects.filter(table__event=event).values_list("table", flat=True))
    return [f"table {pk} is rated and does not count" for pk in sorted((rated | changed) - live)] + [
        f"table {pk} counts and is not rated" for pk in sorted(live - rated)
    ]
