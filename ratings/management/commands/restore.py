from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.db import DEFAULT_DB_ALIAS

from ratings.management.backup.migrations import find_pending_migrations
from ratings.management.backup.restoring import restore_backup


class Command(BaseCommand):
    help = (
        "Restore a backup into the empty database of DATABASE_URL, and compare all rows and the digests of all lists"
        " with it. Stop the site first."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="a file of the command backup")
        parser.add_argument("--replace", action="store_true", help="delete everything that the database contains")
        parser.add_argument("--database", default=DEFAULT_DB_ALIAS, metavar="ALIAS", help="key of DATABASES")

    def handle(self, *args: Any, **options: Any) -> None:
        manifest = restore_backup(options["database"], options["file"], replace=options["replace"])
        self.stdout.write(f"restored: {manifest.content.rows} rows of {manifest.made_at}, equal to the backup")
        self.stdout.writelines(manifest.content.list_lines)
        if pending := find_pending_migrations(manifest.content.migrations):
            names = ", ".join(pending)
            self.stdout.write(f"Run manage.py migrate: these migrations are newer than the backup: {names}")
        self.stdout.write("Empty Redis before you start the site (redis-cli flushdb).")
