"""Files with records of uploaded histories in the queues of officers, until they are accepted or dismissed for a list.

The queue reads what was stored when a history was split, and never the file itself.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction

from ratings.access import Action, may
from ratings.domain.site.acting import acting_user
from ratings.formats.problems import FileProblem
from ratings.models import BatchFile, RatingList
from ratings.queries.results.workflow import officer_lists

from .accepted_records import STORED, count_accepted
from .batch_splitting import RECORDS
from .uploaded_records import read_system

DISMISSED = "dismissed_records"
"""Key in `head` of a file: the primary keys of the lists for which it was dismissed."""


@dataclass(frozen=True)
class WaitingFile:
    """A file with records that are not accepted yet for some lists of an officer; the lists of its batch come first."""

    file: BatchFile
    lists: Sequence[RatingList]


def list_waiting_records(user: Any) -> list[WaitingFile]:
    """Return the files that have open records for lists which an officer looks after, latest first."""
    own = list(officer_lists(user).filter(comparison_to=None).select_related("federation"))
    systems = {rating_list.system for rating_list in own}
    code = FileProblem.HISTORY_HAS_MORE.code
    files = BatchFile.objects.filter(state=BatchFile.State.FAILED, batch__undone_at=None, problems__0__2__code=code)
    files = files.filter(**{f"head__{RECORDS}__system__in": sorted(systems)}) if systems else files.none()
    related = files.defer("data").select_related("batch__made_by").prefetch_related("batch__lists")
    found = list(related.order_by("-pk"))
    accepted = count_accepted(found)
    waiting = []
    for file in found:
        stored, dismissed = file.head.get(STORED, {}), file.head.get(DISMISSED, ())
        done = {each.pk: accepted[file.pk, each.pk] + stored.get(str(each.pk), 0) for each in own}
        number, chosen = file.head[RECORDS]["number"], set(file.batch.lists.all())
        open_lists = [
            each
            for each in own
            if each.system == read_system(file) and each.pk not in dismissed and number > done[each.pk]
        ]
        if open_lists:
            first = [each for each in open_lists if each in chosen]
            waiting.append(WaitingFile(file, first + [each for each in open_lists if each not in chosen]))
    return waiting


def list_dismissed(file: BatchFile, lists: Collection[RatingList]) -> list[RatingList]:
    """Return those of the lists for which a file was dismissed."""
    return [rating_list for rating_list in lists if rating_list.pk in file.head.get(DISMISSED, ())]


@transaction.atomic
def dismiss_records(file: BatchFile, lists: Collection[RatingList]) -> None:
    """Take a file out of the queue for some lists. Raise PermissionDenied for users who are no officers of them."""
    _store_dismissed(file, add={rating_list.pk for rating_list in _check(lists)})


@transaction.atomic
def restore_records(file: BatchFile, lists: Collection[RatingList]) -> None:
    """Undo that a file was dismissed for some lists. Raise PermissionDenied for users who are no officers of them."""
    _store_dismissed(file, remove={rating_list.pk for rating_list in _check(lists)})


def _check(lists: Collection[RatingList]) -> Collection[RatingList]:
    user = acting_user()
    if not all(may(user, Action.KEEP_LIST, rating_list) for rating_list in lists):
        raise PermissionDenied
    return lists


def _store_dismissed(file: BatchFile, *, add: Collection[int] = (), remove: Collection[int] = ()) -> None:
    file = BatchFile.objects.select_for_update(of=("self",)).get(pk=file.pk)
    dismissed = {*file.head.get(DISMISSED, ()), *add} - {*remove}
    file.head = dict(file.head) | {DISMISSED: sorted(dismissed)}
    file.save(update_fields=["head"])
