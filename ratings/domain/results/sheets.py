"""Entering results: files and texts become sheets, and sheets are edited until they are submitted."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.formats.changes import Changed, changes
from ratings.formats.entered import UNREAD, Remark, SheetContent, SheetRow, blank, content_of, sheet_of
from ratings.formats.parsed import FATAL, Cell, ParsedTable, Problem, Problems
from ratings.formats.tokens import read_cell
from ratings.matching import fold
from ratings.models import Event, Game, Player, Sheet, Spelling, Table, Upload
from ratings.queries.organising import earlier_version
from ratings.queries.roster import Roster
from ratings.systems.words import Words

from .acting import acting_user
from .checking import Checked, check_sheet
from .details import announced_details, stored_details

ABSENT = "0-"


@transaction.atomic
def sheet_for(event: Event, content: SheetContent, *, name: str = "", days: tuple[dt.date, dt.date]) -> Sheet:
    """A new sheet of an event."""
    sheet = Sheet(event=event, name=name, first_day=days[0], last_day=days[1], made_by=acting_user())
    sheet.content = content.written()
    sheet.full_clean()
    sheet.save()
    return sheet


def blank_sheet(event: Event, players: int, rounds: int) -> Sheet:
    """An empty sheet to type into."""
    content = blank(players, rounds)
    content.details = announced_details(event)
    return sheet_for(event, content, days=(event.start, event.end))


@transaction.atomic
def sheet_of_file(
    event: Event, table: ParsedTable, problems: Problems, *, file_name: str, form: str, data: bytes
) -> tuple[Sheet, bool]:
    """A sheet from a file that was read, which is kept beside it; and whether it is new.

    The same bytes given once more are no second sheet: programs and people try again when they saw no answer.
    What was wrong with the file and cannot be seen in the sheet stays with it as remarks.
    """
    Event.objects.select_for_update().get(pk=event.pk)  # who gives the same file meanwhile waits
    if given := event.sheets.filter(uploads__data=data).first():
        return given, False
    content = sheet_of(table)
    content.details = announced_details(event)
    _known_after_all(content)
    sheet = sheet_for(event, content, days=(table.first_day, table.last_day))
    _keep_remarks(sheet, content, problems.all)
    Upload.objects.create(
        sheet=sheet, event=event, name=file_name[-200:], form=form, data=data, by=acting_user()
    )  # fmt: skip
    return sheet, True


def _known_after_all(content: SheetContent) -> None:
    """Who is announced as new and bears a name that exactly one player has is taken as him, which wants a word."""
    announced = {number: row for number, row in enumerate(content.rows, 1) if row.new}
    roster = Roster(list(announced.values()), ())
    for number, row in announced.items():
        if player := roster.match(number, row).player:
            row.new = False
            told = Words("announced as new, but {name} is known: taken as the same person", name=player.name)
            content.remarks.append(Remark(FATAL, told, row.line, number))


def _keep_remarks(sheet: Sheet, content: SheetContent, problems: Iterable[Problem]) -> None:
    """Problems of the file that the sheet's own check does not find again."""
    again = check_sheet(sheet, content, None).findings
    told = {(finding.message, finding.row, finding.round) for finding in again}
    errors = {(finding.row, finding.round) for finding in again if finding.level == FATAL}
    for problem in problems:
        place = (problem.row, problem.round)
        if (problem.message, *place) in told or (problem.level == FATAL and None not in place and place in errors):
            continue
        if problem.level == FATAL and problem.row and problem.round and problem.row <= len(content.rows):
            content.rows[problem.row - 1].cells[problem.round - 1] = UNREAD
        content.remarks.append(Remark(problem.level, problem.message, problem.line, problem.row, problem.round))
    sheet.content = content.written()
    sheet.save()


@transaction.atomic
def save_sheet(sheet: Sheet, content: SheetContent) -> Checked:
    """Keep what was entered, readable or not, with the cells filled that follow from others; and check it.

    ValidationError: somebody has submitted or accepted it meanwhile.
    """
    stored = Sheet.objects.select_for_update().get(pk=sheet.pk)
    if not stored.is_open:
        raise ValidationError(_("These results have been submitted meanwhile; they can no longer be changed here."))
    sheet.state = stored.state
    user = acting_user()
    checked = check_sheet(sheet, content, user)
    for number, texts in checked.texts.items():
        content.rows[number - 1].cells = texts
    sheet.content = content.written()
    sheet.full_clean()
    sheet.save()
    if user is not None:
        _remember(user, content.rows)
    return checked


def _remember(user: User, rows: Iterable[SheetRow]) -> None:
    """Choices that a name alone does not make."""
    chosen = {row.player: row for row in rows if row.player and row.name}
    for player in Player.objects.filter(public_id__in=chosen):
        written = fold(chosen[player.public_id].name)
        if fold(player.name) != written:
            Spelling.objects.update_or_create(user=user, written=written, defaults={"player": player})


def mirror(content: SheetContent, row: int, round_: int) -> None:
    """Write a game of one row into the opponent's, whatever stood there."""
    cell = read_cell(content.rows[row - 1].cells[round_ - 1])
    if cell is not None and cell.opponent and cell.opponent <= len(content.rows):
        there = cell.seen_from(row)
        content.rows[cell.opponent - 1].cells[round_ - 1] = there.token() + there.mark


def forfeit(content: SheetContent, row: int, round_: int) -> None:
    """Make a game one that was not played: the points stay, nobody is rated for it."""
    cell = read_cell(content.rows[row - 1].cells[round_ - 1])
    if cell is None:
        return
    content.rows[row - 1].cells[round_ - 1] = Cell(0, cell.points).token()
    if cell.opponent and cell.opponent <= len(content.rows):
        content.rows[cell.opponent - 1].cells[round_ - 1] = Cell(0, 1 - cell.points).token()


def resize(content: SheetContent, players: int, rounds: int) -> None:
    """More or fewer rows and rounds; what was entered beyond goes."""
    del content.rows[players:]
    content.rows += [SheetRow() for _ in range(players - len(content.rows))]
    content.rounds = rounds
    for row in content.rows:
        row.cells = (row.cells + [""] * rounds)[:rounds]


def content_of_table(table: Table) -> SheetContent:
    """What a stored table holds, as a sheet to be corrected."""
    entries = list(table.entries.select_related("player").order_by("number"))
    games = list(Game.objects.filter(table=table).select_related("a", "b"))
    rounds = max((game.round for game in games), default=0)
    rows = {
        entry.pk: SheetRow(
            entry.player.family_name,
            entry.player.given_name,
            str(entry.player.country),
            entry.player.public_id,
            fixed_rating=entry.fixed_rating,
            macmahon="" if entry.macmahon is None else f"{entry.macmahon:g}",
            cells=["&"] + [""] * (rounds - 1) if entry.guest else [ABSENT] * rounds,
        )
        for entry in entries
    }
    numbers = {entry.pk: number for number, entry in enumerate(entries, 1)}
    guests = {entry.pk for entry in entries if entry.guest}
    for game in games:
        cell = Cell(
            numbers[game.b_id] if game.b_id and game.played else 0,
            game.score,
            game.handicap,
            game.giver == "a",
            game.stones,
            None if game.black is None else game.black == "a",
        )
        sides = [(game.a_id, cell)]
        if cell.opponent and game.b_id:
            sides.append((game.b_id, cell.seen_from(numbers[game.a_id])))
        for entry_id, seen in sides:
            if entry_id not in guests:
                rows[entry_id].cells[game.round - 1] = seen.token() + seen.mark
    return SheetContent(rounds, list(rows.values()), details=stored_details(table))


@transaction.atomic
def correction_of(table: Table, *, from_version: Sheet | None = None) -> Sheet:
    """A sheet that corrects a stored table, the open one if there is one; perhaps begun from an older version."""
    open_ = table.sheets.exclude(state=Sheet.State.ACCEPTED).first()
    content = content_of_table(table) if from_version is None else content_of(from_version.content)
    if open_ is None:
        keep_version(table)
        open_ = sheet_for(table.event, content, name=table.name, days=(table.first_day, table.last_day))
        open_.table = table
    elif from_version is not None and open_.is_open:
        open_.content = content.written()
    open_.save()
    return open_


def corrected(sheet: Sheet, content: SheetContent) -> list[Changed]:
    """What a correction changes in its table, and an accepted version in the one before."""
    if sheet.table is None:
        return []
    if sheet.state != Sheet.State.ACCEPTED:
        return changes(content_of_table(sheet.table), content)
    before = earlier_version(sheet)
    return changes(content_of(before.content), content) if before else []


def note_version(table: Table, reason: str = "") -> None:
    """What a table holds now as its newest version, entered and accepted by who acts."""
    version = sheet_for(
        table.event, content_of_table(table), name=table.name, days=(table.first_day, table.last_day)
    )  # fmt: skip
    version.table, version.state, version.reason = table, Sheet.State.ACCEPTED, reason[:300]
    version.accepted_by, version.accepted_at = acting_user(), timezone.now()
    version.save()


def keep_version(table: Table) -> None:
    """What a table holds now as its first version, where it has none yet."""
    if not table.sheets.filter(state=Sheet.State.ACCEPTED).exists():
        first = sheet_for(
            table.event, content_of_table(table), name=table.name, days=(table.first_day, table.last_day)
        )  # fmt: skip
        first.table, first.state, first.made_by = table, Sheet.State.ACCEPTED, table.event.created_by
        first.save()
