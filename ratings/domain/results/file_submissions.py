"""Drafts made from files: a newer file of an event replaces its draft, or corrects its table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from ratings.domain.events.details import add_time_of_file, read_announced_details
from ratings.domain.site.acting import acting_user
from ratings.formats.parsed import FATAL, ParsedTable, Problem, Problems
from ratings.formats.people.new_players import NewPlayer
from ratings.formats.problems import FileProblem, SubmissionProblem
from ratings.formats.recognise import remove_private_data
from ratings.formats.sheet_content import (
    Remark,
    SheetContent,
    content_from_json,
    content_from_table,
)
from ratings.matching import fold
from ratings.models import Event, EventStep, Player, Submission, Table, Upload
from ratings.queries.events.events import lists_of
from ratings.queries.players.roster import Roster
from ratings.systems.messages import has_code

from .announced_rows import add_announced_ids, index_announced, mark_new_players
from .corrections import save_first_version
from .draft_reports import store_report
from .file_comparison import compare_with_event
from .steps import record_event_step
from .submission_checks import check_submission
from .submissions import create_submission


@dataclass(frozen=True)
class ResultsFile:
    """A results file that could be read: its name, bytes, format, table, and the problems found."""

    name: str
    data: bytes
    format: str
    table: ParsedTable
    problems: Problems


@transaction.atomic
def create_submission_from_file(
    event: Event, file: ResultsFile, *, new_players: Iterable[NewPlayer] = (), unknown_are_new: bool = False
) -> tuple[Submission, bool]:
    """Create a draft from a parsed file and store the file with it; return the submission and whether it is new.

    If the same bytes are uploaded again, the existing submission is returned, since people and programs retry when they
    got no response. A newer file with mostly the same players replaces the earlier draft, which is marked as deleted;
    in an accepted event it becomes a correction of their table. `new_players` were announced in a file of their own.
    With `unknown_are_new`, players who resemble no known player, or only players with other ids, are marked as new.
    Problems of the file that the check of the submission does not find are stored as remarks.
    """
    table, file_name, stored = file.table, file.name[-200:], remove_private_data(file.data)
    event = Event.objects.select_for_update().get(pk=event.pk)  # a second upload of the same file waits
    if existing := event.submissions.exclude(state=Submission.State.DELETED).filter(uploads__data=stored).first():
        return existing, False
    content = _read_content(event, file)
    marked_new = [number for number, row in enumerate(content.rows, 1) if row.new]
    old = _find_draft_of_same_players(event, content)
    corrected_table = old.table if old else _find_table_of_same_players(event, content)
    if old is not None:
        copy_choices(content_from_json(old.content), content)
        _delete_replaced(old)
    if corrected_table is not None:
        save_first_version(corrected_table)
        _assign_table_players(corrected_table, content)
    announced = index_announced(new_players)
    add_announced_ids(content, announced)
    roster = Roster(content.rows, (), lists_of(event), table.last_day)
    _match_players_marked_new(content, roster, marked_new)
    mark_new_players(content, roster, announced, unknown_are_new=unknown_are_new or table.published, source=file_name)
    submission = create_submission(event, content, days=(table.first_day, table.last_day))
    submission.table = corrected_table
    if old is not None:
        submission.name, submission.reason = old.name, old.reason
        Submission.objects.filter(pk=old.pk).update(replaced_by=submission)
    # pasted text has no encoding of its own
    problems = [each for each in file.problems.all if file_name or not has_code(each.message, FileProblem.UTF8_FILE)]
    _store_remarks(submission, content, problems, roster)
    upload = Upload.objects.create(
        submission=submission, event=event, name=file_name, format=file.format, data=stored, by=acting_user()
    )
    _record_reading(submission, upload, old)
    return submission, True


@transaction.atomic
def create_checked_submission(event: Event, file: ResultsFile) -> tuple[Submission, bool]:
    """Create a draft from a parsed file as `create_submission_from_file` does, and store the figures of its check."""
    submission, is_new = create_submission_from_file(event, file)
    if is_new:
        store_report(submission)
    return submission, is_new


def _read_content(event: Event, file: ResultsFile) -> SheetContent:
    """Return the content of a file with the details of its event, and with remarks where it does not fit the event."""
    content = content_from_table(file.table)
    content.details = read_announced_details(event)
    add_time_of_file(content.details, event, file.table)
    content.typed = dict(file.problems.texts)
    _check_ids(content)
    content.remarks += compare_with_event(file.table, event)
    _compare_players(event, content)
    return content


def _delete_replaced(draft: Submission) -> None:
    """Mark a draft as deleted that a newer file replaces."""
    draft.state, draft.deleted_at, draft.deleted_by = Submission.State.DELETED, timezone.now(), acting_user()
    draft.save(update_fields=["state", "deleted_at", "deleted_by"])


def _record_reading(submission: Submission, upload: Upload, replaced: Submission | None) -> None:
    """Record the step that a file was read, or that it has replaced an earlier draft."""
    what = EventStep.What.READ if replaced is None else EventStep.What.REPLACED
    data = {"upload": upload.pk} | ({} if replaced is None else {"sheet": replaced.pk})
    record_event_step(submission.event, what, upload.name, data=data, submissions=[submission])


def _check_ids(content: SheetContent) -> None:
    """Remove the public ids of players who have other names than their rows: there, the name counts."""
    ids = [row.player for row in content.rows if row.player]
    names = {player.public_id: fold(player.name) for player in Player.objects.filter(public_id__in=ids)} if ids else {}
    for row in content.rows:
        if row.player and names.get(row.player) != fold(row.name):
            row.player = ""


MIN_COMMON_SHARE = 0.5
"""Minimum share of players that two versions of a table have in common."""


def _get_names(content: SheetContent) -> set[str]:
    return {fold(row.name) for row in content.rows if row.name}


def _compute_common_share(names: set[str], others: set[str]) -> float:
    return len(names & others) / max(len(names), len(others), 1)


def _find_draft_of_same_players(event: Event, content: SheetContent) -> Submission | None:
    """Return the open draft from a file that shares the most players with these results, at least MIN_COMMON_SHARE."""
    names = _get_names(content)
    drafts = event.submissions.filter(state__in=Submission.OPEN, uploads__isnull=False)
    shares = {
        draft: _compute_common_share(names, _get_names(content_from_json(draft.content))) for draft in drafts.distinct()
    }
    best = max(shares, key=lambda draft: shares[draft], default=None)
    return best if best is not None and shares[best] >= MIN_COMMON_SHARE else None


def _find_table_of_same_players(event: Event, content: SheetContent) -> Table | None:
    """Return a table of an accepted event that shares MIN_COMMON_SHARE of the players and has no open correction."""
    if event.state != Event.State.ACCEPTED:
        return None
    names = _get_names(content)
    ended = [Submission.State.ACCEPTED, Submission.State.DELETED]
    for table in event.tables.all():
        stored = {fold(player.name) for player in Player.objects.filter(entries__table=table)}
        if (
            _compute_common_share(names, stored) >= MIN_COMMON_SHARE
            and not table.submissions.exclude(state__in=ended).exists()
        ):
            return table
    return None


def _assign_table_players(table: Table, content: SheetContent) -> None:
    """Assign the players of a table to the rows of its correction that have the same names."""
    ids = {fold(player.name): player.public_id for player in Player.objects.filter(entries__table=table)}
    for row in content.rows:
        row.player = row.player or ids.get(fold(row.name), "")


def copy_choices(old: SheetContent, content: SheetContent) -> None:
    """Copy the choices of players and the confirmed warnings to a newer version of the same file."""
    chosen = {row.name: row for row in old.rows if row.name}
    for row in content.rows:
        if (before := chosen.get(row.name)) is not None and not row.player:
            row.player, row.new = before.player, before.new or row.new
            row.birth_year, row.start_year = before.birth_year, before.start_year
            row.prior_grade, row.evidence, row.typed = before.prior_grade, before.evidence, dict(before.typed)
    content.confirmed = {**old.confirmed, **content.confirmed}


def _compare_players(event: Event, content: SheetContent) -> None:
    """Add a remark if the event has results, and none of their players is in the file."""
    others = {fold(player.name) for player in Player.objects.filter(entries__table__event=event)}
    for other in event.submissions.exclude(state=Submission.State.DELETED):
        others |= _get_names(content_from_json(other.content))
    names = _get_names(content)
    if names and others and not names & others:
        content.remarks.append(Remark(FATAL, SubmissionProblem.PLAYERS_DIFFER()))


def _match_players_marked_new(content: SheetContent, roster: Roster, marked: Iterable[int]) -> None:
    """Match players whom the file marks as new although their name belongs to exactly one known player.

    The row is treated as that player, with a remark that needs confirmation.
    """
    for number in marked:
        row = content.rows[number - 1]
        if not row.player and (player := roster.match(number, row).player):
            row.new = False
            message = SubmissionProblem.NEW_BUT_KNOWN(name=player.name)
            content.remarks.append(Remark(FATAL, message, row.line, number))


def _store_remarks(submission: Submission, content: SheetContent, problems: Iterable[Problem], roster: Roster) -> None:
    """Store the problems of a file as remarks, unless the check of the submission finds them again."""
    again = check_submission(submission, content, None, roster=roster).findings
    known = {(finding.message, finding.row, finding.round) for finding in again}
    errors = {(finding.row, finding.round) for finding in again if finding.level == FATAL}
    for problem in problems:
        position = (problem.row, problem.round)
        if (problem.message, *position) in known or (
            problem.level == FATAL and None not in position and position in errors
        ):
            continue
        content.remarks.append(Remark(problem.level, problem.message, problem.line, problem.row, problem.round))
    submission.content = content.to_json()
    submission.save()
