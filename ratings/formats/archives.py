"""Files that hold several results files: zip archives, and histories with several tables."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from ratings.formats.history.file import HistoryError, read_history, write_history
from ratings.formats.parsed import BYTES_AT_MOST
from ratings.formats.problems import FileProblem
from ratings.formats.zip_errors import ZIP_ERRORS
from ratings.systems.values import Adjustment, Decision, History, Player, Table

FILES_AT_MOST = 500
OFFICE_FILES = ("[Content_Types].xml", "content.xml")
"""Members by which an archive is the document of an office program."""
NamedFile = tuple[str, bytes]
"""Name and bytes of a file."""


def is_archive(data: bytes) -> bool:
    """Return True if a file is a zip archive of other files, and not a workbook or another document."""
    if not data.startswith(b"PK"):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return not set(OFFICE_FILES) & set(archive.namelist())
    except ZIP_ERRORS:
        return False


def looks_like_history(data: bytes) -> bool:
    """Return True if a file is JSON, as a history is."""
    return data[:1000].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")


def unpack_archive(data: bytes, *, most: int, history_most: int) -> tuple[list[NamedFile], str]:
    """Return the files of a zip archive, and why it cannot be unpacked, "" if it can.

    Folders, hidden files and the notes of other systems are left out. JSON files are read up to `history_most` bytes,
    other files up to `BYTES_AT_MOST`, plus one byte so that callers can detect larger files. The sizes declared in the
    archive may total at most `most` bytes; no file is read further than its own.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [member for member in archive.infolist() if _is_result(member)]
            size = sum(min(member.file_size, _find_limit(member, history_most) + 1) for member in members)
            if len(members) > FILES_AT_MOST or size > most:
                return [], FileProblem.ZIP_TOO_LARGE(files=FILES_AT_MOST, megabytes=most // 1_000_000)
            if any(member.flag_bits & 1 for member in members):
                return [], FileProblem.ZIP_LOCKED()
            files = [(_get_name(member), _read_member(archive, member, history_most)) for member in members]
    except ZIP_ERRORS:
        return [], FileProblem.DAMAGED_ARCHIVE(save=FileProblem.SAVE_AS_SPREADSHEET())
    return files, "" if files else FileProblem.ZIP_EMPTY()


def _is_result(member: zipfile.ZipInfo) -> bool:
    parts = PurePosixPath(member.filename).parts
    return not member.is_dir() and "__MACOSX" not in parts and not parts[-1:][0].startswith(".") if parts else False


def _get_name(member: zipfile.ZipInfo) -> str:
    return PurePosixPath(member.filename).name


def _find_limit(member: zipfile.ZipInfo, history_most: int) -> int:
    return history_most if member.filename.lower().endswith(".json") else BYTES_AT_MOST


def _read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, history_most: int) -> bytes:
    with archive.open(member) as file:
        return file.read(_find_limit(member, history_most) + 1)


@dataclass(frozen=True)
class SplitHistory:
    """Files of a history's tables, one each, and what it has beside results, as a history without tables.

    There, openings are adjustments on the day of the player's first table, and adjustments and decisions just before a
    table are dated on the last day of that table, on which they take effect.

    `problem` says how many openings, adjustments and decisions the rest has; both are empty if there are none. `system`
    is the key of the history's rating system, and `records` the number of records in the rest.
    """

    tables: Sequence[NamedFile] = ()
    problem: str = ""
    rest: bytes = b""
    system: str = ""
    records: int = 0


def split_history(data: bytes) -> SplitHistory:
    """Return the tables of a ratings-history/1 file in date order, and its openings, adjustments and decisions apart.

    There are no tables if the file is no history, is invalid, or has fewer than two tables: it is read as it is.
    """
    history = _read_history(data)
    if history is None:
        return SplitHistory()
    tables = sorted(history.tables, key=lambda table: table.last_day)
    files = tuple(_write_tables(history, tables)) if len(tables) > 1 else ()
    openings = sum(player.opening is not None and not player.fixed for player in history.players.values())
    given = sum((adjustment.set or {}).get("rating") is not None for adjustment in history.adjustments)
    numbers = {
        "openings": openings + given,
        "adjustments": len(history.adjustments) - given,
        "decisions": len(history.decisions),
    }
    if not any(numbers.values()):
        return SplitHistory(files)
    rest = _leave_out_tables(history)
    records = len(rest.adjustments) + len(rest.decisions)
    problem = FileProblem.HISTORY_HAS_MORE(**numbers)
    return SplitHistory(files, problem, write_history(rest).encode(), history.system, records)


def _leave_out_tables(history: History) -> History:
    """Return what a history has beside results: adjustments and decisions with days, and their players."""
    days = {table.id: table.last_day for table in history.tables}
    first: dict[str, dt.date] = {}
    for table in history.tables:
        for id in table.players:
            first[id] = min(first.get(id, table.last_day), table.last_day)
    start = min(days.values(), default=None)
    openings = [
        Adjustment(first.get(player.id, start) or dt.date.min, player.id, set=player.opening)
        for player in history.players.values()
        if player.opening is not None and not player.fixed and (player.id in first or start is not None)
    ]
    adjustments = [replace(each, before=None, date=_find_day(each, days)) for each in history.adjustments]
    decisions = [replace(each, before=None, date=_find_day(each, days)) for each in history.decisions]
    records: list[Adjustment | Decision] = [*openings, *adjustments, *decisions]
    named = {each.player for each in records}
    players = {id: _keep_identity(player) for id, player in history.players.items() if id in named}
    return replace(
        history, players=players, tables=(), adjustments=(*openings, *adjustments), decisions=tuple(decisions)
    )


def _find_day(entry: Adjustment | Decision, days: Mapping[str, dt.date]) -> dt.date:
    """Return the day of a record: the last day of the table before which it is, else its own."""
    return days[entry.before] if entry.before else entry.date


def _read_history(data: bytes) -> History | None:
    if not looks_like_history(data):
        return None
    try:
        return read_history(data)
    except HistoryError:
        return None


def _write_tables(history: History, tables: list[Table]) -> Iterator[NamedFile]:
    for table in tables:
        players = {id: _keep_identity(history.players[id]) for id in table.players}
        part = replace(history, players=players, tables=(table,), adjustments=(), decisions=())
        yield f"{table.event or table.id} {table.last_day}.json", write_history(part).encode()


def _keep_identity(player: Player) -> Player:
    return Player(player.id, player.name, player.country)
