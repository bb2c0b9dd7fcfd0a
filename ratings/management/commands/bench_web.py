from __future__ import annotations

import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection

from ratings.management.bench import mixed_load, submission
from ratings.management.bench.mixed_load import format_mixed_load, measure_cached_page, measure_mixed_load
from ratings.management.bench.pages import page_types
from ratings.management.bench.processes import free_address, make_environment, run_module, wait_until_answers
from ratings.management.bench.site import get_or_create_site
from ratings.management.bench.submission import format_check, measure_check
from ratings.management.bench.web import HEAD, PageType, Server, format_line, measure_page
from ratings.models import RatingList

WORKERS = 2


class Command(BaseCommand):
    help = "Measure the public pages of a server with 100,000 players and 2,000,000 games, from a second process."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--file", type=Path, help="also write the table here")
        parser.add_argument("--only", default="", help="measure only what has a name that contains this")

    def handle(self, *args: Any, **options: Any) -> None:
        if connection.vendor != "postgresql" or not settings.REDIS_URL:
            raise CommandError(
                "set DATABASE_URL and REDIS_URL to a PostgreSQL database and a Redis that only the benchmark uses"
            )
        try:
            connection.ensure_connection()
        except OperationalError as error:
            raise CommandError(f"cannot connect to the database in DATABASE_URL: {error}") from None
        call_command("migrate", verbosity=0)
        rating_list = get_or_create_site()
        pages, only = page_types(rating_list), options["only"]
        names = [*(page.name for page in pages), mixed_load.NAME, submission.NAME]
        if not any(only in name for name in names):
            raise CommandError(f"nothing has {only!r} in its name; the names are: {', '.join(names)}")
        lines, over = list[str](), list[str]()
        with run_server() as server:
            for line, missed in measure(server, pages, rating_list, only):
                self.stdout.write(line)
                lines.append(line)
                over += missed
        if options["file"]:
            options["file"].parent.mkdir(parents=True, exist_ok=True)
            options["file"].write_text("\n".join(lines) + "\n")
        if over:
            raise CommandError(f"above the target: {', '.join(over)}")


def measure(
    server: Server, pages: Sequence[PageType], rating_list: RatingList, only: str
) -> Iterator[tuple[str, list[str]]]:
    """Yield the lines of the table, each with the names of what is above its target."""
    words = pages[0]
    yield HEAD, []
    for page in pages:
        if only in page.name:
            measured = measure_page(server, page, words)
            yield format_line(measured), [page.name] if measured.over else []
    if only in mixed_load.NAME:
        load = measure_mixed_load(server, pages, rating_list)
        yield from ((line, []) for line in format_mixed_load(load, pages))
        yield "", load.over
    if only in submission.NAME:
        floor = measure_cached_page(server, words)
        checked = measure_check(rating_list)
        yield format_check(checked, floor), [submission.NAME] if checked.exceeds(floor) else []


@contextmanager
def run_server() -> Iterator[Server]:
    """Run a server of this site on a free port, as `make stack` starts it."""
    address = free_address()
    command = ["gunicorn", "portal.wsgi", "--bind", address, "--workers", str(WORKERS), "--log-level", "warning"]
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "web.log")
        with run_module(command, make_environment(), log):
            wait_until_answers(address, log)
            yield Server(address)
