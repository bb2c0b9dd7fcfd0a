"""Celery's door: fetch by id, one domain call, safe to run twice."""

from celery import shared_task

from ratings.domain import (
    accounts,
    announcing,
    approval_mails,
    approvals,
    claims,
    health,
    mails,
    publishing,
    reports,
    rerating,
    statistics,
)


@shared_task(name="ratings.rerate")
def rerate(list_id: int) -> None:
    rerating.rerate_or_tell(list_id)
    approvals.follow_all()


@shared_task(name="ratings.sweep")
def sweep() -> None:
    health.beat(health.SWEEP)
    rerating.sweep()
    approvals.follow_all()


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


@shared_task(name="ratings.announce")
def announce() -> None:
    announcing.announce_due()
    approval_mails.remind()


@shared_task(name="ratings.mail_approval")
def mail_approval(approval_id: int) -> None:
    approval_mails.send_approval(approval_id)


@shared_task(name="ratings.statistics")
def refresh_statistics() -> None:
    statistics.refresh_due()
