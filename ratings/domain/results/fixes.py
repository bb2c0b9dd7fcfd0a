"""Fixes of problems by a button of the results page: each changes fields of a submission, and can be undone."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping

from ratings.formats.parsed import Cell
from ratings.formats.sheet_content import FieldChange, FixStep, SheetContent
from ratings.formats.tokens import read_cell
from ratings.models import Player, Submission

from .plausibility import capitalize_name
from .submissions import mark_game_as_forfeit, mirror_game, resize

FIX = re.compile(r"([a-z]+):(\d{1,4}):(\d{1,2})(?::(\d{1,4}))?", re.ASCII)
CHOICE = re.compile(r"choose:(\d{1,4}):([0-9A-Z]{1,12})", re.ASCII)
"""Fix that chooses a player, by public id, for the name in a row."""
NAMES = ("family", "given")
PLAYER, NEW = "player", "new"
"""Field of the player of a row, and its text for a new player; any other text is a public id."""
DAYS = ("first_day", "last_day")
USE_EVENT_DAYS = "days:0:0"
"""Fix that gives a draft the days of its event."""
Fields = dict[tuple[int, str], str]


def apply_fix(submission: Submission, content: SheetContent, fix: str) -> bool:
    """Apply a fix such as “win:1:3”, and store what it changed as the last fix; return True if anything changed.

    A fix names its kind, the row (0 for the whole table), the round, and for some kinds the opponent's row. Other fixes
    choose the player of a row, such as “choose:3:62SNQDK”.
    """
    before = _list_fields(submission, content)
    kind = _apply_choice(content, fix) or _apply_to_results(submission, content, fix)
    after = _list_fields(submission, content)
    changes = [
        FieldChange(*key, before.get(key, ""), after.get(key, ""))
        for key in sorted({**before, **after})
        if before.get(key, "") != after.get(key, "")
    ]
    if changes:
        content.last_fix = FixStep(kind, changes)
    return bool(changes)


def _apply_to_results(submission: Submission, content: SheetContent, fix: str) -> str:
    """Apply a fix of results, and return its kind; empty if it is none or its place is not in the table."""
    match = FIX.fullmatch(fix)
    if not match or match[1] not in FIXES:
        return ""
    row, round_, opponent = int(match[2]), int(match[3]), int(match[4] or 0)
    if max(row, opponent) > len(content.rows) or round_ > content.rounds:
        return ""
    FIXES[match[1]](submission, content, row, round_, opponent)
    return match[1]


def _apply_choice(content: SheetContent, fix: str) -> str:
    """Apply a fix that chooses a player, and return its kind; empty if it is none or there is no such row or player."""
    match = CHOICE.fullmatch(fix)
    number = int(match[1]) if match else 0
    if not match or not 0 < number <= len(content.rows):
        return ""
    if not Player.objects.filter(public_id=match[2], merged_into=None).exists():
        return ""
    row = content.rows[number - 1]
    row.player, row.new = match[2], False
    return "choose"


def undo_fix(submission: Submission, content: SheetContent) -> int:
    """Restore the fields that the last fix changed, unless they were changed again; return how many."""
    step, content.last_fix = content.last_fix, None
    if step is None:
        return 0
    undone = 0
    fields = _list_fields(submission, content)
    for change in sorted(step.changes, key=lambda each: each.field != "rounds"):
        if fields.get((change.row, change.field), "") == change.new:
            _set_field(submission, content, change)
            undone += 1
    return undone


def list_applied_changes(submission: Submission, content: SheetContent) -> list[FieldChange]:
    """Return the changes of the last fix that still hold."""
    if content.last_fix is None:
        return []
    fields = _list_fields(submission, content)
    return [each for each in content.last_fix.changes if fields.get((each.row, each.field), "") == each.new]


def _list_fields(submission: Submission, content: SheetContent) -> Fields:
    """Return the texts that fixes can change, by row and field."""
    fields: Fields = {(0, name): str(getattr(submission, name)) for name in DAYS}
    fields[0, "rounds"] = str(content.rounds)
    for number, row in enumerate(content.rows, 1):
        fields |= {(number, name): getattr(row, name) for name in NAMES}
        fields[number, PLAYER] = NEW if row.new and not row.player else row.player
        fields |= {(number, f"round-{round_}"): cell for round_, cell in enumerate(row.cells, 1)}
    return fields


def _set_field(submission: Submission, content: SheetContent, change: FieldChange) -> None:
    if change.field in DAYS:
        setattr(submission, change.field, dt.date.fromisoformat(change.old))
    elif change.field == "rounds":
        resize(content, len(content.rows), int(change.old))
    elif change.row <= len(content.rows):
        row = content.rows[change.row - 1]
        if change.field in NAMES:
            setattr(row, change.field, change.old)
        elif change.field == PLAYER:
            row.new = change.old == NEW
            row.player = "" if row.new else change.old
        elif (index := int(change.field.removeprefix("round-")) - 1) < len(row.cells):
            row.cells[index] = change.old


def _change_cell(
    change: Callable[[SheetContent, int, int], None], content: SheetContent, row: int, round_: int
) -> None:
    if row and round_:
        change(content, row, round_)


def _set_result(content: SheetContent, row: int, round_: int, opponent: int, points: float) -> None:
    """Set the result of a game in both rows; handicap and colours stay. The cell names the opponent by default."""
    if not (row and round_):
        return
    cell = read_cell(content.rows[row - 1].cells[round_ - 1])
    number = opponent or (cell.named if cell else 0)
    if not 0 < number <= len(content.rows) or number == row:
        return
    game = cell if cell and cell.named == number else Cell(number, points)
    game = Cell(number, points, game.handicap, game.gave, game.stones, game.has_black)
    content.rows[row - 1].cells[round_ - 1] = game.token() + game.mark
    mirrored = game.mirrored(row)
    content.rows[number - 1].cells[round_ - 1] = mirrored.token() + mirrored.mark


def _set_unplayed(content: SheetContent, row: int, round_: int, text: str) -> None:
    """Set a round of a row to an absence or a bye; without a row, of all rows that miss a result in this round."""
    if row and round_:
        content.rows[row - 1].cells[round_ - 1] = text
        return
    read = [read_cell(each.cells[round_ - 1]) for each in content.rows]
    named = {cell.named for cell in read if cell}
    for number, each in enumerate(content.rows, 1):
        if round_ and not each.empty and not each.cells[round_ - 1].strip() and number not in named:
            each.cells[round_ - 1] = text


def _shorten(content: SheetContent, round_: int) -> None:
    """Remove a round and those after it, if nobody has a game in them."""
    cells = [cell for row in content.rows for cell in row.cells[round_ - 1 :] if cell.strip()]
    if round_ < 2 or any((read := read_cell(cell)) is None or read.named for cell in cells):
        return
    for row in content.rows:
        row.cells = row.cells[: round_ - 1]
    content.rounds = round_ - 1


def _use_event_days(submission: Submission, content: SheetContent) -> None:
    submission.first_day, submission.last_day = submission.event.start, submission.event.end
    for name in DAYS:
        content.typed.pop(name, None)


def _capitalize(content: SheetContent, row: int) -> None:
    if row:
        for name in NAMES:
            setattr(content.rows[row - 1], name, capitalize_name(getattr(content.rows[row - 1], name)))


Fix = Callable[[Submission, SheetContent, int, int, int], None]
FIXES: Mapping[str, Fix] = {
    "mirror": lambda _submission, content, row, round_, _opponent: _change_cell(mirror_game, content, row, round_),
    "forfeit": lambda _s, content, row, round_, _o: _change_cell(mark_game_as_forfeit, content, row, round_),
    "win": lambda _submission, content, row, round_, opponent: _set_result(content, row, round_, opponent, 1.0),
    "draw": lambda _submission, content, row, round_, opponent: _set_result(content, row, round_, opponent, 0.5),
    "loss": lambda _submission, content, row, round_, opponent: _set_result(content, row, round_, opponent, 0.0),
    "absent": lambda _submission, content, row, round_, _opponent: _set_unplayed(content, row, round_, "0-"),
    "bye": lambda _submission, content, row, round_, _opponent: _set_unplayed(content, row, round_, "0+"),
    "shorten": lambda _submission, content, _row, round_, _opponent: _shorten(content, round_),
    "days": lambda submission, content, _row, _round, _opponent: _use_event_days(submission, content),
    "capitals": lambda _submission, content, row, _round, _opponent: _capitalize(content, row),
}
"""Functions of the kinds of fixes."""
