"""Records that a uploaded history holds beside results: starting ratings, adjustments and decisions, for an officer.

Nothing of it is saved until an officer of the list accepts it. Players are found by id and name, or by exact name.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from ratings.access import Action, may
from ratings.batches import in_batches
from ratings.formats.history.file import HistoryError, read_history
from ratings.formats.problems import FileProblem
from ratings.matching import fold
from ratings.models import BatchFile, Player, RatingList
from ratings.queries.players.known_names import read_known_names
from ratings.systems import values
from ratings.systems.messages import has_code, message_from_json

from .accepted_records import AcceptedRecord, read_accepted
from .batch_splitting import RECORDS

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
    waits: bool = False
    """True if it was accepted and waits for a second person."""
    removal_waits: bool = False
    is_stored: bool = False
    """True if the list has the record already, or the file has it twice."""

    @property
    def is_open(self) -> bool:
        return not (self.problem or self.is_accepted)


def holds_records(file: BatchFile) -> bool:
    """Return True if a file of a batch is what a history holds beside results."""
    codes = (message_from_json(message) for *_place, message in file.problems)
    return file.state == BatchFile.State.FAILED and any(has_code(code, FileProblem.HISTORY_HAS_MORE) for code in codes)


def list_record_lists(file: BatchFile, user: Any) -> list[RatingList]:
    """Return the lists on which a user may accept the records of a file: those of its system that they look after.

    The lists of the batch and of its events come first.
    """
    lists = RatingList.objects.filter(system=read_system(file), comparison_to=None).order_by("pk")
    kept = [rating_list for rating_list in lists if may(user, Action.KEEP_LIST, rating_list)]
    if len(kept) < 2:
        return kept
    own = set(file.batch.lists.values_list("pk", flat=True))
    own |= set(file.batch.files.exclude(event=None).values_list("event__lists", flat=True))
    return sorted(kept, key=lambda rating_list: rating_list.pk not in own)


def read_system(file: BatchFile) -> str:
    """Return the key of the rating system of a history, as stored when it was split; empty if that is not known."""
    return str(file.head.get(RECORDS, {}).get("system", ""))


def list_records(file: BatchFile, rating_list: RatingList | None) -> list[OfferedRecord]:
    """Return the records of a file in its order; without a list none can be accepted."""
    history = _read(file)
    if history is None:
        return []
    players = _find_players(history.players.values())
    accepted = {each.number: each for each in read_accepted(file, rating_list)} if rating_list else {}
    entries: Sequence[values.Adjustment | values.Decision] = (*history.adjustments, *history.decisions)
    stored, in_file = _read_stored(rating_list), set[Identity]()
    records = []
    for number, entry in enumerate(entries):
        record = _build_record(number, entry, history.players, players, accepted.get(number))
        identity = _identify(entry, record.player.pk if record.player else None)
        if not record.problem and not record.is_accepted and identity in (stored | in_file):
            repeated = FileProblem.RECORD_STORED() if identity in stored else FileProblem.RECORD_TWICE()
            record = replace(record, problem=repeated, is_stored=True)
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
    accepted: AcceptedRecord | None,
) -> OfferedRecord:
    player = players.get(entry.player) if entry.player else None
    if isinstance(entry, values.Decision):
        kind = Kind.DECISION
    else:
        kind = Kind.OPENING if (entry.set or {}).get("rating") is not None else Kind.ADJUSTMENT
    is_unknown = entry.player and player is None
    problem = FileProblem.RECORD_PLAYER_UNKNOWN() if is_unknown else ""
    name = (written[entry.player].name or entry.player) if entry.player else ""
    record = OfferedRecord(number, kind, entry.date, name, entry, player, problem, accepted is not None)
    if accepted is None:
        return record
    return replace(record, waits=accepted.proposal is not None, removal_waits=accepted.removal_waits)
