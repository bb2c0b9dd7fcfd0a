from __future__ import annotations

import datetime as dt
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from ratings.domain.opening_files import told
from ratings.domain.openings import import_opening_list
from ratings.domain.outcome import UnratableError
from ratings.formats.opening_list import read_opening_list

from ._files import MEND, content, report
from ._lists import list_argument, the_list


class Command(BaseCommand):
    help = "Start a list from a federation's present rating list (FESA's text, or CSV): opening adjustments for all."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        list_argument(parser)
        parser.add_argument(
            "--day", type=dt.date.fromisoformat, metavar="YYYY-MM-DD", help="default: the day that the file tells"
        )
        parser.add_argument("--dry-run", action="store_true", help="check everything and store nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        path, rating_list = options["file"], the_list(options["list"])
        parsed, problems = read_opening_list(content(path))
        if parsed is None:
            report(self, path, problems)
            raise CommandError(MEND)
        day = options["day"] or parsed.day
        if day is None:
            report(self, path, problems)
            raise CommandError(f"{path.name} does not tell its day; add --day YYYY-MM-DD")
        with transaction.atomic():
            try:
                opened = import_opening_list(parsed, rating_list, problems, day=day, source=path.name)
            except UnratableError as error:
                raise CommandError(f"nothing was stored, for the list could not be rated with it: {error}") from None
            report(self, path, problems)
            if problems.fatal:
                raise CommandError(MEND)
            if options["dry_run"]:
                transaction.set_rollback(True)
        self.stdout.write(f"{path.name}: {told(opened, rating_list, day)}")
        if options["dry_run"]:
            self.stdout.write("Dry run: nothing was stored. Leave out --dry-run to store.")
