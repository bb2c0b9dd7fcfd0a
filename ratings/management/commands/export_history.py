from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from ratings.formats.history.file import write_history
from ratings.queries.lists.history import export_history

from ._lists import list_argument, the_list


class Command(BaseCommand):
    help = (
        "Write all inputs of a list as ratings-history/1, for `manage.py rate` or another portal; with true names, also"
        " of hidden players."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        list_argument(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(write_history(export_history(the_list(options["list"]), true_names=True)), ending="")
