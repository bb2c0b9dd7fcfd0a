from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from ratings.domain.lists.list_import import import_rating_list
from ratings.domain.lists.list_import_files import summarise_import
from ratings.domain.runs.outcome import UnratableError
from ratings.formats.list_import import read_list_import
from ratings.queries.lists.list_scales import scale_of

from ._days import read_day_argument
from ._files import FIX_ERRORS, content, report
from ._lists import list_argument, the_list
from ._people import named_people, people_arguments
from ._saving import check_saving, report_dry_run, saving_argument


class Command(BaseCommand):
    help = (
        "Import a federation's rating list (FESA's text, FIDE's text or XML, CSV or .xlsx) as one starting adjustment"
        " per player. A dry run without --save."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        list_argument(parser)
        parser.add_argument("--day", type=read_day_argument, metavar="YYYY-MM-DD", help="default: the day in the file")
        people_arguments(parser)
        saving_argument(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        path, rating_list = options["file"], the_list(options["list"])
        check_saving(options)
        parsed, problems = read_list_import(content(path), scale=scale_of(rating_list))
        if parsed is None:
            report(self, path.name, problems)
            raise CommandError(FIX_ERRORS)
        day = options["day"] or parsed.day
        if day is None:
            report(self, path.name, problems)
            raise CommandError(f"{path.name} does not contain its day; add --day YYYY-MM-DD")
        with transaction.atomic(), named_people(options, rating_list) as start:
            try:
                opened = import_rating_list(parsed, rating_list, problems, day=day, source=path.name, start=start)
            except UnratableError as error:
                raise CommandError(
                    f"nothing was stored, because the list could not be rated with this file: {error}"
                ) from None
            report(self, path.name, problems)
            if problems.fatal:
                raise CommandError(FIX_ERRORS)
            if not options["save"]:
                transaction.set_rollback(True)
        self.stdout.write(f"{path.name}: {summarise_import(opened, rating_list, day)}")
        if not options["save"]:
            report_dry_run(self)
