"""Restore a backup, and compare the restored database with the manifest of the backup."""

from __future__ import annotations

import hashlib
import json
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connections, transaction
from pydantic import ValidationError

from . import postgres, sqlite
from .chunks import read_chunks
from .errors import BackupError
from .manifest import DUMP, FORMAT, MANIFEST, READER, Manifest, find_content_differences, read_content
from .migrations import find_unknown_migrations

SYSTEMS = {"postgresql": "PostgreSQL", "sqlite": "SQLite"}


def restore_backup(alias: str, path: Path, *, replace: bool) -> Manifest:
    """Restore a backup into an empty database, or with `replace` instead of what the database contains.

    Raises BackupError before anything is changed if the file is damaged, was made by a newer release or with another
    database system, or if the database is not empty; and afterwards if the database differs from the manifest.
    """
    with _open_archive(path) as archive:
        manifest = _read_manifest(path, archive)
        _check_target(alias, manifest, replace=replace)
        with tempfile.TemporaryDirectory(prefix="restore-") as scratch:
            dump = Path(scratch, DUMP)
            _extract_dump(path, archive, manifest, dump)
            load = postgres.load_dump if manifest.vendor == "postgresql" else sqlite.load_copy
            load(alias, dump)
    with transaction.atomic(using=alias):
        found = read_content(alias)
    if difference := next(find_content_differences(manifest.content, found), None):
        raise BackupError(f"the database was restored, but differs from the backup: {difference}")
    return manifest


@contextmanager
def _open_archive(path: Path) -> Iterator[zipfile.ZipFile]:
    """Open the archive of a backup; raise BackupError for all errors of reading it."""
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError) as error:
        raise BackupError(f"{path} is damaged, or not a backup: {error}") from None
    except OSError as error:
        raise BackupError(f"{path}: {error.strerror}") from None


def _read_manifest(path: Path, archive: zipfile.ZipFile) -> Manifest:
    try:
        read = json.loads(archive.read(MANIFEST))
        if read["format"] != FORMAT:
            raise BackupError(f"{path} has the format {read['format']!r}: expected {FORMAT!r}")
        return READER.validate_python(read)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise BackupError(f"{path} has a manifest that cannot be read: {place}: {first['msg']}") from None
    except (ValueError, TypeError) as error:
        raise BackupError(f"{path} has a manifest that cannot be read: {error}") from None


def _check_target(alias: str, manifest: Manifest, *, replace: bool) -> None:
    """Raise BackupError if a backup may not be restored into a database."""
    vendor = connections[alias].vendor
    if vendor != manifest.vendor:
        name = SYSTEMS.get(manifest.vendor, manifest.vendor)
        raise BackupError(
            f"the backup is of {name}, and DATABASE_URL names {SYSTEMS[vendor]}: set it to a database of {name}"
        )
    if unknown := find_unknown_migrations(manifest.content.migrations):
        raise BackupError(
            f"the backup was made by a newer release, with the migration {unknown[0]}: restore it with that release"
            f" ({manifest.release})"
        )
    if not replace and connections[alias].introspection.table_names():
        raise BackupError("the database is not empty: name an empty one, or add --replace to delete what it contains")


def _extract_dump(path: Path, archive: zipfile.ZipFile, manifest: Manifest, target: Path) -> None:
    """Write the dump of an archive to a file; raise BackupError if it is not the one that the manifest describes."""
    digest = hashlib.sha256()
    with archive.open(DUMP) as source, target.open("wb") as file:
        for chunk in read_chunks(source):
            digest.update(chunk)
            file.write(chunk)
    if digest.hexdigest() != manifest.sha256:
        raise BackupError(f"{path} is damaged: the dump in it is not the one that its manifest describes")
