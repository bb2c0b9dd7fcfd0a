"""Records that a dropped history holds beside results: starting ratings, adjustments and decisions, for an officer.

Nothing of it is saved until an officer of the list accepts it. Players are found by id and name, or by exact name.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from ratings.access import Action, may
from ratings.batches import in_batches
from ratings.domain.grades.bulk_records import submit_many
from ratings.domain.grades.proposals import submit_removal
from ratings.domain.grades.proposals import withdraw as withdraw_proposal
from ratings.domain.site.acting import acting_user
from ratings.formats.history.file import HistoryError, read_history
from ratings.formats.problems import FileProblem
from ratings.matching import fold
from ratings.models import Adjustment, BatchFile, Decision, Player, Proposal, RatingList
from ratings.models.messages import RecordReason, RunReason
from ratings.queries.players.known_names import read_known_names
from ratings.systems import values
from ratings.systems.messages import has_code, message_from_json

ACCEPTED = "accepted_records"
"""Key in `head` of a file: what was made from it, as [number of the record, kind, primary key]."""
MODELS: Mapping[str, type[Adjustment | Decision]] = {"adjustment": Adjustment, "decision": Decision}
PROPOSAL = "proposal"
MAX_WAITING = 20
"""Maximum number of files that the queue of an officer names."""


Identity = tuple[Any, ...]
"""What makes a record the same as another one."""


class Kind(StrEnum):
    """Kinds of records that a history holds beside results."""

    OPENING = "opening"
    ADJUSTMENT = "adjustment"
    DECISION = "decision"


@dataclass(frozen=True)
class OfferedRecord:
    """A record of a history: its number in the file, its player, and what it does.

    `name` is the player's name in the file, empty for a shift of the whole list. `problem` says why it cannot be
    accepted now; empty if it can or was.
    """

    number: int
    kind: Kind
    day: dt.date
    name: str
    value: values.Adjustment | values.Decision
    player: Player | None = None
    problem: str = ""
    is_accepted: bool = False

    @property
    def is_open(self) -> bool:
        return not (self.problem or self.is_accepted)


def holds_records(file: BatchFile) -> bool:
    """Return True if a file of a batch is what a history holds beside results."""
    codes = (message_from_json(message) for *_place, message in file.problems)
    return file.state == BatchFile.State.FAILED and any(has_code(code, FileProblem.HISTORY_HAS_MORE) for code in codes)


def list_waiting_records(user: Any) -> list[tuple[BatchFile, RatingList]]:
    """Return the latest files with records of which none was accepted, each with the list of this officer for it."""
    code = FileProblem.HISTORY_HAS_MORE.code
    files = BatchFile.objects.filter(state=BatchFile.State.FAILED, batch__undone_at=None, problems__0__2__code=code)
    files = files.filter(**{f"head__{ACCEPTED}__isnull": True}).select_related("batch__made_by").order_by("-pk")
    return [(file, lists[0]) for file in files[:MAX_WAITING] if (lists := list_record_lists(file, user))]


def list_record_lists(file: BatchFile, user: Any) -> list[RatingList]:
    """Return the lists on which a user may accept the records of a file: those of its system that they look after.

    The lists of the batch and of its events come first.
    """
    history = _read(file)
    if history is None:
        return []
    lists = RatingList.objects.filter(system=history.system, comparison_to=None).order_by("pk")
    kept = [rating_list for rating_list in lists if may(user, Action.KEEP_LIST, rating_list)]
    if len(kept) < 2:
        return kept
    own = set(file.batch.lists.values_list("pk", flat=True))
    own |= set(file.batch.files.exclude(event=None).values_list("event__lists", flat=True))
    return sorted(kept, key=lambda rating_list: rating_list.pk not in own)


def list_records(file: BatchFile, rating_list: RatingList | None) -> list[OfferedRecord]:
    """Return the records of a file in its order; without a list none can be accepted."""
    history = _read(file)
    if history is None:
        return []
    players = _find_players(history.players.values())
    accepted = {number for number, _kind, _pk in file.head.get(ACCEPTED, ())}
    entries: Sequence[values.Adjustment | values.Decision] = (*history.adjustments, *history.decisions)
    stored, in_file = _read_stored(rating_list), set[Identity]()
    records = []
    for number, entry in enumerate(entries):
        record = _build_record(number, entry, history.players, players, number in accepted)
        identity = _identify(entry, record.player.pk if record.player else None)
        if not record.problem and not record.is_accepted and identity in (stored | in_file):
            text = _("The list has this already.") if identity in stored else _("The file has this twice.")
            record = replace(record, problem=text)
        if not record.problem:
            in_file.add(identity)
        records.append(record)
    return records


def _read(file: BatchFile) -> values.History | None:
    """Return the history of a file; None if it is none, or was split by a release that left days out."""
    try:
        return read_history(bytes(file.data))
    except HistoryError:
        return None


def _find_players(written: Collection[values.Player]) -> dict[str, Player | None]:
    """Return the known player of each player of a history, by the id in the file; None if nobody is certainly meant.

    The names are those by which results are matched, with names from before a merge. A player who is not shown by name
    is also known by id and the name that exported files have. Of several players with a name the id chooses.
    """
    by_name: dict[str, set[str]] = {}
    for public_id, names in read_known_names().latin.items():
        for family, given in names:
            by_name.setdefault(_name_key(family, given), set()).add(public_id)
    named = {each.id: by_name.get(_name_key(*_split_name(each.name)), set()) for each in written}
    ids = {each.id for each in written}.union(*named.values())
    players = {
        player.public_id: player
        for batch in in_batches(sorted(ids))
        for player in Player.objects.filter(public_id__in=batch, merged_into=None)
    }
    found: dict[str, Player | None] = {}
    for each in written:
        own, likely = players.get(each.id), named[each.id]
        if own is not None and (each.id in likely or _has_public_name(own, each.name)):
            found[each.id] = own
        else:
            found[each.id] = players.get(next(iter(likely))) if len(likely) == 1 else None
    return found


def _has_public_name(player: Player, name: str) -> bool:
    return _name_key(player.public_family, player.public_given) == _name_key(*_split_name(name))


def _split_name(name: str) -> tuple[str, str]:
    """Return last and first name of “Last, First” or “Last First”."""
    if "," in name:
        family, _comma, given = name.partition(",")
        return family.strip(), given.strip()
    family, _blank, given = name.strip().rpartition(" ")
    return (family, given) if family else (given, "")


def _name_key(family: str, given: str) -> str:
    return fold(f"{family} {given}")


def _read_stored(rating_list: RatingList | None) -> set[Identity]:
    """Return what a list has already, in the form of `_identify`."""
    if rating_list is None:
        return set()
    adjustments = {_identify(row, row.player_id) for row in rating_list.adjustments.all()}
    return adjustments | {_identify(row, row.player_id) for row in rating_list.decisions.all()}


def _identify(row: Any, player: int | None) -> Identity:
    """Return what makes a record the same as another one: player, day, and what it does. Equal numbers are equal."""
    if hasattr(row, "ruling"):
        return player, row.date, row.grade, row.ruling
    return player, row.date, _make_hashable(row.set), row.shift


def _make_hashable(value: Any) -> Any:
    """Return a JSON value as one that can be in a set, and that equals others as the value does."""
    if isinstance(value, Mapping):
        return tuple(sorted((key, _make_hashable(each)) for key, each in value.items()))
    if isinstance(value, list | tuple):
        return tuple(map(_make_hashable, value))
    return value


def _build_record(
    number: int,
    entry: values.Adjustment | values.Decision,
    written: Mapping[str, values.Player],
    players: Mapping[str, Player | None],
    is_accepted: bool,
) -> OfferedRecord:
    player = players.get(entry.player) if entry.player else None
    if isinstance(entry, values.Decision):
        kind = Kind.DECISION
    else:
        kind = Kind.OPENING if (entry.set or {}).get("rating") is not None else Kind.ADJUSTMENT
    is_unknown = entry.player and player is None
    problem = _("Not known yet: accept the results first, or add the player.") if is_unknown else ""
    name = (written[entry.player].name or entry.player) if entry.player else ""
    return OfferedRecord(number, kind, entry.date, name, entry, player, problem, is_accepted)


@dataclass
class AcceptedRecords:
    """Numbers of records that were saved, and that wait for a second person; `refused` says why others were not."""

    saved: int = 0
    proposed: int = 0
    refused: Sequence[str] = ()


@transaction.atomic
def accept_records(file: BatchFile, rating_list: RatingList, kind: str) -> AcceptedRecords:
    """Accept all records of a kind that have no problem, as an officer of the list; each that is refused stays open.

    On a list that requires two persons they wait for the second one. Raise PermissionDenied for other users.
    """
    if not may(acting_user(), Action.KEEP_LIST, rating_list):
        raise PermissionDenied
    file = BatchFile.objects.select_for_update(of=("self",)).get(pk=file.pk)
    done, accepted, refused = list(file.head.get(ACCEPTED, ())), AcceptedRecords(), []
    records = [record for record in list_records(file, rating_list) if record.kind == kind and record.is_open]
    user = acting_user()
    rows = [_build_row(record, rating_list, file.name, user) for record in records]
    for record, made in zip(records, submit_many(rows, reason=RunReason.HISTORY_RECORDS_ADDED()), strict=True):
        if isinstance(made, ValidationError):
            refused.append(f"{record.name or rating_list}: {' '.join(made.messages)}")
            continue
        done.append([record.number, made._meta.model_name, made.pk])
        if isinstance(made, Proposal):
            accepted.proposed += 1
        else:
            accepted.saved += 1
    if done:
        file.head = dict(file.head) | {ACCEPTED: done}
    file.save(update_fields=["head"])
    accepted.refused = refused
    return accepted


def _build_row(record: OfferedRecord, rating_list: RatingList, source: str, user: User | None) -> Adjustment | Decision:
    """Return the unsaved adjustment or decision that a record makes on a list."""
    entry = record.value
    reason = entry.reason or (RecordReason.OPENING() if record.kind == Kind.OPENING else RecordReason.FROM_HISTORY())
    common: dict[str, Any] = {
        "list": rating_list, "player": record.player, "date": record.day, "reason": reason,
        "source": source[:200], "made_by": user,
    }  # fmt: skip
    if isinstance(entry, values.Decision):
        return Decision(grade=entry.grade, ruling=entry.ruling, **common)
    return Adjustment(set=None if entry.set is None else dict(entry.set), shift=entry.shift, **common)


@transaction.atomic
def undo_records(file: BatchFile) -> tuple[int, list[str]]:
    """Remove what was accepted from a file; return how many, and why others stay.

    What was removed by hand meanwhile is offered again. Raise PermissionDenied for users who are no officers of a list.
    """
    file = BatchFile.objects.select_for_update(of=("self",)).get(pk=file.pk)
    undone, kept, problems = 0, [], []
    for number, made, pk in file.head.get(ACCEPTED, ()):
        try:
            with transaction.atomic():
                undone += _remove(made, pk)
        except ValidationError as error:
            kept.append([number, made, pk])
            problems += error.messages
    file.head = {key: value for key, value in file.head.items() if key != ACCEPTED} | ({ACCEPTED: kept} if kept else {})
    file.save(update_fields=["head"])
    return undone, problems


def _remove(made: str, pk: int) -> int:
    """Remove an accepted record, or withdraw its proposal; return 1, or 0 if it is not there any more."""
    if made == PROPOSAL:
        proposal = Proposal.objects.select_related("list").filter(pk=pk).first()
        if proposal is None or proposal.state == Proposal.State.WITHDRAWN:
            return 0
        _check(proposal.list)
        withdraw_proposal(proposal)
        return 1
    row = MODELS[made]._default_manager.select_related("list", "player").filter(pk=pk).first()
    if row is None:
        return 0
    _check(row.list)
    submit_removal(row)
    return 1


def _check(rating_list: RatingList) -> None:
    if not may(acting_user(), Action.KEEP_LIST, rating_list):
        raise PermissionDenied
