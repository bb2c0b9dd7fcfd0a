import re
from collections.abc import Collection, Iterable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from portal.results.batch_lines import describe_open_points
from portal.results.event_progress import read_progress
from portal.results.findings import describe_changes, group_findings
from portal.results.forms import DetailsForm
from portal.results.marked_cells import Mark, MarkedCell, Place, list_marks
from portal.results.shown_comments import (
    BUTTON,
    CommentEntry,
    ShownComment,
    add_posted_comment,
    list_comments,
    may_comment,
    take_comment_step,
)
from portal.site.views.access import require, sign_in_required
from ratings.access import Action, may, may_edit, may_edit_waiting
from ratings.domain.results.accepting import preview_event
from ratings.domain.results.draft_reports import build_report
from ratings.domain.results.findings import CheckedSubmission, Finding
from ratings.domain.results.fixes import apply_fix, list_applied_changes, undo_fix
from ratings.domain.results.officer_edits import find_edit_undo_problem, list_edits, save_officer_edit
from ratings.domain.results.submission_checks import (
    DAY_FIELDS,
    PAGE_FIELDS,
    check_submission,
)
from ratings.domain.results.submissions import (
    ConflictError,
    describe_refusal,
    resize,
    save_submission,
    set_fields,
)
from ratings.domain.results.table_versions import list_changes
from ratings.domain.site.acting import acting_user
from ratings.formats.changes import find_differences
from ratings.formats.parsed import ROUNDS_AT_MOST, ROWS_AT_MOST
from ratings.formats.problems import SubmissionProblem
from ratings.formats.sheet_content import FieldChange, SheetContent, SheetRow, content_from_json
from ratings.localize import join_parts
from ratings.models import Event, Submission, Upload
from ratings.queries.events.events import lists_of, prior_grades, required_details
from ratings.queries.results.workflow import page_version, submissions_of, with_progress
from ratings.systems.ages import asks_birth
from ratings.systems.messages import has_code

TEXTS = ("family", "given", "country", "prior_grade", "evidence", "macmahon", "place")
YEARS = ("birth_year", "start_year")
CELL = re.compile(r"row-(\d{1,4})-(?:round-(\d{1,2})|\w+)", re.ASCII)
YEAR = re.compile(r"[12]\d{3}", re.ASCII)
NEW = "new"
COMMENT_FIELDS = "comment-row comment-round comment-text"
"""Fields that the server has saved, or that were not sent, where a page shows them empty."""
WAITING = "waiting"
"""Name of the field with which the page of an officer is posted, who changes submitted results."""
FINDINGS_AT_MOST = 500
"""Maximum number of findings on a page."""


@sign_in_required
def submission(request: HttpRequest, pk: int) -> HttpResponse:
    """Edit a submission: every button saves the entries, then does its own action."""
    the_submission = get_submission(request, pk)
    content = content_from_json(the_submission.content)
    if request.method != "POST":
        return render_submission(
            request, the_submission, content, check_submission(the_submission, content, acting_user())
        )
    if BUTTON in request.POST and not any(name.startswith("row-") for name in request.POST):
        return respond_to_comment_button(request, the_submission, content)
    try:
        enter_rows(request.POST, content)
    except ValidationError as error:
        return render_unsaved(request, the_submission, content, error.messages, 422)
    set_fields(the_submission, content, request.POST.dict())
    enter_details(request.POST, content, the_submission)
    if WAITING in request.POST:
        require(request, Action.REVIEW, the_submission)
        if not may_edit_waiting(request.user, the_submission):
            return render_unsaved(request, the_submission, content, [describe_refusal(the_submission)], 409)
    elif not may_edit(request.user, the_submission):
        return render_unsaved(request, the_submission, content, [describe_refusal(the_submission)], 403)
    return save_and_respond(request, the_submission, content)


def respond_to_comment_button(request: HttpRequest, the_submission: Submission, content: SheetContent) -> HttpResponse:
    """Do the step of a comment's button on a page without entries."""
    problems: list[str] = []
    try:
        take_comment_step(request.user, the_submission, request.POST[BUTTON])
    except ValidationError as error:
        problems = error.messages
    checked = check_submission(the_submission, content, acting_user())
    status = 422 if problems else 200
    return render_submission(request, the_submission, content, checked, problems=problems, status=status)


def save_and_respond(request: HttpRequest, the_submission: Submission, content: SheetContent) -> HttpResponse:
    """Save the entries of a page and do the action of its button; if that fails, show the entries with the problems.

    The page of an officer saves submitted results, as a step of the event.
    """
    problems: list[str] = []
    edit = None
    try:
        apply_button(request.POST, the_submission, content)
    except ValidationError as error:  # the entries are saved nevertheless
        problems = error.messages
    try:
        version = posted_version(request.POST)
        if WAITING in request.POST:
            edit = save_officer_edit(the_submission, content, version=version)
        checked = edit.checked if edit else save_submission(the_submission, content, version=version)
    except ConflictError as error:
        differing = find_differences(content_from_json(error.stored.content), content)
        the_submission.version = error.stored.version
        return render_unsaved(request, the_submission, content, error.messages, 409, conflicts=differing)
    except ValidationError as error:
        return render_unsaved(request, the_submission, content, error.messages, 422)
    comment = CommentEntry.from_post(request.POST)
    try:
        save_comments(request, the_submission, comment)
    except ValidationError as error:
        problems = problems + error.messages
    if problems:
        return render_submission(
            request, the_submission, content, checked, problems=problems, status=422, comment=comment
        )
    if "preview" in request.POST and checked.can_be_previewed:
        return render_with_preview(request, the_submission, content, checked)
    if "done" in request.POST:
        messages.success(request, _("Saved."))
        return redirect("organise_event", the_submission.event.public_id)
    return render_submission(request, the_submission, content, checked)


def save_comments(request: HttpRequest, submission: Submission, comment: CommentEntry) -> None:
    """Add the typed comment, if there is one, and do the step of a comment's button."""
    if comment.text.strip():
        add_posted_comment(request.user, submission, comment)
    if BUTTON in request.POST:
        take_comment_step(request.user, submission, request.POST[BUTTON])


def render_unsaved(
    request: HttpRequest, submission: Submission, content: SheetContent, problems: list[str], status: int, **more: Any
) -> HttpResponse:
    """Show entries that could not be saved, so that nothing typed is lost."""
    checked = check_submission(submission, content, acting_user())
    more |= {"comment": CommentEntry.from_post(request.POST), "unsaved": True}
    return render_submission(request, submission, content, checked, problems=problems, status=status, **more)


def posted_version(post: QueryDict) -> int | None:
    """Return the version of the submission that the page was made from; None if it is missing or invalid."""
    text = post.get("version", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def enter_details(post: QueryDict, content: SheetContent, submission: Submission) -> None:
    """Enter the details that the lists' systems need into a submission; invalid ones are saved as typed."""
    form = DetailsForm(post, content.details, required_details(lists_of(submission.event)))
    for name in form.fields:
        content.typed.pop(name, None)
    form.is_valid()
    content.details |= form.cleaned_data
    for name in form.errors:
        if name in form.fields:
            content.typed[name] = post.get(name, "")
    if form.non_field_errors():
        content.typed |= {name: post.get(name, "") for name in form.fields if name.startswith("overtime")}


def render_with_preview(
    request: HttpRequest, submission: Submission, content: SheetContent, checked: CheckedSubmission
) -> HttpResponse:
    try:
        previews = preview_event(submission.event, [submission])
    except ValidationError as error:
        return render_submission(request, submission, content, checked, problems=error.messages, status=422)
    return render_submission(request, submission, content, checked, previews=previews)


def get_submission(request: HttpRequest, pk: int) -> Submission:
    the_submission: Submission = get_object_or_404(Submission.objects.select_related("event", "table"), pk=pk)
    require(request, Action.SEE_EVENT, the_submission)
    return the_submission


def enter_rows(post: QueryDict, content: SheetContent) -> None:
    """Enter the fields of the page into a submission, row by row; a field that was not sent stays as it is."""
    extend_for_entries(post, content)
    for number, row in enumerate(content.rows, 1):
        for name in TEXTS:
            setattr(row, name, post.get(f"row-{number}-{name}", getattr(row, name)).strip())
        for name in YEARS:
            _year(row, name, post.get(f"row-{number}-{name}"))
        _who(row, post.get(f"row-{number}-player"))
        for n, cell in enumerate(row.cells):
            row.cells[n] = post.get(f"row-{number}-round-{n + 1}", cell).strip()
    for key, explanation in post.items():
        if key.startswith("confirm-") and isinstance(explanation, str):
            content.confirmed[key.removeprefix("confirm-")] = explanation.strip()


def extend_for_entries(post: QueryDict, content: SheetContent) -> None:
    """Add rows and rounds for entries outside the stored submission, which another user has made smaller."""
    cells = [match for name, text in post.items() if isinstance(text, str) and text and (match := CELL.fullmatch(name))]
    rows = max((int(match[1]) for match in cells), default=0)
    rounds = max((int(match[2] or 0) for match in cells), default=0)
    resize(content, max(len(content.rows), min(rows, ROWS_AT_MOST)), max(content.rounds, min(rounds, ROUNDS_AT_MOST)))


def _year(row: SheetRow, name: str, text: str | None) -> None:
    """Enter a year; an invalid text is saved as typed."""
    if text is None:
        return
    row.typed.pop(name, None)
    if not text.strip() or YEAR.fullmatch(text.strip()):
        setattr(row, name, int(text) if text.strip() else None)
    else:
        row.typed[name] = text.strip()


def _who(row: SheetRow, choice: str | None) -> None:
    if choice is not None:
        row.new = choice == NEW
        row.player = "" if row.new else choice[:12]


def apply_button(post: QueryDict, submission: Submission, content: SheetContent) -> None:
    """Apply or undo the fix, add a column of places, or change the size; raise ValidationError for an invalid size."""
    if post.get("fix") == "undo":
        undo_fix(submission, content)
    elif "fix" in post:
        apply_fix(submission, content, post.get("fix", ""))
    if "places" in post:
        content.with_places = True
    if "resize" in post:
        sizes = post.get("rows", ""), post.get("rounds", "")
        numbers = [int(size) if size.isdecimal() and len(size) < 5 else 0 for size in sizes]
        if not (2 <= numbers[0] <= ROWS_AT_MOST and 1 <= numbers[1] <= ROUNDS_AT_MOST):
            raise ValidationError(_("From 2 to 1000 players and from 1 to 30 rounds."))
        resize(content, *numbers)


def has_places(content: SheetContent) -> bool:
    """Return True if the page has a column for official places."""
    return content.with_places or any(row.place for row in content.rows)


def render_submission(
    request: HttpRequest,
    submission: Submission,
    content: SheetContent,
    checked: CheckedSubmission,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    listed = listed_findings(checked.findings)
    applied = list_applied_changes(submission, content)
    fields = {name: content.typed.get(name, str(getattr(submission, name))) for name in (*PAGE_FIELDS, *DAY_FIELDS)}
    lists = lists_of(submission.event)
    report = build_report(content, checked, lists=len(lists))
    needed = required_details(lists)
    comments = list_comments(submission, content, request.user)
    sections = group_findings(listed, content, checked, submission.event)
    marks = list_marks(checked.findings, sections, comments)
    lines = [
        _line(number, row, checked, marks, [each for each in comments if each.row == number])
        for number, row in enumerate(content.rows, 1)
    ]
    reviewing = may_edit_waiting(request.user, submission)
    edits = list_edits(submission)
    event = with_progress(Event.objects.all()).get(pk=submission.event_id)
    context = {
        "submission": submission,
        "event": submission.event,
        "content": content,
        "checked": checked,
        "findings": listed,
        "sections": sections,
        "marked": {mark.kind for cell_marks in marks.values() for mark in cell_marks},
        "fixed": describe_changes(applied, content),
        "fixed_fields": " ".join(
            [name_fields(applied)] * ("fix" in request.POST)
            + [COMMENT_FIELDS] * ("comment-text" in request.POST and "comment" not in more)
        ),
        "more_findings": max(0, len(checked.findings) - FINDINGS_AT_MOST),
        "lines": lines,
        "rounds": range(1, content.rounds + 1),
        "grades": prior_grades(lists),
        "asks_birth": asks_birth(needed),
        "asks_start": "start_year" in needed,
        "go": "stones" in needed,
        "changes": list_changes(submission, content),
        "details": details_form(content, needed),
        "fields": fields,
        "reason_missing": any(has_code(each.message, SubmissionProblem.REASON_MISSING) for each in checked.errors),
        "editable": reviewing or may_edit(request.user, submission),
        "reviewing": reviewing,
        "may_comment": may_comment(request.user, submission),
        "comments": [each for each in comments if each.comment.is_open],
        "closed_comments": [each for each in comments if not each.comment.is_open],
        "comment": CommentEntry(),
        "edits": edits,
        "undoable": edits[0][0] if reviewing and edits and not find_edit_undo_problem(edits[0][0]) else None,
        "shown_version": page_version(submission.event) if reviewing and edits else "",
        "columns": content.rounds + 7 + has_places(content),
        "with_places": has_places(content),
        "goes_back": checked.ready and not reviewing,
        "progress": read_progress(event, submissions_of(event), timezone.localdate()),
        "uploads": list(submission.uploads.defer("data")),
        "may_give": may(request.user, Action.GIVE_RESULTS, event),
        "may_edit": may(request.user, Action.CHANGE_EVENT, event),
        "open_names": sum(finding.is_unmatched_name for finding in checked.errors),
        "open_points": join_parts(text for text, _tone in describe_open_points(report)),
    }
    return render(request, "results/submission.html", context | more, status=status)


def name_fields(changes: Iterable[FieldChange]) -> str:
    """Return the names of the form fields that a fix changed, separated by spaces."""
    return " ".join(f"row-{change.row}-{change.field}" if change.row else change.field for change in changes)


def listed_findings(findings: list[Finding]) -> list[Finding]:
    """Return the findings that a page lists; of too many, those first that must be fixed or confirmed."""
    if len(findings) <= FINDINGS_AT_MOST:
        return findings
    return sorted(findings, key=lambda finding: not finding.blocks)[:FINDINGS_AT_MOST]


def details_form(content: SheetContent, needed: Collection[str]) -> DetailsForm:
    """Return the form of the details, with errors at invalid texts that were saved."""
    form = DetailsForm(None, content.details, needed)
    invalid = {name: text for name, text in content.typed.items() if name in form.fields}
    if not invalid:
        return form
    stored = {name: "" if value is None else value for name, value in content.details.items()}
    return DetailsForm(stored | invalid, content.details, needed)


def _line(
    number: int, row: SheetRow, checked: CheckedSubmission, marks: dict[Place, list[Mark]], comments: list[ShownComment]
) -> dict[str, Any]:
    """Return a row for the template, with its marked cells and the open comments."""
    return {
        "number": number,
        "row": row,
        "known": checked.players.get(number),
        "candidates": checked.candidates.get(number, []),
        "years": {name: row.typed.get(name, getattr(row, name) or "") for name in YEARS},
        "named": MarkedCell(0, row.family, marks.get((number, 0), ())),
        "cells": [
            MarkedCell(round_, text, marks.get((number, round_), ())) for round_, text in enumerate(row.cells, 1)
        ],
        "comments": comments,
    }


@login_required
def original(request: HttpRequest, pk: int) -> HttpResponse:
    """Return an upload as a download, unchanged."""
    upload = get_object_or_404(Upload.objects.select_related("event"), pk=pk)
    require(request, Action.SEE_EVENT if upload.event else Action.KEEP_LIST, upload)
    return attachment(upload.name or "pasted.txt", bytes(upload.data))


def attachment(name: str, data: bytes) -> HttpResponse:
    """Return uploaded bytes as a download that browsers save and never run."""
    name = re.sub(r"[^\w.-]+", "_", name)
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "X-Content-Type-Options": "nosniff"}
    return HttpResponse(data, content_type="application/octet-stream", headers=headers)
