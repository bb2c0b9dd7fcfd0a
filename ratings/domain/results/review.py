"""The way of results: submitted by organisers, returned or accepted by officers, corrected later; who, when and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.formats.entered import SheetContent, SheetRow, content_of
from ratings.models import Event, EventStep, ListPlayer, Player, Sheet, Table

from .acting import acting_user
from .checking import Checked, check_sheet
from .customs import broken_customs
from .details import with_details
from .mails import tell
from .previewing import Preview, preview
from .tables import results_of, save_event, save_table

What = EventStep.What


@transaction.atomic
def announce(event: Event) -> None:
    """Show an event that is to come in the public calendar."""
    event = Event.objects.select_for_update().get(pk=event.pk)
    event.announced_at = timezone.now()
    save_event(event)
    note_step(event, What.ANNOUNCED)


@transaction.atomic
def submit(event: Event) -> None:
    """Hand all open sheets of an event to the officers; ValidationError says what is still to be done."""
    event = Event.objects.select_for_update().get(pk=event.pk)
    sheets = [sheet for sheet in event.sheets.all() if sheet.is_open]
    if not sheets:
        raise ValidationError(_("There are no results to submit yet."))
    checks = [_check_ready(sheet) for sheet in sheets]
    for sheet, checked in zip(sheets, checks, strict=True):
        sheet.state = Sheet.State.SUBMITTED
        sheet.warnings = [[w.row, w.round, w.message, w.word] for w in checked.warnings]
        sheet.save(update_fields=["state", "warnings"])
    if event.state == Event.State.ACCEPTED:
        note_step(event, What.PROPOSED, "; ".join(sheet.reason for sheet in sheets if sheet.reason))
    else:
        event.state = Event.State.SUBMITTED
        event.save(update_fields=["state"])
        note_step(event, What.SUBMITTED)
        if _goes_through(event, checks):
            accept(event)


def _goes_through(event: Event, checks: Iterable[Checked]) -> bool:
    """Whether a trusted organiser's results are accepted by themselves: nothing at all is to be said about them."""
    user, lists = acting_user(), event.lists.all()
    trusted = user is not None and all(one.trusted.filter(pk=user.pk).exists() for one in lists)
    return trusted and not broken_customs(event) and not any(checked.warnings for checked in checks)


def _check_ready(sheet: Sheet) -> Checked:
    checked = check_sheet(sheet, content_of(sheet.content), acting_user())
    if not checked.ready:
        raise ValidationError(_("%(sheet)s: there are errors, or warnings without a word.") % {"sheet": sheet})
    if sheet.table_id is not None and not sheet.reason:
        raise ValidationError(_("%(sheet)s: say why it is corrected.") % {"sheet": sheet})
    return checked


@transaction.atomic
def return_(event: Event, note: str) -> None:
    """Give what was submitted back to its organisers, with a note."""
    event = Event.objects.select_for_update().get(pk=event.pk)
    submitted = event.sheets.filter(state=Sheet.State.SUBMITTED)
    if not submitted.exists():
        raise ValidationError(_("Nothing of this event is waiting."))
    if not note.strip():
        raise ValidationError(_("Write what is to be changed."))
    submitted.update(state=Sheet.State.RETURNED)
    if event.state != Event.State.ACCEPTED:
        event.state = Event.State.RETURNED
        event.save(update_fields=["state"])
    note_step(event, What.RETURNED, note)


@transaction.atomic
def accept(event: Event) -> None:
    """Make tables of what was submitted, and have it rated; ValidationError if something does not fit any more."""
    event = Event.objects.select_for_update().get(pk=event.pk)
    sheets = list(event.sheets.filter(state=Sheet.State.SUBMITTED))
    if not sheets:
        raise ValidationError(_("Nothing of this event is waiting."))
    corrected = event.state == Event.State.ACCEPTED
    for sheet in sheets:
        _accept_sheet(sheet)
    if not corrected:
        event.state = Event.State.ACCEPTED
        save_event(event)
    note = "; ".join(sheet.reason for sheet in sheets if sheet.reason)
    note_step(event, What.CORRECTED if corrected else What.ACCEPTED, note)


def _accept_sheet(sheet: Sheet) -> None:
    checked = _check_ready(sheet)
    content = content_of(sheet.content)
    for number, player in checked.players.items():
        row = content.rows[number - 1]
        if player.pk is None:
            player.full_clean()
            player.save()
            _keep_known(sheet, player, row)
        row.player, row.new = player.public_id, False
    table = sheet.table or Table(event=sheet.event)
    table.name, table.first_day, table.last_day = sheet.name, sheet.first_day, sheet.last_day
    seats, pairings = results_of(checked.rows, checked.players)
    seats = [replace(seat, fixed_rating=content.rows[seat.number - 1].fixed_rating) for seat in seats]
    ids = {number: player.pk for number, player in checked.players.items()}
    sheet.table = save_table(table, seats, with_details(content.details, table, pairings, ids))
    sheet.content, sheet.state = content.written(), Sheet.State.ACCEPTED
    sheet.accepted_by, sheet.accepted_at = acting_user(), timezone.now()
    sheet.save()


def _keep_known(sheet: Sheet, player: Player, row: SheetRow) -> None:
    """What the lists are to know of somebody new."""
    for rating_list in sheet.event.lists.all():
        system = rating_list.rating_system
        known = ListPlayer(list=rating_list, player=player)
        if row.prior_grade in system.grades:
            known.prior_grade, known.prior_evidence = row.prior_grade, row.evidence[:200]
        if "start_year" in system.asks:
            known.start_year = row.start_year
        if known.prior_grade or known.start_year:
            known.full_clean()
            known.save()


def preview_event(event: Event, sheets: Iterable[Sheet]) -> list[Preview]:
    """What accepting these sheets of an event would do to the lists; they have to be without errors."""
    several = list(sheets)

    def change() -> None:
        for sheet in several:
            content = content_of(sheet.content)
            _as_if_confirmed(sheet, content)
            Sheet.objects.filter(pk=sheet.pk).update(
                state=Sheet.State.SUBMITTED, content=content.written(), reason=sheet.reason or "?"
            )
        accept(event)

    return preview(change)


def _as_if_confirmed(sheet: Sheet, content: SheetContent) -> None:
    for warning in check_sheet(sheet, content, acting_user()).warnings:
        content.confirmed.setdefault(warning.key, "?")


def note_step(event: Event, what: str, note: str = "") -> None:
    """Write down what happened to an event, and have those told whom it concerns."""
    step = EventStep.objects.create(event=event, what=what, note=note, by=acting_user())
    tell(step)
