from __future__ import annotations

import datetime as dt
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from ratings.domain.imports import Imported, import_table
from ratings.domain.matching import NameKey, name_key
from ratings.formats.head import Head
from ratings.formats.new_players import NewPlayer, read_new_players
from ratings.formats.parsed import ParsedTable, Problems, read_days
from ratings.formats.recognise import read

from ._files import MEND, content, report
from ._lists import list_argument, the_list


class Command(BaseCommand):
    help = "Read result files, of any format that is known, into a list; all of them or none."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
        list_argument(parser)
        parser.add_argument("--save", action="store_true", help="store the results (default: a dry run)")
        parser.add_argument("--name", default="", help="the event's name, for files that tell none")
        parser.add_argument("--day", type=days, metavar="DAYS", help="2026-03-07 or 2026-03-07/08, for files without")
        parser.add_argument("--new-players", type=Path, metavar="CSV", help="last_name,first_name,country,prior_grade")

    def handle(self, *args: Any, **options: Any) -> None:
        rating_list = the_list(options["list"])
        announced = self.announced(options["new_players"])
        tables = self.read(options["files"], Head(options["name"], *(options["day"] or (None, None))))
        failed = False
        with transaction.atomic():
            for number, (path, parsed, problems) in enumerate(tables, 1):
                imported = import_table(parsed, rating_list, problems, source=path.name, announced=announced)
                report(self, path, problems)
                failed |= problems.fatal
                if not problems.fatal:
                    self.stdout.write(f"[{number}/{len(tables)}] {path.name}: {told(parsed, imported)}")
            if failed:
                transaction.set_rollback(True)
                raise CommandError(MEND)
            if not options["save"]:
                transaction.set_rollback(True)
        if not options["save"]:
            self.stdout.write("Dry run: nothing was stored. Add --save to store.")

    def announced(self, path: Path | None) -> dict[NameKey, NewPlayer]:
        if path is None:
            return {}
        players, problems = read_new_players(content(path))
        report(self, path, problems)
        if problems.fatal:
            raise CommandError(MEND)
        return {name_key(player.family, player.given): player for player in players}

    def read(self, paths: list[Path], head: Head) -> list[tuple[Path, ParsedTable, Problems]]:
        """The files in the order of their last days; an error in any of them ends the command."""
        read = [(path, *read_results(content(path), head)) for path in dict.fromkeys(paths)]
        good = [(path, parsed, problems) for path, parsed, problems in read if parsed and not problems.fatal]
        if len(good) < len(read):
            for path, _, problems in read:
                report(self, path, problems)
            raise CommandError(MEND)
        return sorted(good, key=lambda entry: (entry[1].last_day, entry[1].first_day, entry[1].name))


def days(text: str) -> tuple[dt.date, dt.date]:
    found = read_days(text)
    if found is None or found[1] < found[0]:
        raise ArgumentTypeError(f"“{text}” is no day; write 2026-03-07, or first and last day as 2026-03-07/08")
    return found


def read_results(data: bytes, head: Head) -> tuple[ParsedTable | None, Problems]:
    """A results file in whichever of the known formats it is."""
    found = read(data, head, timezone.now().date())
    if found.table is not None and not found.table.name:
        found.problems.error("the file tells no name of the event; give it one by --name")
    return found.table, found.problems


def told(parsed: ParsedTable, imported: Imported) -> str:
    """One line on what came of a file."""
    if imported.there:
        return f"already there as “{imported.there}”, with the same players and results; nothing to store"
    parts = [f"{parsed.name}, {parsed.last_day}: {len(parsed.rows)} players, {parsed.rounds} rounds"]
    if imported.new:
        parts.append(f"new: {', '.join(player.name for player in imported.new)}")
    if imported.explained:
        explained = imported.explained
        parts.append(f"{len(explained.adjusted)} adjustments to published ratings")
        if explained.fixed:
            parts.append(f"fixed: {', '.join(explained.fixed)}")
        if explained.decided:
            parts.append(f"decisions: {', '.join(explained.decided)}")
    return "; ".join(parts)
