"""A dossier in words: the rule with its numbers, and the rows of the file that is sent to whoever approves."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from portal.pdf.dossier import Dossier as Printed
from portal.templatetags.portal_format import points, rating, signed
from ratings.queries.dossiers import Dossier

RULES = {
    "upper bound": gettext_lazy("a rating of at least %(bound)s"),
    "games above MP": gettext_lazy("%(games)d games in a row with a rating of at least %(bound)s after each"),
    "games above LB": gettext_lazy(
        "%(games)d games in a row with a rating of at least %(bound)s after each, one of them at or above the midpoint"
    ),
    "bound to get it": gettext_lazy("games in a row above %(bound)s that losing the next ones could not have broken"),
    "provisional": gettext_lazy("a provisional rating of at least %(bound)s, the bound of the grade above"),
}


def rule_in_words(dossier: Dossier) -> str:
    """By which rule the grade was earned; empty where nothing earns it any more."""
    if dossier.award is None:
        return ""
    how = dossier.award.how
    numbers = {"bound": rating(dossier.bound, dossier.case.list), "games": len(dossier.games)}
    told = RULES[how] % numbers if how in RULES else _(how)
    return f"{dossier.case.grade}: {told}"


def printed(dossier: Dossier) -> Printed:
    """The dossier as its file has it; names are the true ones, as it goes to whoever approves."""
    case, of = dossier.case, dossier.case.list
    facts = [
        (_("Player"), f"{case.player.name} {case.player.native_name}".strip()),
        (_("Country"), str(case.player.country.name)),
        (_("List"), f"{of.federation}: {of.name}"),
        (_("Earned"), " ".join(filter(None, [str(case.earned_on), str(case.event or "")]))),
        (_("State"), str(case.get_state_display())),
    ]
    return Printed(
        title=f"{case.player.name}: {case.grade}",
        facts=[(label, value) for label, value in facts if value],
        rule=rule_in_words(dossier) or _("The results that earned it are no longer as they were."),
        dated=timezone.now().date(),
        games=[
            (
                str(game.day), game.event.name, str(game.round or ""), game.opponent, rating(game.opponent_rating, of),
                points(game.score), f"{game.after:.1f}",
            )
            for game in dossier.games
        ],
        graph=dossier.graph,
        marks=[(award.day, award.grade) for award in dossier.earlier] + [(case.earned_on, case.grade)],
        bound=dossier.bound,
        earlier=[
            (str(award.day), award.grade, _(award.how), str(award.table.event) if award.table else "")
            for award in dossier.earlier
        ],
        since=[
            (
                str(change.day), str(change.table.event) if change.table else "", str(change.games),
                rating(change.before, of), signed(change.change, of), rating(change.after, of),
            )
            for change in dossier.since
        ],
    )  # fmt: skip
