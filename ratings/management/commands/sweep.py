from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from ratings.domain.announcing import announce_due
from ratings.domain.approvals import follow_all
from ratings.domain.rerating import sweep
from ratings.domain.statistics import refresh_due


class Command(BaseCommand):
    help = (
        "What the worker does by itself, for a site without one: rate what is out of date, see to grades, statistics."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        sweep()
        follow_all()
        if announce_due():
            sweep()
        refresh_due()
