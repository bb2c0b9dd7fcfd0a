"""Celery's door: fetch by id, one domain call, safe to run twice."""

from celery import shared_task

from ratings.domain import accounts, claims, health, mails, publishing, reports, rerating


@shared_task(name="ratings.rerate")
def rerate(list_id: int) -> None:
    rerating.rerate_or_tell(list_id)


@shared_task(name="ratings.sweep")
def sweep() -> None:
    health.beat(health.SWEEP)
    rerating.sweep()


@shared_task(name="ratings.mail")
def mail(step_id: int) -> None:
    mails.send_mails(step_id)


@shared_task(name="ratings.mail_invitation")
def mail_invitation(user_id: int) -> None:
    accounts.send_invitation(user_id)


@shared_task(name="ratings.mail_report")
def mail_report(report_id: int) -> None:
    reports.send_report(report_id)


@shared_task(name="ratings.mail_claim")
def mail_claim(claim_id: int) -> None:
    claims.send_claim(claim_id)


@shared_task(name="ratings.publish")
def publish() -> None:
    list(publishing.publish_scheduled())
