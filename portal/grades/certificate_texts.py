"""Texts of certificates: how a grade was earned, who signs, the references, and the address that confirms it."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from portal.pdf.certificate import Certificate as Printed
from portal.pdf.certificate import Signer
from portal.site.federation_identity import identity_of
from ratings.localize import format_day, join_parts
from ratings.models import Approval, Event, RatingList
from ratings.queries.grades.approving_bodies import get_approving_body
from ratings.queries.grades.certificates import Certificate, make_draft_code
from ratings.queries.grades.dossiers import Dossier
from ratings.systems.values import AwardHow

WAYS = {
    AwardHow.UPPER_BOUND: gettext_lazy("Won by reaching the rating that this grade requires."),
    AwardHow.GAMES_ABOVE_MP: gettext_lazy(
        "Won by keeping a rating above the middle of this grade for enough games in a row."
    ),
    AwardHow.GAMES_ABOVE_LB: gettext_lazy(
        "Won by keeping a rating above the lower limit of this grade for enough games in a row."
    ),
    AwardHow.PROVISIONAL: gettext_lazy("Won by first results well above this grade."),
    AwardHow.BOUND_TO_GET_IT: gettext_lazy("Won by a rating so high that no further loss could prevent this grade."),
    AwardHow.ABOVE_BAND: gettext_lazy("Won by a rating above the range of the grade before."),
    AwardHow.PRINTED: gettext_lazy("Held by the records of the federation."),
    AwardHow.GIVEN: gettext_lazy("Given by a decision of the federation."),
    AwardHow.KEPT: gettext_lazy("Announced by the federation."),
}
"""Sentences that say how a grade was won, by the `how` of its award; lost grades have no certificate."""


def printable_certificate(record: Certificate) -> Printed:
    return Printed(
        name=record.name,
        native=record.player.public_native,
        grade=record.grade,
        list=record.list.name,
        identity=identity_of(record.list.federation),
        day=record.day,
        earned=earned_text(record),
        address=address_of(record.code),
        signers=list_signers(record.list, record.case),
        references=list_references(record.case),
    )


def printable_draft(dossier: Dossier, reference: str) -> Printed:
    """Return the certificate that an approval may lead to, marked as a draft, with the player's real name."""
    case, code = dossier.case, make_draft_code(dossier.case)
    player = case.player
    how = AwardHow(dossier.award.how) if dossier.award else None
    return Printed(
        name=f"{player.given_name} {player.family_name}".strip(),
        native=player.native_name,
        grade=case.grade,
        list=case.list.name,
        identity=identity_of(case.list.federation),
        day=case.earned_on,
        earned=_join_texts(how, case.event, case.earned_on, ""),
        address=address_of(code) if code else "",
        signers=list_signers(case.list, case),
        references=[reference],
        draft=True,
    )


def address_of(code: str) -> str:
    """Return the full address of a certificate's page."""
    return f"{settings.SITE_ADDRESS}{reverse('certificate', args=[code])}"


def earned_text(record: Certificate) -> str:
    """Return how and where the grade of a certificate was won, and who approved it when, one line each."""
    earned_on = record.approved.day if record.approved else record.day
    return _join_texts(record.how, record.event, earned_on, _describe_approval(record.case))


def _join_texts(how: AwardHow | None, event: Event | None, day: dt.date, approval: str) -> str:
    way = str(WAYS[how]) if how in WAYS else ""
    where = _("Completed on %(day)s at %(event)s.") % {"day": format_day(day), "event": event.name} if event else ""
    return "\n".join(filter(None, [way, where, approval]))


def _describe_approval(case: Approval | None) -> str:
    """Return by whom and when a grade was approved; empty if no approval is on record."""
    if case is None:
        return ""
    body = get_approving_body(case.list).name or case.signed_by
    return _("Approved by %(body)s on %(day)s.") % {"body": body, "day": format_day(case.answered_on)}


def list_signers(rating_list: RatingList, case: Approval | None) -> list[Signer]:
    """Return who signs a certificate: for the approving body, if there is an approval, and for the federation."""
    signers = []
    if case is not None:
        body = get_approving_body(rating_list)
        name, office = (case.signed_by, case.signer_office) if case.signed_by else (body.person, body.office)
        signers.append(Signer(name, join_parts([office, body.name])))
    if rating_list.signer:
        signers.append(Signer(rating_list.signer, rating_list.signer_office or rating_list.federation.name))
    return [signer for signer in signers if signer.name]


def list_references(case: Approval | None) -> list[str]:
    """Return the references of the federation and of the approving body."""
    if case is None:
        return []
    return [reference for reference in (case.sent_reference or case.own_reference, case.reference) if reference]
