"""What a corrected sheet says otherwise than the one before, game by game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .entered import SheetContent, SheetRow
from .tokens import read_cell

RESULTS = {1.0: "1–0", 0.5: "½–½", 0.0: "0–1"}
UNPLAYED = {1.0: "0+", 0.5: "0=", 0.0: "0-"}


@dataclass(frozen=True)
class Changed:
    """What stood there and what stands there now, in words; empty where nothing did. Round 0 is the player's line."""

    round: int
    who: str
    old: str
    new: str


def changes(old: SheetContent, new: SheetContent) -> list[Changed]:
    """Every difference once, by rounds: who came or went, results, handicaps, MacMahon points."""
    before, after = _facts(old), _facts(new)
    places = [*before, *(place for place in after if place not in before)]
    differing = [
        Changed(place[0], _who(place, before, after), before.get(place, ("", ""))[1], after.get(place, ("", ""))[1])
        for place in places
        if before.get(place, ("", ""))[1] != after.get(place, ("", ""))[1]
    ]
    return sorted(differing, key=lambda change: change.round)


Place = tuple[int, frozenset[str]]
Facts = dict[Place, tuple[str, str]]
"""Names and what is said, by round and players."""


def _who(place: Place, before: Facts, after: Facts) -> str:
    return (after.get(place) or before[place])[0]


def _facts(content: SheetContent) -> Facts:
    facts: Facts = {}
    for number, row in enumerate(content.rows, 1):
        if row.empty:
            continue
        facts[0, frozenset({_key(row)})] = (row.name, f"✓ {row.macmahon}".strip())
        for round_, text in enumerate(row.cells, 1):
            for place, fact in _game(content, number, round_, text):
                facts.setdefault(place, fact)
    return facts


def _game(content: SheetContent, number: int, round_: int, text: str) -> Iterator[tuple[Place, tuple[str, str]]]:
    """A game from the side of who comes first by key, so that both sides say the same."""
    row, cell = content.rows[number - 1], read_cell(text)
    if cell is None or cell.opponent > len(content.rows):
        if text.strip():
            yield (round_, frozenset({_key(row)})), (row.name, text.strip())
        return
    if cell.opponent == 0:
        yield (round_, frozenset({_key(row)})), (row.name, UNPLAYED[cell.points])
        return
    opponent = content.rows[cell.opponent - 1]
    if _key(opponent) < _key(row):
        row, opponent, cell = opponent, row, cell.seen_from(number)
    told = f"{RESULTS[cell.points]} {cell.mark}".strip()
    yield (round_, frozenset({_key(row), _key(opponent)})), (f"{row.name} – {opponent.name}", told)


def _key(row: SheetRow) -> str:
    return row.player or row.name
