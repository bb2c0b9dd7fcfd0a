from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ratings.domain.runs.log_keys import LogKeyError, create_key
from ratings.queries.runs.logs import describe_keys


class Command(BaseCommand):
    help = "Print the public keys that sign the logs of the lists, or create the first or the next key."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--create", action="store_true", help="create a key; the key before it signs the change")
        parser.add_argument("--name", default="", help="name in the key; by default the address of the site")
        parser.add_argument(
            "--lost", action="store_true", help="with --create: the previous key is lost and cannot sign the change"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["create"]:
            try:
                create_key(options["name"], lost=options["lost"])
            except LogKeyError as error:
                raise CommandError(str(error)) from None
        keys = describe_keys()
        if not keys.strip():
            raise CommandError("the site has no key yet: create one with log_key --create")
        self.stdout.write(keys, ending="")
