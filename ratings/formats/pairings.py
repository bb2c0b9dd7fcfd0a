"""Pairings of a round in a parsed table: who plays whom, with the result if there is one already."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .parsed import Cell, ParsedRow, ParsedTable

OPPONENT = re.compile(r"\s*(\d{1,4})(?![\d.])")
COLOUR = re.compile(r"/([bw])(\d{0,2})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Pairing:
    """A board of a round, by row numbers; `second` is 0 for a bye.

    `points` are those of `first`, None without a result. `giver` and `black` are the sides "a" (first) and "b".
    """

    first: int
    second: int
    points: float | None = None
    handicap: str = ""
    giver: str = ""
    stones: int = 0
    black: str = ""


def find_pairings(table: ParsedTable, round_: int) -> list[Pairing]:
    """Return the boards of a round in the order of the rows, byes last; each pair once, as the first row has it."""
    paired: set[int] = set()
    boards, byes = [], []
    numbers = {row.number for row in table.rows}
    for row in table.rows:
        if row.number in paired or len(row.cells) < round_:
            continue
        cell = row.cells[round_ - 1]
        opponent = find_opponent(cell)
        if opponent in numbers - {row.number} and opponent not in paired:
            paired |= {row.number, opponent}
            boards.append(_pair(row, opponent, cell))
        elif cell.readable and not opponent and cell.points:
            byes.append(Pairing(row.number, 0, cell.points))
    return boards + byes


def find_opponent(cell: Cell) -> int:
    """Return the row number of the opponent, also of a game without a valid result; 0 if there is none."""
    if cell.paired:
        return cell.paired
    if cell.readable:
        return cell.opponent
    match = OPPONENT.match(cell.text)
    return int(match[1]) if match else 0


def last_paired_round(table: ParsedTable) -> int:
    """Return the last round in which anybody has an opponent; 0 if there is none."""
    return max(
        (number for row in table.rows for number, cell in enumerate(row.cells, 1) if find_opponent(cell)), default=0
    )


def _pair(row: ParsedRow, opponent: int, cell: Cell) -> Pairing:
    if cell.paired:
        return Pairing(row.number, opponent, black={True: "a", False: "b", None: ""}[cell.paired_black])
    if cell.readable:
        giver, black = cell.giver or "", cell.black_side or ""
        return Pairing(row.number, opponent, cell.points, cell.handicap or "", giver, cell.stones, black)
    colour = COLOUR.search(cell.text)
    if colour is None:
        return Pairing(row.number, opponent)
    return Pairing(row.number, opponent, stones=int(colour[2] or 0), black="a" if colour[1].lower() == "b" else "b")
