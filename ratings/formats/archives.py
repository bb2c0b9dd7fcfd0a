"""Files that hold several results files: zip archives, and histories with several tables."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from ratings.formats.history.file import HistoryError, read_history, write_history
from ratings.formats.parsed import BYTES_AT_MOST
from ratings.formats.problems import FileProblem
from ratings.systems.values import History, Player, Table

FILES_AT_MOST = 500
UNPACKED_AT_MOST = 50_000_000
"""Maximum number of bytes of all files of an archive together."""
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
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return False


def unpack_archive(data: bytes) -> tuple[list[NamedFile], str]:
    """Return the files of a zip archive, and why it cannot be unpacked, "" if it can.

    Folders, hidden files and the notes of other systems are left out. A member that says a wrong size is not read
    further than `BYTES_AT_MOST`, which the reader of the results then reports.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [member for member in archive.infolist() if _is_result(member)]
            size = sum(min(member.file_size, BYTES_AT_MOST + 1) for member in members)
            if len(members) > FILES_AT_MOST or size > UNPACKED_AT_MOST:
                return [], FileProblem.ZIP_TOO_LARGE(files=FILES_AT_MOST, megabytes=UNPACKED_AT_MOST // 1_000_000)
            if any(member.flag_bits & 1 for member in members):
                return [], FileProblem.ZIP_LOCKED()
            files = [(_get_name(member), _read_member(archive, member)) for member in members]
    except (zipfile.BadZipFile, ValueError, OSError, EOFError, NotImplementedError, RuntimeError, zlib.error):
        return [], FileProblem.DAMAGED_ARCHIVE(save=FileProblem.SAVE_AS_SPREADSHEET())
    return files, "" if files else FileProblem.ZIP_EMPTY()


def _is_result(member: zipfile.ZipInfo) -> bool:
    parts = PurePosixPath(member.filename).parts
    return not member.is_dir() and "__MACOSX" not in parts and not parts[-1:][0].startswith(".") if parts else False


def _get_name(member: zipfile.ZipInfo) -> str:
    return PurePosixPath(member.filename).name


def _read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    with archive.open(member) as file:
        return file.read(BYTES_AT_MOST + 1)


def split_history(data: bytes) -> list[NamedFile]:
    """Return each table of a ratings-history/1 file as a file of its own, in date order.

    An empty list means that the file is no history, is invalid, or has fewer than two tables: it is read as it is.
    Openings, adjustments and decisions are no results and are left out.
    """
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return []
    try:
        history = read_history(data)
    except HistoryError:
        return []
    tables = sorted(history.tables, key=lambda table: table.last_day)
    return list(_write_tables(history, tables)) if len(tables) > 1 else []


def _write_tables(history: History, tables: list[Table]) -> Iterator[NamedFile]:
    for table in tables:
        players = {id: _keep_identity(history.players[id]) for id in table.players}
        part = replace(history, players=players, tables=(table,), adjustments=(), decisions=())
        yield f"{table.event or table.id} {table.last_day}.json", write_history(part).encode()


def _keep_identity(player: Player) -> Player:
    return Player(player.id, player.name, player.country)
