"""Template filters for grades that were won, given or refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from portal.templatetags.portal_format import colon
from ratings.localize import award_label, format_day, translate_message
from ratings.models import Approval, RatingList
from ratings.queries.grades.awards import ANNOUNCED, BY_DECISION, NOT_YET, WAITING, can_announce
from ratings.queries.grades.grade_history import GradeLine
from ratings.systems.values import ANSWERING_RULINGS, AwardHow, Ruling

register = template.Library()
register.filter(award_label)

STATES = {
    ANNOUNCED: pgettext_lazy("grade", "announced"),
    WAITING: _("waiting for approval"),
    "approved": _("approved"),
    "declined": _("declined"),
    "fallen": _("fell away: the results that earned it were corrected"),
    "kept": _("earned by a result later corrected, kept because it was announced"),
    "given": _("given by decision"),
    "printed": _("as the federation published it"),
    "withheld": _("withheld by decision"),
    "outside": _("by adjustment"),
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
BOUND = _(
    "Could no longer miss it: losing the next games could not have prevented this promotion, so it was awarded at once."
)


@register.filter
def award_state(award: Any, rating_list: RatingList) -> str:
    """Return the state of an award, or of its approval where it needs one, as a short text; empty for demotions."""
    if award.how == AwardHow.DEMOTION:
        return ""
    if award.needs_approval:
        return state_of(getattr(award, "case", ""), rating_list, WAITING)
    return state_of(award.how if award.state == "final" else award.state, rating_list)


@register.filter
def new_grade(award: Any) -> SafeString:
    """Return a grade won or lost behind an arrow, with its meaning as a hint.

    `award` has `case` (see `with_case`). A grade that waits for approval has a question mark; a declined one is struck
    through.
    """
    meaning, css, mark = gettext("promoted"), "promoted", ""
    if award.how == AwardHow.DEMOTION:
        meaning, css = gettext("demotion"), "loss"
    elif award.needs_approval and award.case in ANSWERING_RULINGS:
        meaning, css = str(STATES[award.case]), "refused" if award.case == Ruling.DECLINED else css
    elif award.needs_approval:
        meaning, mark = gettext("earned, waiting for approval"), "?"
    return format_html('<span class="{}" title="{}">→ {}{}</span>', css, meaning, award.grade, mark)


@register.filter
def promotion_note(award: Any, rating_list: RatingList) -> str:
    """Return how a grade was won, and that it is not announced yet on a list that announces grades."""
    if award.how in BY_DECISION:
        return capfirst(award_state(award, rating_list))
    label = capfirst(award_label(award.how))
    if award.state == NOT_YET and can_announce(rating_list):
        return gettext("%(how)s · not announced yet") % {"how": label}
    return label


@register.filter
def line_state(line: GradeLine, rating_list: RatingList) -> str:
    """Return the state of a line in a player's grade history, with who decided, when and why."""
    text = state_of(line.state, rating_list) if line.state else ""
    case, decision = line.case, line.decision
    if line.state == "announced" and decision is not None:
        return gettext("announced on %(day)s") % {"day": format_day(decision.made_at)}
    if case is not None and case.state == "approved":
        return approval_with_basis(line, case, text)
    if case is not None and line.state == "declined":
        return gettext("declined on %(day)s: %(reason)s") % {"day": format_day(case.answered_on), "reason": case.reason}
    if case is not None and case.sent_on and line.state == WAITING:
        values = {"state": text, "day": format_day(case.sent_on)}
        return gettext("%(state)s, sent on %(day)s") % values
    if decision is not None and line.state not in ("kept", "fallen"):
        return f"{colon(text)} {translate_message(decision.reason)}"
    return text


def approval_with_basis(line: GradeLine, case: Approval, text: str) -> str:
    """Return who approved a grade and from when it counts, and its basis if no result supports it."""
    approval_text = approval(case)
    if case.is_requested:
        return gettext("%(approved)s; held elsewhere") % {"approved": approval_text}
    after = text if line.state == "fallen" else gettext("earned by a result later corrected")
    return approval_text if line.state == "approved" and not line.corrected else f"{approval_text}; {after}"


def approval(case: Approval) -> str:
    text = gettext("approved by %(who)s on %(day)s, counts from %(from)s")
    return text % {"who": case.signed_by, "day": format_day(case.answered_on), "from": format_day(case.effective)}


def state_of(state: str, rating_list: RatingList, otherwise: str = "") -> str:
    """Return a state as text; on lists that announce no grades, an unannounced grade is simply “awarded”."""
    if state == NOT_YET:
        return gettext("awarded, not yet announced") if can_announce(rating_list) else gettext("awarded")
    return str(STATES.get(state) or STATES[otherwise])


@register.filter
def waiting_grade(row: Sequence[Any]) -> str:
    """Return a player of a summary with the grade that would need approval, or that would no longer need it.

    `row` is player, grade that needs approval before the change, and after it.
    """
    player, before, after = row
    return f"{player} {after}" if after else f"{player} {before} → –"


@register.filter
def how(award: Any) -> str:
    """Return the rule by which a grade was won, explained if its name is not clear enough."""
    return str(BOUND) if award.how == AwardHow.BOUND_TO_GET_IT else award_label(award.how) if award.how else ""


@register.filter
def corrections_rule(rating_list: RatingList) -> str:
    """Return what a correction does to grades on a list; empty for lists without grades or without such a rule."""
    chosen = rating_list.rating_system.settings.get("corrections")
    return str(CORRECTIONS[chosen]) if chosen and rating_list.has_grades else ""


@register.filter
def announces_grades(rating_list: RatingList) -> bool:
    return can_announce(rating_list)
