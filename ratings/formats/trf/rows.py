"""Reader of the player lines of TRF, which have fixed columns, ten per round."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ratings.formats.fide.country_codes import SEVERAL_FEDERATIONS, country_code
from ratings.formats.parsed import Cell, ParsedRow, Problems, read_points, unreadable
from ratings.formats.people.outside_ids import FIDE, ISO_COUNTRIES, read_outside_id
from ratings.formats.problems import FileProblem
from ratings.systems.values import GameKind

ROUND = re.compile(r"(?P<opponent>[ \d]{4}) (?P<colour>[wbWB -]) (?P<result>\S| )(  )?", re.ASCII)
FIRST_ROUND, WIDTH = 91, 10
NAME_WIDTH = 33
BLANKS = (3, 8, 13, 47, 52, 56, 68, 79, 84)  # the columns between the fields
POINTS = {"1": 1, "0": 0, "=": 0.5, "+": 1, "-": 0, "W": 1, "D": 0.5, "L": 0, "H": 0.5, "F": 1, "U": 1, "Z": 0, "": 0}
PLAYED, UNRATED, FORFEITS, BYES = "10=", "WDL", ("+", "-"), ("H", "F", "U", "Z", "")
FULL_BYE = "F"
SEXES = {"m": "m", "w": "w", "f": "w"}
FIRST_YEAR, LAST_YEAR = 1850, 2100


@dataclass(slots=True)
class ReadLines:
    """Facts of the player lines that their rows do not hold, by starting rank and round.

    `met` holds the opponents, also of games not played, `blank` the results that are blank, and `pairing_byes` the
    results U.
    """

    met: dict[tuple[int, int], int] = field(default_factory=dict)
    blank: set[tuple[int, int]] = field(default_factory=set)
    pairing_byes: list[tuple[int, int]] = field(default_factory=list)


def read_row(line: int, text: str, read: ReadLines, problems: Problems) -> list[ParsedRow]:
    """Return the row in a list, which is empty if the line has no starting rank; add the rest of it to `read`."""
    fields, name = _align_columns(text)
    rank = fields[4:8].strip()
    if not (rank.isascii() and rank.isdecimal()):
        problems.error(FileProblem.NO_STARTING_RANK(rank=rank), line)
        return []
    family, comma, given = (part.strip() for part in name.partition(","))
    row = ParsedRow(int(rank), line, family, given)
    if not family:
        problems.error(FileProblem.TRF_LAST_NAME_MISSING(), line, row.number)
    elif not comma:
        problems.warn(FileProblem.NO_COMMA_IN_NAME(family=family), line, row.number)
    row.country = _read_country(fields[53:56].strip(), row, problems)
    if (number := read_outside_id(FIDE, fields[57:68])) is not None:
        row.outside = {FIDE: number}
    row.sex, row.title = SEXES.get(fields[9:10].lower(), ""), fields[10:13].strip()
    row.rating, row.place = _read_number(fields[48:52]), _read_number(fields[85:89])
    year = _read_number(fields[69:73])
    row.birth_year = year if year is not None and FIRST_YEAR <= year <= LAST_YEAR else None
    points = fields[80:84].strip()
    row.points = read_points(points) if points else None
    if points and row.points is None:
        problems.warn(FileProblem.NOT_A_NUMBER(what=FileProblem.POINTS(), text=points), line, row.number)
        row.texts["points"] = points
    _read_rounds(fields[FIRST_ROUND:].rstrip(), row, read, problems)
    return [row]


def read_national_line(line: int, text: str, rows: Mapping[int, ParsedRow], problems: Problems) -> None:
    """Add the rating and the number of a player in a national federation to the row of the player.

    The number is an id of the player in that country, unless the country has several federations, as Great Britain. One
    in another form, and a second one in a country, are no ids.
    """
    fields, _name = _align_columns(text)
    code, rank = text[:3].upper(), int(fields[4:8])
    if rank not in rows:
        problems.warn(FileProblem.NATIONAL_LINE_OF_NOBODY(code=code, rank=rank), line)
        return
    row, written, country = rows[rank], fields[57:68].strip(), country_code(code) or ""
    row.national.setdefault(code, written)
    number = read_outside_id(country, written) if country in ISO_COUNTRIES - SEVERAL_FEDERATIONS else None
    if number and any(map(str.isdecimal, number)):
        row.outside.setdefault(country, number)
    if (rating := _read_number(fields[48:52])) is not None:
        row.national_rating = rating


def _read_number(text: str) -> int | None:
    """Return a positive whole number, None for any other text."""
    return int(text) or None if re.fullmatch(r"\s*\d{1,4}\s*", text, re.ASCII) else None


def _align_columns(text: str) -> tuple[str, str]:
    """Return the line, aligned to its columns, and the name.

    Some programs count bytes, so that a name in UTF-8 shifts the columns after it.
    """
    if text.isascii() or _is_aligned(text):
        return text, text[14:47]
    in_bytes = text.encode().decode("latin-1")
    if not _is_aligned(in_bytes):
        return text, text[14:47]
    return in_bytes, in_bytes[14:47].encode("latin-1").decode("utf-8", "replace")


def _is_aligned(text: str) -> bool:
    rounds = range(FIRST_ROUND + 4, len(text), WIDTH)
    return all(text[at : at + 1] in (" ", "") for at in (*BLANKS, *rounds))


def _read_country(code: str, row: ParsedRow, problems: Problems) -> str:
    country = country_code(code)
    if country is None:
        problems.warn(FileProblem.FEDERATION_UNKNOWN(code=code), row.line, row.number)
        row.texts["country"] = code
    elif code != code.upper():
        problems.warn(FileProblem.COUNTRY_LOWER_CASE(code=code), row.line, row.number)
    return country or ""


def _read_rounds(text: str, row: ParsedRow, read: ReadLines, problems: Problems) -> None:
    unrated = 0
    for round_, start in enumerate(range(0, len(text), WIDTH), 1):
        match = ROUND.fullmatch(text[start : start + WIDTH].ljust(WIDTH))
        opponent = (match["opponent"].strip() if match else "") or "0"
        result = match["result"].strip().upper() if match else "?"
        if not match or result not in POINTS or not opponent.isdecimal():
            first = FIRST_ROUND + start + 1
            problems.error(
                FileProblem.NOT_A_TRF_RESULT(
                    text=text[start : start + WIDTH].strip(),
                    first=first,
                    last=first + 7,
                ),
                row.line,
                row.number,
                round_,
            )
            row.cells.append(unreadable(text[start : start + WIDTH].strip()))
            continue
        if int(opponent):
            read.met[row.number, round_] = int(opponent)
        elif not result:
            read.blank.add((row.number, round_))
        if result == "U":
            read.pairing_byes.append((row.number, round_))
        unrated += bool(int(opponent)) and result in UNRATED and result != ""
        row.cells.append(_read_cell(int(opponent), match["colour"].lower(), result, (row, round_), problems))
    if unrated:
        one_game = FileProblem.ONE_UNRATED_GAME()
        many_games = FileProblem.UNRATED_GAMES(games=unrated)
        problems.warn(one_game if unrated == 1 else many_games, row.line, row.number)


def _read_cell(opponent: int, colour: str, result: str, place: tuple[ParsedRow, int], problems: Problems) -> Cell:
    row, round_ = place
    points = POINTS[result]
    if opponent and result and result in PLAYED:
        return Cell(opponent, points, black={"b": True, "w": False}.get(colour))
    if opponent and result in BYES:
        message = (
            FileProblem.BYE_WITH_OPPONENT(opponent=opponent, result=result)
            if result
            else FileProblem.NO_RESULT_AGAINST(opponent=opponent)
        )
        problems.warn(message, row.line, row.number, round_)
    elif not opponent and result and result in PLAYED + UNRATED:
        problems.warn(FileProblem.RESULT_WITHOUT_OPPONENT(result=result), row.line, row.number, round_)
    black = {"b": True, "w": False}.get(colour)
    if opponent and not result:
        return Cell(0, points, paired=opponent, paired_black=black)
    if opponent and (result in FORFEITS or (result and result in UNRATED)):
        kind = GameKind.UNRATED.value if result in UNRATED else ""
        return Cell(0, points, forfeit=opponent, paired_black=black, kind=kind)
    return Cell(0, points, kind=GameKind.FULL_BYE.value if result == FULL_BYE else "")


def add_missing_rounds(rows: list[ParsedRow], read: ReadLines) -> None:
    """Add missing rounds at the end of rows as byes without points, since programs strip trailing blanks."""
    rounds = max((len(row.cells) for row in rows), default=0)
    for row in rows:
        read.blank |= {(row.number, round_) for round_ in range(len(row.cells) + 1, rounds + 1)}
        row.cells += [Cell(0, 0)] * (rounds - len(row.cells))
