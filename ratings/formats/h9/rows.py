"""The player rows of an .h9 wall list: words parted by blanks, the grade and the results known by their shape."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ratings.systems.bgf_tables import MOST_STONES
from ratings.systems.words import Words as _

from .fide import country_of
from .parsed import Cell, ParsedRow, Problems, read_points

ROW = re.compile(r"\s*[\dO]+\s+\S+\s+(\S+\s+){0,4}?\d{1,2}[dkDK]\s+[A-Za-z-]{2}\s.*\s[\dO]+[-+=]")
PIN = re.compile(r"\|\s*\d*\s*$")
GRADE = re.compile(r"(?P<number>[\dOo]{1,2})(?P<unit>[dkpDKP]?)|(?P<none>[-?]+)")
COUNTRY = re.compile(r"[A-Za-z]{2,3}|--?")
NUMBER = re.compile(r"-?(\d+([.,]\d+)?½?|½|\d+/\d)", re.ASCII)
RESULT = re.compile(
    r"""(?P<opponent>[\dOo]+) (?P<sign>[-+=]) (?P<double>0?) (?P<before>[?!]*)
        (?:/(?P<colour>[bwBW])(?P<stones>\d{0,2}))? (?P<after>[?!]*)""",
    re.VERBOSE | re.ASCII,
)
POINTS = {"+": 1, "-": 0, "=": 0.5}
SIGNS = {points: sign for sign, points in POINTS.items()}
GB = {"UK": "GB"}  # the federation's own code
MOST_DAN, MOST_KYU = 9, 40


@dataclass(frozen=True, slots=True)
class Parts:
    """A row whose names, grade and country are read, and the words of its scores and results, not yet told apart."""

    row: ParsedRow
    words: list[str]

    @property
    def leading_numbers(self) -> int:
        return next((i for i, word in enumerate(self.words) if not NUMBER.fullmatch(word)), len(self.words))


def strip_pin(text: str) -> str:
    """A row without the pin of the federation's database at its end."""
    return PIN.sub("", text)


def divide(line: int, text: str, problems: Problems) -> Parts | None:
    """The parts of a row; None where it does not begin with a place."""
    words = text.split()
    place = _zeros(words[0])
    if not place.isdecimal():
        problems.warn(_("not a player row, left out: “{text}”", text=text.strip()[:40]), line)
        return None
    row = ParsedRow(int(place), line, "?", "", broken=True)
    if place != words[0]:
        problems.warn(_("the letter O in “{words}” was read as zero", words=words[0]), line, row.number)
    at = next((i for i in range(2, len(words)) if _is_grade(words[i], words[i + 1 : i + 2])), 0)
    if not at:
        problems.error(_("no grade such as 5d or 10k behind place, last name and first name"), line, row.number)
        return Parts(row, [])
    row.broken = False
    _names(words[1:at], row, problems)
    row.grade = _grade(words[at], row, problems)
    rest = words[at + 1 :]
    if rest and COUNTRY.fullmatch(rest[0]):
        row.country = _country(rest.pop(0), row, problems)
    else:
        problems.warn(_("no country of two letters behind the grade"), line, row.number)
    while rest and not (NUMBER.fullmatch(rest[0]) or RESULT.fullmatch(rest[0])):
        rest.pop(0)  # the club
    return Parts(row, rest)


def _is_grade(word: str, after: list[str]) -> bool:
    """A grade without its unit looks like a score; a country stands behind it."""
    found = GRADE.fullmatch(word)
    return bool(found and (found["unit"] or (after and COUNTRY.fullmatch(after[0]))))


def _zeros(word: str) -> str:
    """Digits with the letter O for zero; "" for other words."""
    return word.replace("O", "0").replace("o", "0") if re.fullmatch(r"[\dOo]*\d[\dOo]*", word, re.ASCII) else ""


def _names(words: list[str], row: ParsedRow, problems: Problems) -> None:
    if len(words) > 2:
        shown = " ".join(words)[:60]
        problems.warn(_("“{shown}” are more than two words: the last one was read as the first name", shown=shown),
                      row.line, row.number)  # fmt: skip
    family = words if len(words) == 1 else words[:-1]
    given = words[-1] if len(words) > 1 else ""
    row.family, row.given = " ".join(family).replace("_", " ").strip(), given.replace("_", " ").strip()
    if not row.family:
        problems.error(_("the last name is missing"), row.line, row.number)
    elif not given:
        problems.warn(
            _("only one name, “{family}”: it was read as the last name", family=row.family), row.line, row.number
        )


def _grade(word: str, row: ParsedRow, problems: Problems) -> str | None:
    found = GRADE.fullmatch(word)
    assert found
    if found["none"]:
        return None
    number, unit = _zeros(found["number"]), found["unit"].lower()
    if number and number != found["number"]:
        problems.warn(_("the letter O in “{word}” was read as zero", word=word), row.line, row.number)
    if not unit:
        problems.warn(_("the grade “{word}” has no k or d: it was read as kyu", word=word), row.line, row.number)
    if unit == "p" or not number or not 1 <= int(number) <= (MOST_DAN if unit == "d" else MOST_KYU):
        told = _("the grade “{word}” is not one of {lowest}k to {highest}d; it was left out",
                 word=word, lowest=MOST_KYU, highest=MOST_DAN)  # fmt: skip
        problems.warn(told, row.line, row.number)
        return None
    return f"{int(number)} {'Dan' if unit == 'd' else 'Kyu'}"


def _country(word: str, row: ParsedRow, problems: Problems) -> str:
    if word.startswith("-"):
        return ""
    code = word.upper() if len(word) == 2 else country_of(word)
    if code is None:
        problems.warn(
            _("“{word}” is no country's code of two letters; it was left out", word=word), row.line, row.number
        )
    return GB.get(code or "", code or "")


def read_row(parts: Parts, scores: int, problems: Problems) -> list[float | None]:
    """Read the results behind so many scores into the row; its scores as numbers."""
    row, words = parts.row, parts.words
    for column, word in enumerate(words[:scores], 1):
        if not NUMBER.fullmatch(word):
            told = _(
                "“{word}” stands in score column {column} and looks like a result; it was read as a score",
                word=word[:20],
                column=column,
            )
            problems.warn(told, row.line, row.number)
    for at, word in enumerate(words[scores:], scores):
        found = RESULT.fullmatch(word)
        if not found and not NUMBER.fullmatch(word) and not any(map(RESULT.fullmatch, words[at:])):
            problems.warn(
                _("text behind the results was left out: “{words}”", words=" ".join(words[at:])[:40]),
                row.line,
                row.number,
            )
            break
        row.cells.append(_cell(found, word, row, problems))
    return [read_points(word) for word in words[:scores]]


def _cell(found: re.Match[str] | None, word: str, row: ParsedRow, problems: Problems) -> Cell:
    place = (row.line, row.number, len(row.cells) + 1)
    opponent = _zeros(found["opponent"]) or "0" if found else ""
    if not found or (found["double"] and (int(opponent) or found["sign"] != "=")):
        problems.error(
            _("“{word}” is no result; write opponent and + - or =, such as 7+ or 7-/b3", word=word[:40]), *place
        )
        return Cell(0, 0)
    if opponent != found["opponent"]:
        problems.warn(_("the letter O in “{word}” was read as zero", word=word), *place)
    if found["double"]:
        problems.warn(_("0=0 was read as 0=, half a point without a game"), *place)
    if marks := found["before"] + found["after"]:
        told = _("“{marks}” behind the result was left out; for a game that was not played write 0+ or 0-",
                 marks=marks[:5])  # fmt: skip
        problems.warn(told, *place)
    points, stones = POINTS[found["sign"]], int(found["stones"] or 0)
    if not int(opponent):
        return Cell(0, points)
    if stones > MOST_STONES:
        problems.warn(
            _("{stones} stones are more than {most}: is that right?", stones=stones, most=MOST_STONES),
            *place,
        )
    black = found["colour"].lower() == "b" if found["colour"] else None
    return Cell(int(opponent), points, stones=stones, black=black)


def points_column(rows: list[ParsedRow], scores: list[list[float | None]]) -> None:
    """Which score is the points is not told: the column that agrees with the results in most rows."""
    counted = [sum(cell.points for cell in row.cells) for row in rows]
    columns = max((len(own) for own in scores), default=0)
    hits = [
        sum(len(own) > i and own[i] == sum_ for own, sum_ in zip(scores, counted, strict=True)) for i in range(columns)
    ]
    if not hits or max(hits) * 2 <= len(rows):
        return
    column = hits.index(max(hits))
    for row, own in zip(rows, scores, strict=True):
        row.points = own[column] if len(own) > column else None


def row_text(row: ParsedRow) -> str:
    """The row of a player, with the points of the results as its only score."""
    number, _, unit = (row.grade or "").partition(" ")
    points = sum(cell.points for cell in row.cells)
    country = {"GB": "UK"}.get(row.country, row.country)
    parts = [
        str(row.number),
        _word(row.family),
        _word(row.given),
        f"{number}{unit[:1].lower()}" if row.grade else "-",
        country or "--",
        "-",
        f"{points:g}",
        *(f"{cell.opponent}{SIGNS[cell.points]}{cell.colour}" for cell in row.cells),
    ]
    return " ".join(parts)


def _word(name: str) -> str:
    """A name as one word, without what ends a row."""
    return "_".join(re.sub(r"[;|]", " ", name).split()) or "_"
