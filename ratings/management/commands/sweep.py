from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from ratings.domain.rerating import sweep


class Command(BaseCommand):
    help = "Rate the lists that were left out of date; for a site without a worker, by cron."

    def handle(self, *args: Any, **options: Any) -> None:
        sweep()
