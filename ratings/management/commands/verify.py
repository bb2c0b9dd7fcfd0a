from __future__ import annotations

from argparse import ArgumentParser
from itertools import islice
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ratings.domain.verifying import differences, stored_digest

from ._lists import list_argument, the_list


class Command(BaseCommand):
    help = "Compute a list from nothing in memory and compare everything stored with it; prints its digest."

    def add_arguments(self, parser: ArgumentParser) -> None:
        list_argument(parser)
        parser.add_argument("--all", action="store_true", help="print every difference, not the first only")

    def handle(self, *args: Any, **options: Any) -> None:
        rating_list = the_list(options["list"])
        if rating_list.out_of_date_from is not None:
            raise CommandError(
                f"{rating_list.slug} is out of date from {rating_list.out_of_date_from}; run sweep first"
            )
        found = list(islice(differences(rating_list), None if options["all"] else 1))
        for difference in found:
            self.stdout.write(difference)
        if found:
            raise CommandError(f"{rating_list.slug}: what is stored is not what its inputs say")
        self.stdout.write(f"{rating_list.slug}: {rating_list.changes.count()} changes exact")
        self.stdout.write(stored_digest(rating_list))
