from __future__ import annotations

import platform
from argparse import ArgumentParser
from itertools import chain
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from ratings.management.bench.concurrency import measure_reading, measure_two_lists
from ratings.management.bench.history import SIZES, YEARS, Size, write_history
from ratings.management.bench.measure import FLOOR, FROM_NOTHING, ROWS_IN, Figure, measure
from ratings.management.bench.targets import check_targets, read_seconds
from ratings.models import RatingList
from ratings.systems import SYSTEMS

BASES = (FLOOR, ROWS_IN)
YEARS_OF = {"rif-2021": 5}
"""Years of a history, where they are others than usual: 20 quarterly list days, each of which fits all games."""
LEFT_OUT = (
    "Rated from nothing only once. Not measured: the floors, a correction, two lists, reading while the list is rated,"
    " and the late table's digest against a run from nothing; without that table, the digest is as before."
)


class Command(BaseCommand):
    help = (
        "Measure rating runs on a synthetic history in PostgreSQL, as ratios to what the database alone needs;"
        " fail if a target is missed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--size", choices=list(SIZES), default="S")
        parser.add_argument("--system", choices=list(SYSTEMS), default="fesa-2016", help="the list's rating system")
        parser.add_argument("--file", type=Path, help="also write the table here")
        parser.add_argument("--medium", type=Path, help="the table of size M, with which size L is compared")

    def handle(self, *args: Any, **options: Any) -> None:
        if connection.vendor != "postgresql":
            raise CommandError("the benchmark needs PostgreSQL: set DATABASE_URL")
        call_command("migrate", verbosity=0)
        if options["medium"] and not options["medium"].is_file():
            raise CommandError(f"{options['medium']} does not exist: measure size M first (make bench-m)")
        medium = options["medium"] and read_seconds(options["medium"].read_text(), FROM_NOTHING)
        size, system = SIZES[options["size"]], options["system"]
        rating_list = get_or_write_list(size, system)
        engine = "compiled" if rating_list.rating_system.rating.compiled else "pure"
        self.stdout.write(
            f"{size.games:,} games, {size.tables:,} tables, {size.players:,} players; Python"
            f" {platform.python_version()}, {engine} engine"
        )
        lines = [f"{'':42}{'seconds':>10}{'x floor':>9}{'x rows in':>10}{'tables':>8}{'MB':>7}"]
        self.stdout.write(lines[0])
        figures: dict[str, Figure] = {}
        measured = [measure(rating_list, size)]
        if not size.rated_once:
            measured += [measure_two_lists(rating_list), measure_reading(rating_list)]
        for figure in chain.from_iterable(measured):
            figures[figure.what] = figure
            lines.append(format_line(figure, *(figures[base].seconds if base in figures else None for base in BASES)))
            self.stdout.write(lines[-1])
        checks = list(check_targets(size.key, system, figures, medium))
        closing = [LEFT_OUT, *checks] if size.rated_once else checks
        lines += closing
        self.stdout.write("\n".join(closing))
        if options["file"]:
            options["file"].parent.mkdir(parents=True, exist_ok=True)
            options["file"].write_text("\n".join(lines) + "\n")
        if missed := [line for line in checks if line.startswith("MISSED")]:
            raise CommandError(f"{len(missed)} of {len(checks)} targets missed")


def get_or_write_list(size: Size, system: str) -> RatingList:
    """Return the benchmark's list; write its history if the database has none."""
    slug = f"bench-{size.key.lower()}" + ("" if system == "fesa-2016" else f"-{system}")
    if RatingList.objects.exclude(slug__startswith="bench-").exists():
        raise CommandError("this database has lists of other origin: use a database that only the benchmark uses")
    rating_list = RatingList.objects.filter(slug=slug).first()
    if rating_list is None and RatingList.objects.exists():
        raise CommandError("this database has a benchmark of another size or system: use one database for each")
    if rating_list is not None and not rating_list.adjustments.exists():
        raise CommandError("this benchmark has no opening list: an earlier release wrote it; use another database")
    return rating_list or write_history(size, slug, system=system, years=YEARS_OF.get(system, YEARS))


def format_line(figure: Figure, floor: float | None, rows_in: float | None) -> str:
    """Return the line of a figure, with its ratios to the floor and to writing the rows of a run, where known."""
    tables, memory = ("" if n is None else f"{n:,}" for n in (figure.tables, figure.megabytes))
    ratios = ["" if base is None else f"{figure.seconds / base:.1f}" for base in (floor, rows_in)]
    return f"{figure.what:42}{figure.seconds:10.3f}{ratios[0]:>9}{ratios[1]:>10}{tables:>8}{memory:>7}"
