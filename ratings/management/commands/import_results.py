from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from ratings.domain.results.accepting import Acceptance
from ratings.domain.results.file_submissions import ResultsFile
from ratings.domain.results.import_batches import begin_batch, record_batch
from ratings.domain.results.imports import ImportResult, import_results_file
from ratings.domain.runs.rerating import rerate
from ratings.domain.site.undoing import step_undo_problem, undo_step
from ratings.formats.event_head import Head
from ratings.formats.parsed import ParsedTable
from ratings.formats.people.new_players import NewPlayer, read_new_players
from ratings.formats.problems import FileProblem, SubmissionProblem
from ratings.formats.recognise import ReadResult, read_results_file
from ratings.formats.rif.database import looks_like_rif
from ratings.formats.rif.split import split_database
from ratings.formats.rif.table import RENJU
from ratings.models import RatingList, RecordedStep

from ._days import read_days_argument
from ._files import FIX_ERRORS, content, report
from ._lists import list_argument, the_list
from ._people import named_people, people_arguments
from ._saving import check_saving, report_dry_run, saving_argument

DATABASE_BYTES_AT_MOST = 500_000_000
"""Maximum number of bytes of RenjuNet's database, which holds all tournaments of the federation."""


class Command(BaseCommand):
    help = (
        "Import result files of any supported format into a list; all of them or none. From RenjuNet's database"
        " (.rif), import the rated tournaments of the list's discipline. A dry run without --save."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", type=Path, nargs="*", metavar="FILE")
        list_argument(parser)
        saving_argument(parser)
        parser.add_argument("--undo", type=int, metavar="NUMBER", help="undo an import, by the number that it printed")
        parser.add_argument("--name", default="", help="the event's name, for files without one")
        parser.add_argument(
            "--day", type=read_days_argument, metavar="DAYS", help="2026-03-07 or 2026-03-07/08, for files without days"
        )
        parser.add_argument(
            "--new-players", type=Path, metavar="FILE", help="CSV or .xlsx: last name, first name, country, prior grade"
        )
        people_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        check_saving(options)
        rating_list = the_list(options["list"])
        if options["undo"] is not None:
            self.undo(rating_list, options)
            return
        if not options["files"]:
            raise CommandError("give at least one file, or --undo NUMBER")
        new_players = self.read_new_players(options["new_players"], rating_list)
        head = Head(options["name"], *(options["day"] or (None, None)))
        files = self.read(options["files"], head, rating_list)
        failed, batch = False, begin_batch(rating_list)
        with transaction.atomic(), named_people(options, rating_list) as start:
            for number, file in enumerate(files, 1):
                imported = import_results_file(file, rating_list, new_players=new_players, start=start)
                report(self, file.name, file.problems)
                failed |= file.problems.fatal
                if imported.event is not None and imported.accepted is not None:
                    batch.files.append(file.name)
                    batch.events.append(imported.event)
                    batch.players += imported.accepted.new
                if not file.problems.fatal:
                    self.stdout.write(f"[{number}/{len(files)}] {file.name}: {describe_import(file.table, imported)}")
            if failed:
                transaction.set_rollback(True)
                raise CommandError(FIX_ERRORS)
            step = record_batch(rating_list, batch) if options["save"] else None
            if options["save"]:
                rerate(rating_list.pk)
            else:
                transaction.set_rollback(True)
        if not options["save"]:
            report_dry_run(self)
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

    def read_new_players(self, path: Path | None, rating_list: RatingList) -> list[NewPlayer]:
        """Read the file of new players; an error in it ends the command."""
        if path is None:
            return []
        players, problems = read_new_players(content(path))
        grades = rating_list.rating_system.grading.ranks
        for player in players:
            if player.prior_grade and player.prior_grade not in grades:
                message = SubmissionProblem.PRIOR_GRADE_INVALID(
                    grade=player.prior_grade, first=grades[0] if grades else "–", last=grades[-1] if grades else "–"
                )
                problems.error(message, player.line)
        report(self, path.name, problems)
        if problems.fatal:
            raise CommandError(FIX_ERRORS)
        return players

    def read(self, paths: list[Path], head: Head, rating_list: RatingList) -> list[ResultsFile]:
        """Read the files, and return them by their last days; an error in any file ends the command."""
        read: list[tuple[str, bytes, ReadResult]] = []
        for path in paths:
            data = content(path)
            if looks_like_rif(data):
                read += self.read_database(path, rating_list)
            else:
                read.append((path.name, data, read_results(data, replace(head, file_name=path.name))))
        good = [
            ResultsFile(name, data, result.format, result.table, result.problems)
            for name, data, result in read
            if result.table and not result.problems.fatal
        ]
        if len(good) < len(read):
            for name, _data, result in read:
                report(self, name, result.problems)
            raise CommandError(FIX_ERRORS)
        return sorted(good, key=lambda file: (file.table.last_day, file.table.first_day, file.table.name))

    def read_database(self, path: Path, rating_list: RatingList) -> list[tuple[str, bytes, ReadResult]]:
        """Return the rated tournaments of a database in the list's discipline, which is renju if the list has none.

        An error of the database as a whole ends the command.
        """
        data = content(path, DATABASE_BYTES_AT_MOST)
        split = split_database(data, timezone.now().date(), most=DATABASE_BYTES_AT_MOST)
        report(self, path.name, split.problems)
        if split.problems.fatal:
            raise CommandError(FIX_ERRORS)
        discipline = rating_list.rating_system.settings.get("discipline", RENJU)
        read = []
        for name, part, table, problems in split.files:
            if table.discipline in ("", discipline):
                read.append((name, part, ReadResult("rif", table, problems)))
                if not table.name:
                    problems.error(FileProblem.EVENT_NAME_MISSING())
        self.stdout.write(f"{path.name}: {len(read)} of {len(split.files)} rated tournaments ({discipline})")
        if split.left_out:
            self.stdout.write(f"{path.name}: {split.left_out}")
        return read


def read_results(data: bytes, head: Head) -> ReadResult:
    """Return the table and the problems of a results file in any known format."""
    result = read_results_file(data, head, timezone.now().date())
    if result.table is not None and not result.table.name:
        result.problems.error(FileProblem.EVENT_NAME_MISSING())
    return result


def describe_import(parsed: ParsedTable, imported: ImportResult) -> str:
    """Return a line about the result of importing a file."""
    if imported.duplicate:
        return f"already there as “{imported.duplicate}”, with the same players and results; nothing to store"
    parts = [f"{parsed.name}, {parsed.last_day}: {len(parsed.rows)} players, {parsed.rounds} rounds"]
    accepted = imported.accepted or Acceptance()
    if accepted.new:
        parts.append(f"new: {', '.join(player.name for player in accepted.new)}")
    for explained in accepted.explained:
        parts.append(f"{len(explained.adjusted)} adjustments to published ratings")
        if explained.fixed:
            parts.append(f"fixed: {', '.join(explained.fixed)}")
        if explained.decided:
            parts.append(f"decisions: {', '.join(explained.decided)}")
    return "; ".join(parts)
