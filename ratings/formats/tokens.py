"""Reader of result tokens as organisers write them.

Examples: `7+`, `0=`, `30 + (-r )`, `12-^` (American Grid), in go also `3+/b4`. Games that are not rated: `7+!` won by
default, `7+u` played without rating; `0+f` is a full point that is not the bye of the pairing.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ratings.characters import MINUS
from ratings.formats.problems import FileProblem
from ratings.systems.handicaps import MAX_STONES, SHOGI_HANDICAPS
from ratings.systems.values import GameKind

from .parsed import ROUNDS_AT_MOST, Cell, Problems, unreadable

MINUSES = f"-{MINUS}"
"""A hyphen as typed and in files, and the minus sign of pages, from which results are copied."""
TOKEN = re.compile(
    rf"""(?P<opponent>\d+) (?P<gap>\s*) (?P<sign>[{MINUSES}+=\#]) (?P<floater>[\^v]?) (?P<kind>[!uf]?)
        (?:/(?P<colour>[bwBW])(?P<stones>\d{{0,2}}))? (?P<detached>\s*)
        (?P<handicap>\( \s* (?P<side>[{MINUSES}+]) \s* (?P<type>\w+) \s* \))?""",
    re.VERBOSE,
)
WORD = re.compile(r"\S+")
KINDS = {"u": GameKind.UNRATED, "f": GameKind.FULL_BYE}
"""Kinds by the marks after a result; `!` alone is a game won or lost by default."""
POINTS = {"+": 1, **dict.fromkeys(MINUSES, 0), "=": 0.5, "#": 0}


def read_tokens(text: str, problems: Problems, line: int, row: int, *, go: bool = False) -> list[Cell]:
    """Return the cells of a row, one per round.

    A text that is not a result adds an error and becomes an unreadable cell. Colours and stones are read only with
    `go`. At most one round more than a table may have is read, so that the caller sees that there are too many.
    """
    cells: list[Cell] = []
    position = 0
    while position < len(text) and len(cells) <= ROUNDS_AT_MOST:
        if text[position].isspace():
            position += 1
            continue
        token = TOKEN.match(text, position)
        following = WORD.match(text, token.end()) if token else None
        if not token or (token["colour"] and not go) or (following and not following[0][0].isdigit()):
            end = WORD.match(text, token.end() if token and following else position)
            assert end
            broken = text[position : end.end()]
            problems.error(
                FileProblem.NOT_A_RESULT(broken=broken[:40]),
                line,
                row,
                len(cells) + 1,
            )
            cells.append(unreadable(broken))
            position = end.end()
            continue
        cell = _parse_cell(token, problems, line, row, len(cells) + 1)
        cells.append(_add_kind(cell, token, problems, line, row, len(cells) + 1) if token["kind"] else cell)
        position = token.end()
        if not token["handicap"]:
            position -= len(token["detached"])
    return cells


def read_cell(text: str) -> Cell | None:
    """Return the cell of a single result, with colour and stones of go; None for any other text."""
    problems = Problems()
    cells = read_tokens(text, problems, 0, 0, go=True)
    return cells[0] if len(cells) == 1 and not problems.fatal else None


def _parse_cell(token: re.Match[str], problems: Problems, line: int, row: int, round_: int) -> Cell:
    opponent, kind, text = int(token["opponent"]), _parse_handicap(token["type"]), token[0].strip()
    if token["sign"] == "#":
        if opponent:
            problems.error(FileProblem.NO_SHOW_MARK(), line, row, round_)
            return unreadable(text)
        problems.note(FileProblem.NO_SHOW_AS_ABSENCE(), line, row, round_)
    if token["floater"]:
        problems.note(FileProblem.FLOATER_MARK(), line, row, round_)
    if token["handicap"] and token["detached"]:
        problems.note(FileProblem.HANDICAP_APART(), line, row, round_)
    if token["type"] and kind is None:
        message = FileProblem.NOT_A_HANDICAP(type=token["type"], handicaps=" ".join(SHOGI_HANDICAPS))
        problems.error(message, line, row, round_)
        return unreadable(text)
    if opponent == 0 and token["handicap"]:
        problems.warn(FileProblem.HANDICAP_WITHOUT_OPPONENT(), line, row, round_)
    if not opponent:
        return Cell(0, POINTS[token["sign"]], text=text)
    stones, black = int(token["stones"] or 0), token["colour"] in ("b", "B") if token["colour"] else None
    if stones > MAX_STONES:
        problems.warn(FileProblem.MANY_STONES(stones=stones, most=MAX_STONES), line, row, round_)
    return Cell(opponent, POINTS[token["sign"]], kind, bool(kind) and (token["side"] or "+") in MINUSES, stones, black)


def _add_kind(cell: Cell, token: re.Match[str], problems: Problems, line: int, row: int, round_: int) -> Cell:
    """Return the cell of a result with a mark: f follows only 0+, the others a game."""
    if not cell.readable:
        return cell
    is_full_bye = not cell.opponent and cell.points == 1
    if (token["kind"] == "f") != is_full_bye or not (cell.opponent or is_full_bye):
        problems.error(FileProblem.KIND_DOES_NOT_FIT(kind=token["kind"]), line, row, round_)
        return unreadable(token[0].strip())
    kind = KINDS.get(token["kind"], "")
    if not cell.opponent:
        return replace(cell, kind=kind)
    return replace(cell, opponent=0, black=None, forfeit=cell.opponent, paired_black=cell.black, kind=kind)


def _parse_handicap(type: str | None) -> str | None:
    """Return a handicap's code in lower case, None if it is unknown; the old m (move) becomes s (sente)."""
    code = {"m": "s"}.get((type or "").lower(), (type or "").lower())
    return code if code in SHOGI_HANDICAPS else None
