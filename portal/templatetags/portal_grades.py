"""How grades that were won, given or refused are told on pages."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.domain.announcing import announces
from ratings.models import Approval, RatingList
from ratings.queries.awards import ANNOUNCED, NOT_YET, WAITING
from ratings.queries.grade_history import GradeLine
from ratings.translating import translated

register = template.Library()

STATES = {
    ANNOUNCED: _("announced"),
    WAITING: _("waiting for approval"),
    "approved": _("approved"),
    "declined": _("declined"),
    "fallen": _("fell away: the results that earned it were corrected"),
    "kept": _("earned by a result later corrected, kept because it was announced"),
    "given": _("given by decision"),
    "printed": _("as the federation published it"),
    "withheld": _("withheld by decision"),
    "outside": _("adjustment from outside"),
}
CORRECTIONS = {
    "kept": _(
        "A grade stays once it is announced, also when a later correction takes away the result that earned it; the"
        " player's history then says so. What is earned and not announced yet moves with the results."
    ),
    "revised": _(
        "Grades follow the results: when a result is corrected or comes in late, everything after it is rated again,"
        " and grades are won or lost by what comes out."
    ),
}
BOUND = _("Bound to get it: losing the next games could not have prevented this promotion, so it was awarded at once.")


@register.filter
def award_state(award: Any, rating_list: RatingList) -> str:
    """What became of an award (with its state, and its approval's where it needs one) in a word or two."""
    if award.how == "demotion":
        return ""
    if award.needs_approval:
        return state_of(getattr(award, "case", ""), rating_list, WAITING)
    return state_of(award.how if award.state == "final" else award.state, rating_list)


@register.filter
def line_state(line: GradeLine, rating_list: RatingList) -> str:
    """The state of a line of a player's history, with who, when and why."""
    words = state_of(line.state, rating_list) if line.state else ""
    case, decision = line.case, line.decision
    if line.state == "announced" and decision is not None:
        return gettext("announced on %(day)s") % {"day": decision.made_at.date()}
    if case is not None and case.state == "approved":
        after = words if line.state == "fallen" else gettext("earned by a result later corrected")
        told = approval(case)
        return told if line.state == "approved" and not line.corrected else f"{told}; {after}"
    if case is not None and line.state == "declined":
        return gettext("declined on %(day)s: %(reason)s") % {"day": case.answered_on, "reason": case.reason}
    if case is not None and case.sent_on and line.state == WAITING:
        return f"{words}, {gettext('sent on %(day)s') % {'day': case.sent_on}}"
    if decision is not None and line.state not in ("kept", "fallen"):
        return f"{words}: {translated(decision.reason)}"
    return words


def approval(case: Approval) -> str:
    told = gettext("approved by %(who)s on %(day)s, counts from %(from)s")
    return told % {"who": case.signed_by, "day": case.answered_on, "from": case.effective}


def state_of(state: str, rating_list: RatingList, otherwise: str = "") -> str:
    """In words; what nobody announces, as where grades follow the results, is simply awarded."""
    if state == NOT_YET:
        return gettext("awarded, not yet announced") if announces(rating_list) else gettext("awarded")
    return str(STATES.get(state) or STATES[otherwise])


@register.filter
def how(award: Any) -> str:
    """The rule's way by which a grade was won; explained where its name does not tell it."""
    return str(BOUND) if award.how == "bound to get it" else gettext(award.how) if award.how else ""


@register.filter
def corrections_rule(rating_list: RatingList) -> str:
    """What a correction does to grades on a list; empty where there are none."""
    chosen = rating_list.rating_system.settings.get("corrections")
    return str(CORRECTIONS[chosen]) if chosen and rating_list.graded else ""


@register.filter
def announces_grades(rating_list: RatingList) -> bool:
    return announces(rating_list)
