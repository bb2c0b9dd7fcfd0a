"""Results typed by hand: a crosstable checked as it stands, with what is missing, and saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

from ratings.formats.checks import check_games
from ratings.formats.parsed import Cell, ParsedRow, Problems, read_points
from ratings.formats.tokens import read_tokens
from ratings.models import Event, Player, Table

from .previewing import Preview, preview
from .tables import results_of, save_event, save_table


@dataclass(frozen=True)
class TypedRow:
    """A row as typed: `cells` is the text of each round, empty where nothing was typed."""

    number: int
    player: Player | None
    macmahon: str
    cells: tuple[str, ...]
    name: str = ""
    points: str = ""


@dataclass(frozen=True)
class Checked:
    """What the typed crosstable says: rows to save, problems, and (row, round) of what is missing.

    `texts` has the cells again, those filled that follow from the opponent's.
    """

    rows: list[ParsedRow]
    players: dict[int, Player]
    problems: Problems
    missing: list[tuple[int, int]]
    texts: dict[int, list[str]]


def check_typed(typed: Sequence[TypedRow], *, go: bool = False, people: bool = True) -> Checked:
    """Read and check a typed crosstable; a cell left empty is filled from the opponent's where he has one.

    Colours and handicap stones are read where `go` tells so. Who sits there is checked unless `people` is false.
    """
    problems = Problems()
    cells = {
        row.number: [_cell(row, round_, text, problems, go=go) for round_, text in enumerate(row.cells, 1)]
        for row in typed
    }
    simultaneous = {row.number for row in typed if any(text.strip() == "&" for text in row.cells)}
    for number, mine in cells.items():
        for i, cell in enumerate(mine):
            if cell is None and number not in simultaneous:
                mine[i] = _mirrored(number, i, cells)
    missing = [
        (n, i + 1) for n, mine in cells.items() if n not in simultaneous for i, c in enumerate(mine) if c is None
    ]
    rows = [_row(row, cells[row.number], row.number in simultaneous, problems) for row in typed]
    if people:
        _check_players(typed, problems)
    if not problems.fatal:
        check_games(rows, problems)
    texts = {
        row.number: [
            text.strip() if c is None else c.token() + c.mark
            for text, c in zip(row.cells, cells[row.number], strict=True)
        ]
        for row in typed
    }
    return Checked(rows, {row.number: row.player for row in typed if row.player}, problems, missing, texts)


def _cell(row: TypedRow, round_: int, text: str, problems: Problems, *, go: bool) -> Cell | None:
    if not text.strip() or text.strip() == "&":
        return None
    own = Problems()
    read = read_tokens(text, own, 0, row.number, go=go)
    problems.all += [replace(problem, line=None, round=round_) for problem in own.all]
    if len(read) > 1 and not own.fatal:
        problems.error("one result a round", None, row.number, round_)
    return read[0]


def _mirrored(number: int, i: int, cells: dict[int, list[Cell | None]]) -> Cell | None:
    for other, theirs in cells.items():
        cell = theirs[i]
        if other != number and cell is not None and cell.opponent == number:
            return cell.seen_from(other)
    return None


def _row(row: TypedRow, cells: list[Cell | None], simultaneous: bool, problems: Problems) -> ParsedRow:
    name = row.player.name if row.player else row.name or f"row {row.number}"
    parsed = ParsedRow(row.number, 0, name, "", simultaneous=simultaneous)
    parsed.cells = [] if simultaneous else [cell or Cell(0, 0) for cell in cells]
    if row.macmahon.strip():
        parsed.macmahon = read_points(row.macmahon)
        if parsed.macmahon is None or parsed.macmahon * 2 != int(parsed.macmahon * 2):
            problems.error(
                f"MacMahon points “{row.macmahon.strip()[:20]}” are no whole or half points", None, row.number
            )
    parsed.points = read_points(row.points)
    return parsed


def _check_players(typed: Sequence[TypedRow], problems: Problems) -> None:
    seen: dict[int, int] = {}
    for row in typed:
        if row.player is None:
            problems.error("choose the player", None, row.number)
            continue
        if row.player.pk in seen:
            problems.error(f"{row.player} stands in row {seen[row.player.pk]} too", None, row.number)
        seen[row.player.pk] = row.number


@transaction.atomic
def save_typed(table: Table, checked: Checked, conditions: Mapping[str, Any] | None = None) -> bool:
    """Save a checked crosstable; False (and nothing saved) if it has errors, or gaps in an accepted event.

    `conditions` (board, online, correspondence) hold for all its games; what they leave open stays game by game.
    """
    if checked.problems.fatal or (checked.missing and table.event.state == Event.State.ACCEPTED):
        return False
    kept = {} if table.pk is None else dict(table.entries.values_list("player", "fixed_rating"))
    seats, pairings = results_of(checked.rows, checked.players)
    gaps = set(checked.missing)
    before = _conditions_before(table)
    ids = {seat.number: seat.player.pk for seat in seats}
    pairings = [
        replace(p, **{**before.get((p.round, frozenset((ids[p.a], ids.get(p.b or 0)))), {}), **(conditions or {})})
        for p in pairings
    ]
    save_table(
        table,
        [replace(seat, fixed_rating=kept.get(seat.player.pk)) for seat in seats],
        [pairing for pairing in pairings if pairing.b is not None or (pairing.a, pairing.round) not in gaps],
    )
    return True


def preview_typed(table: Table, checked: Checked, conditions: Mapping[str, Any] | None = None) -> list[Preview]:
    """What saving a checked crosstable would do, of a draft: what accepting its event would do then."""

    def change() -> None:
        save_typed(table, checked, conditions)
        event = Event.objects.get(pk=table.event_id)
        if event.state != Event.State.ACCEPTED:
            event.state = Event.State.ACCEPTED
            save_event(event)

    stored = table.pk
    previews = preview(change)
    table.pk = stored  # what was taken back has no id
    return previews


def _conditions_before(table: Table) -> dict[tuple[int, frozenset[int | None]], dict[str, Any]]:
    """Board, online and correspondence of the stored games, by round and players."""
    games = table.games.select_related("a", "b") if table.pk else ()
    return {
        (game.round, frozenset((game.a.player_id, game.b.player_id if game.b else None))): {
            "board": game.board,
            "online": game.online,
            "correspondence": game.correspondence,
        }
        for game in games
    }
