"""Sentences and rows that explain a correction; each sentence is whole for translators, chosen by what happened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from portal.events.change_sentences import link_event, link_player
from portal.events.waterfall import Drawing, draw_differences
from portal.templatetags.portal_format import marked_name, rating
from ratings.displayed_changes import round_change
from ratings.localize import format_day
from ratings.models import Player, RatingList, Run
from ratings.models.messages import RunReason
from ratings.queries.events.events import WITH_RESULTS
from ratings.queries.runs.correction_paths import Origin
from ratings.queries.runs.corrections import Reason
from ratings.queries.runs.explained_corrections import ExplainedCorrection, ExplainedStep

MOST_NAMES = 4
"""Number of players that a sentence names; the table names all."""
OF_RESULTS = {
    reason.code
    for reason in (
        RunReason.TABLE_CHANGED,
        RunReason.TABLE_ADDED,
        RunReason.TABLE_DELETED,
        RunReason.TABLE_RESTORED,
        RunReason.EVENT_VOIDED,
        RunReason.EVENT_CHANGED,
        RunReason.RESULTS_IMPORT_UNDONE,
        RunReason.MOVE_UNDONE,
    )
}
"""Codes of the reasons of a run that is due to other results."""


@dataclass(frozen=True)
class RunCause:
    """The reasons of a run in the reader's language, and those why its events had been corrected."""

    run: Run
    text: str
    events: Sequence[Reason]

    @property
    def is_of_results(self) -> bool:
        """Return True if nothing but results had changed."""
        codes = {getattr(reason, "code", "") for reason in self.run.reasons}
        return bool(codes) and codes <= OF_RESULTS


@dataclass(frozen=True)
class CorrectionRow:
    """A step of the path, or the result without a step; `before` and `after` are those of the correction."""

    drawing: Drawing
    step: ExplainedStep | None
    text: SafeString
    before: float | None
    after: float | None
    difference: float | None


def describe_correction(explained: ExplainedCorrection, cause: RunCause, rating_list: RatingList) -> list[SafeString]:
    """Return the sentences about what changed the rating, and through whom the correction came."""
    correction, steps = explained.correction, explained.steps or []
    assert correction.run.ended_at is not None
    values = {
        "name": link_player(correction.player, rating_list),
        "before": rating(correction.before, rating_list),
        "after": format_html("<strong>{}</strong>", rating(correction.after, rating_list)),
        "day": format_day(correction.run.ended_at),
        "reason": cause.text,
        "event": _name_event(steps[0], rating_list) if steps else "",
        "since": format_day(steps[0].step.day) if steps else "",
    }
    sentences = [format_html(_choose_result(explained, cause), **values)]
    return [*sentences, *_describe_way(correction.player, steps, rating_list)]


def _choose_result(explained: ExplainedCorrection, cause: RunCause) -> str:
    """Return the pattern of the sentence about what changed the rating."""
    first = explained.steps[0] if explained.steps else None
    if explained.correction.after is None:
        return _("On {day} {name} lost the rating of {before} without a game, because {reason}.")
    if first is not None and first.step.adjustment:
        return _(
            "The rating of {name} changed from {before} to {after} on {day} because an adjustment of {since} was added,"
            " changed or withdrawn."
        )
    if first is not None and first.step.decision:
        return _(
            "The rating of {name} changed from {before} to {after} on {day} because a decision of {since} was added,"
            " changed or withdrawn."
        )
    if first is not None and first.event is not None and cause.is_of_results:
        return {
            Origin.ADDED: _(
                "The rating of {name} changed from {before} to {after} on {day} because results of {event} were added"
                " late."
            ),
            Origin.CHANGED: _(
                "The rating of {name} changed from {before} to {after} on {day} because results of {event} were"
                " corrected."
            ),
            Origin.REMOVED: _(
                "The rating of {name} changed from {before} to {after} on {day} because results of {event} do not"
                " count any more."
            ),
        }[first.step.origin or Origin.CHANGED]
    if cause.text:
        return _("The rating of {name} changed from {before} to {after} on {day} because {reason}.")
    return _("The rating of {name} changed from {before} to {after} on {day} because the list was rated again.")


def _describe_way(player: Player, steps: Sequence[ExplainedStep], rating_list: RatingList) -> list[SafeString]:
    """Return the sentence about the players through whom a correction came; none if the path is unknown."""
    through = list(dict.fromkeys(step.player for step in steps if step.player != player))
    if not through:
        played = steps and steps[0].event is not None
        return [format_html(_("{name} had played there."), name=marked_name(player))] if played else []
    names = format_html_join(", ", "{}", ((link_player(one, rating_list),) for one in through[:MOST_NAMES]))
    more = len(through) - MOST_NAMES
    pattern = _("The correction reached {name} through {players}.")
    if more > 0:
        pattern = ngettext(
            "The correction reached {name} through {players} and {count} other player.",
            "The correction reached {name} through {players} and {count} other players.",
            more,
        )
    return [format_html(pattern, name=marked_name(player), players=names, count=more)]


def list_rows(explained: ExplainedCorrection, cause: RunCause, rating_list: RatingList) -> list[CorrectionRow]:
    """Return a row for each step of the path, and the result last; none if the path is unknown."""
    steps, correction = explained.steps or [], explained.correction
    if not steps:
        return []
    decimals = rating_list.decimals
    *drawings, total = draw_differences([*(step.difference or 0 for step in steps), correction.change or 0])
    rows = [
        CorrectionRow(
            drawing, step, _describe_step(step, cause, rating_list), *step.values, step.round_difference(decimals)
        )
        for drawing, step in zip(drawings, steps, strict=True)
    ]
    text = escape(_("Rating on the list"))
    total_change = round_change(correction, decimals)
    return [*rows, CorrectionRow(total, None, text, correction.before, correction.after, total_change)]


def _describe_step(step: ExplainedStep, cause: RunCause, rating_list: RatingList) -> SafeString:
    """Return where a step was, and against whom; the first one with what happened there."""
    values = {
        "event": _name_event(step, rating_list),
        "day": format_day(step.step.day),
        "opponent": link_player(step.opponent, rating_list) if step.opponent else "",
    }
    return format_html(_choose_place(step, cause), **values)


def _choose_place(step: ExplainedStep, cause: RunCause) -> str:
    """Return the pattern of the words about a step."""
    if not step.step.table:
        return (
            _("Adjustment of {day}")
            if step.step.adjustment
            else _("Decision of {day}")
            if step.step.decision
            else _("Official list of {day}")
        )
    if step.step.origin is not None:
        return {
            Origin.ADDED: _("{event}, {day}: added late"),
            Origin.CHANGED: _("{event}, {day}: corrected") if cause.is_of_results else _("{event}, {day}: rated again"),
            Origin.REMOVED: _("{event}, {day}: does not count any more"),
        }[step.step.origin]
    if step.scores:
        return _("met {opponent} at {event}, {day}")
    return _("{event}, {day}: the ratings depend on those of all players, for example {opponent}")


def _name_event(step: ExplainedStep, rating_list: RatingList) -> SafeString:
    """Return the name of a step's event, as a link if it has a page."""
    if step.event is None:
        return escape(_("an event that has been deleted"))
    if step.event.state not in WITH_RESULTS:
        return escape(step.event.name)
    return link_event(step.event, rating_list)
