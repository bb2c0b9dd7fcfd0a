"""Entry of results: empty drafts, and changes of a draft's content."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from ratings.domain.events.details import read_announced_details
from ratings.domain.site.acting import acting_user
from ratings.formats.event_head import read_day
from ratings.formats.parsed import Cell
from ratings.formats.sheet_content import (
    SheetContent,
    SheetRow,
    blank_content,
)
from ratings.formats.tokens import read_cell
from ratings.matching import fold
from ratings.models import Event, Player, Spelling, Submission

from .draft_reports import set_report, store_report
from .findings import CheckedSubmission
from .submission_checks import DAY_FIELDS, PAGE_FIELDS, check_submission

MAX_CELLS = 12_000
"""Maximum number of results on a page: players times rounds."""


class ConflictError(ValidationError):
    """An edit conflict: somebody else saved the results meanwhile; `stored` is the current submission."""

    def __init__(self, stored: Submission) -> None:
        self.stored = stored
        super().__init__(
            _("These results were changed meanwhile by %(user)s; your entries are not saved.")
            % {
                "user": stored.changed_by or _("somebody else"),
            }
        )


@transaction.atomic
def create_submission(
    event: Event, content: SheetContent, *, name: str = "", days: tuple[dt.date, dt.date]
) -> Submission:
    """Create and save a submission of an event, and return it."""
    submission = Submission(event=event, name=name, first_day=days[0], last_day=days[1], made_by=acting_user())
    submission.content = content.to_json()
    submission.full_clean()
    submission.save()
    return submission


def check_size(players: int, rounds: int) -> None:
    """Raise ValidationError if a table with so many players and rounds is too large for a page."""
    if players * rounds > MAX_CELLS:
        message = _(
            "%(players)d players × %(rounds)d rounds exceed the limit of %(most)d results per table: "
            "enter the event as several tables."
        )
        raise ValidationError(message % {"players": players, "rounds": rounds, "most": MAX_CELLS})


@transaction.atomic
def create_blank_submission(event: Event, players: int, rounds: int, entered: Sequence[SheetRow] = ()) -> Submission:
    """Create a draft for typing, whose first rows are the entered players.

    Raise ValidationError if it would be too large for a page.
    """
    check_size(players, rounds)
    content = blank_content(players, rounds)
    for row, player in zip(content.rows, entered, strict=False):
        row.family, row.given, row.country, row.player = player.family, player.given, player.country, player.player
    content.details = read_announced_details(event)
    submission = create_submission(event, content, days=(event.start, event.end))
    store_report(submission)
    return submission


@transaction.atomic
def save_submission(
    submission: Submission, content: SheetContent, *, version: int | None = None, is_waiting: bool = False
) -> CheckedSubmission:
    """Save the entered results, valid or not, and return them checked.

    Empty cells that follow from the opponent's cell are filled in. `version` is the version on the page from which the
    form was sent. `is_waiting` is True where an officer changes submitted results. Raise ConflictError if somebody has
    saved another version since, and ValidationError if the results were submitted, accepted or deleted meanwhile; for
    an officer, if they no longer wait.
    """
    stored = Submission.objects.select_for_update(of=("self",)).select_related("changed_by").get(pk=submission.pk)
    if is_waiting and stored.state != Submission.State.SUBMITTED:
        raise ValidationError(describe_refusal(stored))
    if not (is_waiting or stored.is_open):
        raise ValidationError(_("These results have been submitted meanwhile; they can no longer be changed here."))
    if version is not None and version != stored.version:
        raise ConflictError(stored)
    submission.state, submission.version, submission.changed_by = stored.state, stored.version + 1, acting_user()
    user = acting_user()
    checked = check_submission(submission, content, user)
    for (number, round_), text in checked.mirrored.items():
        content.rows[number - 1].cells[round_ - 1] = text
    submission.content = content.to_json()
    set_report(submission, checked)
    submission.full_clean()
    submission.save()
    if user is not None:
        _save_spellings(user, content.rows)
    return checked


def describe_refusal(submission: Submission) -> str:
    """Return why entries are not saved: the state of the results."""
    text = _("Your entries are not saved: these results are %(state)s. You still see your entries below.")
    return text % {"state": submission.get_state_display()}


def _save_spellings(user: User, rows: Iterable[SheetRow]) -> None:
    """Save the spellings for which the user chose a player with a different name."""
    chosen = {row.player: row for row in rows if row.player and row.name}
    for player in Player.objects.filter(public_id__in=chosen):
        written = fold(chosen[player.public_id].name)
        if fold(player.name) != written:
            Spelling.objects.update_or_create(user=user, written=written, defaults={"player": player})


def set_fields(submission: Submission, content: SheetContent, fields: Mapping[str, str]) -> None:
    """Set the name, reason and days of a submission from form fields; keep invalid texts as typed."""
    for name in PAGE_FIELDS:
        text = fields.get(name, "").strip()
        if name in fields and len(text) <= PAGE_FIELDS[name]:
            setattr(submission, name, text)
            content.typed.pop(name, None)
        elif name in fields:
            content.typed[name] = text
    texts = {name: fields[name].strip() for name in DAY_FIELDS if name in fields}
    days = {name: read_day(text) for name, text in texts.items()}
    first, last = (days.get(name) or getattr(submission, name) for name in DAY_FIELDS)
    for name, text in texts.items():
        if days[name] is None or last < first:
            content.typed[name] = text
        else:
            content.typed.pop(name, None)
    if first <= last:
        submission.first_day, submission.last_day = first, last


def mirror_game(content: SheetContent, row: int, round_: int) -> None:
    """Copy the game in a cell to the opponent's cell, replacing its content."""
    cell = read_cell(content.rows[row - 1].cells[round_ - 1])
    if cell is not None and 0 < cell.named <= len(content.rows):
        content.rows[cell.named - 1].cells[round_ - 1] = cell.mirrored(row).typed


def mark_game_as_forfeit(content: SheetContent, row: int, round_: int) -> None:
    """Turn a game into one that was not played: the points stay, but the game is not rated."""
    cell = read_cell(content.rows[row - 1].cells[round_ - 1])
    if cell is None:
        return
    content.rows[row - 1].cells[round_ - 1] = Cell(0, cell.points).token()
    if 0 < cell.named <= len(content.rows):
        content.rows[cell.named - 1].cells[round_ - 1] = Cell(0, 1 - cell.points).token()


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
