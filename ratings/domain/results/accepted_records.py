"""Records that were accepted from an uploaded history: the rows that were saved, and proposals to a second person."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ratings.batches import in_batches
from ratings.models import Adjustment, BatchFile, Decision, Proposal, RatingList

ACCEPTED = "accepted_records"
"""Key in `head` of a file: what was made from it, as [number of the record, model, primary key, list]."""
STORED = "stored_records"
"""Key in `head` of a file: how many records a list had already when others were accepted, by the list's primary key."""
MODELS: Mapping[str, type[Adjustment | Decision]] = {"adjustment": Adjustment, "decision": Decision}
PROPOSAL = "proposal"
State, What = Proposal.State, Proposal.What
Key = tuple[str, int]
"""Model and primary key of a row."""


@dataclass(frozen=True)
class AcceptedRecord:
    """A record that was accepted and not removed since: its number in the file and its list.

    It has the row that was saved, or the proposal that waits for a second person. `removal_waits` is True if a second
    person has to confirm that the row is removed.
    """

    number: int
    made: str
    pk: int
    list_pk: int
    row: Adjustment | Decision | None
    proposal: Proposal | None
    removal_waits: bool = False

    def to_json(self) -> list[int | str]:
        return [self.number, self.made, self.pk, self.list_pk]


def read_accepted(file: BatchFile, rating_list: RatingList | None = None) -> list[AcceptedRecord]:
    """Return what was accepted from a file for a list, or for all lists.

    Records that were removed by hand, or whose proposal was withdrawn, are left out: they can be accepted again.
    """
    entries = [entry for entry in file.head.get(ACCEPTED, ()) if rating_list is None or entry[3] == rating_list.pk]
    return [each for each in _find_current(entries, ("list", "player", "before")) if each is not None]


def count_accepted(files: Iterable[BatchFile]) -> Counter[tuple[int, int]]:
    """Return how many records of each file are accepted now for each list, by primary keys of file and list."""
    owners = [(file.pk, entry) for file in files for entry in file.head.get(ACCEPTED, ())]
    current = _find_current([entry for _file, entry in owners])
    return Counter((file, entry[3]) for (file, entry), each in zip(owners, current, strict=True) if each is not None)


def _find_current(entries: Sequence[Sequence[Any]], related: Sequence[str] = ()) -> list[AcceptedRecord | None]:
    """Return what became of each entry; None if it can be accepted again. Rows have their `related` objects."""
    proposals = _read_proposals(pk for _number, made, pk, _list in entries if made == PROPOSAL)
    keys: dict[int, Key] = {}
    for number, (_number, made, pk, _list) in enumerate(entries):
        proposal = proposals.get(pk) if made == PROPOSAL else None
        if made != PROPOSAL:
            keys[number] = (made, pk)
        elif proposal is not None and proposal.state == State.CONFIRMED and proposal.target:
            keys[number] = (proposal.kind, proposal.target)
    rows, removals = _read_rows(keys.values(), related), _find_waiting_removals(keys.values())
    current: list[AcceptedRecord | None] = []
    for number, (record, made, pk, list_pk) in enumerate(entries):
        proposal = proposals.get(pk) if made == PROPOSAL else None
        row = rows.get(keys[number]) if number in keys else None
        waiting = proposal if proposal is not None and proposal.state == State.WAITING else None
        accepted = AcceptedRecord(record, made, pk, list_pk, row, waiting, row is not None and keys[number] in removals)
        current.append(accepted if row is not None or waiting is not None else None)
    return current


def _read_proposals(pks: Iterable[int]) -> dict[int, Proposal]:
    return {row.pk: row for batch in in_batches(sorted(pks)) for row in Proposal.objects.filter(pk__in=batch)}


def _read_rows(keys: Iterable[Key], related: Sequence[str]) -> dict[Key, Adjustment | Decision]:
    by_model = defaultdict[str, list[int]](list)
    for made, pk in keys:
        by_model[made].append(pk)
    return {
        (made, row.pk): row
        for made, pks in by_model.items()
        for batch in in_batches(pks)
        for row in MODELS[made]._default_manager.filter(pk__in=batch).select_related(*related)
    }


def _find_waiting_removals(keys: Iterable[Key]) -> set[Key]:
    """Return the rows whose removal waits for a second person."""
    removals = Proposal.objects.filter(what=What.REMOVE, state=State.WAITING)
    targets = sorted({pk for _made, pk in keys})
    return {
        (kind, target)
        for batch in in_batches(targets)
        for kind, target in removals.filter(target__in=batch).values_list("kind", "target")
        if target is not None
    }
