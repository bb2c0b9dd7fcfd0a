"""Writer of result files of the American Go Association: event, players with ids, and games by round."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator

from ratings.formats.go_players import HIGHEST_AGA_ID, format_grade
from ratings.formats.parsed import Cell, ParsedRow, ParsedTable
from ratings.formats.people.outside_ids import AGA

FIRST_PLACEHOLDER = 99_999
"""Number of the first player without an id; the next ones are numbered downwards, as OpenGotha does."""
USUAL_KOMI = 7
"""Komi of even games, without its half point."""
MOST_STONES = 99
RANK_AT_END = re.compile(r"(^|\s)\d{1,2}\s?[dk]$", re.ASCII | re.IGNORECASE)
QUOTES = "'\""


def write_aga(table: ParsedTable) -> str:
    """Return the results of a table as text; games without handicap stones have the usual komi, others none.

    Players without an AGA id have placeholders, which the association does not accept.
    """
    ids = _number_players(table)
    lines = [
        f"TOURNEY {table.name}",
        f"\tstart={_format_day(table.first_day)}",
        f"\tfinish={_format_day(table.last_day)}",
        f"\tlocation='{table.place}'",
        "\trules=AGA",
        "PLAYERS",
        *(_write_player(row, ids[row.number]) for row in table.rows),
    ]
    for round_ in range(1, table.rounds + 1):
        lines += [f"GAMES {round_}", *_write_games(table, round_, ids)]
    return "\n".join([*lines, "END", ""])


def _number_players(table: ParsedTable) -> dict[int, str]:
    """Return the id of each player, or a placeholder, by row number."""
    ids = {row.number: id for row in table.rows if (id := row.outside.get(AGA, "")) and int(id) <= HIGHEST_AGA_ID}
    without = [row.number for row in table.rows if row.number not in ids]
    return ids | {number: str(FIRST_PLACEHOLDER - place) for place, number in enumerate(without)}


def _format_day(day: dt.date) -> str:
    return f"{day.month}/{day.day}/{day.year}"


def _write_player(row: ParsedRow, id: str) -> str:
    return f"{id:>5} {row.family}, {row.given} {format_grade(row.grade or '')}".rstrip()


def _write_games(table: ParsedTable, round_: int, ids: dict[int, str]) -> Iterator[str]:
    for row in table.rows:
        cell = row.cells[round_ - 1]
        if cell.opponent and not cell.black:
            winner = "W" if cell.points else "B"
            yield f"{ids[row.number]} {ids[cell.opponent]} {winner} {_write_conditions(cell)}"


def _write_conditions(cell: Cell) -> str:
    """Return stones and komi of a game; a handicap of one stone is no stone without komi."""
    return f"0 {0 if cell.stones else USUAL_KOMI}" if cell.stones <= 1 else f"{cell.stones} 0"


def holds_games(table: ParsedTable) -> bool:
    """Return True if the format can hold a table: wins with known colours only, no byes, and names with one comma."""
    cells = [cell for row in table.rows for cell in row.cells]
    return (
        [row.number for row in table.rows] == [*range(1, len(table.rows) + 1)]
        and bool(table.rows and table.rounds)
        and any(row.cells[-1].opponent for row in table.rows)
        and all(_holds_cell(cell) for cell in cells)
        and all(row.family and "," not in row.family and not RANK_AT_END.search(row.given) for row in table.rows)
        and table.place == table.place.strip(QUOTES)
    )


def _holds_cell(cell: Cell) -> bool:
    if not cell.opponent:
        return cell.points == 0 and not cell.forfeit
    return cell.points in (0, 1) and cell.black is not None and cell.stones <= MOST_STONES
