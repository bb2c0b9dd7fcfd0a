"""Texts of a dossier: the rule with its numbers, and the rows of the file that is sent to the approvers."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from portal.grades.graphs import draw_ratings
from portal.pdf.dossier import Dossier as Printed
from portal.site.federation_identity import identity_of
from portal.templatetags.portal_format import colon, points, rating, signed, unrounded
from ratings.localize import award_label, format_day, translate_message
from ratings.models import Approval
from ratings.queries.grades.dossiers import Dossier
from ratings.systems.values import AwardHow
from ratings.time_zones import find_today

RULES = {
    AwardHow.UPPER_BOUND: gettext_lazy("a rating of at least %(bound)s"),
    AwardHow.GAMES_ABOVE_MP: gettext_lazy("%(games)d games in a row with a rating of at least %(bound)s after each"),
    AwardHow.GAMES_ABOVE_LB: gettext_lazy(
        "%(games)d games in a row with a rating of at least %(bound)s after each, one of them at or above the midpoint"
    ),
    AwardHow.BOUND_TO_GET_IT: gettext_lazy(
        "games in a row above %(bound)s that losing the next ones could not have broken"
    ),
    AwardHow.PROVISIONAL: gettext_lazy("a provisional rating of at least %(bound)s, the bound of the grade above"),
}


def rule_text(dossier: Dossier) -> str:
    """Return the rule by which the grade was earned; empty if no results earn it any more."""
    if dossier.award is None:
        return ""
    how = AwardHow(dossier.award.how)
    numbers = {"bound": rating(dossier.bound, dossier.case.list), "games": len(dossier.games)}
    rule = RULES[how] % numbers if how in RULES else award_label(how)
    text = f"{colon(dossier.case.grade)} {rule}"
    note = dossier.case.list.rating_system.presentation.grade_note if dossier.games else ""
    return f"{text}. {translate_message(note)}" if note else text


def _explain_missing_rule(case: Approval) -> str:
    """Return why no rule of the list gave the grade."""
    if case.is_requested:
        return _("No result on this list earned the grade; it is held elsewhere.")
    return _("The results that earned it have changed since.")


def printable_dossier(dossier: Dossier) -> Printed:
    """Return the content of the dossier's file; it has real names, as it is sent to the approvers."""
    case, rating_list = dossier.case, dossier.case.list
    facts = [
        (_("Player"), f"{case.player.name} {case.player.native_name}".strip()),
        (_("Country"), str(case.player.country.name)),
        (_("List"), f"{rating_list.federation}: {rating_list.name}"),
        (
            _("Held elsewhere since") if case.is_requested else _("Earned"),
            " ".join(filter(None, [format_day(case.earned_on), str(case.event or "")])),
        ),
        (_("Evidence"), case.evidence),
        (_("State"), str(case.get_state_display())),
    ]
    return Printed(
        identity=identity_of(rating_list.federation),
        title=f"{colon(case.player.name)} {case.grade}",
        facts=[(label, value) for label, value in facts if value],
        rule=rule_text(dossier) or _explain_missing_rule(case),
        dated=find_today(case.list.federation.time_zone),
        games=[
            (
                format_day(game.day),
                game.event.name,
                str(game.round or ""),
                game.opponent,
                rating(game.opponent_rating, rating_list),
                points(game.score),
                unrounded(game.after, 1),
            )
            for game in dossier.games
        ],
        graph=draw_ratings(dossier),
        earlier=[
            (format_day(award.day), award.grade, award_label(award.how), str(award.table.event) if award.table else "")
            for award in dossier.earlier
        ],
        since=[
            (
                format_day(change.day),
                str(change.table.event) if change.table else "",
                str(change.games),
                rating(change.before, rating_list),
                signed(change, rating_list),
                rating(change.after, rating_list),
            )
            for change in dossier.since
        ],
    )
