"""Migrations of a backup, compared with those of the current code."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder


def read_applied_migrations(alias: str) -> list[str]:
    """Return the names of the migrations that were applied to a database, such as `ratings.0001_initial`."""
    applied = MigrationRecorder(connections[alias]).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in applied)


def find_pending_migrations(applied: Iterable[str]) -> list[str]:
    """Return the migrations of the current code that are not applied.

    A squashed migration is applied if those that it replaces are.
    """
    names = set(applied)
    disk = MigrationLoader(None).disk_migrations
    done = {
        key
        for key, migration in disk.items()
        if ".".join(key) in names or (migration.replaces and {".".join(key) for key in migration.replaces} <= names)
    }
    replaced = {tuple(key) for key in done for key in disk[key].replaces}
    return sorted(".".join(key) for key in set(disk) - done - replaced)


def find_unknown_migrations(applied: Iterable[str]) -> list[str]:
    """Return the applied migrations that the current code does not have, because a newer release made them."""
    disk = MigrationLoader(None).disk_migrations
    known = {".".join(key) for key in disk}
    known |= {".".join(key) for migration in disk.values() for key in migration.replaces}
    return sorted(set(applied) - known)
