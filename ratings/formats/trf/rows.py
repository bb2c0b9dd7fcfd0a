"""The player lines of TRF16: fixed columns, ten of them a round."""

from __future__ import annotations

import re

from ratings.systems.words import Words as _

from .fide import country_of, federation_of
from .parsed import Cell, ParsedRow, Problems, read_points

ROUND = re.compile(r"(?P<opponent>[ \d]{4}) (?P<colour>[wbWB -]) (?P<result>\S| )(  )?", re.ASCII)
FIRST_ROUND, WIDTH = 91, 10
NAME_WIDTH = 33
BLANKS = (3, 8, 13, 47, 52, 56, 68, 79, 84)  # the columns between the fields
POINTS = {"1": 1, "0": 0, "=": 0.5, "+": 1, "-": 0, "W": 1, "D": 0.5, "L": 0, "H": 0.5, "F": 1, "U": 1, "Z": 0, "": 0}
PLAYED, UNRATED, BYES = "10=", "WDL", ("H", "F", "U", "Z", "")
BYE_SIGNS = {1: "F", 0.5: "H", 0: "Z"}


def read_row(line: int, text: str, met: dict[tuple[int, int], int], problems: Problems) -> list[ParsedRow]:
    """The row, or none where it has no starting rank. `met` gets each opponent named, by rank and round."""
    fields, name = _columns(text)
    rank = fields[4:8].strip()
    if not (rank.isascii() and rank.isdecimal()):
        problems.error(_("no starting rank in columns 5–8, but “{rank}”", rank=rank), line)
        return []
    family, comma, given = (part.strip() for part in name.partition(","))
    row = ParsedRow(int(rank), line, family, given)
    if not family:
        problems.error(_("the last name is missing; the name stands in columns 15–47 as Last, First"), line, row.number)
    elif not comma:
        problems.warn(
            _("no comma parts last and first name: “{family}” was read as the last name", family=family),
            line,
            row.number,
        )
    row.country = _country(fields[53:56].strip(), row, problems)
    points = fields[80:84].strip()
    row.points = read_points(points) if points else None
    if points and row.points is None:
        problems.warn(_("points “{points}” cannot be read as a number", points=points), line, row.number)
    _rounds(fields[FIRST_ROUND:].rstrip(), row, met, problems)
    return [row]


def _columns(text: str) -> tuple[str, str]:
    """The line and its name; some programs count bytes, so that a name in UTF-8 has shifted what follows."""
    if text.isascii() or _aligned(text):
        return text, text[14:47]
    in_bytes = text.encode().decode("latin-1")
    if not _aligned(in_bytes):
        return text, text[14:47]
    return in_bytes, in_bytes[14:47].encode("latin-1").decode("utf-8", "replace")


def _aligned(text: str) -> bool:
    rounds = range(FIRST_ROUND + 4, len(text), WIDTH)
    return all(text[at : at + 1] in (" ", "") for at in (*BLANKS, *rounds))


def _country(code: str, row: ParsedRow, problems: Problems) -> str:
    country = country_of(code)
    if country is None:
        problems.warn(_("the federation “{code}” is not one of FIDE's codes", code=code), row.line, row.number)
    elif code != code.upper():
        problems.warn(_("nationality “{code}” in lower case", code=code), row.line, row.number)
    return country or ""


def _rounds(text: str, row: ParsedRow, met: dict[tuple[int, int], int], problems: Problems) -> None:
    unrated = 0
    for round_, at in enumerate(range(0, len(text), WIDTH), 1):
        found = ROUND.fullmatch(text[at : at + WIDTH].ljust(WIDTH))
        opponent = (found["opponent"].strip() if found else "") or "0"
        result = found["result"].strip().upper() if found else "?"
        if not found or result not in POINTS or not opponent.isdecimal():
            first = FIRST_ROUND + at + 1
            problems.error(
                _(
                    "“{text}” is no result; columns {first}–{last} hold opponent, colour and result, such as    7 w 1",
                    text=text[at : at + WIDTH].strip(), first=first, last=first + 7,
                ),
                row.line, row.number, round_,
            )  # fmt: skip
            row.cells.append(Cell(0, 0))
            continue
        if int(opponent):
            met[row.number, round_] = int(opponent)
        unrated += bool(int(opponent)) and result in UNRATED and result != ""
        row.cells.append(_cell(int(opponent), found["colour"].lower(), result, (row, round_), problems))
    if unrated:
        one = _("1 game was played without rating (W, D, L): the points stay")
        told = _("{games} games were played without rating (W, D, L): the points stay", games=unrated)
        problems.warn(one if unrated == 1 else told, row.line, row.number)


def _cell(opponent: int, colour: str, result: str, place: tuple[ParsedRow, int], problems: Problems) -> Cell:
    row, round_ = place
    points = POINTS[result]
    if opponent and result and result in PLAYED:
        return Cell(opponent, points, black={"b": True, "w": False}.get(colour))
    if opponent and result in BYES:
        told = (
            _(
                "row {opponent} stands beside “{result}”, a bye: it was read as not played",
                opponent=opponent,
                result=result,
            )
            if result
            else _("no result against row {opponent}: it was read as not played", opponent=opponent)
        )
        problems.warn(told, row.line, row.number, round_)
    elif not opponent and result and result in PLAYED + UNRATED:
        problems.warn(
            _("a result “{result}” without an opponent was read as not played", result=result),
            row.line,
            row.number,
            round_,
        )
    return Cell(0, points)


def fill_up(rows: list[ParsedRow]) -> None:
    """Rounds that are blank at the end of a line are byes without points: programs strip trailing blanks."""
    rounds = max((len(row.cells) for row in rows), default=0)
    for row in rows:
        row.cells += [Cell(0, 0)] * (rounds - len(row.cells))


def row_text(row: ParsedRow, rounds: int) -> str:
    """The line of a player, with as many rounds as the table has."""
    cells = [*row.cells, *[Cell(0, 0)] * (rounds - len(row.cells))]
    points = sum(cell.points for cell in cells)
    name = f"{row.family}, {row.given}"[:NAME_WIDTH]
    federation = federation_of(row.country)
    return (
        f"001 {row.number:>4} {'':4} {name:<{NAME_WIDTH}} {'':4} {federation:<3} {'':11} {'':10} {points:>4.1f} {'':4}"
        + "".join(f"  {_cell_text(cell)}" for cell in cells)
    ).rstrip()


def _cell_text(cell: Cell) -> str:
    if not cell.opponent:
        return f"0000 - {BYE_SIGNS[cell.points]}"
    colour = {True: "b", False: "w", None: "-"}[cell.black]
    return f"{cell.opponent:>4} {colour} {({1: '1', 0: '0', 0.5: '='})[cell.points]}"
