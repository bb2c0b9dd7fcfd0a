"""`manage.py rate FILE`: rate a history file without touching the database."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ratings.formats.history.digest import compute_history_digest
from ratings.formats.history.file import HistoryError, read_history
from ratings.formats.history.result import compare_figures, rate_history, result_document, result_text


class Command(BaseCommand):
    help = "Rate a history file (ratings-history/1) without the database, or check a file of reference cases."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="a history in the format ratings-history/1")
        parser.add_argument("--table", metavar="ID", help="print this table only")
        parser.add_argument("--format", choices=["json", "text"], default="json")
        parser.add_argument(
            "--digest", action="store_true", help="print the digest of all ratings only, as verify does"
        )
        parser.add_argument("--check", type=Path, metavar="CASES", help="compare every figure of a file of cases")

    def handle(self, *args: Any, **options: Any) -> None:
        if bool(options["file"]) == bool(options["check"]):
            raise CommandError("give a history FILE or --check CASES")
        path = options["file"] or options["check"]
        try:
            data = path.read_bytes()
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}") from None
        try:
            if options["check"]:
                self.check_cases(path, data)
            else:
                self.rate(data, options["table"], "digest" if options["digest"] else options["format"])
        except HistoryError as error:
            raise CommandError("\n".join(f"{path}: {problem}" for problem in error.problems)) from None

    def rate(self, data: bytes, table: str | None, format: str) -> None:
        result = rate_history(read_history(data))
        if table is not None and table not in {t.id for t in result.history.tables}:
            raise HistoryError([f"no table has the id {table}"])
        if format == "digest":
            self.stdout.write(compute_history_digest(result))
        elif format == "text":
            self.stdout.write(result_text(result, table), ending="")
        else:
            self.stdout.write(json.dumps(result_document(result, table), ensure_ascii=False, indent=1))

    def check_cases(self, path: Path, data: bytes) -> None:
        try:
            figures = list(compare_figures(json.loads(data)))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            if isinstance(error, HistoryError):
                raise
            raise CommandError(f"{path}: not a file of reference cases ({error})") from None
        wrong = [figure for figure in figures if figure]
        for figure in wrong:
            self.stdout.write(figure)
        self.stdout.write(f"{len(figures)} figures, {len(wrong)} differ")
        if wrong or not figures:
            raise CommandError(f"{path}: {len(wrong)} of {len(figures)} figures differ")
