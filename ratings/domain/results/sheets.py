"""Entry of results: drafts are created from files or empty, edited, and turned into corrections of tables."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.domain.events.details import load_details, read_announced_details
from ratings.domain.site.acting import acting_user
from ratings.formats.changes import Difference, find_differences
from ratings.formats.event_head import read_day
from ratings.formats.parsed import FATAL, Cell, ParsedTable, Problem, Problems
from ratings.formats.problems import SubmissionProblem
from ratings.formats.sheet_content import (
    Remark,
    SheetContent,
    SheetRow,
    blank_content,
    content_from_json,
    content_from_table,
)
from ratings.formats.tokens import read_cell
from ratings.matching import fold
from ratings.models import Event, EventStep, Game, Player, Sheet, Spelling, Table, Upload
from ratings.queries.players.roster import Roster
from ratings.queries.results.workflow import earlier_version
from ratings.systems.messages import shorten

from .steps import record_event_step
from .submission_checks import DAY_FIELDS, PAGE_FIELDS, CheckedSubmission, check_submission

ABSENT = "0-"
MAX_CELLS = 12_000
"""Maximum number of results on a page: players times rounds."""


class ConflictError(ValidationError):
    """An edit conflict: somebody else saved the results meanwhile; `stored` is the current submission."""

    def __init__(self, stored: Sheet) -> None:
        self.stored = stored
        super().__init__(_("These results were changed meanwhile by %(user)s; your entries are not saved.") % {
            "user": stored.changed_by or _("somebody else"),
        })  # fmt: skip


@transaction.atomic
def create_submission(event: Event, content: SheetContent, *, name: str = "", days: tuple[dt.date, dt.date]) -> Sheet:
    """Create and save a submission of an event, and return it."""
    sheet = Sheet(event=event, name=name, first_day=days[0], last_day=days[1], made_by=acting_user())
    sheet.content = content.to_json()
    sheet.full_clean()
    sheet.save()
    return sheet


def check_size(players: int, rounds: int) -> None:
    """Raise ValidationError if a table with so many players and rounds is too large for a page."""
    if players * rounds > MAX_CELLS:
        message = _(
            "%(players)d players × %(rounds)d rounds exceed the limit of %(most)d results per table: "
            "enter the event as several tables."
        )
        raise ValidationError(message % {"players": players, "rounds": rounds, "most": MAX_CELLS})


def create_blank_submission(event: Event, players: int, rounds: int) -> Sheet:
    """Create an empty draft for typing; raise ValidationError if it would be too large for a page."""
    check_size(players, rounds)
    content = blank_content(players, rounds)
    content.details = read_announced_details(event)
    return create_submission(event, content, days=(event.start, event.end))


@transaction.atomic
def create_submission_from_file(
    event: Event, table: ParsedTable, problems: Problems, *, file_name: str, form: str, data: bytes
) -> tuple[Sheet, bool]:
    """Create a draft from a parsed file and store the file with it; return the submission and whether it is new.

    If the same bytes are uploaded again, the existing submission is returned, since people and programs retry when they
    got no response. A newer file with mostly the same players replaces the earlier draft, which is marked as deleted;
    in an accepted event it becomes a correction of their table. Problems of the file that the check of the submission
    does not find are stored as remarks. Raise ValidationError if the table is too large for a page.
    """
    check_size(len(table.rows), table.rounds)
    event = Event.objects.select_for_update().get(pk=event.pk)  # a second upload of the same file waits
    if existing := event.sheets.exclude(state=Sheet.State.DELETED).filter(uploads__data=data).first():
        return existing, False
    content = content_from_table(table)
    content.details = read_announced_details(event)
    content.typed = dict(problems.texts)
    _match_announced_players(content)
    if table.published:
        _mark_unknown_as_new(content)
    _compare_place(table, event, content)
    _compare_players(event, content)
    old = _find_draft_of_same_players(event, content)
    corrected_table = old.table if old else _find_table_of_same_players(event, content)
    if old is not None:
        _copy_choices(content_from_json(old.content), content)
        old.state, old.deleted_at, old.deleted_by = Sheet.State.DELETED, timezone.now(), acting_user()
        old.save(update_fields=["state", "deleted_at", "deleted_by"])
    if corrected_table is not None:
        save_first_version(corrected_table)
        _assign_table_players(corrected_table, content)
    sheet = create_submission(event, content, days=(table.first_day, table.last_day))
    sheet.table = corrected_table
    if old is not None:
        sheet.name, sheet.reason = old.name, old.reason
        Sheet.objects.filter(pk=old.pk).update(replaced_by=sheet)
    _store_remarks(sheet, content, problems.all)
    read = EventStep.What.READ if old is None else EventStep.What.REPLACED
    record_event_step(event, read, file_name[-200:], data={} if old is None else {"sheet": old.pk})
    Upload.objects.create(
        sheet=sheet, event=event, name=file_name[-200:], form=form, data=data, by=acting_user()
    )  # fmt: skip
    return sheet, True


MIN_COMMON_SHARE = 0.5
"""Minimum share of players that two versions of a table have in common."""


def _get_names(content: SheetContent) -> set[str]:
    return {fold(row.name) for row in content.rows if row.name}


def _compute_common_share(names: set[str], others: set[str]) -> float:
    return len(names & others) / max(len(names), len(others), 1)


def _find_draft_of_same_players(event: Event, content: SheetContent) -> Sheet | None:
    """Return the open draft from a file that shares the most players with these results, at least MIN_COMMON_SHARE."""
    names = _get_names(content)
    drafts = event.sheets.filter(state__in=[Sheet.State.WORKING, Sheet.State.RETURNED], uploads__isnull=False)
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
    ended = [Sheet.State.ACCEPTED, Sheet.State.DELETED]
    for table in event.tables.all():
        stored = {fold(player.name) for player in Player.objects.filter(entries__table=table)}
        if (
            _compute_common_share(names, stored) >= MIN_COMMON_SHARE
            and not table.sheets.exclude(state__in=ended).exists()
        ):
            return table
    return None


def _assign_table_players(table: Table, content: SheetContent) -> None:
    """Assign the players of a table to the rows of its correction that have the same names."""
    ids = {fold(player.name): player.public_id for player in Player.objects.filter(entries__table=table)}
    for row in content.rows:
        row.player = row.player or ids.get(fold(row.name), "")


def _copy_choices(old: SheetContent, content: SheetContent) -> None:
    """Copy the choices of players and the confirmed warnings to a newer version of the same file."""
    chosen = {row.name: row for row in old.rows if row.name}
    for row in content.rows:
        if (before := chosen.get(row.name)) is not None and not row.player:
            row.player, row.new = before.player, before.new or row.new
            row.birth_year, row.start_year = before.birth_year, before.start_year
            row.prior_grade, row.evidence, row.typed = before.prior_grade, before.evidence, dict(before.typed)
    content.confirmed = {**old.confirmed, **content.confirmed}


def _compare_place(table: ParsedTable, event: Event, content: SheetContent) -> None:
    """Add a remark if the file names another place than its event."""
    if table.place and event.place and fold(table.place) != fold(event.place):
        message = SubmissionProblem.PLACE_DIFFERS(place=table.place, event=event.place)
        content.remarks.append(Remark(FATAL, message))


def _compare_players(event: Event, content: SheetContent) -> None:
    """Add a remark if the event has results, and none of their players is in the file."""
    others = {fold(player.name) for player in Player.objects.filter(entries__table__event=event)}
    for other in event.sheets.exclude(state=Sheet.State.DELETED):
        others |= _get_names(content_from_json(other.content))
    names = _get_names(content)
    if names and others and not names & others:
        content.remarks.append(Remark(FATAL, SubmissionProblem.PLAYERS_DIFFER()))


def _match_announced_players(content: SheetContent) -> None:
    """Match players announced as new whose name belongs to exactly one known player.

    The row is treated as that player, with a remark that needs confirmation.
    """
    announced = {number: row for number, row in enumerate(content.rows, 1) if row.new}
    if not announced:
        return
    roster = Roster(list(announced.values()), ())
    for number, row in announced.items():
        if player := roster.match(number, row).player:
            row.new = False
            message = SubmissionProblem.NEW_BUT_KNOWN(name=player.name)
            content.remarks.append(Remark(FATAL, message, row.line, number))


def _mark_unknown_as_new(content: SheetContent) -> None:
    """Mark players of a published table as new if no known player resembles them, as import_results does."""
    roster = Roster(content.rows, ())
    for number, row in enumerate(content.rows, 1):
        if row.name and roster.match(number, row).player is None and not roster.candidates[number]:
            row.new = True


def _store_remarks(sheet: Sheet, content: SheetContent, problems: Iterable[Problem]) -> None:
    """Store the problems of a file as remarks, unless the check of the submission finds them again."""
    again = check_submission(sheet, content, None).findings
    known = {(finding.message, finding.row, finding.round) for finding in again}
    errors = {(finding.row, finding.round) for finding in again if finding.level == FATAL}
    for problem in problems:
        position = (problem.row, problem.round)
        if (problem.message, *position) in known or (
            problem.level == FATAL and None not in position and position in errors
        ):
            continue
        content.remarks.append(Remark(problem.level, problem.message, problem.line, problem.row, problem.round))
    sheet.content = content.to_json()
    sheet.save()


@transaction.atomic
def save_submission(sheet: Sheet, content: SheetContent, *, version: int | None = None) -> CheckedSubmission:
    """Save the entered results, valid or not, and return them checked.

    Empty cells that follow from the opponent's cell are filled in. `version` is the version on the page from which the
    form was sent. Raise ConflictError if somebody has saved another version since, and ValidationError if the results
    were submitted, accepted or deleted meanwhile.
    """
    stored = Sheet.objects.select_for_update(of=("self",)).select_related("changed_by").get(pk=sheet.pk)
    if not stored.is_open:
        raise ValidationError(_("These results have been submitted meanwhile; they can no longer be changed here."))
    if version is not None and version != stored.version:
        raise ConflictError(stored)
    sheet.state, sheet.version, sheet.changed_by = stored.state, stored.version + 1, acting_user()
    user = acting_user()
    checked = check_submission(sheet, content, user)
    for (number, round_), text in checked.mirrored.items():
        content.rows[number - 1].cells[round_ - 1] = text
    sheet.content = content.to_json()
    sheet.full_clean()
    sheet.save()
    if user is not None:
        _save_spellings(user, content.rows)
    return checked


def _save_spellings(user: User, rows: Iterable[SheetRow]) -> None:
    """Save the spellings for which the user chose a player with a different name."""
    chosen = {row.player: row for row in rows if row.player and row.name}
    for player in Player.objects.filter(public_id__in=chosen):
        written = fold(chosen[player.public_id].name)
        if fold(player.name) != written:
            Spelling.objects.update_or_create(user=user, written=written, defaults={"player": player})


def set_fields(sheet: Sheet, content: SheetContent, fields: Mapping[str, str]) -> None:
    """Set the name, reason and days of a submission from form fields; keep invalid texts as typed."""
    for name in PAGE_FIELDS:
        text = fields.get(name, "").strip()
        if name in fields and len(text) <= PAGE_FIELDS[name]:
            setattr(sheet, name, text)
            content.typed.pop(name, None)
        elif name in fields:
            content.typed[name] = text
    texts = {name: fields[name].strip() for name in DAY_FIELDS if name in fields}
    days = {name: read_day(text) for name, text in texts.items()}
    first, last = (days.get(name) or getattr(sheet, name) for name in DAY_FIELDS)
    for name, text in texts.items():
        if days[name] is None or last < first:
            content.typed[name] = text
        else:
            content.typed.pop(name, None)
    if first <= last:
        sheet.first_day, sheet.last_day = first, last


def mirror_game(content: SheetContent, row: int, round_: int) -> None:
    """Copy the game in a cell to the opponent's cell, replacing its content."""
    cell = read_cell(content.rows[row - 1].cells[round_ - 1])
    if cell is not None and cell.opponent and cell.opponent <= len(content.rows):
        mirrored = cell.mirrored(row)
        content.rows[cell.opponent - 1].cells[round_ - 1] = mirrored.token() + mirrored.mark


def mark_game_as_forfeit(content: SheetContent, row: int, round_: int) -> None:
    """Turn a game into one that was not played: the points stay, but the game is not rated."""
    cell = read_cell(content.rows[row - 1].cells[round_ - 1])
    if cell is None:
        return
    content.rows[row - 1].cells[round_ - 1] = Cell(0, cell.points).token()
    if cell.opponent and cell.opponent <= len(content.rows):
        content.rows[cell.opponent - 1].cells[round_ - 1] = Cell(0, 1 - cell.points).token()


def resize(content: SheetContent, players: int, rounds: int) -> None:
    """Change the number of rows and rounds.

    Raise ValidationError if the rows or rounds to remove hold entries, or if the table would be too large.
    """
    if players > len(content.rows) or rounds > content.rounds:
        check_size(players, rounds)
    filled = max((number for number, row in enumerate(content.rows, 1) if not row.empty), default=0)
    if players < filled or rounds < content.used_rounds:
        message = _("Row %(row)s and round %(round)s still hold entries: clear them before you make the table smaller.")
        raise ValidationError(message % {"row": filled, "round": content.used_rounds})
    del content.rows[players:]
    content.rows += [SheetRow() for _ in range(players - len(content.rows))]
    content.rounds = rounds
    for row in content.rows:
        row.cells = (row.cells + [""] * rounds)[:rounds]


def build_content_from_table(table: Table) -> SheetContent:
    """Return the results of a stored table as the content of a submission."""
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
            sides.append((game.b_id, cell.mirrored(numbers[game.a_id])))
        for entry_id, seen in sides:
            if entry_id not in guests:
                rows[entry_id].cells[game.round - 1] = seen.token() + seen.mark
    return SheetContent(rounds, list(rows.values()), details=load_details(table))


@transaction.atomic
def get_or_create_correction(table: Table, *, from_version: Sheet | None = None) -> Sheet:
    """Return the open correction of a table, or create one from its current results or from `from_version`.

    Raise ValidationError if the event is not accepted (any more), if the table was deleted, or if `from_version` is
    given while a correction is open.
    """
    event = Event.objects.select_for_update().get(pk=table.event_id)
    if event.state != Event.State.ACCEPTED:
        raise ValidationError(_("Only accepted results can be corrected: open the event again."))
    table = Table.with_deleted.get(pk=table.pk)  # read again now that the event is locked
    if table.deleted_at is not None:
        raise ValidationError(_("This table was already deleted."))
    open_ = table.sheets.exclude(state__in=[Sheet.State.ACCEPTED, Sheet.State.DELETED]).first()
    if open_ is not None and from_version is not None:
        raise ValidationError(_("A correction of this table is open already: submit or delete it first."))
    if open_ is not None:
        return open_
    content = build_content_from_table(table) if from_version is None else content_from_json(from_version.content)
    save_first_version(table)
    correction = create_submission(event, content, name=table.name, days=(table.first_day, table.last_day))
    correction.table = table
    correction.save()
    return correction


def list_changes(sheet: Sheet, content: SheetContent) -> list[Difference]:
    """Return the changes of a correction to its table, or of an accepted version to the version before."""
    if sheet.table is None:
        return []
    if sheet.state != Sheet.State.ACCEPTED:
        return find_differences(build_content_from_table(sheet.table), content)
    before = earlier_version(sheet)
    return find_differences(content_from_json(before.content), content) if before else []


def save_new_version(table: Table, reason: str = "") -> None:
    """Save the current results of a table as its newest version, accepted by the acting user."""
    version = create_submission(
        table.event, build_content_from_table(table), name=table.name, days=(table.first_day, table.last_day)
    )  # fmt: skip
    version.table, version.state, version.reason = table, Sheet.State.ACCEPTED, shorten(reason, 300)
    version.accepted_by, version.accepted_at = acting_user(), timezone.now()
    version.save()


def save_first_version(table: Table) -> None:
    """Save the current results of a table as its first version, if it has no version yet."""
    if not table.sheets.filter(state=Sheet.State.ACCEPTED).exists():
        first = create_submission(
            table.event, build_content_from_table(table), name=table.name, days=(table.first_day, table.last_day)
        )  # fmt: skip
        first.table, first.state, first.made_by = table, Sheet.State.ACCEPTED, table.event.created_by
        first.save()
