from __future__ import annotations

import datetime as dt
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from ratings.domain.openings import Opened, import_opening_list
from ratings.domain.outcome import UnratableError
from ratings.formats.parsed import Problems
from ratings.formats.rating_csv import looks_like_rating_csv, read_rating_csv
from ratings.formats.rating_list_reader import ParsedList, looks_like_rating_list, read_rating_list

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
        parsed, problems = read_list(content(path))
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
        self.stdout.write(f"{path.name}: {told(opened, rating_list.slug, day)}")
        if options["dry_run"]:
            self.stdout.write("Dry run: nothing was stored. Leave out --dry-run to store.")


def read_list(data: bytes) -> tuple[ParsedList | None, Problems]:
    """A rating list in whichever of the known formats it is."""
    if looks_like_rating_list(data):
        return read_rating_list(data)
    if looks_like_rating_csv(data):
        return read_rating_csv(data)
    problems = Problems()
    problems.error(
        "neither FESA's rating list text (“Elo list for 2026-06-01”, then a line of titles) nor CSV whose first line"
        " names the columns (Last name, First name, Country, Rating, Games, Grade, Prior grade, Birth year, id)"
    )
    return None, problems


def told(opened: Opened, slug: str, day: dt.date) -> str:
    """One line on what came of a file."""
    if opened.nothing:
        return f"already there: all {opened.there} players have these ratings on {slug} on {day}; nothing to store"
    parts = [f"{len(opened.given)} players given their ratings on {slug} on {day}"]
    if opened.new:
        parts.append(f"{len(opened.new)} of them new")
    if opened.there:
        parts.append(f"{opened.there} had them already")
    if opened.details:
        parts.append(f"prior grade, country or birth year kept of {opened.details}")
    return "; ".join(parts)
