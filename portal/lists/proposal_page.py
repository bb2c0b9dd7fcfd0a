"""Page of proposed rules: what changes, in words, the figures of both rules, and what players may do next."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from portal.lists.option_lines import OptionLine, compare_options
from portal.lists.study_pages import describe_verdict, name_system
from portal.templatetags.portal_format import rating, signed_decimals
from ratings.formats.formulas import guard_formula
from ratings.localize import format_day, join_parts
from ratings.models import RatingList, RuleProposal
from ratings.option_forms import label_of, option_label
from ratings.queries.lists.rule_proposals import Spread
from ratings.systems import SYSTEMS, get_system

Figures = Mapping[str, Any]


@dataclass(frozen=True)
class FigureLine:
    """A figure by the present and by the proposed rules, as texts, and a sentence that says what it means."""

    name: str
    present: str
    proposed: str
    meaning: str


def list_changed_options(proposal: RuleProposal) -> list[OptionLine]:
    """Return the options that change on a list that stays, with their values before the day they come into force."""
    if proposal.starts_successor:
        return []
    rating_list = proposal.list
    before = _find_old(proposal) if is_adopted(proposal) else rating_list.rating_system_on(proposal.in_force).settings
    return compare_options(rating_list, before, proposal.options)


def name_options(system: str, options: Figures) -> list[tuple[str, str]]:
    """Return the name and the value of each of these options of a system."""
    known = {option.key: option for option in SYSTEMS[system].options}
    return [(option_label(known[key]), label_of(value)) for key, value in options.items() if key in known]


def is_adopted(proposal: RuleProposal) -> bool:
    return proposal.state == RuleProposal.State.ADOPTED


def _find_old(proposal: RuleProposal) -> Mapping[str, Any]:
    """Return the settings that held before an adopted proposal came into force."""
    settings = dict(get_system(proposal.list.system, proposal.list.options).settings)
    for change in proposal.list.parsed_option_changes:
        if change.date < proposal.in_force:
            settings |= change.options
    return settings


def describe_change(proposal: RuleProposal, lines: list[OptionLine]) -> str:
    """Return the sentence that says what changes, and what happens on the day itself."""
    day = format_day(proposal.in_force)
    if proposal.starts_successor:
        text = _(
            "From %(day)s the list would be continued by another list, rated by the system %(system)s. It starts with"
            " everybody’s rating of the day before."
        )
        if is_adopted(proposal):
            text = _(
                "From %(day)s the list is continued by another list, rated by the system %(system)s. It starts with"
                " everybody’s rating of the day before."
            )
        return text % {"day": day, "system": name_system(proposal.system)}
    pattern = _("%(name)s: %(new)s instead of %(old)s")
    changes = join_parts([pattern % {"name": line.name, "new": line.new, "old": line.old} for line in lines])
    text = _("From %(day)s these settings would change: %(changes)s. Nobody’s rating changes on that day.")
    if is_adopted(proposal):
        text = _("From %(day)s these settings change: %(changes)s. Nobody’s rating changes on that day.")
    return text % {"day": day, "changes": changes}


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


def list_figures(proposal: RuleProposal) -> list[FigureLine]:
    """Return the figures of both rules: the quality of predictions from the study, and the sizes of changes."""
    lines = [*_list_study_figures(proposal)]
    if proposal.figures is None:
        return lines
    present, proposed = proposal.figures["present"], proposal.figures["proposed"]
    year = proposal.since.year
    names = {
        "largest": _("Largest change in one event since %(year)s") % {"year": year},
        "mean": _("Mean change in one event since %(year)s") % {"year": year},
    }
    for key, name in names.items():
        old, new = present[key], proposed[key]
        texts = [rating(value, proposal.list) if value is not None else "–" for value in (old, new)]
        lines.append(FigureLine(name, texts[0], texts[1], _compare_sizes(old, new)))
    if present["grades_won"] is not None and proposed["grades_won"] is not None:
        won, would = present["grades_won"], proposed["grades_won"]
        name = _("Grades won since %(year)s") % {"year": year}
        lines.append(FigureLine(name, str(won), str(would), _compare_counts(won, would)))
    return lines


def _compare_sizes(old: float | None, new: float | None) -> str:
    if not old or new is None:
        return ""
    share = round(100 * (new - old) / old)
    if share == 0:
        return _("About the same")
    if share > 0:
        return _("Larger by %(share)s %%") % {"share": share}
    return _("Smaller by %(share)s %%") % {"share": -share}


def _compare_counts(old: int, new: int) -> str:
    if old == new:
        return _("As many")
    if new > old:
        return _("%(number)s more") % {"number": new - old}
    return _("%(number)s fewer") % {"number": old - new}


def _list_study_figures(proposal: RuleProposal) -> Iterator[FigureLine]:
    present, proposed = find_candidates(proposal)
    if present is None or proposed is None:
        return
    against = proposed["against"]
    meaning = describe_verdict(against).capitalize()
    if against and against["interval"]:
        low, high = (signed_decimals(bound, 4) for bound in against["interval"])
        meaning = _("%(verdict)s (%(low)s to %(high)s)") % {"verdict": meaning, "low": low, "high": high}
    losses = [f"{one['log_loss']['mean']:.4f}" for one in (present, proposed)]
    yield FigureLine(_("Log loss of predictions (lower is better)"), losses[0], losses[1], meaning)
    drifts = [one["lists"]["drift"] for one in (present, proposed)]
    if None not in drifts:
        texts = [signed_decimals(drift, 1) for drift in drifts]
        meaning = _("Mean change of players who play every year")
        yield FigureLine(_("Panel in a year, in rating points"), texts[0], texts[1], meaning)


def find_candidates(proposal: RuleProposal) -> tuple[Figures | None, Figures | None]:
    """Return the figures of the present rules and of the proposed ones in the proposal's study."""
    result = proposal.study.result if proposal.study is not None else None
    if not result or not result["candidates"]:
        return None, None
    present, *others = result["candidates"]
    if (best := find_best(result)) is not None:
        others.append(best)
    wanted = settings_of(proposal)
    found = (one for one in others if one["system"] == proposal.system and _settings(one) == wanted)
    return present, next(found, None)


def find_best(result: Figures) -> Figures | None:
    """Return the best values of a study's sweep as a candidate with its figures; None without a sweep."""
    swept, sweep = result["study"]["sweep"], result["sweep"]
    if swept is None or sweep is None:
        return None
    loss = next(point["log_loss"] for point in sweep["points"] if point["values"] == sweep["best"])
    figures = {"log_loss": {"mean": loss}, "against": sweep["against"], "lists": {"drift": None}}
    return {"system": swept["system"], "options": {**swept["options"], **sweep["best"]}, **figures}


def settings_of(proposal: RuleProposal) -> Mapping[str, Any]:
    """Return all settings of the proposed rules."""
    if proposal.starts_successor:
        return get_system(proposal.system, proposal.options).settings
    return {**proposal.list.rating_system.settings, **proposal.options}


def _settings(candidate: Figures) -> Mapping[str, Any]:
    return get_system(candidate["system"], candidate["options"]).settings


def find_proposed_rules(rating_list: RatingList, candidate: Figures) -> tuple[dict[str, Any], bool]:
    """Return the options that a candidate of a study changes, and whether they need a successor list.

    They do if the system is another one, or if an option changes that holds for a list's whole history; then all of
    the candidate's options are returned.
    """
    if candidate["system"] != rating_list.system:
        return dict(candidate["options"]), True
    present, wanted = rating_list.rating_system.settings, _settings(candidate)
    changed = {key: value for key, value in wanted.items() if value != present[key]}
    fixed = {option.key for option in SYSTEMS[rating_list.system].options if not option.changeable}
    return (dict(candidate["options"]), True) if fixed & changed.keys() else (changed, False)


def write_effects_csv(rows: Any) -> str:
    """Return the effects on players as CSV, in the order of the page."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["id", "name", "country", "present", "proposed", "difference", "grade", "proposed_grade"])
    for effect in rows:
        player = effect.player
        names = [guard_formula(str(player)), player.country.code or ""]
        numbers = [effect.present, effect.rating, round(effect.change, 6)]
        writer.writerow([player.public_id, *names, *numbers, effect.grade_present, effect.grade])
    return out.getvalue()
