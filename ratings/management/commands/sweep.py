from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from ratings.domain.grades.announcing import announce_due_grades
from ratings.domain.grades.approval_opening import update_all_approvals
from ratings.domain.lists.statistics import refresh_due
from ratings.domain.lists.successors import start_due_successors
from ratings.domain.runs.rerating import sweep
from ratings.domain.runs.table_facts import complete_facts, lists_with_missing_facts
from ratings.domain.site.outbox import deliver_outbox
from ratings.domain.site.webhook_delivery import deliver_all


class Command(BaseCommand):
    help = (
        "Do the periodic work of a worker, for a site without one: rate lists that are out of date, start successor"
        " lists, announce grades, refresh statistics, deliver mails and send webhooks."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        sweep()
        start_due_successors()
        sweep()
        update_all_approvals()
        if announce_due_grades():
            sweep()
        for list_id in lists_with_missing_facts():
            complete_facts(list_id)
        refresh_due()
        deliver_outbox()
        deliver_all()
