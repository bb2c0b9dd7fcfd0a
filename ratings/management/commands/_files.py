"""Functions of the import commands that read files and report their problems."""

from __future__ import annotations

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from ratings.formats.parsed import BYTES_AT_MOST, FATAL, Problems

FIX_ERRORS = "nothing was stored: fix the errors above and try again"


def content(path: Path, most: int = BYTES_AT_MOST) -> bytes:
    """Return the bytes of a file, at most `most` and one more, which shows that it is too large."""
    try:
        with path.open("rb") as file:
            return file.read(most + 1)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from None


def report(command: BaseCommand, file_name: str, problems: Problems) -> None:
    """Write each problem of a file to stderr on its own line."""
    for problem in problems.sorted_by_position():
        style = command.style.ERROR if problem.level == FATAL else command.style.WARNING
        command.stderr.write(style(f"{file_name}: {problem}"))
