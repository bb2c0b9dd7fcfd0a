"""Steps of an event's results: announce, submit, withdraw, return, accept and correct; each is recorded.

Every step locks the event's row first and then its submissions, so that two steps cannot run at the same time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.domain.events.details import apply_details
from ratings.domain.events.event_requirements import find_unmet_requirements
from ratings.domain.events.tables import build_seats_and_pairings, save_event, save_table
from ratings.domain.grades.grade_approval import ListStart, check_list_player, get_list_start, needs_other_person
from ratings.domain.runs.locks import lock_seats
from ratings.domain.runs.previewing import Preview, preview
from ratings.domain.runs.task_queue import send_task
from ratings.domain.site.acting import acting_user
from ratings.formats.parsed import ParsedTable, Problems
from ratings.formats.sheet_content import SheetContent, SheetRow, content_from_json
from ratings.localize import translate_message
from ratings.models import Event, EventStep, ListPlayer, Player, RatedTable, RatingList, Sheet, Table
from ratings.queries.results.workflow import earlier_version, latest_version
from ratings.systems.messages import join_texts, message_to_json, shorten

from .corrections import get_or_create_correction
from .published_ratings import explain_published
from .steps import lock_event, record_event_step
from .submission_checks import CheckedSubmission, Finding, check_submission

What = EventStep.What
MAX_LISTED_PROBLEMS = 5
"""Maximum number of problems that the error of a refused step lists."""


@transaction.atomic
def announce(event: Event) -> None:
    """Show an event in the public calendar.

    Raise ValidationError if the event is announced already, void or deleted.
    """
    event = lock_event(event)
    if event.announced_at is not None or event.state in (Event.State.VOID, Event.State.DELETED):
        raise ValidationError(_("This event cannot be announced in its current state."))
    event.announced_at = timezone.now()
    save_event(event)
    record_event_step(event, What.ANNOUNCED)


@transaction.atomic
def unannounce(event: Event) -> None:
    """Take an announced event out of the public calendar.

    Raise ValidationError if the event is not announced or has submitted results.
    """
    event = lock_event(event)
    if event.announced_at is None or not event.is_open:
        raise ValidationError(_("Only an announced event without submitted results can be taken out of the calendar."))
    data = {"announced_at": event.announced_at.isoformat()}
    event.announced_at = None
    save_event(event)
    record_event_step(event, What.UNANNOUNCED, data=data)


@transaction.atomic
def submit(event: Event) -> None:
    """Submit all open results of an event to the officers.

    Raise ValidationError with the problems to fix if the results cannot be submitted.
    """
    lock_seats(exclusive=False)  # a trusted organiser's results are accepted at once
    event = lock_event(event)
    if not (event.is_open or event.state == Event.State.ACCEPTED):
        raise ValidationError(_("Nothing can be submitted: the event is %(state)s.") % {
            "state": event.get_state_display(),
        })  # fmt: skip
    sheets = [sheet for sheet in event.sheets.select_for_update(of=("self",)) if sheet.is_open]
    if not sheets:
        raise ValidationError(_("There are no results to submit yet."))
    checks = [_check_submission(sheet) for sheet in sheets]
    for sheet, checked in zip(sheets, checks, strict=True):
        sheet.state = Sheet.State.SUBMITTED
        sheet.warnings = [[w.row, w.round, message_to_json(w.message), w.confirmation] for w in checked.warnings]
        sheet.save(update_fields=["state", "warnings"])
    if event.state == Event.State.ACCEPTED:
        record_event_step(event, What.PROPOSED, join_texts(sheet.reason for sheet in sheets))
    else:
        event.state = Event.State.SUBMITTED
        event.save(update_fields=["state"])
        record_event_step(event, What.SUBMITTED)
        if _can_accept_automatically(event, checks):
            accept(event)
    send_task("ratings.summarise", event.pk)


@transaction.atomic
def withdraw(event: Event) -> None:
    """Withdraw submitted results, so that the organisers can edit them again.

    Raise ValidationError if no submission of the event is waiting any more.
    """
    event = lock_event(event)
    submitted = event.sheets.filter(state=Sheet.State.SUBMITTED)
    if event.state not in (Event.State.SUBMITTED, Event.State.ACCEPTED) or not submitted.exists():
        raise ValidationError(_("This event has no submitted results: an officer has returned or accepted them."))
    submitted.update(state=Sheet.State.WORKING)
    if event.state == Event.State.SUBMITTED:
        event.state = Event.State.DRAFT
        event.save(update_fields=["state"])
    record_event_step(event, What.WITHDRAWN)


def _can_accept_automatically(event: Event, checks: Iterable[CheckedSubmission]) -> bool:
    """Return True if results are accepted automatically.

    That needs an acting user who is a trusted organiser on all lists of the event, and neither warnings nor unmet
    requirements of the lists.
    """
    user, lists = acting_user(), event.lists.all()
    trusted = user is not None and all(list_.trusted.filter(pk=user.pk).exists() for list_ in lists)
    return trusted and not find_unmet_requirements(event) and not any(checked.warnings for checked in checks)


def _format_finding(finding: Finding) -> str:
    """Return the message of a finding with its row and round."""
    positions = []
    if finding.row:
        positions.append(_("row %(row)s") % {"row": finding.row})
    if finding.round:
        positions.append(_("round %(round)s") % {"round": finding.round})
    return ": ".join(filter(None, [", ".join(positions), translate_message(finding.message)]))


def _check_submission(sheet: Sheet) -> CheckedSubmission:
    """Return the checked results of a submission.

    Raise ValidationError with the problems that block it, or if a correction has no reason. A new warning can
    appear after the submission, for example if a later event is accepted first.
    """
    checked = check_submission(sheet, content_from_json(sheet.content), acting_user())
    if not checked.ready:
        problems = [_("%(sheet)s: fix the errors, and confirm each warning.") % {"sheet": sheet}]
        problems += [_format_finding(finding) for finding in checked.findings if finding.blocks][:MAX_LISTED_PROBLEMS]
        if sheet.state == Sheet.State.SUBMITTED:
            problems.append(_("Withdraw the submission to do so, then submit it again."))
        raise ValidationError(problems)
    if sheet.table_id is not None and not sheet.reason:
        raise ValidationError(_("%(sheet)s: enter the reason for the correction.") % {"sheet": sheet})
    return checked


@transaction.atomic
def return_results(event: Event, note: str) -> None:
    """Return submitted results to their organisers, with a note that says what to change.

    Raise ValidationError if no submission is waiting or the note is empty.
    """
    event = lock_event(event)
    submitted = event.sheets.filter(state=Sheet.State.SUBMITTED)
    if not submitted.exists():
        raise ValidationError(_("This event has no submitted results."))
    if not note.strip():
        raise ValidationError(_("Enter the changes that the organisers should make."))
    versions = {str(pk): version for pk, version in submitted.values_list("pk", "version")}
    contents = {str(pk): content for pk, content in submitted.values_list("pk", "content")}
    submitted.update(state=Sheet.State.RETURNED)
    if event.state != Event.State.ACCEPTED:
        event.state = Event.State.RETURNED
        event.save(update_fields=["state"])
    record_event_step(event, What.RETURNED, note, data={"sheets": versions, "contents": contents})


@transaction.atomic
def accept(event: Event) -> None:
    """Accept submitted results: save them as tables and mark their lists for rating.

    Raise ValidationError if the results have problems by now, or if a list requires another person to accept this
    correction.
    """
    lock_seats(exclusive=False)
    event = lock_event(event)
    _accept_submitted(event, event.sheets.filter(state=Sheet.State.SUBMITTED))


def _accept_submitted(event: Event, waiting: QuerySet[Sheet]) -> None:
    """Accept submitted results of a locked event, if its lists allow the acting user to do so."""
    if event.state == Event.State.ACCEPTED:
        _check_other_person(event, waiting)
    _accept(event, waiting)


def _accept(event: Event, waiting: QuerySet[Sheet]) -> None:
    """Save submitted results of a locked event as tables, without checking who accepts them."""
    sheets = list(waiting.select_for_update(of=("self",)))
    if not sheets or event.state not in (Event.State.SUBMITTED, Event.State.ACCEPTED):
        raise ValidationError(_("This event has no submitted results."))
    corrected = event.state == Event.State.ACCEPTED
    starts = [get_list_start(rating_list) for rating_list in event.lists.order_by("pk")]
    read = [_accept_sheet(sheet) for sheet in sheets]
    if not corrected:
        event.state = Event.State.ACCEPTED
        save_event(event)
    for sheet, checked in zip(sheets, read, strict=True):
        _explain_printed_ratings(sheet, checked, starts)
    note = join_texts(sheet.reason for sheet in sheets)
    accepted = {"sheets": [sheet.pk for sheet in sheets]}
    record_event_step(event, What.CORRECTED if corrected else What.ACCEPTED, note, data=accepted)


def _accept_sheet(sheet: Sheet) -> CheckedSubmission:
    checked = _check_submission(sheet)
    content = content_from_json(sheet.content)
    for number, player in checked.players.items():
        row = content.rows[number - 1]
        if player.pk is None:
            player.full_clean()
            player.save()
            _save_list_players(sheet, player, row)
        row.player, row.new = player.public_id, False
    table = sheet.table or Table(event=sheet.event)
    table.name, table.first_day, table.last_day = sheet.name, sheet.first_day, sheet.last_day
    seats, pairings = build_seats_and_pairings(checked.rows, checked.players)
    seats = [replace(seat, fixed_rating=content.rows[seat.number - 1].fixed_rating) for seat in seats]
    ids = {number: player.pk for number, player in checked.players.items()}
    sheet.table = save_table(table, seats, apply_details(content.details, table, pairings, ids))
    sheet.content, sheet.state = content.to_json(), Sheet.State.ACCEPTED
    sheet.accepted_by, sheet.accepted_at = acting_user(), timezone.now()
    sheet.save()
    return checked


def _check_other_person(event: Event, sheets: Iterable[Sheet]) -> None:
    """Raise ValidationError if a list requires a correction to be accepted by a person who did not enter it."""
    if rating_list := _find_list_requiring_other_person(event, sheets):
        message = _("%(list)s requires two people: another officer must accept the correction that you entered.")
        raise ValidationError(message % {"list": rating_list})


def _find_list_requiring_other_person(event: Event, sheets: Iterable[Sheet]) -> RatingList | None:
    """Return a list of an event that requires another person than the acting user to accept these corrections."""
    step = event.steps.filter(what=What.PROPOSED).select_related("by").last()
    people = [person for sheet in sheets for person in (sheet.made_by, sheet.changed_by)]
    people += [] if step is None else [step.by]
    return next((list_ for list_ in event.lists.all() if needs_other_person(list_, acting_user(), people)), None)


def _explain_printed_ratings(sheet: Sheet, checked: CheckedSubmission, starts: Iterable[ListStart]) -> None:
    """Store adjustments and decisions for the printed ratings of a published table, as import_results does.

    `starts` were created before the tables were stored. A correction keeps the adjustments and decisions of the first
    version. Raise ValidationError if another process is rating a list.
    """
    content = content_from_json(sheet.content)
    first = Sheet.objects.filter(table=sheet.table, state=Sheet.State.ACCEPTED).exclude(pk=sheet.pk)
    if sheet.table is None or first.exists() or not any(row.printed for row in content.rows):
        return
    rows = [replace(row, **content.rows[row.number - 1].printed) for row in checked.rows]
    parsed = ParsedTable(sheet.event.name, sheet.first_day, sheet.last_day, rows, published=True)
    source = next((upload.name for upload in sheet.uploads.defer("data")), "") or str(sheet)
    for start in starts:
        try:
            explain_published(parsed, sheet.table, start, checked.players, Problems(), source=source[:200])
        except RatedTable.DoesNotExist:
            message = _("%(list)s is being rated at the moment: accept these results in a minute.")
            raise ValidationError(message % {"list": start.rating_list}) from None


def _save_list_players(sheet: Sheet, player: Player, row: SheetRow) -> None:
    """Store the prior grade and start year of a new player on the event's lists."""
    for rating_list in sheet.event.lists.all():
        system = rating_list.rating_system
        known = ListPlayer(list=rating_list, player=player)
        if row.prior_grade in system.grades:
            known.prior_grade, known.prior_evidence = row.prior_grade, row.evidence[:200]
        if "start_year" in system.required_values:
            known.start_year = row.start_year
        if known.prior_grade or known.start_year:
            known.full_clean()
            check_list_player(known, None)
            known.save()


@transaction.atomic
def undo_return(event: Event, versions: Mapping[str, int]) -> None:
    """Undo the return of results, so that they wait for an officer again.

    `versions` holds the versions of the returned submissions by their primary keys. Raise ValidationError if the
    results were changed or submitted since.
    """
    event = lock_event(event)
    returned = list(event.sheets.select_for_update(of=("self",)).filter(state=Sheet.State.RETURNED, pk__in=versions))
    unchanged = {str(sheet.pk): sheet.version for sheet in returned} == dict(versions)
    if event.state not in (Event.State.RETURNED, Event.State.ACCEPTED) or not unchanged:
        raise ValidationError(_("The organisers have changed or submitted these results since."))
    Sheet.objects.filter(pk__in=versions).update(state=Sheet.State.SUBMITTED)
    if event.state == Event.State.RETURNED:
        event.state = Event.State.SUBMITTED
        event.save(update_fields=["state"])
    record_event_step(event, What.RETURN_UNDONE)


@transaction.atomic
def undo_correction(event: Event, sheets: Iterable[int], *, reason: str) -> str:
    """Restore the results that the tables had before accepted corrections.

    Other submissions that wait are not touched. If a list requires two persons, the earlier results wait as a
    correction for another officer; the returned message says so, and is empty otherwise. Raise ValidationError if a
    table has no earlier version, or was deleted or corrected again since, or has an open correction.
    """
    lock_seats(exclusive=False)
    event = lock_event(event)
    corrections = []
    for sheet in Sheet.objects.filter(pk__in=sheets, event=event).select_related("table").order_by("pk"):
        before = earlier_version(sheet) if sheet.table_id else None
        if sheet.table is None or sheet.table.deleted_at is not None or before is None:
            raise ValidationError(_("%(table)s has no earlier version: delete the table instead.") % {
                "table": sheet,
            })  # fmt: skip
        if latest_version(sheet.table) != sheet:
            raise ValidationError(_("%(table)s was corrected again since: undo that correction first.") % {
                "table": sheet,
            })  # fmt: skip
        correction = get_or_create_correction(sheet.table, from_version=before)
        content = content_from_json(correction.content)
        correction.name, correction.first_day, correction.last_day = before.name, before.first_day, before.last_day
        correction.reason, correction.state = shorten(reason, 300), Sheet.State.SUBMITTED
        _confirm_warnings(correction, content)
        correction.content = content.to_json()
        correction.save()
        corrections.append(correction.pk)
    waiting = event.sheets.filter(pk__in=corrections)
    if rating_list := _find_list_requiring_other_person(event, waiting):
        record_event_step(event, What.PROPOSED, reason)
        return _("%(list)s requires two people: the earlier results wait until another officer accepts them.") % {
            "list": rating_list
        }
    _accept(event, waiting)
    return ""


def preview_event(event: Event, sheets: Iterable[Sheet]) -> list[Preview]:
    """Return how accepting these submissions of an event, which must have no errors, would change the lists."""
    submissions = list(sheets)

    def change() -> None:
        for sheet in submissions:
            content = content_from_json(sheet.content)
            _confirm_warnings(sheet, content)
            Sheet.objects.filter(pk=sheet.pk).update(content=content.to_json(), reason=sheet.reason or "?")
        Event.objects.filter(pk=event.pk).exclude(state=Event.State.ACCEPTED).update(state=Event.State.SUBMITTED)
        _accept(lock_event(event), event.sheets.filter(pk__in=[sheet.pk for sheet in submissions]))

    printed = any(row.get("printed") for sheet in submissions for row in sheet.content.get("rows", ()))
    return preview(change, rated=event.lists.all() if printed else ())


def _confirm_warnings(sheet: Sheet, content: SheetContent) -> None:
    for warning in check_submission(sheet, content, acting_user()).warnings:
        content.confirmed.setdefault(warning.key, "?")
