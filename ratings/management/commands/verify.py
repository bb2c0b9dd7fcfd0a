from __future__ import annotations

from argparse import ArgumentParser
from itertools import islice
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ratings.domain.runs.verifying import find_differences, stored_digest

from ._lists import list_argument, the_list


class Command(BaseCommand):
    help = "Compute a list again in memory, compare it with the stored results, and print its digest."

    def add_arguments(self, parser: ArgumentParser) -> None:
        list_argument(parser)
        parser.add_argument("--all", action="store_true", help="print all differences instead of the first")

    def handle(self, *args: Any, **options: Any) -> None:
        rating_list = the_list(options["list"])
        if rating_list.out_of_date_from is not None:
            raise CommandError(
                f"{rating_list.slug} is out of date from {rating_list.out_of_date_from}; run sweep first"
            )
        reported = list(islice(find_differences(rating_list), None if options["all"] else 1))
        for difference in reported:
            self.stdout.write(difference)
        if reported:
            raise CommandError(f"{rating_list.slug}: the stored results differ from the computed ones")
        self.stdout.write(f"{rating_list.slug}: {rating_list.changes.count()} changes exact")
        self.stdout.write(stored_digest(rating_list))
