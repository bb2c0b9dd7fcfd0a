"""Links by which a named person without an account answers an approval, together with a code told by phone.

Neither the token in the link nor the code is stored. The code's digest is made with the token, so that nobody who
reads the database can find the code by trying all of them.
"""

from __future__ import annotations

import datetime as dt
import secrets

from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from ratings.domain.site.acting import acting_user
from ratings.models import AnswerLink, Approval, ApprovalStep, RatingList
from ratings.secret_digests import digest_secret
from ratings.time_zones import find_today

from .approval_steps import add_step

LIFETIME = dt.timedelta(days=30)
CODE_DIGITS, TOKEN_BYTES = 8, 32
MOST_WRONG_CODES = 5
SALT = "ratings.answer-link"
What = ApprovalStep.What


def has_account(mail: str) -> bool:
    """Return True if an email address belongs to an account, active or not: its owner answers by signing in."""
    by_user, by_address = User.objects.filter(email__iexact=mail), EmailAddress.objects.filter(email__iexact=mail)
    return by_user.exists() or by_address.exists()


def find_answer_day(rating_list: RatingList, sent_on: dt.date | None = None) -> dt.date:
    """Return the day by which an approval that is sent on a day, or today, is to be answered."""
    return (sent_on or find_today(rating_list.federation.time_zone)) + dt.timedelta(days=rating_list.answer_within)


def find_lifetime(rating_list: RatingList) -> dt.timedelta:
    """Return how long links of a list work: until the day to answer by, at least 30 days."""
    return max(LIFETIME, dt.timedelta(days=rating_list.answer_within))


def create_link(case: Approval) -> tuple[AnswerLink, str, str]:
    """Save a new link for the person who answers for the approving body; return it with its token and code.

    Earlier links of the approval are revoked. Call it in a transaction that holds the approval.
    """
    revoke_links(case)
    token, code = secrets.token_urlsafe(TOKEN_BYTES), f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"
    link = AnswerLink.objects.create(
        case=case,
        person=case.list.approving_person,
        office=case.list.approving_office,
        mail=case.list.approving_mail,
        token_digest=digest_secret(token),
        code_digest=_digest_code(token, code),
        made_by=acting_user(),
        expires_at=timezone.now() + find_lifetime(case.list),
    )
    return link, token, code


def find_link(token: str) -> AnswerLink | None:
    """Return the link of a token in any state; None if there is none."""
    links = AnswerLink.objects.select_related("case__list__federation", "case__player", "case__table__event")
    return links.defer("case__letter").filter(token_digest=digest_secret(token)).first()


def revoke_links(case: Approval) -> None:
    """Revoke the open links of an approval."""
    open_ = case.answer_links.filter(used_at=None, revoked_at=None, expires_at__gt=timezone.now())
    open_.update(revoked_at=timezone.now(), revoked_by=acting_user())


@transaction.atomic
def revoke_link(link: AnswerLink) -> None:
    """Revoke one link, with a step; a link that is not open stays as it is."""
    stored = AnswerLink.objects.select_for_update(of=("self",)).select_related("case").get(pk=link.pk)
    if stored.is_open:
        _close_link(stored, What.REVOKED)


def check_code(link: AnswerLink, token: str, code: str) -> None:
    """Raise ValidationError unless a code belongs to an open link; after too many wrong codes the link is revoked."""
    with transaction.atomic():  # committed before the error is raised, so that wrong codes are counted
        stored = AnswerLink.objects.select_for_update(of=("self",)).select_related("case").get(pk=link.pk)
        check_open(stored)
        digits = "".join(letter for letter in code if letter.isdigit())
        if constant_time_compare(stored.code_digest, _digest_code(token, digits)):
            return
        stored.wrong_codes += 1
        stored.save(update_fields=["wrong_codes"])
        left = MOST_WRONG_CODES - stored.wrong_codes
        if left <= 0:
            _close_link(stored, What.LOCKED)
    if left <= 0:
        raise ValidationError({"code": _("Wrong code. The link is revoked now: ask the federation for a new one.")})
    raise ValidationError({"code": _("Wrong code. Attempts left: %(left)d.") % {"left": left}})


def check_open(link: AnswerLink) -> None:
    """Raise ValidationError if a link is used, revoked or expired, or if its address got an account since."""
    if not link.is_open:
        raise ValidationError(_("This link has ended: %(state)s.") % {"state": link.state.label})
    if has_account(link.mail):
        raise ValidationError(_("Your email address has an account on this site now: sign in to answer."))


def _close_link(link: AnswerLink, what: str) -> None:
    link.revoked_at, link.revoked_by = timezone.now(), acting_user()
    link.save(update_fields=["revoked_at", "revoked_by"])
    add_step(link.case, what, link.person)


def _digest_code(token: str, code: str) -> str:
    return salted_hmac(SALT, f"{token}:{code}", algorithm="sha256").hexdigest()
