from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from ratings.domain.site.setup_file import apply_setup
from ratings.formats.setup_file import SetupFileError, read_setup_file

from ._files import content
from ._saving import check_saving, report_dry_run, saving_argument


class Command(BaseCommand):
    help = (
        "Set up a federation from a TOML file: name, crest, lists with options and present ratings, people, first"
        " event. The same file can be applied again. A dry run without --save."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="TOML; see docs/operations.md")
        saving_argument(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        check_saving(options)
        path: Path = options["file"]
        try:
            answers = read_setup_file(content(path))
            with transaction.atomic():
                lines = apply_setup(answers, lambda name: (path.parent / name).read_bytes())
                if not options["save"]:
                    transaction.set_rollback(True)
        except SetupFileError as error:
            lines = [f"{path.name}: {problem}" for problem in error.problems]
            raise CommandError("\n".join(["nothing was stored:", *lines])) from None
        for line in lines:
            self.stdout.write(line)
        if not options["save"]:
            report_dry_run(self)
