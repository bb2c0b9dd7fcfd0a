"""Sentences about proposed rules: what changes, what happens on the day, and what would have happened since a year."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from portal.lists.option_lines import OptionLine
from portal.lists.study_names import name_system
from portal.templatetags.portal_format import rating, signed_decimals
from ratings.localize import format_day, join_parts
from ratings.models import RuleProposal
from ratings.queries.lists.rule_proposals import Spread
from ratings.systems import SYSTEMS


def describe_change(proposal: RuleProposal, lines: list[OptionLine], spread: Spread | None) -> str:
    """Return the sentences that say what changes, and what happens on the day itself."""
    sentences = [*_describe_rules(proposal, lines), _describe_points(proposal), *_describe_day(proposal, spread)]
    return " ".join(filter(None, sentences))


def _describe_rules(proposal: RuleProposal, lines: list[OptionLine]) -> Iterator[str]:
    words = {"day": format_day(proposal.in_force), "system": name_system(proposal.system)}
    if proposal.starts_successor:
        text = _("From %(day)s the list would be continued by another list, rated by the system %(system)s.")
        if proposal.is_adopted:
            text = _("From %(day)s the list is continued by another list, rated by the system %(system)s.")
        yield text % words
        yield _("It starts with everybody’s rating of the day before.")
        return
    pattern = _("%(name)s: %(new)s instead of %(old)s")
    changes = join_parts([pattern % {"name": line.name, "new": line.new, "old": line.old} for line in lines])
    text = _("From %(day)s these settings would change: %(changes)s.")
    if proposal.is_adopted:
        text = _("From %(day)s these settings change: %(changes)s.")
    yield text % {**words, "changes": changes}


def _describe_day(proposal: RuleProposal, spread: Spread | None) -> Iterator[str]:
    """Yield what happens on the day itself; nothing for a successor list where it was not computed."""
    day = spread.day if spread is not None else None
    if day is None and proposal.starts_successor:
        return
    if day is None or not day.changed:
        yield _("Nobody’s rating changes on that day.")
    else:
        text = ngettext(
            "On that day the rating of %(players)s player changes, by %(points)s points.",
            "On that day the ratings of %(players)s players change, by at most %(points)s points.",
            day.changed,
        )
        yield text % {"players": day.changed, "points": rating(day.largest, proposal.list)}
    if day is not None and day.left:
        text = ngettext("%(players)s player leaves the list.", "%(players)s players leave the list.", day.left)
        yield text % {"players": day.left}


def _describe_points(proposal: RuleProposal) -> str:
    """Return the sentence that says how ratings are converted; empty if the zero stays."""
    own, system = (SYSTEMS[key].presentation_class for key in (proposal.list.system, proposal.system))
    if own.scale != system.scale or own.gor_of_zero == system.gor_of_zero:
        return ""
    points = signed_decimals(own.gor_of_zero - system.gor_of_zero, 0)
    return _("Ratings below are in the points of that system (those of the list %(points)s).") % {"points": points}


def describe_later(proposal: RuleProposal, spread: Spread | None) -> str:
    """Return the sentence that says what would have happened since the proposal's year; empty without players."""
    if spread is None:
        return ""
    year, rating_list = proposal.since.year, proposal.list
    if not any(bar.players for bar in spread.bars if bar.low > 0 or bar.low + bar.width < 0) and not spread.typical:
        return _("Had it applied since %(year)s, nobody’s rating would differ today.") % {"year": year}
    text = ngettext(
        "Had it applied since %(year)s, half of the players would differ by at most %(points)s point today.",
        "Had it applied since %(year)s, half of the players would differ by at most %(points)s points today.",
        round(spread.typical),
    )
    return text % {"year": year, "points": rating(spread.typical, rating_list)}
