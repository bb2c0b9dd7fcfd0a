"""Acceptance of submitted results: they become tables, and their lists are marked for rating.

Every step locks the seats first where it saves results, then the event's row, then its submissions, so that two steps
cannot run at the same time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.domain.events.details import apply_details
from ratings.domain.events.tables import build_entries_and_games, save_event, save_table
from ratings.domain.grades.grade_approval import ListStart, check_list_player, get_list_start, needs_other_person
from ratings.domain.players.outside_ids import save_outside_ids
from ratings.domain.runs.locks import lock_seats
from ratings.domain.runs.previewing import Preview, preview
from ratings.domain.site.acting import acting_user
from ratings.formats.parsed import ParsedTable
from ratings.formats.sheet_content import SheetRow, content_from_json
from ratings.localize import join_parts, translate_message
from ratings.models import (
    Event,
    EventStep,
    ListPlayer,
    Player,
    RatedTable,
    RatingList,
    Submission,
    Table,
)
from ratings.queries.events.events import lists_of
from ratings.queries.players.candidate_questions import CandidateFacts, is_about_name, list_candidates
from ratings.queries.results.workflow import FIRST_RESULTS
from ratings.systems.messages import join_texts, message_to_json

from .acceptance_undo import list_stored_rows
from .announced_players import save_announced_memberships
from .findings import CheckedSubmission, Finding
from .new_players import choose_new_players
from .published_ratings import Explanation, explain_published
from .steps import lock_event, record_event_step
from .submission_checks import check_submission
from .table_versions import has_first_results

What = EventStep.What
MAX_LISTED_PROBLEMS = 5
"""Maximum number of problems that the error of a refused step lists."""


class NotReadyError(ValidationError):
    """Results that cannot be submitted or accepted as they are, with all problems.

    `submission` has them, the first one at the field with the HTML id `field_id` of its page.
    """

    def __init__(self, problems: list[str], submission: Submission, field_id: str) -> None:
        self.submission, self.field_id = submission, field_id
        super().__init__(problems)


def _format_finding(finding: Finding, checked: CheckedSubmission, facts: CandidateFacts) -> str:
    """Return the message of a finding with its row and round, and with the players whom an unclear name may mean."""
    positions = []
    if finding.row:
        positions.append(_("row %(row)s") % {"row": finding.row})
    if finding.round:
        positions.append(_("round %(round)s") % {"round": finding.round})
    text = ": ".join(filter(None, [join_parts(positions), translate_message(finding.message)]))
    if not is_about_name(finding.message):
        return text
    asked = facts.ask(list_candidates(checked.candidates, [finding.row or 0]))
    return f"{text}. {asked}" if asked else text


def check_ready(
    submission: Submission, *, confirmation: str = "", starts: Iterable[ListStart] = ()
) -> CheckedSubmission:
    """Return the checked results of a submission.

    `confirmation` confirms all warnings that nobody has confirmed, and stands in for the reason of a correction.
    `starts` are the starts of the event's lists, if they were computed before. Raise NotReadyError with the problems
    that block the submission. A new warning can appear after the submission, for example if a later event is accepted
    first.
    """
    checked = check_submission(
        submission, content_from_json(submission.content), acting_user(), confirmation=confirmation, starts=starts
    )
    if not checked.ready:
        problems = [_("%(submission)s: fix the errors, and confirm each warning.") % {"submission": submission}]
        listed = [finding for finding in checked.findings if finding.blocks][:MAX_LISTED_PROBLEMS]
        rows = [finding.row or 0 for finding in listed if is_about_name(finding.message)]
        players = list_candidates(checked.candidates, rows)
        facts = CandidateFacts.read(players, lists_of(submission.event) if players else ())
        problems += [_format_finding(finding, checked, facts) for finding in listed]
        if submission.state == Submission.State.SUBMITTED:
            message = _("An officer can fix them on the results page, or the organisers withdraw the submission.")
            problems.append(message)
        raise NotReadyError(problems, submission, listed[0].field_id if listed else Finding.SHEET_ID)
    return checked


def mark_submitted(submission: Submission, checked: CheckedSubmission) -> None:
    """Mark a checked submission as submitted, and store its warnings with the reasons that confirm them."""
    submission.state = Submission.State.SUBMITTED
    submission.warnings = [[w.row, w.round, message_to_json(w.message), w.confirmation] for w in checked.warnings]
    submission.save(update_fields=["state", "warnings"])


@dataclass
class Acceptance:
    """New players that accepting submissions has stored, and for each list the explanation of printed ratings."""

    new: list[Player] = field(default_factory=list)
    explained: list[Explanation] = field(default_factory=list)

    @property
    def problems(self) -> list[str]:
        """Return the warnings about printed ratings, translated, each with its row."""
        return [
            _("row %(row)s") % {"row": problem.row} + f": {translate_message(problem.message)}"
            for explained in self.explained
            for problem in explained.problems.all
        ]


@transaction.atomic
def accept(event: Event, *, accepted_now: Collection[Event] = ()) -> Acceptance:
    """Accept submitted results: save them as tables and mark their lists for rating.

    `accepted_now` are events that the same step of an officer accepted before. Raise ValidationError if the results
    have problems by now, or if a list requires another person to accept this correction.
    """
    lock_seats(exclusive=False)
    event = lock_event(event)
    waiting = event.submissions.filter(state=Submission.State.SUBMITTED)
    if event.state == Event.State.ACCEPTED:
        _check_other_person(event, waiting)
    starts = [get_list_start(list_, accepted_now=accepted_now) for list_ in event.lists.order_by("pk")]
    return accept_submissions(event, waiting, starts=starts)


def accept_submissions(
    event: Event,
    waiting: QuerySet[Submission],
    *,
    checks: Mapping[int, CheckedSubmission] | None = None,
    starts: Iterable[ListStart] = (),
    confirmation: str = "",
) -> Acceptance:
    """Save submissions of a locked event as tables, whoever the acting user is.

    `checks` holds checks made just before, by the submission's primary key. Every other submission is checked when the
    ones before it are saved, so that the check sees the players whom they create. `starts` are the starts of the
    event's lists, if several files are imported together, and `confirmation` confirms all remaining warnings. Raise
    ValidationError if a submission has problems.
    """
    submissions = list(waiting.select_for_update(of=("self",)))
    if not submissions or event.state not in (Event.State.SUBMITTED, Event.State.ACCEPTED):
        raise ValidationError(_("This event has no submitted results."))
    corrected = event.state == Event.State.ACCEPTED
    starts = list(starts) or [get_list_start(rating_list) for rating_list in event.lists.order_by("pk")]
    accepted = Acceptance()
    saved = []
    for submission in submissions:
        checked = (checks or {}).get(submission.pk) or check_ready(submission, confirmation=confirmation, starts=starts)
        new = _save_new_players(submission, checked, starts)
        accepted.new += new
        _save_results(submission, checked)
        choose_new_players(submission, new)
        save_announced_memberships(submission, event, new)
        saved.append((submission, checked))
    if not corrected:
        event.state = Event.State.ACCEPTED
        save_event(event)
    for submission, checked in saved:
        _explain_printed_ratings(submission, checked, starts, accepted)
    note = join_texts(submission.reason for submission in submissions)
    data: dict[str, Any] = {"sheets": [submission.pk for submission in submissions]}
    if not corrected:
        data |= list_stored_rows(event, accepted.new)
    elif has_first_results(event):
        data[FIRST_RESULTS] = True
    what, figures = What.CORRECTED if corrected else What.ACCEPTED, {"new": len(accepted.new)}
    record_event_step(event, what, note, data=data, submissions=submissions, figures=figures)
    return accepted


def _save_new_players(submission: Submission, checked: CheckedSubmission, starts: Sequence[ListStart]) -> list[Player]:
    """Save the players of a submission who are new, and return them; every row then names its player."""
    content = content_from_json(submission.content)
    new: list[Player] = []
    for number, player in checked.players.items():
        row = content.rows[number - 1]
        if player.pk is None:
            player.full_clean()
            player.save()
            _save_list_players(player, row, starts)
            save_outside_ids(player, row.outside)
            new.append(player)
        row.player, row.new = player.public_id, False
    submission.content = content.to_json()
    return new


def _save_list_players(player: Player, row: SheetRow, starts: Iterable[ListStart]) -> None:
    """Store the prior grade and start year of a new player on the event's lists."""
    for start in starts:
        system = start.rating_list.rating_system
        known = ListPlayer(list=start.rating_list, player=player)
        if row.prior_grade in system.grading.ranks:
            known.prior_grade, known.prior_evidence = row.prior_grade, row.evidence[:200]
        if "start_year" in system.rating.required_values:
            known.start_year = row.start_year
        if known.prior_grade or known.start_year:
            known.full_clean()
            check_list_player(known, None, start)
            known.save()


def _save_results(submission: Submission, checked: CheckedSubmission) -> None:
    """Save the results of a checked submission as the table that it becomes or corrects."""
    content = content_from_json(submission.content)
    table = submission.table or Table(event=submission.event)
    table.name, table.first_day, table.last_day = submission.name, submission.first_day, submission.last_day
    entries, games = build_entries_and_games(checked.rows, checked.players)
    entries = [replace(entry, fixed_rating=content.rows[entry.number - 1].fixed_rating) for entry in entries]
    ids = {number: player.pk for number, player in checked.players.items()}
    submission.table = save_table(table, entries, apply_details(content.details, table, games, ids))
    submission.state, submission.accepted_by, submission.accepted_at = (
        Submission.State.ACCEPTED,
        acting_user(),
        timezone.now(),
    )
    submission.save()


def _explain_printed_ratings(
    submission: Submission, checked: CheckedSubmission, starts: Iterable[ListStart], accepted: Acceptance
) -> None:
    """Store adjustments and decisions for the printed ratings of a published table, and add them to `accepted`.

    `starts` were created before the tables were stored. A correction keeps the adjustments and decisions of the first
    version. Raise ValidationError if another process is rating a list.
    """
    content = content_from_json(submission.content)
    first = Submission.objects.filter(table=submission.table, state=Submission.State.ACCEPTED).exclude(pk=submission.pk)
    if submission.table is None or first.exists() or not any(row.printed for row in content.rows):
        return
    typed = {row.number: content.rows[row.number - 1] for row in checked.rows}
    rows = [replace(row, line=typed[row.number].line or 0, **typed[row.number].printed) for row in checked.rows]
    parsed = ParsedTable(submission.event.name, submission.first_day, submission.last_day, rows, published=True)
    source = next((upload.name for upload in submission.uploads.defer("data")), "") or str(submission)
    for start in starts:
        try:
            explained = explain_published(parsed, submission.table, start, checked.players, source=source[:200])
        except RatedTable.DoesNotExist:
            message = _("%(list)s is being rated at the moment: accept these results in a minute.")
            raise ValidationError(message % {"list": start.rating_list}) from None
        accepted.explained.append(explained)


def _check_other_person(event: Event, submissions: Iterable[Submission]) -> None:
    """Raise ValidationError if a list requires a correction to be accepted by a person who did not enter it."""
    if rating_list := find_list_requiring_other_person(event, submissions):
        message = _("%(list)s requires two people: another officer must accept the correction that you entered.")
        raise ValidationError(message % {"list": rating_list})


def find_list_requiring_other_person(event: Event, submissions: Iterable[Submission]) -> RatingList | None:
    """Return a list of an event that requires another person than the acting user to accept these corrections."""
    step = event.steps.filter(what=What.PROPOSED).select_related("by").last()
    people = [person for submission in submissions for person in (submission.made_by, submission.changed_by)]
    if step is not None:
        edits = event.steps.filter(what=What.EDITED, pk__gt=step.pk).select_related("by")
        people += [step.by, *(edit.by for edit in edits)]
    return next((list_ for list_ in event.lists.all() if needs_other_person(list_, acting_user(), people)), None)


def preview_event(
    event: Event, submissions: Iterable[Submission], *, tables_at_most: int | None = None
) -> list[Preview]:
    """Return how accepting these submissions of an event, which must have no errors, would change the lists.

    `tables_at_most`: see `preview`.
    """
    return preview_events([(event, submissions)], tables_at_most=tables_at_most)


def preview_events(
    chosen: Iterable[tuple[Event, Iterable[Submission]]], *, tables_at_most: int | None = None
) -> list[Preview]:
    """Return how accepting the submissions of several events, one event after the other, would change the lists.

    The submissions must have no errors; otherwise raise ValidationError. `tables_at_most`: see `preview`.
    """
    by_event = {event: list(submissions) for event, submissions in chosen}

    def change() -> None:
        lock_seats(exclusive=False)
        _lock_events(by_event)
        accepted: list[Event] = []
        for event, submissions in by_event.items():
            Event.objects.filter(pk=event.pk).exclude(state=Event.State.ACCEPTED).update(state=Event.State.SUBMITTED)
            waiting = event.submissions.filter(pk__in=[submission.pk for submission in submissions])
            starts = [get_list_start(list_, accepted_now=accepted) for list_ in event.lists.order_by("pk")]
            accept_submissions(lock_event(event), waiting, starts=starts, confirmation="?")
            accepted.append(event)

    printed = [event for event, submissions in by_event.items() if any(map(_has_printed_ratings, submissions))]
    rated = RatingList.objects.filter(pk__in=Event.lists.through.objects.filter(event__in=printed).values("ratinglist"))
    return preview(change, rated=rated if printed else (), tables_at_most=tables_at_most)


def _lock_events(events: Collection[Event]) -> None:
    """Lock several events and their lists in order of primary key, to avoid deadlocks."""
    list(Event.objects.select_for_update().filter(pk__in=[event.pk for event in events]).order_by("pk"))
    rated_on = Event.lists.through.objects.filter(event__in=events).values("ratinglist")
    list(RatingList.objects.select_for_update().filter(pk__in=rated_on).order_by("pk"))


def _has_printed_ratings(submission: Submission) -> bool:
    return any(row.get("printed") for row in submission.content.get("rows", ()))
