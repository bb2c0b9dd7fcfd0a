from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from ratings.domain.site.retention import count_expired, delete_expired
from ratings.domain.site.retention_rules import RETENTION_RULES

from ._saving import check_saving, saving_argument


class Command(BaseCommand):
    help = "Delete expired data, as the nightly task does. Without --save, only show how many rows would be deleted."

    def add_arguments(self, parser: ArgumentParser) -> None:
        saving_argument(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        check_saving(options)
        numbers = delete_expired() if options["save"] else count_expired()
        for rule in RETENTION_RULES:
            days = "no limit" if rule.days is None else f"{rule.days} {'day' if rule.days == 1 else 'days'}"
            source = f" ({rule.period})" if isinstance(rule.period, str) else ""
            self.stdout.write(f"{numbers.get(rule.key, 0):>8}  {rule.title} – {days}{source}")
        if not options["save"]:
            self.stdout.write("Dry run: nothing was deleted. Add --save to delete.")
