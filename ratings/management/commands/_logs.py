"""Functions of the commands that read the log of a list from a file or an address."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urljoin
from urllib.request import Request, urlopen

from django.core.management.base import CommandError

from ratings.formats.history.file import read_history
from ratings.formats.proof.export import HISTORY, KEYS, Export, ExportError, read_archive, read_export_leaves
from ratings.formats.proof.key_file import KeyFile, read_key_file
from ratings.formats.proof.notes import NoteError, parse_key

EXPORT = "export.zip"
"""Name of the export beside a log."""

SECONDS = 60
BYTES_AT_MOST = 2_000_000_000


def is_address(text: str) -> bool:
    return text.startswith(("https://", "http://"))


def read_source(source: str) -> bytes:
    """Return the content of a file or of an address; raise CommandError if it cannot be read."""
    try:
        if not is_address(source):
            return Path(source).read_bytes()
        with urlopen(Request(source), timeout=SECONDS) as response:  # noqa: S310 - http and https only
            return bytes(response.read(BYTES_AT_MOST))
    except (OSError, URLError) as error:
        reason = getattr(error, "strerror", None) or getattr(error, "reason", None) or error
        raise CommandError(f"{source}: {reason}") from None


def find_neighbour(source: str, name: str) -> str:
    """Return the address or the path of a file beside another one."""
    return urljoin(source, name) if is_address(source) else str(Path(source).with_name(name))


def decode_text(data: bytes, source: str) -> str:
    """Return UTF-8 text; raise CommandError otherwise."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise CommandError(f"{source}: not text in UTF-8") from None


def find_export(log: str) -> str | None:
    """Return the export beside a log; None if there is no such file."""
    beside = find_neighbour(log, EXPORT)
    return beside if is_address(log) or Path(beside).exists() else None


def read_keys(options: dict[str, Any], source: str) -> KeyFile:
    """Return the keys that are trusted: those of --keys, or of the file beside the source.

    With --key, only that key and the keys that signed changes connect with it are trusted.
    """
    try:
        pinned = parse_key(options["key"]) if options["key"] else None
        beside = options["keys"] or find_neighbour(source, KEYS)
        if pinned is not None and not options["keys"] and not is_address(source) and not Path(beside).exists():
            return KeyFile((pinned,))
        if not options["keys"] and not is_address(beside) and not Path(beside).exists():
            raise CommandError(f"no file {beside} beside {source}: give the keys of the site with --keys")
        keys = read_key_file(decode_text(read_source(beside), beside))
    except NoteError as error:
        raise CommandError(str(error)) from None
    return keys if pinned is None else keys.trust(pinned)


def read_export(data: bytes, source: str) -> Export:
    """Return an export from a ZIP file, or from a history file alone; raise ExportError or HistoryError."""
    if not data.startswith(b"PK"):
        return Export(read_history(data), {})
    files = read_archive(data)
    if HISTORY not in files:
        raise ExportError(f"{source}: {HISTORY} is missing in the export")
    return Export(read_history(files[HISTORY]), read_export_leaves(files))
