from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ratings.domain.runs.witnessing import WitnessError, add_cosignatures, witness_log
from ratings.formats.proof.export import KEYS
from ratings.formats.proof.key_file import KeyFile, read_key_file
from ratings.formats.proof.notes import NoteError, VerifierKey, parse_key

from ._logs import decode_text, find_neighbour, read_source


class Command(BaseCommand):
    help = (
        "Check the log of a list of another site and cosign its last checkpoint, if it continues what was cosigned"
        " before; with --add, add the cosignatures of a witness to this site's logs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", metavar="URL_OR_FILE", help="log.txt of a list; with --add, a witness's file")
        parser.add_argument("--key", metavar="KEY", help="key of the other site (name+id+key); needed the first time")
        parser.add_argument(
            "--keys", metavar="URL_OR_FILE", help="keys.txt of the site; by default that beside the log"
        )
        parser.add_argument("--add", action="store_true", help="add cosignatures by the key of a witness (--key)")

    def handle(self, *args: Any, **options: Any) -> None:
        source = options["source"]
        try:
            key = parse_key(options["key"]) if options["key"] else None
            text = decode_text(read_source(source), source)
            if options["add"]:
                self.add(text, key)
            else:
                beside = options["keys"] or find_neighbour(source, KEYS)
                self.witness(text, read_key_file(decode_text(read_source(beside), beside)), key)
        except NoteError as error:
            raise CommandError(str(error)) from None

    def add(self, text: str, key: VerifierKey | None) -> None:
        if key is None:
            raise CommandError("--add needs the key of the witness: --key name+id+key")
        self.stdout.write(f"{add_cosignatures(text, key)} cosignatures by {key.name} added")

    def witness(self, text: str, keys: KeyFile, key: VerifierKey | None) -> None:
        try:
            witnessed = witness_log(text, keys, key)
        except WitnessError as error:
            raise CommandError("\n".join(["not cosigned:", *error.problems])) from None
        self.stdout.write(witnessed.note, ending="")
