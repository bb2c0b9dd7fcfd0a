"""Sending of webhooks by workers: at least once, in order for each subscription, with retries.

A worker claims a subscription by one conditional update, as mails are reserved (outbox.py), gives its new deliveries
their numbers, and sends them in this order. A later delivery waits until the earlier one has arrived or is given up.
If the worker is killed, its claim ends after LEASE and another worker goes on with the same delivery.
"""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from time import monotonic

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from ratings.models import WebhookDelivery, WebhookSubscription

from .outbox import notify
from .webhook_attempts import attempt_delivery, save_result
from .webhook_queue import send_ping_soon, send_soon
from .webhook_sending import Reply

State, Status, Error = WebhookSubscription.State, WebhookDelivery.Status, WebhookDelivery.Error
LEASE = dt.timedelta(minutes=2)
"""Time after which another worker goes on; longer than one attempt can take (`webhook_sending`)."""
SECONDS_A_RUN = 50
NUMBERED_AT_ONCE = 1000
FIRST_DELAY, LONGEST_DELAY = dt.timedelta(seconds=30), dt.timedelta(hours=2)
"""Delay after the first failure, doubled after each further one up to the longest."""
GIVE_UP_AFTER = dt.timedelta(days=1)
"""Time from the first attempt until a message that the program refuses is given up."""
DISABLE_AFTER = dt.timedelta(days=7)
REFUSED = frozenset({400, 413, 415, 422})
"""Statuses by which a program refuses one message, and might accept the next one."""
DISABLED = "webhook disabled"
"""Kind of the notification about a subscription that was switched off."""


@dataclass(frozen=True)
class Claim:
    """The claim of this worker on a subscription."""

    subscription: int
    key: str

    def rows(self) -> QuerySet[WebhookSubscription]:
        """Return the subscription as a query; empty if the claim has been lost."""
        return WebhookSubscription.objects.filter(pk=self.subscription, claimed_by=self.key)

    def renew(self) -> bool:
        """Extend the claim; return False if it is lost, or the subscription is paused or deleted."""
        return self.rows().filter(state=State.ACTIVE, deleted_at=None).update(claimed_until=timezone.now() + LEASE) == 1

    def release(self) -> None:
        self.rows().update(claimed_by="", claimed_until=None)


def request_due_deliveries() -> None:
    """Have workers send what is due: retries, and deliveries whose task was lost or whose worker was killed."""
    for subscription in list(_due()):
        send_soon(subscription.pk)
    for delivery in _due_pings():
        send_ping_soon(delivery)


def deliver_all() -> None:
    """Send everything that is due in this process, for a site without workers."""
    for subscription in list(_due()):
        deliver_subscription(subscription.pk)
    for delivery in _due_pings():
        deliver_ping(delivery)


def _waiting() -> QuerySet[WebhookDelivery]:
    return WebhookDelivery.objects.filter(status=Status.WAITING).exclude(kind=WebhookDelivery.PING).order_by()


def _claimable() -> QuerySet[WebhookSubscription]:
    now = timezone.now()
    free = Q(claimed_until=None) | Q(claimed_until__lt=now)
    return WebhookSubscription.objects.filter(free, state=State.ACTIVE, deleted_at=None, next_try_at__lte=now)


def _due() -> QuerySet[WebhookSubscription]:
    return _claimable().filter(Exists(_waiting().filter(subscription=OuterRef("pk")))).order_by("pk")


def deliver_subscription(subscription: int) -> int:
    """Send the waiting deliveries of a subscription in order until one fails; return the number of those sent.

    Nothing happens if another worker is sending them, or if they are not due yet.
    """
    until, sent = monotonic() + SECONDS_A_RUN, 0
    # what was stored after the last look found this worker's claim and was left to it
    while monotonic() < until and _due().filter(pk=subscription).exists():
        claim = claim_subscription(subscription)
        if claim is None:
            break
        try:
            sent += sum(send_in_order(claim, until))
        finally:
            claim.release()
    return sent


def claim_subscription(subscription: int) -> Claim | None:
    """Claim a subscription for this worker; None if it is not due or another worker has claimed it meanwhile."""
    claim = Claim(subscription, secrets.token_hex(16))
    values = {"claimed_by": claim.key, "claimed_until": timezone.now() + LEASE}
    return claim if _claimable().filter(pk=subscription).update(**values) == 1 else None


def send_in_order(claim: Claim, until: float) -> Iterator[bool]:
    """Send one delivery after the other; yield whether each arrived, and end with a failure that is to be retried."""
    while monotonic() < until:
        delivery = _next_delivery(claim)
        if delivery is None or not claim.renew():
            return
        reply = attempt_delivery(delivery)
        yield not reply.error
        if reply.error and not note_failure(claim, delivery, reply):
            return
        if not reply.error:
            note_success(claim, delivery, reply)


def _next_delivery(claim: Claim) -> WebhookDelivery | None:
    """Return the first waiting delivery, after all new ones got their numbers; None if there is none."""
    number_deliveries(claim)
    waiting = _waiting().filter(subscription=claim.subscription, number__isnull=False)
    return waiting.select_related("subscription__federation").order_by("number").first()


@transaction.atomic
def number_deliveries(claim: Claim) -> None:
    """Set the numbers of new deliveries, in the order in which they were stored, if this worker has the claim.

    They get no number when they are stored, since this would make all transactions wait for each other.
    """
    new = list(_waiting().filter(subscription=claim.subscription, number=None).order_by("pk")[:NUMBERED_AT_ONCE])
    if not new:
        return
    locked = claim.rows().select_for_update(no_key=True).first()
    if locked is None:
        return
    for number, delivery in enumerate(new, locked.last_number + 1):
        delivery.number = number
    WebhookDelivery.objects.bulk_update(new, ["number"], 500)
    claim.rows().update(last_number=locked.last_number + len(new))


@transaction.atomic
def note_success(claim: Claim, delivery: WebhookDelivery, reply: Reply) -> None:
    save_result(delivery, reply, Status.DELIVERED)
    if delivery.subscription.failing_since is not None:
        claim.rows().update(failing_since=None, failures=0, next_try_at=timezone.now())


@transaction.atomic
def note_failure(claim: Claim, delivery: WebhookDelivery, reply: Reply) -> bool:
    """Save a failure; return True if the delivery is given up, so that the next one can be sent.

    The subscription is switched off if the program is gone, or after a week without a success.
    """
    now = timezone.now()
    subscription = claim.rows().select_for_update(no_key=True).first()
    if subscription is None:  # another worker goes on with this delivery, or has sent it already
        return False
    given_up = reply.status in REFUSED and now - (delivery.first_tried_at or now) >= GIVE_UP_AFTER
    save_result(delivery, reply, Status.GIVEN_UP if given_up else Status.WAITING)
    since, failures = subscription.failing_since or now, subscription.failures + 1
    next_try = now if given_up else now + choose_delay(failures, reply)
    claim.rows().update(failing_since=since, failures=failures, next_try_at=next_try)
    if reply.error == Error.GONE or now - since >= DISABLE_AFTER:
        active = WebhookSubscription.objects.filter(pk=subscription.pk, state=State.ACTIVE)
        if active.update(state=State.DISABLED):  # else its owner has paused or deleted it meanwhile
            notify(DISABLED, subscription.pk)
        return False
    return given_up


def choose_delay(failures: int, reply: Reply) -> dt.timedelta:
    """Return the time until the next attempt: doubled each time, up to a quarter more or less by chance.

    Chance keeps many subscriptions to one program from trying again at the same moment.
    """
    delay = min(FIRST_DELAY * (1 << min(failures - 1, 12)), LONGEST_DELAY)
    spread = 0.75 + secrets.randbelow(501) / 1000
    wanted = dt.timedelta(seconds=reply.retry_after or 0)
    return max(delay * spread, min(wanted, LONGEST_DELAY))


def _due_pings() -> list[int]:
    now = timezone.now()
    untried = Q(tried_at=None, created_at__lt=now - dt.timedelta(seconds=10)) | Q(tried_at__lt=now - LEASE)
    return list(_waiting_pings().filter(untried).order_by("pk").values_list("pk", flat=True))


def _waiting_pings() -> QuerySet[WebhookDelivery]:
    """Return the test messages that wait, without those to deleted webhooks."""
    return WebhookDelivery.objects.filter(
        kind=WebhookDelivery.PING, status=Status.WAITING, subscription__deleted_at=None
    )


def deliver_ping(pk: int) -> None:
    """Send a test message once, whatever else waits; it counts neither as a failure nor as a success.

    If the program accepts it, the deliveries that wait are tried again at once.
    """
    now = timezone.now()
    free = Q(tried_at=None) | Q(tried_at__lt=now - LEASE)
    if _waiting_pings().filter(free, pk=pk).update(tried_at=now) != 1:
        return
    delivery = WebhookDelivery.objects.select_related("subscription__federation").get(pk=pk)
    reply = attempt_delivery(delivery)
    save_result(delivery, reply, Status.GIVEN_UP if reply.error else Status.DELIVERED)
    if not reply.error:
        WebhookSubscription.objects.filter(pk=delivery.subscription_id, failures__gt=0).update(next_try_at=now)
        send_soon(delivery.subscription_id)
