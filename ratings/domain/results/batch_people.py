"""Choices for all drafts of a batch at once: a name of several files is answered once, as are equal questions."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from ratings.access import may_edit
from ratings.domain.site.acting import acting_user
from ratings.formats.sheet_content import ChoiceStep, SheetContent, content_from_json
from ratings.matching import fold
from ratings.models import BatchFile, Event, FileBatch, Submission
from ratings.queries.events.events import lists_of

from .fixes import USE_EVENT_DAYS, apply_fix
from .people import NEW, Button, Choice, Group, NamedRow, match_tables, save_choices, undo_last_choices
from .submissions import save_submission


@dataclass(frozen=True)
class Place:
    """A row of a draft in which a name occurs."""

    draft: Submission
    row: NamedRow


@dataclass(frozen=True)
class BatchName:
    """A name with its country, and all places in a batch where it occurs; `id` follows from both."""

    id: int
    places: list[Place]

    @cached_property
    def named(self) -> NamedRow:
        """The row that needs an answer most, under the id of the name; its choice is open unless all rows agree."""
        rows = [place.row for place in self.places]
        order = list(Group)
        shown = max(rows, key=lambda row: (row.is_open, order.index(row.group)))
        choices = {(row.choice, row.player and row.player.pk) for row in rows}
        choice = shown.choice if len(choices) == 1 else Choice.OPEN
        also = next((row.also for row in rows if row.also), None)
        return replace(shown, number=self.id, choice=choice, also=also)

    @property
    def chosen(self) -> str:
        """The choice as it is posted: a public id, `NEW`, or empty if none was made for all places."""
        if self.named.choice in (Choice.OPEN, Choice.NEW):
            return str(self.named.choice)
        return self.named.player.public_id if self.named.player else ""

    @property
    def is_open(self) -> bool:
        return any(place.row.is_open for place in self.places)

    @property
    def is_acceptable(self) -> bool:
        """Return True if the likely player may be accepted without a look, in one of the files at least."""
        return any(_is_acceptable(place.row) for place in self.places)

    @property
    def is_startable(self) -> bool:
        """Return True if an unknown name can be a new player as it is."""
        return any(_is_startable(place.row) for place in self.places)


def _is_acceptable(row: NamedRow) -> bool:
    return row.is_open and row.is_sure


def _is_startable(row: NamedRow) -> bool:
    return row.is_open and row.group == Group.NOT_FOUND and row.can_be_new


def list_open_drafts(batch: FileBatch) -> list[Submission]:
    """Return the drafts of a batch that the acting user may edit, each with its event, in the order of their days."""
    files = batch.files.filter(state=BatchFile.State.READ)
    drafts = Submission.objects.filter(pk__in=files.values("submission")).select_related("event")
    user = acting_user()
    return [draft for draft in drafts.order_by("last_day", "pk") if draft.is_open and may_edit(user, draft)]


def list_batch_names(batch: FileBatch) -> list[BatchName]:
    """Return the names of all open drafts of a batch, each once, in the order in which they occur."""
    places: dict[int, list[Place]] = {}
    drafts = list_open_drafts(batch)
    rated_on = list_rated_lists(drafts)
    by_draft: dict[int, list[NamedRow]] = {}
    for lists in set(rated_on.values()):
        same = [draft for draft in drafts if rated_on[draft.event_id] == lists]
        tables = [content_from_json(draft.content).rows for draft in same]
        day = max(draft.last_day for draft in same)
        matched = match_tables(tables, lists_of(same[0].event), day, acting_user())
        by_draft |= {draft.pk: rows for draft, rows in zip(same, matched, strict=True)}
    for draft in drafts:
        for row in by_draft[draft.pk]:
            places.setdefault(_make_id(row), []).append(Place(draft, row))
    return [BatchName(id, found) for id, found in places.items()]


def list_rated_lists(drafts: Sequence[Submission]) -> dict[int, frozenset[int]]:
    """Return the primary keys of the lists on which the events of some drafts are rated, by the key of the event."""
    pairs = Event.lists.through.objects.filter(event__in=[draft.event_id for draft in drafts])
    found: dict[int, set[int]] = {draft.event_id: set() for draft in drafts}
    for event, rating_list in pairs.values_list("event", "ratinglist"):
        found[event].add(rating_list)
    return {event: frozenset(lists) for event, lists in found.items()}


def _make_id(row: NamedRow) -> int:
    """Return a number of at most 15 digits that follows from a name and its country."""
    text = f"{fold(row.row.name)}\n{row.row.country.strip().upper()}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6])


@transaction.atomic
def choose_in_batch(batch: FileBatch, choices: Mapping[int, str], button: Button = Button.SAVE) -> int:
    """Save choices by the id of a name in all drafts, as one step; return how many names change.

    A choice is a public id or `NEW`.
    """
    return _choose_for_names(batch, lambda name, _row: choices.get(name.id), button)


@transaction.atomic
def accept_likely_of_batch(batch: FileBatch) -> int:
    """Accept all players of a batch who are surer than the threshold; return how many names that decides."""

    def choose(_name: BatchName, row: NamedRow) -> str | None:
        return row.candidates[0].player.public_id if _is_acceptable(row) else None

    return _choose_for_names(batch, choose, Button.ACCEPT)


@transaction.atomic
def make_unknown_of_batch_new(batch: FileBatch) -> int:
    """Mark all unknown names of a batch as new players; return how many names there are."""
    return _choose_for_names(batch, lambda _name, row: NEW if _is_startable(row) else None, Button.NEW)


def _choose_for_names(batch: FileBatch, choose: Callable[[BatchName, NamedRow], str | None], button: Button) -> int:
    """Save a choice for each place of each name; return how many names change."""
    names = list_batch_names(batch)
    wanted: dict[Submission, dict[int, str]] = {}
    for name in names:
        for place in name.places:
            if choice := choose(name, place.row):
                wanted.setdefault(place.draft, {})[place.row.number] = choice
    changed = save_in_drafts(wanted, button)
    return sum(any((place.draft.pk, place.row.number) in changed for place in name.places) for name in names)


def save_in_drafts(wanted: Mapping[Submission, Mapping[int, str]], button: Button) -> set[tuple[int, int]]:
    """Save choices by draft and row as one step; return the changed rows as (primary key of the draft, row).

    A draft that was changed or submitted meanwhile is left as it is.
    """
    changed: set[tuple[int, int]] = set()
    step = timezone.now().isoformat()
    for draft, choices in wanted.items():
        content = content_from_json(draft.content)
        try:
            with transaction.atomic():
                if save_choices(draft, content, choices, ChoiceStep(button, [], step), draft.version):
                    assert content.last_choices is not None
                    changed |= {(draft.pk, change.row) for change in content.last_choices.rows}
        except ValidationError:
            continue
    return changed


def find_last_step(drafts: Iterable[Submission]) -> list[tuple[Submission, SheetContent, ChoiceStep]]:
    """Return the last step that changed several drafts, as (draft, content, step) of each that it can be undone in."""
    found = []
    for draft in drafts:
        content = content_from_json(draft.content)
        if content.last_choices is not None and content.last_choices.batch_step:
            found.append((draft, content, content.last_choices))
    latest = max((step.batch_step for _draft, _content, step in found), default="")
    return [each for each in found if each[2].batch_step == latest]


def list_changed_names(content: SheetContent, step: ChoiceStep) -> set[str]:
    """Return the names that a step changed in a draft, folded."""
    return {fold(content.rows[change.row - 1].name) for change in step.rows if change.row <= len(content.rows)}


@transaction.atomic
def undo_choices_of_batch(batch: FileBatch) -> int:
    """Undo the last step in all drafts of a batch; return how many names change."""
    names: set[str] = set()
    for draft, content, step in find_last_step(list_open_drafts(batch)):
        try:
            with transaction.atomic():
                if undo_last_choices(draft, content, draft.version):
                    names |= list_changed_names(content, step)
        except ValidationError:
            continue
    return len(names)


@transaction.atomic
def use_event_days(batch: FileBatch, submission_pk: int) -> bool:
    """Give a draft of a batch the days of its event; return False if it is no open draft or has them already."""
    for draft in list_open_drafts(batch):
        if draft.pk == submission_pk:
            content = content_from_json(draft.content)
            is_changed = apply_fix(draft, content, USE_EVENT_DAYS)
            if is_changed:
                save_submission(draft, content, version=draft.version)
            return is_changed
    return False


@transaction.atomic
def confirm_questions_of_batch(batch: FileBatch, reason: str, keys: Iterable[tuple[int, str]]) -> int:
    """Confirm questions about the drafts of a batch with one reason; return how many were confirmed.

    `keys` names each question that the person has seen by (primary key of the draft, key of the question).
    """
    seen, confirmed = set(keys), 0
    for draft in list_open_drafts(batch):
        content = content_from_json(draft.content)
        open_keys = [key for pk, key in seen if pk == draft.pk and not content.confirmed.get(key)]
        if open_keys:
            content.confirmed |= dict.fromkeys(open_keys, reason)
            save_submission(draft, content, version=draft.version)
            confirmed += len(open_keys)
    return confirmed
