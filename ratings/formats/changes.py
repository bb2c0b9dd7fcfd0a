"""Differences between a corrected submission and the previous one, game by game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from .parsed import Cell, read_place
from .sheet_content import SheetContent, SheetRow
from .tokens import read_cell

POINTS = {1.0: "1", 0.5: "½", 0.0: "0"}


@dataclass(frozen=True)
class Difference:
    """A difference as old and new text, empty if there is nothing on that side.

    Round 0 stands for the player's row.
    """

    round: int
    names: str
    old: str
    new: str


def find_differences(old: SheetContent, new: SheetContent) -> list[Difference]:
    """Return all differences by round, each once: added and removed players, results, handicaps, MacMahon points."""
    before, after = _collect_facts(old), _collect_facts(new)
    places = [*before, *(place for place in after if place not in before)]
    differing = [
        Difference(
            place[0], _get_names(place, before, after), before.get(place, ("", ""))[1], after.get(place, ("", ""))[1]
        )
        for place in places
        if before.get(place, ("", ""))[1] != after.get(place, ("", ""))[1]
    ]
    return sorted(differing, key=lambda change: change.round)


def have_same_results(first: SheetContent, second: SheetContent) -> bool:
    """Return True if two submissions have the same games between players of the same names, and at least one game."""
    results, other_results = _collect_results(first), _collect_results(second)
    return results == other_results and any(len(place[1]) > 1 for place in results)


def _collect_results(content: SheetContent) -> dict[Place, str]:
    """Return the result texts by round and players, with handicaps and byes, but without the players' rows."""
    named = replace(content, rows=[replace(row, player="") if row.name else row for row in content.rows])
    return {place: result for place, (_, result) in _collect_facts(named).items() if place[0]}


Place = tuple[int, frozenset[str]]
Facts = dict[Place, tuple[str, str]]
"""Names and result text, by round and players."""


def _get_names(place: Place, before: Facts, after: Facts) -> str:
    return (after.get(place) or before[place])[0]


def _collect_facts(content: SheetContent) -> Facts:
    facts: Facts = {}
    for number, row in enumerate(content.rows, 1):
        if row.empty:
            continue
        official = read_place(row.place)
        shown = ("✓", row.macmahon, f"#{official}" if official else "")
        facts[0, frozenset({_player_key(row)})] = (row.name, " ".join(filter(None, shown)))
        for round_, text in enumerate(row.cells, 1):
            for place, fact in _read_game_facts(content, number, round_, text):
                facts.setdefault(place, fact)
    return facts


def _read_game_facts(
    content: SheetContent, number: int, round_: int, text: str
) -> Iterator[tuple[Place, tuple[str, str]]]:
    """Yield a game from the side of the player who sorts first, so that both rows yield the same fact."""
    row, cell = content.rows[number - 1], read_cell(text)
    if cell is None or cell.named > len(content.rows):
        if text.strip():
            yield (round_, frozenset({_player_key(row)})), (row.name, text.strip())
        return
    if cell.named == 0:
        yield (round_, frozenset({_player_key(row)})), (row.name, replace(cell, text="").typed)
        return
    opponent, other = content.rows[cell.named - 1], _read_mirror(content, number, cell, round_)
    if _player_key(opponent) < _player_key(row):
        row, opponent, cell, other = opponent, row, other, cell
    result = f"{_format_result(cell, other)} {cell.mark}".strip()
    yield (round_, frozenset({_player_key(row), _player_key(opponent)})), (f"{row.name} – {opponent.name}", result)


def _read_mirror(content: SheetContent, number: int, cell: Cell, round_: int) -> Cell:
    """Return the opponent's cell of a game that is not rated, which both may have lost; of any other, what follows."""
    cells = content.rows[cell.named - 1].cells
    read = read_cell(cells[round_ - 1]) if cell.forfeit and len(cells) >= round_ else None
    return read if read is not None and read.forfeit == number else cell.mirrored(number)


def _format_result(cell: Cell, other: Cell) -> str:
    """Return a result as 1–0, or as 1–0! if the game was won by default."""
    return f"{POINTS[cell.points]}–{POINTS[other.points]}{cell.kind_mark}"


def _player_key(row: SheetRow) -> str:
    return row.player or row.name
