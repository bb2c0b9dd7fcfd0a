from __future__ import annotations

import datetime as dt
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS
from django.utils import timezone

from ratings.management.backup.writing import write_backup

PREFIX, SUFFIX = "portal-", ".backup.zip"


class Command(BaseCommand):
    help = (
        "Back up the whole database, with all uploaded files, while the site runs. The file contains personal data:"
        " only its owner can read it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "target",
            type=Path,
            metavar="FOLDER|FILE",
            help="a folder, in which the file is named after the time, or a new file",
        )
        parser.add_argument(
            "--keep", type=int, metavar="N", help="delete older backups in the folder, apart from the latest N"
        )
        parser.add_argument("--database", default=DEFAULT_DB_ALIAS, metavar="ALIAS", help="key of DATABASES")

    def handle(self, *args: Any, **options: Any) -> None:
        target, keep = options["target"], options["keep"]
        if keep is not None and (keep < 1 or not target.is_dir()):
            raise CommandError("--keep needs a folder, and a number of at least 1")
        path = target / name_backup(timezone.now()) if target.is_dir() else target
        content = write_backup(options["database"], path).content
        self.stdout.write(f"{path}: {len(content.tables)} tables, {content.rows} rows")
        self.stdout.writelines(content.list_lines)
        if keep is not None:
            for old in sorted(target.glob(f"{PREFIX}*{SUFFIX}"))[:-keep]:
                old.unlink()
                self.stdout.write(f"deleted {old}")


def name_backup(time: dt.datetime) -> str:
    """Return the file name of a backup; names are in the order of their times."""
    return f"{PREFIX}{time:%Y-%m-%dT%H%M%SZ}{SUFFIX}"
