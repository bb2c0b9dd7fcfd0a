"""Write a backup: a ZIP archive of a dump of the database, and of a manifest that describes its content."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

from django.conf import settings
from django.db import connections
from django.utils import timezone

from . import postgres, sqlite
from .chunks import read_chunks
from .errors import BackupError
from .manifest import DUMP, FORMAT, MANIFEST, Manifest, read_content


def write_backup(alias: str, path: Path) -> Manifest:
    """Back up a database to a new file that only its owner can read, and return the manifest.

    The file appears under its name when it is complete. Raises BackupError if it exists already, or if the database
    cannot be dumped.
    """
    if path.exists():
        raise BackupError(f"{path} exists already: name another file")
    partial = path.with_name(f".{path.name}.partial")
    try:
        with open(os.open(partial, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), "w+b") as file:  # noqa: PTH123 - a mode
            with zipfile.ZipFile(file, "w") as archive:
                manifest = _write_dump(alias, archive, path.parent)
                archive.writestr(MANIFEST, json.dumps(manifest.as_json(), indent=1, sort_keys=True))
            file.flush()
            os.fsync(file.fileno())
        partial.rename(path)
    except OSError as error:
        raise BackupError(f"{path}: {error.strerror}") from None
    finally:
        partial.unlink(missing_ok=True)
    return manifest


def _write_dump(alias: str, archive: zipfile.ZipFile, folder: Path) -> Manifest:
    """Write a dump of the database into an archive, and return the manifest of the same moment."""
    made_at = timezone.now().isoformat(timespec="seconds")
    if connections[alias].vendor == "postgresql":
        with postgres.open_snapshot(alias) as snapshot:
            size, digest = _store(postgres.dump_database(alias, snapshot), archive, zipfile.ZIP_STORED)
            content, server = read_content(alias), postgres.read_server_version(alias)
    else:
        server = f"SQLite {sqlite3.sqlite_version}"
        with tempfile.TemporaryDirectory(dir=folder, prefix=".backup-") as scratch:
            copy = Path(scratch, "copy.sqlite3")
            sqlite.copy_database(alias, copy)
            with sqlite.open_copy(alias, copy) as opened:
                content = read_content(opened)
            with copy.open("rb") as file:
                size, digest = _store(read_chunks(file), archive, zipfile.ZIP_DEFLATED)
    return Manifest(
        format=FORMAT,
        made_at=made_at,
        release=settings.RELEASE,
        vendor=connections[alias].vendor,
        server=server,
        size=size,
        sha256=digest,
        content=content,
    )


def _store(chunks: Iterable[bytes], archive: zipfile.ZipFile, compression: int) -> tuple[int, str]:
    """Write the dump into an archive, and return its size in bytes and its SHA-256."""
    info = zipfile.ZipInfo(DUMP, timezone.now().timetuple()[:6])
    info.compress_type = compression
    size, digest = 0, hashlib.sha256()
    with archive.open(info, "w", force_zip64=True) as member:
        for chunk in chunks:
            size += len(chunk)
            digest.update(chunk)
            member.write(chunk)
    return size, digest.hexdigest()
