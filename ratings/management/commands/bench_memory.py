from __future__ import annotations

import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from ratings.management.bench.browser import Browser
from ratings.management.bench.crawl import find_pages
from ratings.management.bench.memory import find_growing, format_table
from ratings.management.bench.processes import (
    free_address,
    list_children,
    make_environment,
    read_memory,
    run_module,
    wait_until_answers,
)
from ratings.management.bench.staff import sign_in_staff
from ratings.management.bench.traffic import Traffic
from ratings.management.commands.demo import Command as Demo
from ratings.models import RatingList

SAMPLE_SECONDS = 10
VISITORS = 4
PAGES_READ = 700
"""Pages of the site that are read before, to find addresses of all kinds."""


class Command(BaseCommand):
    help = "Measure the memory of web and workers under mixed traffic on the demo federation; fail if it grows."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--minutes", type=float, default=30, help="of the measurement, after a warm-up of a tenth")
        parser.add_argument("--rate", type=float, default=5, help="pages a second that visitors read")
        parser.add_argument("--pause", type=float, default=20, help="seconds between two events of the staff")
        parser.add_argument("--file", type=Path, help="also write the table here")

    def handle(self, *args: Any, **options: Any) -> None:
        if connection.vendor != "postgresql" or not settings.REDIS_URL:
            raise CommandError(
                "set DATABASE_URL and REDIS_URL to a PostgreSQL database and a Redis that only the benchmark uses"
            )
        call_command("migrate", verbosity=0)
        if not RatingList.objects.exists():
            Demo().fill()
        elif not User.objects.filter(email="organiser@example.org").exists():
            raise CommandError("this database is not the demo's: use a database that only the benchmark uses")
        with tempfile.TemporaryDirectory() as folder, run_site(Path(folder)) as (address, pids):
            pages = find_pages(Browser(address), PAGES_READ)
            traffic = Traffic(address, pages, options["rate"], VISITORS)
            with traffic.running(sign_in_staff(address), options["pause"]):
                samples = take_samples(pids, 60 * options["minutes"])
        lines = [describe_traffic(traffic), *format_table(samples)]
        self.stdout.write("\n".join(lines))
        if options["file"]:
            options["file"].parent.mkdir(parents=True, exist_ok=True)
            options["file"].write_text("\n".join(lines) + "\n")
        if traffic.errors:
            raise CommandError(f"{len(traffic.errors)} errors, first: {traffic.errors[0]}")
        if growing := find_growing(samples):
            raise CommandError(f"memory grows: {', '.join(growing)}")


def describe_traffic(traffic: Traffic) -> str:
    """Return a line with what was done while memory was measured."""
    statuses = ", ".join(f"{number:,} × {status}" for status, number in sorted(traffic.statuses.items()))
    done = ", ".join(f"{number} {what}" for what, number in traffic.done.items())
    return (
        f"{len(traffic.pages)} kinds of pages; answers: {statuses}; events: {done}; memory in MB, medians of quarters"
    )


@contextmanager
def run_site(folder: Path) -> Iterator[tuple[str, dict[str, int]]]:
    """Run a server with two workers, a rating worker and a worker of all other tasks, as `make stack` starts them.

    Yield the address of the server and the processes by name. The server never replaces its workers, which would hide
    growing memory.
    """
    address, environment = free_address(), make_environment()
    web = ["gunicorn", "portal.wsgi", "--bind", address, "--workers", "2", "--max-requests", "0"]
    worker = ["celery", "-A", "portal", "worker", "--concurrency", "1"]
    others = ["-Q", "celery,webhooks", "-n", "worker@bench", "--beat", f"--schedule={folder / 'beat'}"]
    commands = {
        "web": [*web, "--log-level", "warning"],
        "rating": [*worker, "-Q", "rating", "-n", "rating@bench"],
        "worker": [*worker, *others],
    }
    with ExitStack() as stack:
        started = {
            name: stack.enter_context(run_module(command, environment, folder / f"{name}.log"))
            for name, command in commands.items()
        }
        wait_until_answers(address, folder / "web.log")
        time.sleep(SAMPLE_SECONDS)  # until the workers have started theirs
        pids = {name: process.pid for name, process in started.items()}
        for name, pid in list(pids.items()):
            pids |= {f"{name} {number}": child for number, child in enumerate(list_children(pid), 1)}
        yield address, pids


def take_samples(pids: dict[str, int], seconds: float) -> dict[str, list[float]]:
    """Return the memory of each process in MB every ten seconds, after a warm-up of a tenth of the time."""
    samples: dict[str, list[float]] = {name: [] for name in sorted(pids)}
    time.sleep(seconds / 10)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for name, pid in pids.items():
            samples[name].append(read_memory(pid))
        time.sleep(SAMPLE_SECONDS)
    return samples
