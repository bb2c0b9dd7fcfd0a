"""The flag --save of all import commands: without it a command is a dry run."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand

DRY_RUN = "Dry run: nothing was stored. Add --save to store."


def saving_argument(parser: ArgumentParser) -> None:
    parser.add_argument("--save", action="store_true", help="store (default: a dry run, which stores nothing)")


def report_dry_run(command: BaseCommand) -> None:
    command.stdout.write(DRY_RUN)
