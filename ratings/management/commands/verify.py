from __future__ import annotations

import datetime as dt
from argparse import ArgumentParser
from collections.abc import Iterator
from itertools import islice
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ratings.domain.runs.verifying import find_differences, stored_digest
from ratings.formats.history.file import HistoryError
from ratings.formats.proof.checkpoints import format_time
from ratings.formats.proof.comparing import compare_export
from ratings.formats.proof.export import ExportError
from ratings.formats.proof.inclusion import check_inclusion
from ratings.formats.proof.log_checks import CheckedLog, check_log
from ratings.formats.proof.notes import NoteError, find_valid, parse_key, read_cosignature_time
from ratings.models import RatingList
from ratings.queries.runs.logs import (
    differing_checkpoints,
    misplaced_runs,
    read_log,
    unlogged_publications,
    write_export,
)
from ratings.queries.snapshots import read_snapshot

from ._lists import the_list
from ._logs import decode_text, find_export, read_export, read_keys, read_source


class Command(BaseCommand):
    help = (
        "Compute a list again in memory, compare it with the stored results, and print its digest. With --log, check a"
        " log against an export, or against the list in the database; with --proof, check the proof of a published"
        " rating."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--list", metavar="SLUG", help="the rating list in the database")
        parser.add_argument("--all", action="store_true", help="print all differences instead of the first")
        parser.add_argument("--log", metavar="URL_OR_FILE", help="the log of a list, log.txt")
        parser.add_argument(
            "--export",
            metavar="URL_OR_FILE",
            help="export.zip of the list, or its history.json; by default the export beside the log",
        )
        parser.add_argument("--proof", metavar="URL_OR_FILE", help="the proof of a published rating")
        parser.add_argument(
            "--keys", metavar="URL_OR_FILE", help="keys.txt of the site; by default that beside the log"
        )
        parser.add_argument(
            "--witness", metavar="KEY", help="the key of a witness, whose last cosignature is asked for (name+id+key)"
        )
        parser.add_argument("--key", metavar="KEY", help="a key of the site that you know from elsewhere (name+id+key)")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["proof"]:
            self.verify_proof(options)
        elif options["log"]:
            self.verify_log(options)
        elif options["list"]:
            with read_snapshot():
                self.verify_list(the_list(options["list"]), every=options["all"])
        else:
            raise CommandError("give --list SLUG, --log URL_OR_FILE or --proof URL_OR_FILE")

    def verify_list(self, rating_list: RatingList, *, every: bool) -> None:
        if rating_list.out_of_date_from is not None:
            raise CommandError(
                f"{rating_list.slug} is out of date from {rating_list.out_of_date_from}; run sweep first"
            )
        reported = list(islice(find_differences(rating_list), None if every else 1))
        for difference in reported:
            self.stdout.write(difference)
        if reported:
            raise CommandError(f"{rating_list.slug}: the stored results differ from the computed ones")
        self.stdout.write(f"{rating_list.slug}: {rating_list.changes.count()} changes exact")
        self.stdout.write(stored_digest(rating_list))

    def verify_proof(self, options: dict[str, Any]) -> None:
        source = options["proof"]
        text = decode_text(read_source(source), source)
        keys = read_keys(options, source)
        try:
            leaf = check_inclusion(text, keys)
        except NoteError as error:
            raise CommandError(f"{source}: {error}") from None
        self.stdout.write(f"proved: {leaf}")

    def verify_log(self, options: dict[str, Any]) -> None:
        """Check a log, and an export against it; the list in the database instead of an export with --list."""
        source = options["log"]
        text = decode_text(read_source(source), source)
        keys = read_keys(options, source)
        checked = check_log(text, keys)
        problems = list(checked.problems)
        witness = self.describe_witness(checked, options["witness"]) if options["witness"] else ""
        try:
            if options["list"]:
                with read_snapshot():
                    problems += self.compare_database(checked, the_list(options["list"]), keys)
            elif (export := options["export"] or find_export(source)) is not None:
                problems += compare_export(read_export(read_source(export), export), checked)
            else:
                self.stderr.write("Only the log was checked, without its data: give an export with --export.")
        except (HistoryError, ExportError) as error:
            raise CommandError(str(error)) from None
        for problem in problems:
            self.stdout.write(problem)
        if problems:
            raise CommandError(f"{source}: differences found: {len(problems)}")
        last = checked.checkpoints[-1]
        self.stdout.write(f"{last.checkpoint.log}: {len(checked.checkpoints)} checkpoints, no differences found")
        for key in keys.keys:
            self.stdout.write(f"signed by {key}")
        if witness:
            self.stdout.write(witness)

    def describe_witness(self, checked: CheckedLog, key: str) -> str:
        """Return a text about the last cosignature by a witness; raise CommandError if there is none."""
        try:
            witness = parse_key(key).as_witness
        except NoteError as error:
            raise CommandError(str(error)) from None
        for read in reversed(checked.checkpoints):
            for _key, signature in find_valid(read.note, [witness]):
                time = dt.datetime.fromtimestamp(read_cosignature_time(signature), dt.UTC)
                return f"{read.label} was cosigned by {witness.name} at {format_time(time)}"
        raise CommandError(f"no checkpoint was cosigned by {witness}")

    def compare_database(self, copy: CheckedLog, rating_list: RatingList, keys: Any) -> Iterator[str]:
        """Yield the differences between a copy of a log and the portal's own, and between that and the stored rows.

        Rows that are in no leaf, such as current standings and grades, follow from those that are: they are computed
        again from the inputs, and compared.
        """
        yield from differing_checkpoints(rating_list, [read.note.text for read in copy.checkpoints])
        yield from misplaced_runs(rating_list)
        yield from unlogged_publications(rating_list)
        present = check_log(read_log(rating_list), keys)
        yield from (f"in the database: {problem}" for problem in present.problems if problem not in copy.problems)
        if rating_list.out_of_date_from is not None:
            yield f"{rating_list.slug} is out of date from {rating_list.out_of_date_from}; run sweep first"
            return
        yield from compare_export(read_export(write_export(rating_list), rating_list.slug), present)
        yield from (f"in the database: {difference}" for difference in find_differences(rating_list))
