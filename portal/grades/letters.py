"""Letter to the approving body, and the sentence that says how a grade was earned."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from portal.grades.certificate_texts import printable_draft
from portal.grades.dossiers import printable_dossier, rule_text
from portal.pdf.certificate import write_certificate
from portal.pdf.dossier import write_dossier
from portal.templatetags.portal_format import rating
from ratings.domain.grades.answer_links import find_answer_day, find_lifetime, has_account
from ratings.domain.grades.approval_mails import describe_case
from ratings.domain.grades.parcels import ParcelContent
from ratings.localize import format_day, format_days
from ratings.models import Approval
from ratings.queries.grades.approving_bodies import get_approving_body
from ratings.queries.grades.dossiers import Dossier, build_dossier
from ratings.time_zones import find_today


def describe_evidence(dossier: Dossier) -> str:
    """Return in one sentence which games of a player earned the grade, or where they hold it."""
    case, games = dossier.case, dossier.games
    names = {"player": case.player.name, "grade": case.grade}
    if case.is_requested:
        text = _("%(player)s has held %(grade)s elsewhere since %(day)s: %(evidence)s.")
        return text % {**names, "day": format_day(case.earned_on), "evidence": case.evidence.rstrip(".")}
    if not games:
        return _("The results by which %(player)s earned %(grade)s have changed since.") % names
    won = sum(game.score == 1 for game in games)
    first, last = games[0].day, games[-1].day
    numbers = {
        "player": case.player.name,
        "games": len(games),
        "won": won,
        "days": format_days(first, last),
        "rating": rating(games[-1].after, case.list),
    }
    return (
        ngettext(
            "%(player)s played %(games)d game that counts (%(days)s), won %(won)d, and reached a rating of %(rating)s.",
            "%(player)s played %(games)d games that count (%(days)s), won %(won)d, and reached a rating of %(rating)s.",
            len(games),
        )
        % numbers
    )


def write_subject(dossier: Dossier, reference: str) -> str:
    """Return the subject of the letter."""
    names = {"grade": dossier.case.grade, "player": dossier.case.player.name, "reference": reference}
    return _("Approval of %(grade)s for %(player)s (%(reference)s)") % names


def write_letter(
    dossier: Dossier, *, sender: str, answer_by: dt.date, expires: dt.date | None, reference: str, address: str
) -> str:
    """Return the text of the letter.

    The person answers at `address` by the day `answer_by`. If `expires` is a day, the address is a link that works
    until then.
    """
    case, body = dossier.case, get_approving_body(dossier.case.list)
    rule = rule_text(dossier)
    answer = _("Approve, decline or ask a question on this page, by %(day)s:") % {"day": format_day(answer_by)}
    code = _(
        "You need a code of eight digits, which %(sender)s will tell you by phone. The link works for one answer,"
        " until %(day)s. Please do not forward this email."
    )
    paragraphs = [
        _("Dear %(person)s,") % {"person": body.person},
        _("%(federation)s asks %(body)s to approve a grade.")
        % {"federation": case.list.federation, "body": body.name or _("the approving body")},
        "\n".join(filter(None, [describe_case(case, answer_by), _("Rule: %(rule)s") % {"rule": rule} if rule else ""])),
        describe_evidence(dossier),
        _("Attached: the dossier with all games that count, and a draft of the certificate."),
        f"{answer}\n{address}",
        code % {"sender": sender, "day": format_day(expires)} if expires else _("Sign in to answer."),
        _(
            "What happens next: an approver of the federation checks and confirms your answer, as two persons decide"
            " each case. Until then the current grade remains. A settled case can be reopened with a reason."
        ),
        _("Our reference: %(reference)s") % {"reference": reference},
        f"{sender}\n{case.list.federation}",
    ]
    return "\n\n".join(paragraphs)


def write_parcel(case: Approval, user: Any, reference: str) -> ParcelContent:
    """Return the letter, the dossier and the draft of the certificate, in the current language."""
    dossier = build_dossier(case)
    answer_by = find_answer_day(case.list)
    expires = find_today(case.list.federation.time_zone, timezone.now() + find_lifetime(case.list))
    with_link = not has_account(case.list.approving_mail)
    sender = user.get_full_name() or user.get_username()

    def write_body(address: str) -> str:
        shown = expires if with_link else None
        return write_letter(
            dossier, sender=sender, answer_by=answer_by, expires=shown, reference=reference, address=address
        )

    return ParcelContent(
        subject=write_subject(dossier, reference),
        write_body=write_body,
        dossier=write_dossier(printable_dossier(dossier)),
        certificate=write_certificate(printable_draft(dossier, reference)),
    )
