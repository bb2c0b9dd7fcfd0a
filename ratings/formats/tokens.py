"""Result tokens as organisers write them: `7+`, `0=`, `30 + (-r )`, `12-^` (American Grid), in go also `3+/b4`."""

from __future__ import annotations

import re

from ratings.systems.bgf_tables import MOST_STONES
from ratings.systems.fesa_tables import HANDICAPS
from ratings.systems.words import Words as _

from .parsed import ROUNDS_AT_MOST, Cell, Problems

TOKEN = re.compile(
    r"""(?P<opponent>\d+) (?P<gap>\s*) (?P<sign>[-+=\#]) (?P<floater>[\^v]?) (?:/(?P<colour>[bwBW])(?P<stones>\d{0,2}))?
        (?P<detached>\s*) (?P<handicap>\( \s* (?P<side>[-+]) \s* (?P<type>\w+) \s* \))?""",
    re.VERBOSE,
)
WORD = re.compile(r"\S+")
POINTS = {"+": 1, "-": 0, "=": 0.5, "#": 0}


def read_tokens(text: str, problems: Problems, line: int, row: int, *, go: bool = False) -> list[Cell]:
    """All rounds of a row. What cannot be read becomes an error and keeps its round, so that the others stay put.

    Colours and stones are read where `go` tells so. Of more rounds than a table may have one more is read.
    """
    cells: list[Cell] = []
    at = 0
    while at < len(text) and len(cells) <= ROUNDS_AT_MOST:
        if text[at].isspace():
            at += 1
            continue
        found = TOKEN.match(text, at)
        rest = WORD.match(text, found.end()) if found else None
        if not found or (found["colour"] and not go) or (rest and not rest[0][0].isdigit()):
            end = WORD.match(text, found.end() if found and rest else at)
            assert end
            broken = text[at : end.end()]
            problems.error(
                _("“{broken}” is no result; write opponent and + - or =, such as 7+ or 7-(+2p)", broken=broken[:40]),
                line, row, len(cells) + 1,
            )  # fmt: skip
            cells.append(Cell(0, 0))
            at = end.end()
            continue
        cells.append(_cell(found, problems, line, row, len(cells) + 1))
        at = found.end()
        if not found["handicap"]:
            at -= len(found["detached"])
    return cells


def read_cell(text: str) -> Cell | None:
    """A single result, in go with colour and stones; None for anything else."""
    problems = Problems()
    read = read_tokens(text, problems, 0, 0, go=True)
    return read[0] if len(read) == 1 and not problems.fatal else None


def _cell(found: re.Match[str], problems: Problems, line: int, row: int, round_: int) -> Cell:
    opponent, kind = int(found["opponent"]), _handicap(found["type"])
    if found["sign"] == "#":
        if opponent:
            problems.error(_("# stands for a no-show and goes with 0 only"), line, row, round_)
        problems.warn(_("0# was read as an absence (0-)"), line, row, round_)
    if found["floater"]:
        problems.warn(_("a pairing program's floater mark was left out"), line, row, round_)
    if found["handicap"] and found["detached"]:
        problems.warn(_("the handicap stands apart from its result; it was attached"), line, row, round_)
    if found["type"] and kind is None:
        problems.error(
            _("handicap “{type}” is not one of {handicaps}", type=found["type"], handicaps=" ".join(HANDICAPS)),
            line,
            row,
            round_,
        )
    if opponent == 0 and found["handicap"]:
        problems.warn(_("a handicap without an opponent was left out"), line, row, round_)
    if not opponent:
        return Cell(0, POINTS[found["sign"]])
    stones, black = int(found["stones"] or 0), found["colour"] in ("b", "B") if found["colour"] else None
    if stones > MOST_STONES:
        problems.warn(
            _("{stones} stones are more than {most}: is that right?", stones=stones, most=MOST_STONES),
            line,
            row,
            round_,
        )
    return Cell(opponent, POINTS[found["sign"]], kind, bool(kind) and found["side"] == "-", stones, black)


def _handicap(type: str | None) -> str | None:
    """The code in lower case; the old m (move) is s (sente)."""
    code = {"m": "s"}.get((type or "").lower(), (type or "").lower())
    return code if code in HANDICAPS else None
