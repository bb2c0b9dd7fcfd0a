"""Sentences about the steps of an event: the figures recorded with them, and the rating runs that followed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from portal.templatetags.portal_format import colon, signed
from ratings.displayed_changes import round_difference
from ratings.localize import join_parts
from ratings.models import EventStep
from ratings.queries.results.step_runs import StepRun

What = EventStep.What
MAX_GRADES = 5
"""Maximum number of changed grades that a sentence names."""
DECIDED = (What.SUBMITTED, What.PROPOSED, What.ACCEPTED, What.CORRECTED)
"""Steps that say how many questions of the check were answered."""


def describe_figures(step: EventStep) -> str:
    """Return the figures of a step in one line, such as “8 players, 4 rounds, 16 games”; empty if none are recorded."""
    figures: Mapping[str, int] = step.data.get("figures", {})
    return join_parts(_list_figures(step.what, figures)) if figures else ""


def _list_figures(what: str, figures: Mapping[str, int]) -> Iterator[str]:
    number = figures.get("players", 0)
    yield ngettext("%(count)s player", "%(count)s players", number) % {"count": number}
    if number := figures.get("rounds", 0):
        yield ngettext("%(count)s round", "%(count)s rounds", number) % {"count": number}
    number = figures.get("games", 0)
    yield ngettext("%(count)s game", "%(count)s games", number) % {"count": number}
    if number := figures.get("new", 0):
        yield ngettext("%(count)s new player", "%(count)s new players", number) % {"count": number}
    if number := figures.get("comments", 0):
        yield ngettext("%(count)s comment", "%(count)s comments", number) % {"count": number}
    if what in DECIDED:
        number = figures.get("answered", 0)
        text = ngettext("%(count)s question answered", "%(count)s questions answered", number)
        yield text % {"count": number} if number else _("without questions")


def describe_run(rated: StepRun, *, names_list: bool) -> Iterator[str]:
    """Yield sentences that say what a rating run changed; `names_list`: begin with the name of the list."""
    run = rated.run
    text = ngettext(
        "The rating or grade of %(count)s player changed.",
        "The ratings or grades of %(count)s players changed.",
        run.players_changed,
    )
    first = text % {"count": run.players_changed} if run.players_changed else _("No rating changed.")
    yield f"{colon(rated.rating_list.label)} {first}" if names_list else first
    for player, before, after in run.biggest[:1]:
        if player in rated.players:
            difference = round_difference(before, after, rated.rating_list.decimals)
            change = signed(difference, rated.rating_list)
            yield _("Biggest change: %(player)s %(change)s.") % {"player": rated.players[player], "change": change}
    if own := [row for row in run.grades if row[0] in rated.players]:
        grades = [_describe_grade(rated, *row) for row in own[:MAX_GRADES]]
        if (more := len(own) - MAX_GRADES) > 0:
            grades.append(_("%(count)s more") % {"count": more})
        yield _("Grades: %(grades)s.") % {"grades": join_parts(grades)}
    if rated.is_shared:
        yield _("The same run rated other changes of this list as well.")


def _describe_grade(rated: StepRun, player: str, before: str, after: str) -> str:
    return f"{rated.players[player]} {before or '–'} → {after or '–'}"
