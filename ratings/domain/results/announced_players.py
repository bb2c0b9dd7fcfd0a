"""Files of new players in a batch: their players, as a person chose their columns and answered about their names.

The choices are those of the file of a rating list; they are stored with the file in `head`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ratings.domain.lists.file_reading import RECENT_FILES, FileReading, describe_reading, reading_from_json
from ratings.domain.lists.matching import NameAnswers, match_listed
from ratings.formats.fesa.rating_list_reader import ParsedList, ParsedPlayer
from ratings.formats.parsed import Problems
from ratings.formats.people.new_players import NewPlayer, read_new_players, read_new_titles
from ratings.formats.people.people_sheet import PeopleSheet
from ratings.matching import fold
from ratings.models import BatchFile, Event, FederationMembership, FileBatch, Player, Submission

State = BatchFile.State
READING, HAS_TABLE = "reading", "has_table"
"""Keys in `head` of a file, and in `report` of one that cannot be read."""
NameKey = tuple[str, str]


@dataclass
class PeopleFile:
    """A file of new players as it is read now: its players, problems, columns, and the questions about names."""

    players: list[NewPlayer]
    problems: Problems
    sheet: PeopleSheet | None
    names: NameAnswers


def can_be_people(file: BatchFile) -> bool:
    """Return True if a person can say that a file is one of new players: it has a table and is not read otherwise."""
    return file.state == State.PEOPLE or (file.state == State.FAILED and bool(file.report.get(HAS_TABLE)))


def has_table(data: bytes) -> bool:
    """Return True if the first lines of a file are rows of a table with several columns."""
    sheet = read_new_titles(data)
    return (
        sheet is not None
        and len(sheet.titles) > 1
        and {len(line.cells) for line in sheet.lines[:5]} == {len(sheet.titles)}
    )


def get_people_reading(file: BatchFile) -> FileReading:
    """Return the columns that were chosen for a file and the answers about its names."""
    return reading_from_json(file.head.get(READING) or {})


def find_people_reading(file: BatchFile) -> FileReading:
    """Return what was chosen for a file; without a choice, the columns of the last file with the same titles."""
    reading = get_people_reading(file)
    sheet = read_new_titles(bytes(file.data))
    if reading.columns is not None or sheet is None:
        return reading
    earlier = BatchFile.objects.filter(batch__made_by=file.batch.made_by, state=State.PEOPLE).exclude(pk=file.pk)
    for head in earlier.order_by("-pk").values_list("head", flat=True)[:RECENT_FILES]:
        stored = head.get(READING) or {}
        if stored.get("titles") == sheet.titles:
            return FileReading(reading_from_json(stored).columns)
    return reading


def store_people_reading(file: BatchFile, reading: FileReading) -> None:
    """Set what was chosen for a file, which is not saved here."""
    stored = describe_reading(reading, read_new_titles(bytes(file.data)))
    others = {name: value for name, value in file.head.items() if name != READING}
    file.head = others | ({READING: stored} if stored else {})


def read_people_file(file: BatchFile, reading: FileReading | None = None) -> PeopleFile:
    """Return the players of a file as chosen, or as `reading` says, each with the answer about the name."""
    reading, data = reading or get_people_reading(file), bytes(file.data)
    players, problems = _read_players(data, reading)
    names = NameAnswers(reading.people)
    lines = tuple(
        ParsedPlayer(
            each.line, each.family, each.given, each.country.upper(), None, None, 0.0, None, outside=each.outside
        )
        for each in players
    )
    match_listed(ParsedList(None, lines), Problems(), names)
    return PeopleFile(players, problems, read_new_titles(data, reading.columns), names)


def _read_players(data: bytes, reading: FileReading) -> tuple[list[NewPlayer], Problems]:
    """Return the players of a file, each with the answer about the name, and its problems."""
    players, problems = read_new_players(data, reading.columns)
    return [replace(player, answer=reading.people.get(player.line, "")) for player in players], problems


def describe_people(read: PeopleFile) -> dict[str, Any]:
    """Return the figures of a file that the page of the batch shows: its players, and the names to answer."""
    return {"players": len(read.players), "names": len(read.names.open)}


def read_announced(batch: FileBatch) -> Iterator[NewPlayer]:
    """Yield the players of all files of new players of a batch."""
    for file in batch.files.filter(state=State.PEOPLE):
        players, _problems = _read_players(bytes(file.data), get_people_reading(file))
        yield from players


def get_name_key(family: str, given: str) -> NameKey:
    return fold(family), fold(given)


def read_announced_memberships(submission: Submission) -> Mapping[NameKey, dt.date]:
    """Return until when new players are members, by name, from the files of new players of a draft's batches."""
    batches = BatchFile.objects.filter(submission=submission.pk).values("batch")
    return {
        get_name_key(player.family, player.given): player.member_until
        for batch in FileBatch.objects.filter(pk__in=batches)
        for player in read_announced(batch)
        if player.member_until is not None
    }


def save_announced_memberships(submission: Submission, event: Event, players: Iterable[Player]) -> None:
    """Save until when the players whom a submission created are members of the federations of the event's lists."""
    created = list(players)
    announced = read_announced_memberships(submission) if created else {}
    if not announced:
        return
    federations = set(event.lists.values_list("federation", flat=True))
    for player in created:
        until = announced.get(get_name_key(player.family_name, player.given_name))
        if until is not None:
            for federation in federations:
                FederationMembership.objects.create(federation_id=federation, player=player, until=until)
