from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from ratings.domain.results.import_batches import begin_batch, record_batch
from ratings.domain.results.imports import ImportResult, import_table
from ratings.domain.results.matching import NameKey, name_key
from ratings.domain.site.undoing import step_undo_problem, undo_step
from ratings.formats.event_head import Head
from ratings.formats.fesa.new_players import NewPlayer, read_new_players
from ratings.formats.parsed import ParsedTable, Problems
from ratings.formats.recognise import read_results_file
from ratings.models import RatingList, RecordedStep

from ._days import read_days_argument
from ._files import FIX_ERRORS, content, report
from ._lists import list_argument, the_list
from ._people import named_people, people_arguments


class Command(BaseCommand):
    help = "Import result files of any supported format into a list; all of them or none."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", type=Path, nargs="*", metavar="FILE")
        list_argument(parser)
        parser.add_argument("--save", action="store_true", help="store the results (default: a dry run)")
        parser.add_argument("--undo", type=int, metavar="NUMBER", help="undo an import, by the number that it printed")
        parser.add_argument("--name", default="", help="the event's name, for files without one")
        parser.add_argument(
            "--day", type=read_days_argument, metavar="DAYS", help="2026-03-07 or 2026-03-07/08, for files without days"
        )
        parser.add_argument("--new-players", type=Path, metavar="CSV", help="last_name,first_name,country,prior_grade")
        people_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        rating_list = the_list(options["list"])
        if options["undo"] is not None:
            self.undo(rating_list, options)
            return
        if not options["files"]:
            raise CommandError("give at least one file, or --undo NUMBER")
        announced = self.announced(options["new_players"])
        tables = self.read(options["files"], Head(options["name"], *(options["day"] or (None, None))))
        failed, batch = False, begin_batch(rating_list)
        with transaction.atomic(), named_people(options, rating_list) as start:
            for number, (path, parsed, problems) in enumerate(tables, 1):
                imported = import_table(
                    parsed, rating_list, problems, source=path.name, announced=announced, start=start
                )
                report(self, path, problems)
                failed |= problems.fatal
                if imported.event is not None:
                    batch.files.append(path.name)
                    batch.events.append(imported.event)
                    batch.players += imported.new
                if not problems.fatal:
                    self.stdout.write(f"[{number}/{len(tables)}] {path.name}: {describe_import(parsed, imported)}")
            if failed:
                transaction.set_rollback(True)
                raise CommandError(FIX_ERRORS)
            step = record_batch(rating_list, batch) if options["save"] else None
            if not options["save"]:
                transaction.set_rollback(True)
        if not options["save"]:
            self.stdout.write("Dry run: nothing was stored. Add --save to store.")
        elif step is not None:
            self.stdout.write(f"Stored as import {step.pk}. To undo it: --list {rating_list.slug} --undo {step.pk}")

    def undo(self, rating_list: RatingList, options: dict[str, Any]) -> None:
        """Undo an import of result files."""
        if options["files"] or options["save"]:
            raise CommandError("--undo takes neither files nor --save")
        imports = rating_list.recorded_steps.filter(what=RecordedStep.What.RESULTS_IMPORTED)
        step = imports.filter(pk=options["undo"]).first()
        if step is None:
            raise CommandError(f"{rating_list.slug} has no import of results with the number {options['undo']}")
        if refusal := step_undo_problem(step):
            raise CommandError(refusal)
        with named_people(options, rating_list):
            warning = undo_step(step)
        events = len(step.values["events"])
        self.stdout.write(f"Import {step.pk} undone: {events} events deleted; {rating_list.slug} is rated again.")
        if warning:
            self.stderr.write(warning)

    def announced(self, path: Path | None) -> dict[NameKey, NewPlayer]:
        if path is None:
            return {}
        players, problems = read_new_players(content(path))
        report(self, path, problems)
        if problems.fatal:
            raise CommandError(FIX_ERRORS)
        return {name_key(player.family, player.given): player for player in players}

    def read(self, paths: list[Path], head: Head) -> list[tuple[Path, ParsedTable, Problems]]:
        """Read the files, and return them by their last days; an error in any file ends the command."""
        read = [(path, *read_results(content(path), head)) for path in dict.fromkeys(paths)]
        good = [(path, parsed, problems) for path, parsed, problems in read if parsed and not problems.fatal]
        if len(good) < len(read):
            for path, _, problems in read:
                report(self, path, problems)
            raise CommandError(FIX_ERRORS)
        return sorted(good, key=lambda entry: (entry[1].last_day, entry[1].first_day, entry[1].name))


def read_results(data: bytes, head: Head) -> tuple[ParsedTable | None, Problems]:
    """Return the table and the problems of a results file in any known format."""
    result = read_results_file(data, head, timezone.now().date())
    if result.table is not None and not result.table.name:
        result.problems.error("the file tells no name of the event; give it one by --name")
    return result.table, result.problems


def describe_import(parsed: ParsedTable, imported: ImportResult) -> str:
    """Return a line about the result of importing a file."""
    if imported.duplicate:
        return f"already there as “{imported.duplicate}”, with the same players and results; nothing to store"
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
