"""Checks of the database after two people have taken a step at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape

from ratings.domain.runs.rerating import sweep
from ratings.domain.runs.verifying import find_differences
from ratings.models import Adjustment, Change, Entry, Event, ListPlayer, Merge, RatingList, Standing, Submission
from tests.invariants import rating_problems, state_problems

from .race import Answer, Person, alone
from .steps import BY_NAME, Form, Step
from .world import World

FORBIDDEN, NOT_FOUND = 403, 404
Taken = tuple[Step, Form, Answer]


def problems_of(world: World, taken: list[Taken], person: Person | None) -> list[str]:
    """Return everything that is wrong after the answers to these steps; empty if nothing is.

    `person` tries the way on; None if it was tried from an equal state before.
    """
    found = [problem for one in taken for problem in _of_answer(world, *one)]
    found += [*_of_records(world, taken), *_of_versions(world), *state_problems(world.event)]
    sweep()
    world.list = RatingList.objects.get(pk=world.list.pk)
    if world.list.problem or world.list.out_of_date_from:
        found.append(f"the list is not rated: {world.list.problem or world.list.out_of_date_from}")
    found += [f"ratings differ: {line}" for line in find_differences(world.list)]
    found += [*rating_problems(world.event), *_of_merges(world)]
    if not found and person is not None:  # the way on changes the state
        found += _of_way_on(world, person)
    return found


def _of_answer(world: World, step: Step, form: Form, answer: Answer) -> Iterator[str]:
    if answer.status >= 500 or answer.error:
        yield f"{step.name}: status {answer.status}\n{answer.error}"
    elif answer.is_success:
        if not step.stored(world, form):
            yield f"{step.name}: answered with success, and “{form.typed}” is not stored"
    elif not answer.problems and not _has_message(answer):
        yield f"{step.name}: refused without a message ({answer.status} {answer.location})"
    elif _gives_back(step, answer) and not step.stored(world, form) and form.typed not in unescape(answer.text):
        yield f"{step.name}: refused ({answer.status}) without giving “{form.typed}” back"


def _gives_back(step: Step, answer: Answer) -> bool:
    """Return True if the answer has to hold what was typed: results always, other texts where a page is allowed."""
    return step.name == "edit results" or answer.status not in (FORBIDDEN, NOT_FOUND)


def _has_message(answer: Answer) -> bool:
    if answer.status in (FORBIDDEN, NOT_FOUND):
        return "<h1>" in answer.text
    return any(mark in answer.text for mark in ('role="alert"', "errorlist", 'class="message bad"'))


def _of_records(world: World, taken: list[Taken]) -> Iterator[str]:
    """Each step that was answered with success is recorded once, and none that was refused."""
    new = list(world.event.steps.filter(pk__gt=world.last_step).values_list("what", flat=True))
    for kinds in {step.kinds for step, _form, _answer in taken if step.kinds}:
        done = sum(answer.is_success for step, _form, answer in taken if step.kinds == kinds)
        if sum(what in kinds for what in new) != done:
            yield f"{done} of the steps {kinds} succeeded, recorded are {new}"


def _of_versions(world: World) -> Iterator[str]:
    now = world.versions()
    yield from (f"{key} went from version {old} to {now.get(key)}" for key, old in world.before.items()
                if now.get(key, -1) < old)  # fmt: skip


def _of_merges(world: World) -> Iterator[str]:
    """Nothing belongs to a player who was merged away."""
    world.gone.refresh_from_db()
    merged = Merge.objects.filter(gone=world.gone, undone_at=None).exists()
    if merged != (world.gone.merged_into_id is not None):
        yield "the player is merged away without a record, or the other way round"
    if merged:
        for model in (Entry, Adjustment, ListPlayer, Change, Standing):
            if rows := model.objects.filter(player=world.gone).count():
                yield f"{rows} {model.__name__} belong to a player who was merged away"


WAYS = {
    Event.State.DRAFT: ("submit", "restore results", "delete event"),
    Event.State.SUBMITTED: ("return",),
    Event.State.RETURNED: ("submit", "restore results", "delete event"),
    Event.State.VOID: ("restore void",),
    Event.State.DELETED: ("restore event",),
}
"""Steps that lead on from a state of an event, the best first; at least one has to work."""


def _of_way_on(world: World, person: Person) -> Iterator[str]:
    """Take the next step that the state offers, and look at the state that it leads to."""
    event = Event.objects.get(pk=world.event.pk)
    tried = {}
    for name in _ways_of(event):
        step = BY_NAME[name]
        try:
            form = step.form(world, "whoever goes on")
        except Submission.DoesNotExist:
            continue
        answer = alone(person, step, form)[0]
        if answer.is_success:
            yield from (f"after {name}: {problem}" for problem in state_problems(event))
            return
        tried[name] = answer.status
    yield f"no way on from {event.state}: {tried}"


def _ways_of(event: Event) -> tuple[str, ...]:
    if event.state != Event.State.ACCEPTED:
        return WAYS[Event.State(event.state)]
    if event.submissions.filter(state=Submission.State.SUBMITTED).exists():
        return ("return",)
    if event.submissions.filter(
        state__in=[Submission.State.WORKING, Submission.State.RETURNED], table__name__startswith="Open"
    ):
        return ("edit results",)
    if event.tables.filter(name__startswith="Open").exists():
        return ("correct",)
    return ("restore table",)
