"""Reader and writer of the player rows of an .h9 wall list.

The fields are separated by blanks; grade and results are recognised by their pattern.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ratings.formats.fide.country_codes import country_code
from ratings.formats.go_players import COUNTRY_ALIASES, MOST_DAN, MOST_KYU, NO_CLUB, NO_COUNTRY, OWN_COUNTRIES
from ratings.formats.parsed import Cell, ParsedRow, Problems, read_points, unreadable
from ratings.formats.people.outside_ids import EGD, read_outside_id
from ratings.formats.problems import FileProblem
from ratings.systems.handicaps import MAX_STONES

ROW = re.compile(r"\s*[\dO]+\s+\S+\s+(\S+\s+){0,4}?\d{1,2}[dkDK]\s+[A-Za-z-]{2}\s.*\s[\dO]+[-+=]")
PIN = re.compile(r"\|\s*(?P<pin>\d*)\s*$", re.ASCII)
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
SCORES = 4
"""Number of score columns that readers of these files expect at least."""


@dataclass(frozen=True, slots=True)
class RowParts:
    """A row with names, grade and country, and the remaining words: scores, then results, not yet separated."""

    row: ParsedRow
    words: list[str]

    @property
    def leading_numbers(self) -> int:
        return next((i for i, word in enumerate(self.words) if not NUMBER.fullmatch(word)), len(self.words))


def split_pin(text: str) -> tuple[str, str]:
    """Return a row without the PIN of the European Go Database at its end, and the PIN; empty if it is unknown."""
    match = PIN.search(text)
    if match is None:
        return text, ""
    return text[: match.start()], read_outside_id(EGD, match["pin"]) or ""


def split_row(line: int, text: str, problems: Problems) -> RowParts | None:
    """Return the parts of a row, None if it does not begin with a place."""
    words = text.split()
    place = _normalize_digits(words[0])
    if not place.isdecimal():
        problems.warn(FileProblem.NOT_A_PLAYER_ROW(text=text.strip()[:40]), line)
        return None
    row = ParsedRow(int(place), line, "?", "", broken=True, texts={"row": text.strip()})
    if place != words[0]:
        problems.warn(FileProblem.LETTER_O_AS_ZERO(word=words[0]), line, row.number)
    grade_index = next((i for i in range(2, len(words)) if _is_grade(words[i], words[i + 1 : i + 2])), 0)
    if not grade_index:
        problems.error(FileProblem.NO_GRADE(), line, row.number)
        return RowParts(row, [])
    row.broken, row.texts = False, {}
    _read_names(words[1:grade_index], row, problems)
    row.grade = _read_grade(words[grade_index], row, problems)
    rest = words[grade_index + 1 :]
    if rest and COUNTRY.fullmatch(rest[0]):
        row.country = _read_country(rest.pop(0), row, problems)
    else:
        problems.warn(FileProblem.NO_COUNTRY(), line, row.number)
    while rest and not (NUMBER.fullmatch(rest[0]) or RESULT.fullmatch(rest[0])):
        rest.pop(0)  # the club
    return RowParts(row, rest)


def _is_grade(word: str, after: list[str]) -> bool:
    """Return True if a word is a grade: with its unit, or followed by a country, since it could else be a score."""
    match = GRADE.fullmatch(word)
    return bool(match and (match["unit"] or (after and COUNTRY.fullmatch(after[0]))))


def _normalize_digits(word: str) -> str:
    """Return digits with the letter O replaced by zero, "" for other words."""
    return word.replace("O", "0").replace("o", "0") if re.fullmatch(r"[\dOo]*\d[\dOo]*", word, re.ASCII) else ""


def _read_names(words: list[str], row: ParsedRow, problems: Problems) -> None:
    if len(words) > 2:
        beginning = " ".join(words)[:60]
        problems.warn(FileProblem.LONG_NAME(shown=beginning), row.line, row.number)
    family = words if len(words) == 1 else words[:-1]
    given = words[-1] if len(words) > 1 else ""
    row.family, row.given = " ".join(family).replace("_", " ").strip(), given.replace("_", " ").strip()
    if not row.family:
        problems.error(FileProblem.LAST_NAME_MISSING(), row.line, row.number)
    elif not given:
        problems.warn(FileProblem.ONE_NAME(family=row.family), row.line, row.number)


def _read_grade(word: str, row: ParsedRow, problems: Problems) -> str | None:
    match = GRADE.fullmatch(word)
    assert match
    if match["none"]:
        return None
    number, unit = _normalize_digits(match["number"]), match["unit"].lower()
    if number and number != match["number"]:
        problems.warn(FileProblem.LETTER_O_AS_ZERO(word=word), row.line, row.number)
    if not unit:
        problems.warn(FileProblem.GRADE_READ_AS_KYU(word=word), row.line, row.number)
    if unit == "p" or not number or not 1 <= int(number) <= (MOST_DAN if unit == "d" else MOST_KYU):
        message = FileProblem.GRADE_OUT_OF_RANGE(word=word, lowest=MOST_KYU, highest=MOST_DAN)
        problems.warn(message, row.line, row.number)
        return None
    return f"{int(number)} {'Dan' if unit == 'd' else 'Kyu'}"


def _read_country(word: str, row: ParsedRow, problems: Problems) -> str:
    if word.startswith("-") or word.upper() == NO_COUNTRY:
        return ""
    code = word.upper() if len(word) == 2 else country_code(word)
    if code is None:
        problems.warn(FileProblem.COUNTRY_LEFT_OUT(word=word), row.line, row.number)
        row.texts["country"] = word
    return COUNTRY_ALIASES.get(code or "", code or "")


def read_row(parts: RowParts, scores: int, problems: Problems) -> list[float | None]:
    """Read the results after the first `scores` words into the row; return the scores as numbers."""
    row, words = parts.row, parts.words
    for column, word in enumerate(words[:scores], 1):
        if not NUMBER.fullmatch(word):
            message = FileProblem.RESULT_IN_SCORE_COLUMN(word=word[:20], column=column)
            problems.warn(message, row.line, row.number)
    for index, word in enumerate(words[scores:], scores):
        match = RESULT.fullmatch(word)
        if not match and not NUMBER.fullmatch(word) and not any(map(RESULT.fullmatch, words[index:])):
            problems.warn(FileProblem.TEXT_AFTER_RESULTS(words=" ".join(words[index:])[:40]), row.line, row.number)
            break
        row.cells.append(_read_cell(match, word, row, problems))
    return [read_points(word) for word in words[:scores]]


def _read_cell(match: re.Match[str] | None, word: str, row: ParsedRow, problems: Problems) -> Cell:
    position = (row.line, row.number, len(row.cells) + 1)
    opponent = _normalize_digits(match["opponent"]) or "0" if match else ""
    if not match or (match["double"] and (int(opponent) or match["sign"] != "=")):
        problems.error(FileProblem.NOT_AN_H9_RESULT(word=word[:40]), *position)
        return unreadable(word)
    if opponent != match["opponent"]:
        problems.warn(FileProblem.LETTER_O_AS_ZERO(word=word), *position)
    if match["double"]:
        problems.warn(FileProblem.HALF_POINT_BYE(), *position)
    marks = match["before"] + match["after"]
    points, stones = POINTS[match["sign"]], int(match["stones"] or 0)
    black = match["colour"].lower() == "b" if match["colour"] else None
    if int(opponent) and "!" in marks:
        return Cell(0, points, forfeit=int(opponent), paired_black=black)
    if marks:
        message = FileProblem.MARK_AFTER_RESULT(marks=marks[:5])
        problems.warn(message, *position)
    if not int(opponent):
        return Cell(0, points)
    if stones > MAX_STONES:
        problems.warn(FileProblem.MANY_STONES(stones=stones, most=MAX_STONES), *position)
    return Cell(int(opponent), points, stones=stones, black=black)


def set_points(rows: list[ParsedRow], scores: list[list[float | None]]) -> None:
    """Set the rows' points from the score column that agrees with the results in most rows.

    The file does not say which column has the points; no points are set if no column agrees in more than half the rows.
    Programs write 0= for half a point and for a round that a player did not play: where the points agree in more rows
    without these halves, the player did not play.
    """
    counted = [sum(cell.points for cell in row.cells) for row in rows]
    without_halves = [sum(cell.points for cell in row.cells if not _is_free_half(cell)) for row in rows]
    column, hits = _find_points(scores, counted)
    other_column, other_hits = _find_points(scores, without_halves)
    if other_hits > hits:
        column, hits = other_column, other_hits
        for row in rows:
            row.cells = [Cell(0, 0) if _is_free_half(cell) else cell for cell in row.cells]
    if hits * 2 <= len(rows):
        return
    for row, row_scores in zip(rows, scores, strict=True):
        row.points = row_scores[column] if len(row_scores) > column else None


def set_places(rows: list[ParsedRow], scores: list[list[float | None]]) -> None:
    """Take the numbers of the rows as official places, if a score never increases from one place to the next.

    Otherwise the rows are not in finishing order, as in a file that was written before the end.
    """
    in_order = sorted(zip(rows, scores, strict=True), key=lambda pair: pair[0].number)
    for column in zip(*(row_scores for _row, row_scores in in_order), strict=False):
        known = [score for score in column if score is not None]
        if len(known) == len(rows) and known[0] > known[-1] and known == sorted(known, reverse=True):
            for row in rows:
                row.place = row.number
            return


def _is_free_half(cell: Cell) -> bool:
    return cell.readable and not cell.opponent and not cell.forfeit and cell.points == 0.5


def _find_points(scores: list[list[float | None]], counted: list[float]) -> tuple[int, int]:
    """Return the score column that agrees with counted points in most rows, and in how many."""
    columns = max((len(row_scores) for row_scores in scores), default=0)
    hits = [
        sum(len(row_scores) > i and row_scores[i] == points for row_scores, points in zip(scores, counted, strict=True))
        for i in range(columns)
    ]
    return (hits.index(max(hits)), max(hits)) if hits else (0, 0)


def row_text(row: ParsedRow) -> str:
    """Return the row of a player in fixed columns, with the points of the results as the first score."""
    number, _, unit = (row.grade or "").partition(" ")
    grade = f"{number}{unit[:1].upper()}" if row.grade else "-"
    points = sum(cell.points for cell in row.cells)
    country = OWN_COUNTRIES.get(row.country, row.country) or NO_COUNTRY
    name = f"{_join_name(row.family)} {_join_name(row.given)}"
    scores = "".join(f"{score:>4} " for score in (f"{points:g}", *["0"] * (SCORES - 1)))
    results = "".join(f"{_format_result(cell):<5}".rjust(RESULT_WIDTH) for cell in row.cells)
    pin = f" |{row.outside[EGD]}" if EGD in row.outside else ""
    return f"{row.number:>4} {name:<30} {grade:>3} {country:2} {NO_CLUB:>4} {scores}{results}{pin}".rstrip()


RESULT_WIDTH = 9


def _format_result(cell: Cell) -> str:
    """Return a result such as 2+/w0, and 2+! for a game won by default."""
    if cell.forfeit:
        return f"{cell.forfeit}{SIGNS[cell.points]}!"
    colour = "" if cell.black is None else f"/{'b' if cell.black else 'w'}{cell.stones}"
    return f"{cell.opponent}{SIGNS[cell.points]}{colour}"


def _join_name(name: str) -> str:
    """Return a name as one word, without the characters ; and | that end a row."""
    return "_".join(re.sub(r"[;|]", " ", name).split()) or "_"
