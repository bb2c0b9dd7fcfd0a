"""The flags --save and --dry-run of all import commands: without --save a command is a dry run."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

DRY_RUN = "Dry run: nothing was stored. Add --save to store."


def saving_argument(parser: ArgumentParser) -> None:
    parser.add_argument("--save", action="store_true", help="store (default: a dry run, which stores nothing)")
    parser.add_argument("--dry-run", action="store_true", help="store nothing; this is the default")


def check_saving(options: dict[str, Any]) -> None:
    """Raise CommandError if both flags are given."""
    if options["dry_run"] and options["save"]:
        raise CommandError("--dry-run and --save contradict each other: leave one out")


def report_dry_run(command: BaseCommand) -> None:
    command.stdout.write(DRY_RUN)
