"""`manage.py evaluate FILE`: compare rating systems and options on a history, without touching the database."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ratings.formats.history.file import HistoryError, read_history, read_json
from ratings.laboratory.candidates import PRESENT, parse_candidate, parse_sweep
from ratings.laboratory.document import digest_result, result_document, result_text
from ratings.laboratory.resampling import RESAMPLES
from ratings.laboratory.study import StudyDefinition, run_study
from ratings.laboratory.study_file import MAX_RESAMPLES, parse_study
from ratings.systems.values import History


class Command(BaseCommand):
    help = (
        "Rate a history file (ratings-history/1) by several systems or options, and compare how well their ratings"
        " predicted its games."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a history in the format ratings-history/1")
        parser.add_argument(
            "--candidate",
            action="append",
            default=[],
            metavar="RULES",
            help="a system with options, such as “glicko-2 tau=0.6”, or “present tau=0.6” for the file's; repeatable",
        )
        parser.add_argument(
            "--sweep",
            action="append",
            default=[],
            metavar="OPTION=FIRST:LAST:STEP",
            help="try these values of an option, or OPTION=VALUE,VALUE; twice for a map of two options",
        )
        parser.add_argument("--of", default=PRESENT, metavar="RULES", help="the system whose options are swept")
        parser.add_argument("--resamples", type=int, default=RESAMPLES, help=f"resamples of events ({RESAMPLES})")
        parser.add_argument(
            "--study", type=Path, metavar="FILE", help="the candidates of this study, a file that the laboratory offers"
        )
        parser.add_argument("--format", choices=["json", "text"], default="text")
        parser.add_argument("--digest", action="store_true", help="print the digest of the result only")

    def handle(self, *args: Any, **options: Any) -> None:
        path = options["file"]
        try:
            history = read_history(path.read_bytes())
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}") from None
        except HistoryError as error:
            raise CommandError("\n".join(f"{path}: {problem}" for problem in error.problems)) from None
        study = read_study(history, options)
        try:
            result = run_study(history, study, progress=self.report_progress)
        except ValueError as error:
            raise CommandError(f"{path}: {error}") from None
        if options["format"] == "text" and not options["digest"]:
            self.stdout.write(result_text(result), ending="")
            return
        document = result_document(history, study, result)
        text = digest_result(document) if options["digest"] else json.dumps(document, ensure_ascii=False, indent=1)
        self.stdout.write(text)

    def report_progress(self, done: int, runs: int) -> None:
        self.stderr.write(f"{done} of {runs} runs")


def read_study(history: History, options: dict[str, Any]) -> StudyDefinition:
    """Return the study of a command's options; raise CommandError if one of them is invalid."""
    if options["study"]:
        return read_study_file(options["study"])
    if not 1 <= options["resamples"] <= MAX_RESAMPLES:
        raise CommandError(f"--resamples takes a number from 1 to {MAX_RESAMPLES}")
    try:
        candidates = [parse_candidate(text, history) for text in options["candidate"]]
        swept = parse_candidate(options["of"], history)
        sweep = parse_sweep(options["sweep"], swept) if options["sweep"] else None
    except ValueError as error:
        raise CommandError(str(error)) from None
    return StudyDefinition(candidates, sweep, options["resamples"])


def read_study_file(path: Path) -> StudyDefinition:
    """Return the study of a file; raise CommandError if it cannot be read."""
    try:
        return parse_study(read_json(path.read_bytes()))
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from None
    except HistoryError as error:
        raise CommandError(f"{path}: {error.problems[0]}") from None
    except ValueError as error:
        raise CommandError(f"{path}: {error}") from None
