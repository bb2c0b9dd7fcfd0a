"""Celery tasks: each takes at most a primary key, calls the domain, and is safe to run twice."""

from celery import shared_task

from ratings.domain.events import entry_mails
from ratings.domain.grades import announcing, approval_mails, approval_opening, question_mails
from ratings.domain.lists import proposal_effects, publishing, statistics, studies, successors
from ratings.domain.players import claims, erasure_requests
from ratings.domain.results import batch_previews, batch_reading, reminding, summaries
from ratings.domain.results.hall import provisional
from ratings.domain.runs import rerating, table_facts
from ratings.domain.site import (
    accounts,
    follow_mails,
    health,
    held_forms,
    mails,
    outbox,
    reports,
    retention,
    webhook_delivery,
    webhooks,
)

MAIL_WRITERS = (
    accounts,
    approval_mails,
    claims,
    entry_mails,
    erasure_requests,
    follow_mails,
    mails,
    question_mails,
    reports,
    webhooks,
)
"""Modules that register functions which write mails with the outbox when they are imported."""


@shared_task(name="ratings.rerate")
def rerate_list(list_id: int) -> None:
    rerating.rerate_and_log(list_id)
    table_facts.request_facts(list_id)
    approval_opening.update_all_approvals()


@shared_task(name="ratings.sweep")
def sweep() -> None:
    health.record_heartbeat(health.SWEEP)
    held_forms.delete_old_forms()
    summaries.request_missing_summaries()
    batch_reading.request_late_batches()
    batch_previews.request_late_previews()
    provisional.request_missing_ratings()
    studies.request_late_studies()
    proposal_effects.request_late_effects()
    rerating.sweep()
    successors.start_due_successors()
    for list_id in table_facts.lists_with_missing_facts():
        table_facts.request_facts(list_id)
    approval_opening.update_all_approvals()


@shared_task(name="ratings.summarise")
def summarise(event_id: int) -> None:
    summaries.save_summary(event_id)


@shared_task(name="ratings.read_batch")
def read_batch(batch_id: int) -> None:
    batch_reading.read_batch(batch_id)


@shared_task(name="ratings.preview_batch")
def preview_batch(batch_id: int) -> None:
    batch_previews.save_previews(batch_id)


@shared_task(name="ratings.hall")
def rate_hall(hall_id: int) -> None:
    provisional.save_provisional_ratings(hall_id)


@shared_task(name="ratings.facts")
def complete_facts(list_id: int) -> None:
    table_facts.complete_facts(list_id)


@shared_task(name="ratings.delete_expired")
def delete_expired() -> None:
    retention.delete_expired()


@shared_task(name="ratings.erase_deleted")
def erase_deleted() -> None:
    """Delete expired data; kept for messages that the scheduler of the last release has sent."""
    retention.delete_expired()


@shared_task(name="ratings.mails")
def deliver_mails() -> None:
    outbox.deliver_outbox()


@shared_task(name="ratings.weekly_mails")
def request_weekly_mails() -> None:
    follow_mails.request_weekly_mails()


@shared_task(name="ratings.webhooks")
def request_due_deliveries() -> None:
    webhook_delivery.request_due_deliveries()


@shared_task(name="ratings.webhook")
def deliver_webhooks(subscription_id: int) -> None:
    webhook_delivery.deliver_subscription(subscription_id)


@shared_task(name="ratings.webhook_ping")
def deliver_test_message(delivery_id: int) -> None:
    webhook_delivery.deliver_ping(delivery_id)


@shared_task(name="ratings.publish")
def publish() -> None:
    list(publishing.publish_scheduled())


@shared_task(name="ratings.announce")
def announce_due_grades() -> None:
    announcing.announce_due_grades()
    approval_mails.remind_approvers()
    reminding.remind_late_organisers()


@shared_task(name="ratings.statistics")
def refresh_statistics() -> None:
    statistics.refresh_due()


@shared_task(name="ratings.evaluate")
def evaluate(study_id: int) -> None:
    studies.make_study(study_id)


@shared_task(name="ratings.effects")
def store_effects(proposal_id: int) -> None:
    proposal_effects.store_effects(proposal_id)
