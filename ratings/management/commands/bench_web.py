from __future__ import annotations

import os
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection

from ratings.management.bench.pages import page_types
from ratings.management.bench.processes import free_address
from ratings.management.bench.site import get_or_create_site
from ratings.management.bench.submission import format_check, measure_check
from ratings.management.bench.web import HEAD, Server, format_line, measure_page

WORKERS = 2


class Command(BaseCommand):
    help = "Measure the public pages of a server with 100,000 players and 2,000,000 games, from a second process."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--file", type=Path, help="also write the table here")
        parser.add_argument("--only", default="", help="measure only page types whose name contains this")

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
        lines = [HEAD]
        self.stdout.write(HEAD)
        over, floor = [], None
        with run_server() as server:
            for page in page_types(rating_list):
                if floor is not None and options["only"] not in page.name:
                    continue
                measured = measure_page(server, page)
                floor = floor or measured
                lines.append(format_line(measured, floor))
                over += [measured] if measured.over else []
                self.stdout.write(lines[-1])
        checked = measure_check(rating_list)
        exceeds = floor is not None and checked.exceeds(floor.warm)
        if floor is not None:
            lines.append(format_check(checked, floor))
            self.stdout.write(lines[-1])
        if options["file"]:
            options["file"].parent.mkdir(parents=True, exist_ok=True)
            options["file"].write_text("\n".join(lines) + "\n")
        names = [measured.name for measured in over] + ["check"] * exceeds
        if names:
            raise CommandError(f"above the target: {', '.join(names)}")


@contextmanager
def run_server() -> Iterator[Server]:
    """Run a server of this site on a free port, as `make stack` starts it."""
    address = free_address()
    command = [sys.executable, "-m", "gunicorn", "portal.wsgi", "--bind", address, "--workers", str(WORKERS)]
    environment = os.environ | {"PAGE_RATE": "", "COSTLY_RATE": "", "LOG_LEVEL": "WARNING"}
    process = subprocess.Popen([*command, "--log-level", "warning"], env=environment)  # noqa: S603 - our own server
    try:
        server = Server(address)
        for _ in range(100):
            with suppress(OSError):
                server.get("/privacy/")
                break
            time.sleep(0.2)
        yield server
    finally:
        process.terminate()
        process.wait()
