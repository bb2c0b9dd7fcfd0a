"""The steps that people can take at once, as the requests of the pages, with the states in which they are tried."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Any

from portal.results.forms import EventForm
from ratings.models import EventStep, Merge, Submission
from tests.portal.results.way import posted
from tests.versions import opened

from .world import World

What = EventStep.What
PLACE, VOIDED = "Lyon of {by}", "Void, says {by}"


@dataclass
class Form:
    """A form as somebody has it before them: where it is sent, what it holds, and the text typed into it."""

    path: str
    data: Mapping[str, Any] = field(default_factory=dict)
    typed: str = ""


@dataclass(frozen=True)
class Step:
    """A step: its form, who takes it, and the record by which it is found in the database when it was taken.

    `kinds` are those of the event's steps; `stored` says whether the typed text is in the database.
    """

    name: str
    form: Callable[[World, str], Form]
    states: str
    officer: bool = False
    kinds: tuple[str, ...] = ()
    stored: Callable[[World, Form], bool] = lambda world, form: True

    def is_tried_in(self, state: str) -> bool:
        return state in self.states.split(", ")


def _act(what: str, **data: str) -> Callable[[World, str], Form]:
    return lambda world, by: Form(_of_event(world, what), data)


def _of_event(world: World, what: str) -> str:
    return f"/organise/events/{world.event.public_id}/{what}/"


def _return(world: World, by: str) -> Form:
    note = f"Look again, says {by}."
    return Form(_of_event(world, "return"), {"note": note}, note)


def _note_stored(*kinds: str) -> Callable[[World, Form], bool]:
    return lambda world, form: world.event.steps.filter(what__in=kinds, note__contains=form.typed).exists()


def _edit_submission(world: World, by: str) -> Form:
    """The results page, opened before the run: the name of the table and the MacMahon points of the first row."""
    submission, typed = world.submission(), f"Open of {by}"
    points = {"row-1-macmahon": f"4{by[-1]}"}
    data = posted(submission, name=typed, reason=submission.reason, done="1", version=submission.version) | points
    return Form(f"/organise/sheets/{submission.pk}/", data, typed)


def _edit_waiting(world: World, by: str) -> Form:
    """A results page that an officer has opened, with the same entries."""
    form = _edit_submission(world, by)
    return Form(form.path, form.data | {"waiting": "1"}, form.typed)


def _submission_stored(world: World, form: Form) -> bool:
    submission = Submission.objects.get(pk=form.path.split("/")[-2])
    return (submission.name, submission.content["rows"][0]["macmahon"]) == (form.typed, form.data["row-1-macmahon"])


def _edit_event(world: World, by: str) -> Form:
    event, typed = world.event, PLACE.format(by=by)
    names = [name for name in EventForm.Meta.fields if name != "club"]
    data = {name: str(getattr(event, name)) for name in names} | {"lists": [world.list.pk], "place": typed}
    return Form(_of_event(world, "edit"), data | opened(event, names), typed)


def _place_stored(world: World, form: Form) -> bool:
    world.event.refresh_from_db()
    return world.event.place == form.typed


def _void(world: World, by: str) -> Form:
    typed = VOIDED.format(by=by)
    return Form(_of_event(world, "void"), {"reason": "twice", "explanation": typed, "read": "on"}, typed)


def _delete_table(world: World, by: str) -> Form:
    typed = f"No table, says {by}"
    return Form(f"/organise/tables/{world.table('Open').pk}/delete/", {"reason": typed}, typed)


def _of_submission(what: str) -> Callable[[World, str], Form]:
    return lambda world, by: Form(f"/organise/sheets/{world.submission().pk}/{what}/")


def _of_table(name: str, what: str) -> Callable[[World, str], Form]:
    return lambda world, by: Form(f"/organise/tables/{world.table(name).pk}/{what}/")


def _merge(world: World, by: str) -> Form:
    typed = f"One person, says {by}"
    data = {"gone": world.gone.public_id, "kept": world.kept.public_id, "reason": typed}
    return Form("/organise/merge/", data, typed)


def _merge_stored(world: World, form: Form) -> bool:
    return Merge.objects.filter(gone=world.gone, reason=form.typed).exists()


def _undo_merge(world: World, by: str) -> Form:
    return Form(f"/organise/merges/{world.merge_record().pk}/undo/")


def _undone(world: World, form: Form) -> bool:
    return world.merge_record().undone_at is not None


OPEN = "draft, returned, sheet deleted"
CORRECTED = "correcting, proposed"
RATED = f"accepted, {CORRECTED}, table deleted"
EVERY = f"{OPEN}, submitted, {RATED}, void"
STEPS = [
    Step("submit", _act("submit"), f"{OPEN}, correcting, deleted", kinds=(What.SUBMITTED, What.PROPOSED)),
    Step("withdraw", _act("withdraw"), "submitted, proposed", kinds=(What.WITHDRAWN,)),
    Step("accept", _act("accept"), "submitted, proposed, merged proposed", True, (What.ACCEPTED, What.CORRECTED)),
    Step("return", _return, "submitted, proposed", True, (What.RETURNED,), _note_stored(What.RETURNED)),
    Step("edit results", _edit_submission, f"{OPEN}, submitted, {CORRECTED}, deleted", stored=_submission_stored),
    Step("edit waiting results", _edit_waiting, "submitted, proposed", True, (What.EDITED,), stored=_submission_stored),
    Step("edit event", _edit_event, EVERY, True, stored=_place_stored),
    Step("correct", _of_table("Open", "correct"), "accepted, correcting, merged"),
    Step("correct another table", _of_table("Youth", "correct"), f"{RATED}, void, merged"),
    Step("delete results", _of_submission("delete"), f"draft, returned, submitted, {CORRECTED}", kinds=(What.DRAFT_DELETED,)),
    Step("delete event", _act("delete"), f"{OPEN}, submitted", kinds=(What.DELETED,)),
    Step("delete table", _delete_table, f"accepted, {CORRECTED}, void, merged", True, (What.TABLE_DELETED,),
         _note_stored(What.TABLE_DELETED)),
    Step("restore results", _of_submission("restore"), "sheet deleted", kinds=(What.DRAFT_RESTORED,)),
    Step("restore event", _act("restore"), "deleted", kinds=(What.RESTORED,)),
    Step("restore table", _of_table("Open", "restore"), "table deleted", True, (What.TABLE_RESTORED,)),
    Step("void", _void, f"{RATED}, submitted, void, merged", True, (What.VOIDED,), _note_stored(What.VOIDED)),
    Step("restore void", _act("restore"), "void", True, (What.UNVOIDED,)),
    Step("merge", _merge, f"{EVERY}, deleted", True, stored=_merge_stored),
    Step("undo merge", _undo_merge, "merged, merged proposed", True, stored=_undone),
]  # fmt: skip
BY_NAME = {step.name: step for step in STEPS}


def pairs(states: list[str]) -> dict[tuple[str, str], list[str]]:
    """Every two steps that can meet, a step with itself among them, with the states in which they do."""
    found = {}
    for one, other in combinations_with_replacement(STEPS, 2):
        if met := [state for state in states if one.is_tried_in(state) and other.is_tried_in(state)]:
            found[one.name, other.name] = met
    return found
