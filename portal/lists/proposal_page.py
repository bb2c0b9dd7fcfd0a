"""Page of proposed rules: what changes, in words, the figures of both rules, and what players may do next."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from portal.lists.option_lines import OptionLine, compare_options
from portal.lists.study_names import name_years
from portal.lists.study_pages import describe_verdict
from portal.templatetags.portal_format import rating, signed_decimals, unrounded
from ratings.formats.formulas import guard_formula
from ratings.localize import format_day
from ratings.models import RatingList, RuleProposal
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
    before = _find_old(proposal) if proposal.is_adopted else rating_list.rating_system_on(proposal.in_force).settings
    return compare_options(rating_list, before, proposal.options)


def _find_old(proposal: RuleProposal) -> Mapping[str, Any]:
    """Return the settings that held before an adopted proposal came into force."""
    settings = dict(get_system(proposal.list.system, proposal.list.options).settings)
    for change in proposal.list.parsed_option_changes:
        if change.date < proposal.in_force:
            settings |= change.options
    return settings


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
    meaning = capfirst(describe_verdict(against))
    if against and against["interval"]:
        low, high = (signed_decimals(bound, 4) for bound in against["interval"])
        meaning = _("%(verdict)s (%(low)s to %(high)s)") % {"verdict": meaning, "low": low, "high": high}
    losses = [unrounded(one["log_loss"]["mean"], 4) for one in (present, proposed)]
    yield FigureLine(_("Log loss of predictions (lower is better)"), losses[0], losses[1], meaning)
    drifts = [one["lists"]["drift"] for one in (present, proposed)]
    if None not in drifts:
        texts = [signed_decimals(drift, 1) for drift in drifts]
        meaning = _("Mean change of players who play every year")
        yield FigureLine(_("Panel in a year, in rating points"), texts[0], texts[1], meaning)


def describe_sources(proposal: RuleProposal) -> list[str]:
    """Return the sentences that say where the figures of a proposal come from."""
    sentences = []
    study = proposal.study
    if study is not None and study.result and find_candidates(proposal)[1] is not None:
        words = {
            "day": format_day(timezone.localdate(study.made_at)),
            "games": study.result["games"],
            "events": study.result["events"],
            "years": name_years(study.result),
            "digest": study.result["digest"][:8],
        }
        text = _(
            "Predictions and panel: the laboratory’s study of %(day)s, with %(games)s games of %(events)s events,"
            " %(years)s, predicted before they were played (digest %(digest)s)."
        )
        sentences.append(text % words)
    if proposal.figures is not None:
        text = _("Changes of ratings: the list’s results since %(year)s, rated by both rules.")
        sentences.append(text % {"year": proposal.since.year})
    return sentences


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


COLUMNS = ("id", "name", "country", "present", "proposed", "difference", "grade", "proposed_grade", "on_day")
"""Columns of the file of effects; a new one comes last."""


def write_effects_csv(rows: Any) -> str:
    """Return the effects on players as CSV, in the order of the page."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for effect in rows:
        player = effect.player
        names = [guard_formula(str(player)), player.country.code or ""]
        numbers = [effect.present, effect.rating, round(effect.change, 6)]
        on_day = "" if effect.on_day is None else effect.on_day
        writer.writerow([player.public_id, *names, *numbers, effect.grade_present, effect.grade, on_day])
    return out.getvalue()
