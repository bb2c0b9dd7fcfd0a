"""Reader of the pairings that pairing programs export: columns White and Black, or Black and White, and the result.

They are converted into a list of games, in which the player is the one in the left column: results such as 1-0 are
from left to right.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ratings.formats.event_head import Head
from ratings.formats.parsed import ParsedTable, Problems
from ratings.formats.problems import FileProblem

from .game_list import find_points, read_game_list
from .headers import MEANING, Columns, normalize_title
from .sheet import Line, Sheet, build_table

ROUND_WORD = r"(?:round|rd|runde|ronde|tour)"
ROUND_LINE = re.compile(rf"{ROUND_WORD}\.?\s*(\d{{1,2}})\b|(\d{{1,2}})\.?\s*{ROUND_WORD}\b", re.ASCII)
BYES = {"bye", "spielfrei", "exempt", "freilos", "not paired", "nicht ausgelost", "non apparie", "-", "--"}
"""Texts in place of an opponent, folded as titles are."""
WINNER = re.compile(r"(?:(b|black|sente|schwarz|noir)|(w|white|gote|weiss|weiß|blanc))(?:\+.*)?", re.IGNORECASE)
"""The side that won, as go programs write it: B+R, W+3.5."""
DRAWS = {"draw", "jigo", "remis", "nulle"}
EXPORTED = {
    *("bo", "board", "brett", "table", "tisch", "no", "nr", "number", "id", "fed", "gr", "pos", "rank"),
    *("rtg", "rating", "elo", "pts", "points", "punkte", "title", "titel"),
}
"""Titles of columns that pairing programs add and that results do not need."""
COLUMNS = ("round", "player", "opponent", "result", "colour", "handicap", "giver")


@dataclass(frozen=True, slots=True)
class Side:
    """The columns of the two players: which is left, and whether the left player has Black."""

    left: int
    right: int
    left_is_black: bool


def read_pairings(sheet: Sheet, head: Head, today: dt.date, problems: Problems) -> ParsedTable:
    """Return the table of a sheet with columns White and Black."""
    round_, lines = _split_round_lines(sheet.head)
    found = list(_convert_lines(sheet, round_))
    if not all(line.cells[0] for line in found):
        problems.error(FileProblem.ROUND_OF_PAIRINGS_MISSING(), sheet.header_line)
        return build_table(Sheet(lines), head, today, problems)
    assert sheet.columns
    unknown = [title for title in sheet.columns.unknown if normalize_title(title) not in EXPORTED]
    columns = Columns({title: at for at, title in enumerate(COLUMNS)}, unknown=unknown, width=len(COLUMNS))
    return read_game_list(Sheet(lines, columns, sheet.header_line, found), head, today, problems)


def _split_round_lines(lines: list[Line]) -> tuple[str, list[Line]]:
    """Return the round that the lines above the header row name, and the other lines."""
    rounds = [_find_round(line) for line in lines]
    others = [line for line, round_ in zip(lines, rounds, strict=True) if not round_]
    return next((round_ for round_ in reversed(rounds) if round_), ""), others


def _find_round(line: Line) -> str:
    """Return the round that a line such as “Round 3 on 2026-03-07” begins; empty for other lines."""
    filled = [cell for cell in line.cells if cell]
    match = ROUND_LINE.match(normalize_title(filled[0])) if 0 < len(filled) <= 2 else None
    return (match[1] or match[2]) if match else ""


def _convert_lines(sheet: Sheet, round_: str) -> Iterator[Line]:
    """Yield the lines of a list of games, with the cells of COLUMNS."""
    columns = sheet.columns
    assert columns
    white, black = columns.at["white"], columns.at["black"]
    side = Side(min(white, black), max(white, black), black < white)
    for line in sheet.body:
        if (found := _find_round(line)) and not line.cell(side.right):
            round_ = found
        elif not _is_header(line, columns):
            own_round = line.cell(columns.at["round"]) if "round" in columns.at else round_
            yield from _convert_game(line, own_round, side, columns)


def _is_header(line: Line, columns: Columns) -> bool:
    """Return True for a header row that is repeated before each round."""
    white, black = (MEANING.get(normalize_title(line.cell(columns.at[name]))) for name in ("white", "black"))
    return (white, black) == ("white", "black")


def _convert_game(line: Line, round_: str, side: Side, columns: Columns) -> Iterator[Line]:
    """Yield the line of a game."""
    left, right = _drop_bye(line.cell(side.left)), _drop_bye(line.cell(side.right))
    result = _convert_result(line.cell(columns.at["result"]), side)
    if right and not left:
        score = find_points(result)
        left, right, result = right, "", result if score is None else f"{1 - score:g}"
    colour = ("b" if side.left_is_black else "w") if right else ""
    more = [line.cell(columns.at.get(name)) for name in ("handicap", "giver")]
    yield Line(line.number, [round_, left, right, result, colour, *more])


def _drop_bye(name: str) -> str:
    return "" if normalize_title(name) in BYES else name


def _convert_result(text: str, side: Side) -> str:
    """Return a result that names the winner as the points of the left player; other results as they are."""
    if text.casefold() in DRAWS:
        return "½"
    if not (winner := WINNER.fullmatch(text)):
        return text
    return "1" if bool(winner[1]) == side.left_is_black else "0"
