"""Summaries of submitted results for the officer who accepts them: new players, promotions and odd figures."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Exists, Max, Min, OuterRef, Subquery
from django.utils import timezone

from ratings.domain.runs.previewing import Preview
from ratings.domain.runs.task_queue import send_task
from ratings.formats.changes import find_differences
from ratings.formats.check_catalogue import find_check
from ratings.formats.problems import SubmissionProblem
from ratings.formats.sheet_content import content_from_json
from ratings.models import Event, EventStep, Player, RatingList, Submission
from ratings.systems.messages import Message, message_to_json

from .accepting import preview_event

SUBMISSIONS = [EventStep.What.SUBMITTED, EventStep.What.PROPOSED]
LATE = dt.timedelta(minutes=2)
"""Time after a submission from which on a missing summary is requested again."""
MAX_LISTED = 5
BIG_CHANGE = 150
"""Change in rating points from which on it is reported: in a usual event established players change by less."""
FAR_PERFORMANCE, FEW_GAMES = 500, 4
"""Difference of performance and rating in rating points above which it is odd, and the least number of games."""


@dataclass
class Summary:
    """Figures of a submission that an officer looks at before accepting it.

    Known players are given by public id, new ones by name. `promotions` holds [player, grade before, grade after],
    `waiting` likewise the grades that wait for approval, `biggest` [list, player, change in rating points], `odd`
    [player, message] about implausible figures ("" for the whole table), and `changed` [round, player, old, new] since
    the last return. `moved` counts changed ratings, `average` is their mean change in rating points without its sign.
    """

    players: int = 0
    games: int = 0
    new: list[str] = field(default_factory=list)
    promotions: list[list[str]] = field(default_factory=list)
    waiting: list[list[str]] = field(default_factory=list)
    biggest: list[list[Any]] = field(default_factory=list)
    odd: list[list[str]] = field(default_factory=list)
    changed: list[list[Any]] = field(default_factory=list)
    moved: int = 0
    average: float = 0
    problem: str = ""


def save_summary(event_id: int) -> None:
    """Compute the summary of an event's submitted results and store it with the latest submission step."""
    event = Event.objects.filter(pk=event_id).first()
    submissions = [] if event is None else list(event.submissions.filter(state=Submission.State.SUBMITTED))
    step = EventStep.objects.filter(event=event_id, what__in=SUBMISSIONS).last()
    if event is None or step is None or not submissions:
        return
    step.data |= {"summary": summary_to_json(summarise(event, submissions))}
    step.save(update_fields=["data"])


def request_missing_summaries() -> None:
    """Send the task again for each waiting submission whose summary is missing because the message was lost."""
    steps = EventStep.objects.filter(event=OuterRef("pk"), what__in=SUBMISSIONS).order_by("-pk")
    waiting = Event.objects.filter(
        Exists(Submission.objects.filter(event=OuterRef("pk"), state=Submission.State.SUBMITTED))
    )
    latest = waiting.annotate(step=Subquery(steps.values("pk")[:1])).values("step")
    missing = EventStep.objects.filter(pk__in=latest, at__lt=timezone.now() - LATE, data__summary__isnull=True)
    for event_id in missing.values_list("event", flat=True):
        send_task("ratings.summarise", event_id)


def summary_to_json(summary: Summary) -> dict[str, Any]:
    """Return a summary as JSON values, with its messages as codes and values."""
    odd = [[player, message_to_json(message)] for player, message in summary.odd]
    return asdict(summary) | {"odd": odd, "problem": message_to_json(summary.problem)}


def summarise(event: Event, submissions: Iterable[Submission], *, tables_at_most: int | None = None) -> Summary:
    """Return the summary of results without errors, based on a preview of the lists.

    `tables_at_most`: do not compute the lists if more tables than that are later than the results.
    """
    submissions = list(submissions)
    summary = Summary()
    for submission in submissions:
        rows = [row for row in content_from_json(submission.content).rows if not row.empty]
        summary.players += len(rows)
        summary.new += [row.name for row in rows if row.new and not row.player]
        summary.changed += _list_changes_since_return(event, submission)
    try:
        previews = preview_event(event, submissions, tables_at_most=tables_at_most)
    except ValidationError as error:
        summary.problem = SubmissionProblem.PREVIEW_FAILED(problem=" ".join(error.messages))
        return summary
    for preview in previews:
        if preview.problem:
            summary.problem = _name_problem(preview.problem)
        elif preview.postponed:
            summary.problem = SubmissionProblem.PREVIEW_TOO_LONG()
        if preview.rating_list.comparison_to_id is None:
            _add_preview(summary, preview)
    if len(summary.new) > MAX_LISTED and 2 * len(summary.new) > summary.players:
        message = SubmissionProblem.MANY_NEW_PLAYERS(new=len(summary.new), players=summary.players)
        summary.odd.append(["", message])
    return summary


def _name_problem(problem: str) -> Message:
    """Return the problem of a preview as a message of the catalogue; that of a rating system becomes its value."""
    if isinstance(problem, Message) and find_check(problem):
        return problem
    return SubmissionProblem.PREVIEW_FAILED(problem=problem)


def _add_preview(summary: Summary, preview: Preview) -> None:
    known = {moved.player.pk: moved for moved in preview.moved}
    stored = set(Player.objects.filter(pk__in=known).values_list("pk", flat=True))
    label = {pk: m.player.public_id if pk in stored else m.player.name for pk, m in known.items()}
    summary.games = max(summary.games, sum(result.games for result in preview.results) // 2)
    summary.promotions += [[label[m.player.pk], m.grade_before, m.grade] for m in preview.grades]
    summary.waiting += [[label[m.player.pk], m.waiting_before, m.waiting] for m in preview.waiting]
    changed = [moved for moved in preview.moved if moved.change]
    biggest = changed[:MAX_LISTED]
    summary.biggest += [[preview.rating_list.slug, label[m.player.pk], m.change] for m in biggest]
    total = summary.average * summary.moved + sum(abs(moved.change or 0) for moved in changed)
    summary.moved += len(changed)
    summary.average = total / summary.moved if summary.moved else 0
    summary.odd += [[label.get(pk, ""), message] for pk, message in _find_implausible_figures(preview, known)]


def _find_implausible_figures(preview: Preview, known: dict[int, Any]) -> Iterator[tuple[int, str]]:
    """Yield (player, message) for implausible ratings and performances."""
    low, high = _get_rating_range(preview.rating_list)
    for pk, moved in known.items():
        if moved.before is not None and moved.change is not None and abs(moved.change) >= BIG_CHANGE:
            yield pk, SubmissionProblem.BIG_CHANGE(change=f"{moved.change:+.0f}")
        if moved.before is None and moved.after is not None and high is not None and moved.after > high:
            yield pk, SubmissionProblem.FIRST_RATING_HIGHEST(rating=f"{moved.after:.0f}")
        if moved.before is None and moved.after is not None and low is not None and moved.after < low:
            yield pk, SubmissionProblem.FIRST_RATING_LOWEST(rating=f"{moved.after:.0f}")
    for result in preview.results:
        difference = None if None in (result.performance, result.before) else result.performance - result.before  # type: ignore[operator] # both are numbers
        if difference is not None and result.games >= FEW_GAMES and abs(difference) > FAR_PERFORMANCE:
            performance, before = f"{result.performance:.0f}", f"{result.before:.0f}"
            yield result.player, SubmissionProblem.PERFORMANCE_FAR_FROM_RATING(performance=performance, rating=before)


def _get_rating_range(rating_list: RatingList) -> tuple[float | None, float | None]:
    """Return the lowest and highest published rating of a list."""
    ends = rating_list.standings.filter(published=True).aggregate(low=Min("rating"), high=Max("rating"))
    return ends["low"], ends["high"]


def _list_changes_since_return(event: Event, submission: Submission) -> list[list[Any]]:
    """Return the changes [round, player, old, new] in results since an officer returned them last."""
    returned = event.steps.filter(what=EventStep.What.RETURNED).last()
    before = {} if returned is None else returned.data.get("contents", {})
    if str(submission.pk) not in before:
        return []
    cell_changes = find_differences(
        content_from_json(before[str(submission.pk)]), content_from_json(submission.content)
    )
    return [[change.round, change.names, change.old, change.new] for change in cell_changes]
