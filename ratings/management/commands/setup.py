from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_email
from django.db import transaction

from ratings.domain.site.mail_test import describe_mail_server, send_test_mail
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
        parser.add_argument(
            "--test-mail", metavar="ADDRESS", help="send a test mail to this address at once, also in a dry run"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        check_saving(options)
        address: str | None = options["test_mail"]
        if address is not None:
            _check_address(address)
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
        if address is not None:
            self.stdout.write(_test_mail(address, is_saved=options["save"]))


def _check_address(address: str) -> None:
    try:
        validate_email(address)
    except ValidationError:
        raise CommandError(f"--test-mail: {address} is not an email address; nothing was stored") from None


def _test_mail(address: str, *, is_saved: bool) -> str:
    """Send a test mail and return a line about it; raise CommandError if the mail server refused it."""
    result = send_test_mail(address)
    if not result.accepted:
        stored = "; everything else was stored" if is_saved else ""
        raise CommandError(f"test mail to {address}: not sent{stored}: {result.answer}. {result.advice}")
    server = describe_mail_server()
    if not server:
        return f"test mail to {address}: only printed, because EMAIL_URL names no mail server"
    return f"test mail to {address}: accepted by {server}"
