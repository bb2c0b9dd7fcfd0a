from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from ratings.domain.lists.history_import import HistoryImportError, import_history
from ratings.domain.runs.outcome import UnratableError
from ratings.formats.history.file import HistoryError, read_history

from ._lists import list_argument, the_list
from ._people import named_people, people_arguments
from ._saving import check_saving, report_dry_run, saving_argument


class Command(BaseCommand):
    help = (
        "Import a whole history (ratings-history/1, as export_history writes it) into an empty list, in one"
        " transaction, and compare the list with the file afterwards. A dry run without --save."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        list_argument(parser)
        saving_argument(parser)
        people_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        check_saving(options)
        path, rating_list = options["file"], the_list(options["list"])
        try:
            history = read_history(path.read_bytes())
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}") from None
        except HistoryError as error:
            raise CommandError("\n".join(f"{path.name}: {problem}" for problem in error.problems)) from None
        with transaction.atomic(), named_people(options, rating_list) as start:
            try:
                imported = import_history(history, start, source=path.name)
            except HistoryImportError as error:
                lines = [f"{path.name}: {problem}" for problem in error.problems]
                raise CommandError("\n".join(["nothing was stored:", *lines])) from None
            except UnratableError as error:
                raise CommandError(f"nothing was stored, because the list could not be rated: {error}") from None
            if not options["save"]:
                transaction.set_rollback(True)
        self.stdout.write(
            f"{path.name}: {imported.tables} tables, {imported.players} players ({imported.new_players} new),"
            f" {imported.adjustments} adjustments, {imported.decisions} decisions. Exported again it is the same;"
            f" digest {imported.digest}"
        )
        if not options["save"]:
            report_dry_run(self)
