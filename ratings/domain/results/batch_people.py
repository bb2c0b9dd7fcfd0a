"""Choices for all drafts of a batch at once: players, and questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from django.core.exceptions import ValidationError
from django.db import transaction

from ratings.access import may_edit
from ratings.domain.site.acting import acting_user
from ratings.formats.sheet_content import SheetContent, content_from_json
from ratings.models import BatchFile, FileBatch, Submission

from .people import accept_likely_players, make_unknown_new, undo_last_choices
from .submissions import save_submission

Choose = Callable[[Submission, SheetContent, int | None], int]


def list_open_drafts(batch: FileBatch) -> list[Submission]:
    """Return the drafts of a batch that the acting user may edit, each with its event, in the order of their days."""
    files = batch.files.filter(state=BatchFile.State.READ)
    drafts = Submission.objects.filter(pk__in=files.values("submission")).select_related("event")
    user = acting_user()
    return [draft for draft in drafts.order_by("last_day", "pk") if draft.is_open and may_edit(user, draft)]


def accept_likely_of_batch(batch: FileBatch) -> int:
    """Accept all players of a batch who are surer than the threshold; return how many names that decides."""
    return _choose_in_all(batch, accept_likely_players)


def make_unknown_of_batch_new(batch: FileBatch) -> int:
    """Mark all unknown names of a batch as new players; return how many there are."""
    return _choose_in_all(batch, make_unknown_new)


def undo_choices_of_batch(batch: FileBatch) -> int:
    """Undo the last choices in each draft of a batch; return how many rows change."""
    return _choose_in_all(batch, undo_last_choices)


@transaction.atomic
def _choose_in_all(batch: FileBatch, choose: Choose) -> int:
    """Apply a choice to all drafts; a draft that was submitted meanwhile is left as it is."""
    rows = 0
    for draft in list_open_drafts(batch):
        try:
            with transaction.atomic():
                rows += choose(draft, content_from_json(draft.content), draft.version)
        except ValidationError:
            continue
    return rows


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
