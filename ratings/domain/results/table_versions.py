"""Versions of a table: its results as stored, and what differs between two versions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.db.models import F

from ratings.domain.events.details import load_details
from ratings.domain.events.tables import build_games
from ratings.formats.changes import Difference, find_differences
from ratings.formats.parsed import Cell, GameFields
from ratings.formats.sheet_content import SheetContent, SheetRow, content_from_json
from ratings.models import Event, Game, Submission, Table
from ratings.queries.results.workflow import earlier_version

from .crosstable_input import TypedRow, read_crosstable
from .edit_lines import EditLine, Version, list_edit_lines, save_version

ABSENT = "0-"


def build_content_from_table(table: Table) -> SheetContent:
    """Return the results of a stored table as the content of a submission."""
    entries = list(table.entries.select_related("player").order_by("number"))
    numbers = {entry.pk: number for number, entry in enumerate(entries, 1)}
    games = list(Game.objects.filter(table=table).select_related("a", "b"))
    numbered = [(game.round, game, numbers[game.a_id], numbers[game.b_id] if game.b_id else 0) for game in games]
    rounds = max((game.round for game in games), default=0)
    cells = write_cells(rounds, [entry.guest for entry in entries], numbered)
    rows = [
        SheetRow(
            entry.player.family_name,
            entry.player.given_name,
            str(entry.player.country),
            entry.player.public_id,
            fixed_rating=entry.fixed_rating,
            macmahon="" if entry.macmahon is None else f"{entry.macmahon:g}",
            place="" if entry.place is None else str(entry.place),
            cells=row_cells,
        )
        for entry, row_cells in zip(entries, cells, strict=True)
    ]
    return SheetContent(rounds, rows, details=load_details(table))


def write_cells(
    rounds: int, guests: Sequence[bool], games: Iterable[tuple[int, GameFields, int, int]]
) -> list[list[str]]:
    """Return the typed cells of each row of a table.

    `guests` says of each row whether it is that of the guest of a simultaneous display. `games` are given with their
    round before them, and after them the numbers of both rows, 0 for no opponent. A round without a game is an absence.
    """
    rows = [["&"] + [""] * (rounds - 1) if guest else [ABSENT] * rounds for guest in guests]
    for round_, game, a, b in games:
        for side, number, opponent in (("a", a, b), ("b", b, a)):
            if number and not guests[number - 1]:
                rows[number - 1][round_ - 1] = Cell.from_game(game, side, opponent).typed
    return rows


def normalize_content(content: SheetContent) -> SheetContent:
    """Return accepted results as the table stores them, written as `build_content_from_table` writes them.

    Two versions can be compared only so: the first one has what a person typed or a file says, a correction the values
    of the table. Left out is what no table stores: the nationality in a row, the data of a new player, and the answers
    to questions. Results that today's checks refuse, which an earlier release accepted, keep their cells.
    """
    rows = {number: row for number, row in enumerate(content.rows, 1) if not row.empty}
    used = content.used_rounds
    typed = [
        TypedRow(number, None, row.macmahon, tuple(row.cells[:used]), row.name, place=row.place)
        for number, row in rows.items()
    ]
    read = read_crosstable(typed)
    if read.missing or read.problems.fatal or list(rows) != list(range(1, len(rows) + 1)):
        return replace(content, rows=[_leave_out_unstored(row) for row in content.rows], confirmed={})
    games = [(game.round, game, game.a, game.b or 0) for game in build_games(read.rows)]
    cells = write_cells(used, [row.simultaneous for row in read.rows], games)
    stored = [
        replace(
            _leave_out_unstored(rows[row.number]),
            macmahon="" if row.macmahon is None else f"{row.macmahon:g}",
            place="" if row.place is None else str(row.place),
            cells=row_cells,
        )
        for row, row_cells in zip(read.rows, cells, strict=True)
    ]
    return replace(content, rounds=used, rows=stored, confirmed={})


def _leave_out_unstored(row: SheetRow) -> SheetRow:
    return replace(row, country="", birth_year=None, start_year=None, prior_grade="", evidence="")


def list_changes(submission: Submission, content: SheetContent) -> list[Difference]:
    """Return the changes of a correction to its table, or of an accepted version to the version before."""
    if submission.table is None:
        return []
    if submission.state != Submission.State.ACCEPTED:
        return find_differences(build_content_from_table(submission.table), content)
    before = earlier_version(submission)
    return (
        find_differences(normalize_content(content_from_json(before.content)), normalize_content(content))
        if before
        else []
    )


def list_version_changes(before: Submission, after: Submission) -> list[EditLine]:
    """Return the differences between two accepted versions of a table, without their reasons."""
    return _compare(save_version(before), save_version(after))


def differs_from_table(correction: Submission, content: SheetContent) -> bool:
    """Return True if a correction with this content changes anything in the table that it corrects."""
    table = correction.table
    assert table is not None
    fields = {"name": table.name, "first_day": str(table.first_day), "last_day": str(table.last_day)}
    stored = fields | {"reason": "", "content": build_content_from_table(table).to_json()}
    return bool(_compare(stored, save_version(correction) | {"content": content.to_json()}))


def _compare(before: Version, after: Version) -> list[EditLine]:
    """Return the differences between two versions as a table stores them, without their reasons.

    Left out are also details that only one version has, and the spelling of the name in a row with the same player.
    """
    old, new = (normalize_content(content_from_json(version["content"])) for version in (before, after))
    names = {row.player: (row.family, row.given) for row in new.rows if row.player}
    for row in old.rows:
        row.family, row.given = names.get(row.player, (row.family, row.given))
    common = old.details.keys() & new.details.keys()
    for content in (old, new):
        content.details = {name: content.details[name] for name in common}
    pairs = ((before, old), (after, new))
    first, second = (dict(version) | {"reason": "", "content": content.to_json()} for version, content in pairs)
    return list_edit_lines(first, second)


def has_first_results(event: Event) -> bool:
    """Return True if all tables of an event have the results that were accepted first, as after undone corrections."""
    accepted = Submission.objects.filter(table__in=event.tables.all(), state=Submission.State.ACCEPTED)
    versions: dict[int | None, list[Submission]] = {}
    for version in accepted.order_by(F("accepted_at").asc(nulls_first=True), "pk"):
        versions.setdefault(version.table_id, []).append(version)
    return not any(list_version_changes(each[0], each[-1]) for each in versions.values() if len(each) > 1)
