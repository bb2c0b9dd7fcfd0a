from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from ratings.domain.announcing import announce_due
from ratings.domain.approvals import follow_all
from ratings.domain.rerating import sweep


class Command(BaseCommand):
    help = "Rate the lists that were left out of date, and see to grades that wait or are due; for a site without a worker, by cron."

    def handle(self, *args: Any, **options: Any) -> None:
        sweep()
        follow_all()
        if announce_due():
            sweep()
