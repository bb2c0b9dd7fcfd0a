"""Dossiers sent by post, and letters by email with the dossier, the certificate and an answer link."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from ratings.domain.site.acting import acting_user
from ratings.domain.site.outbox import queue_mails
from ratings.models import AnswerLink, Approval, ApprovalStep, Parcel
from ratings.models.messages import ApprovalNote
from ratings.queries.grades.approving_bodies import get_approving_body
from ratings.time_zones import find_today

from .answer_links import create_link, find_answer_day, has_account, revoke_links
from .approval_locks import lock_in_state
from .approval_persons import check_not_own
from .approval_steps import add_step
from .approvals import lock_to_answer

State, What = Approval.State, ApprovalStep.What
PDF = "application/pdf"


@transaction.atomic
def send(case: Approval, *, on: dt.date, reference: str) -> None:
    """Record that the dossier was sent to the approving body, with the day and a reference."""
    case = lock_in_state(case, State.WAITING, State.SENT)
    case.state, case.sent_on, case.sent_reference, case.sent_by = State.SENT, on, reference, acting_user()
    case.answer_by = find_answer_day(case.list, on)
    case.full_clean()
    case.save()
    add_step(case, What.SENT, ApprovalNote.SENT(day=on), reference)


@transaction.atomic
def undo_sending(case: Approval) -> None:
    """Record that the dossier was not sent; the step of sending stays in the approval's steps."""
    case = lock_in_state(case, State.SENT)
    case.state, case.sent_on, case.sent_reference, case.sent_by = State.WAITING, None, "", None
    case.answer_by = None
    revoke_links(case)
    case.full_clean()
    case.save()
    add_step(case, What.NOT_SENT)


@dataclass(frozen=True)
class ParcelContent:
    """A letter with its files. `write_body` takes the address at which the person answers."""

    subject: str
    write_body: Callable[[str], str]
    dossier: bytes
    certificate: bytes


def check_sendable(case: Approval) -> None:
    """Raise ValidationError if the list names nobody to whom a letter can be sent."""
    body = get_approving_body(case.list)
    if not body.can_receive:
        raise ValidationError(
            _("The list names nobody who answers for %(body)s: an administrator enters the person and their email.")
            % {"body": body.name or _("the approving body")}
        )
    if _is_named_like_player(body.person, case):
        raise ValidationError(_("%(person)s cannot answer about their own grade.") % {"person": body.person})


def _is_named_like_player(person: str, case: Approval) -> bool:
    words = [set(name.casefold().replace(",", " ").split()) for name in (person, case.player.name)]
    return words[0] == words[1]


@transaction.atomic
def send_parcel(case: Approval, content: ParcelContent, *, reference: str) -> tuple[Parcel, str]:
    """Send the letter with its files to the approving body; return what was sent and the code of the answer link.

    The code is stored nowhere: the acting user tells it to the person by phone. It is empty if the address belongs to
    an account, whose owner signs in to answer instead. Earlier links are revoked. Raise ValidationError if the acting
    user must not answer the approval, if it cannot be answered now, or if the list names nobody.
    """
    case = lock_to_answer(case)
    user = acting_user()
    check_not_own(case, user)
    check_sendable(case)
    link: AnswerLink | None = None
    address, code = settings.SITE_ADDRESS + case.get_absolute_url(), ""
    if not has_account(case.list.approving_mail):
        link, token, code = create_link(case)
        address = settings.SITE_ADDRESS + reverse("answer_link", args=[token])
    parcel = Parcel(
        case=case,
        person=case.list.approving_person,
        address=case.list.approving_mail,
        subject=content.subject,
        body=content.write_body(_("[the link is only in the mail]") if link else address),
        reference=reference,
        dossier=content.dossier,
        certificate=content.certificate,
        link=link,
        sent_by=user,
    )
    message = EmailMessage(content.subject, content.write_body(address), None, [parcel.address])
    for name, data in (("dossier.pdf", content.dossier), ("certificate.pdf", content.certificate)):
        message.attach(name, data, PDF)
    (parcel.mail,) = queue_mails([message], federation=case.list.federation)
    parcel.full_clean()
    parcel.save()
    case.state, case.sent_on = Approval.State.SENT, find_today(case.list.federation.time_zone)
    case.sent_reference, case.sent_by, case.answer_by = reference, user, find_answer_day(case.list)
    case.full_clean()
    case.save()
    add_step(case, ApprovalStep.What.MAILED, f"{parcel.person} <{parcel.address}>", reference)
    return parcel, code
