"""Reader of the rating list text that FESA publishes.

The lists have one of two widths; the header row shows which one. Ranks from 1000 on and long names shift a line to the
right. Therefore rank, rating, games and nationality are read from the ends of the line, and the distance of the rating
from its title is the shift of the names.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ratings.formats.listed_players import report_players
from ratings.formats.parsed import Problems, decode
from ratings.formats.problems import FileProblem

TITLES = re.compile(r"(?P<name>\s*)Name\s+Grades\s+Elo\s+#games\s+Nationality$")
DATED = re.compile(r"Elo list for (?P<day>.*)$")
RANK = re.compile(r"\s*(?P<rank>\d{1,5})(?= |$)", re.ASCII)
TAIL = re.compile(r"(?<= )(?P<rating>\d{1,4}) +(?P<games>\d{1,4})(?: +(?P<country>[A-Za-z]{2,3}))?$", re.ASCII)
GRADE = re.compile(r"(?<= )(?P<number>\d{1,2}) (?P<unit>Dan|Kyu)(?= |$)", re.ASCII)
GIVEN_WIDTH = 16  # with the blank after it


@dataclass(frozen=True, slots=True)
class ParsedPlayer:
    """A player's line of a rating list; fields that the list does not have are None.

    `grade` is the federation's own grade, `prior_grade` an official grade from another organisation. Only CSV files
    have `id`, `birth_year`, `gender` (female, male or other; empty if unknown), `member_until` and `outside`: the ids
    in other registries, by the registry's key. `k` is the factor K that FIDE's lists print.
    """

    line: int
    family: str
    given: str
    country: str
    grade: str | None
    prior_grade: str | None
    rating: float
    games: int | None
    birth_year: int | None = None
    id: str = ""
    gender: str = ""
    member_until: dt.date | None = None
    outside: Mapping[str, str] = field(default_factory=dict)
    k: int | None = None

    @property
    def name(self) -> str:
        return f"{self.family} {self.given}".strip()


@dataclass(frozen=True, slots=True)
class ParsedList:
    """A rating list as read from a file; the day is None if the file has none."""

    day: dt.date | None
    players: tuple[ParsedPlayer, ...]


class Columns(NamedTuple):
    """The positions of a list's titles in the header row, counted from 0."""

    name: int
    grades: int
    elo: int

    @property
    def given(self) -> int:
        return self.grades - 1 - GIVEN_WIDTH

    @property
    def between_grades(self) -> float:
        """The position between the ends of the first and the second grade, in both widths."""
        return (self.grades + self.elo) / 2 + 2


def looks_like_rating_list(data: bytes) -> bool:
    """Return True if the file begins as a rating list text does."""
    lines = data[:5000].decode("latin-1").splitlines()
    return any(DATED.match(line.lstrip("ï»¿ ")) or TITLES.match(line.rstrip()) for line in lines[:50])


def read_rating_list(data: bytes) -> tuple[ParsedList | None, Problems]:
    """Return the list, None if its columns are unknown, and all problems of the file."""
    problems = Problems()
    lines = [(number, line.rstrip()) for number, line in enumerate(decode(data, problems), 1) if line.strip()]
    if not lines:
        return None, problems
    at, columns = next(
        ((i, found_columns) for i, (_, line) in enumerate(lines) if (found_columns := _read_columns(line))), (0, None)
    )
    if columns is None:
        problems.error(FileProblem.NO_TITLES())
        return None, problems
    day = _read_day(lines[:at], problems)
    players = [player for number, line in lines[at + 1 :] if (player := _read_player(number, line, columns, problems))]
    report_players(len(players), problems)
    _check_ranks(lines[at + 1 :], problems)
    return ParsedList(day, tuple(players)), problems


def _read_columns(line: str) -> Columns | None:
    match = TITLES.match(line)
    return Columns(match.end("name"), line.index("Grades"), line.index("Elo")) if match else None


def _read_day(lines: list[tuple[int, str]], problems: Problems) -> dt.date | None:
    """Return the day above the header row, None if there is none; other lines there are ignored.

    A player's line above the header row is an error.
    """
    day = None
    for number, line in lines:
        if match := DATED.match(line.strip()):
            try:
                day = day or (dt.date.fromisoformat(match["day"].strip()) if len(match["day"].strip()) == 10 else None)
            except ValueError:
                problems.warn(FileProblem.NO_DATE(day=match["day"].strip()[:30]), number)
        elif RANK.match(line) and TAIL.search(line):
            problems.error(FileProblem.PLAYER_ABOVE_TITLES(), number)
    return day


def _read_player(number: int, line: str, columns: Columns, problems: Problems) -> ParsedPlayer | None:
    rank, tail = RANK.match(line), TAIL.search(line)
    if rank is None and tail is None:
        problems.warn(FileProblem.NOT_A_PLAYER_LINE(line=_shorten(line)), number)
        return None
    if rank is None or tail is None or tail.start() <= rank.end():
        problems.error(FileProblem.PLAYER_LINE_UNREADABLE(line=_shorten(line)), number)
        return None
    shift = tail.end("rating") - (columns.elo + 4)
    try:
        first, second, names_end = _read_grades(line, rank.end(), tail.start(), columns.between_grades + shift)
        rank_shift = max(0, rank.end() - (columns.name - 1))
        names = line[:names_end].rstrip()
        family, given = _split_names(names, rank.end(), columns.given + rank_shift, shift - rank_shift)
    except ValueError as error:
        problems.error(FileProblem.LINE_PROBLEM(problem=error, line=_shorten(line)), number)
        return None
    country = (tail["country"] or "").upper()
    return ParsedPlayer(number, family, given, country, first, second, int(tail["rating"]), int(tail["games"]))


def _shorten(line: str) -> str:
    return line.strip()[:60].rstrip()


def _read_grades(line: str, rank_end: int, end: int, middle: float) -> tuple[str | None, str | None, int]:
    """Return the federation's own grade, the grade from another organisation, and the end of the names.

    Each of the grades may be missing. They are searched for after the rank, since “2 Kyu” may also begin the line of a
    player called Kyu. Raises ValueError if the grades are not below their title.
    """
    matches = list(GRADE.finditer(line, rank_end, end))
    first, second = None, None
    for grade in matches:
        name = f"{int(grade['number'])} {grade['unit']}"
        if grade.end() < middle and first is None and second is None:
            first = name
        elif grade.end() >= middle and second is None:
            second = name
        else:
            raise ValueError(FileProblem.GRADES_MISPLACED())
    if line[matches[-1].end() if matches else end : end].strip():
        raise ValueError(FileProblem.TEXT_AFTER_GRADES())
    return first, second, matches[0].start() if matches else end


def _split_names(names: str, rank_end: int, column: int, shift: int) -> tuple[str, str]:
    """Return last and first name; raise ValueError if they cannot be separated.

    `column` is the position where first names begin, and `shift` the number of letters by which both names together
    shift the line. A last name of 18 letters touches the first name. A longer one shifts it, and a long first name
    shifts the text after it: the names are split at the only position that agrees with the shift of the line.
    """
    if shift < 0:
        raise ValueError(FileProblem.COLUMNS_MISPLACED())
    if len(names) > column + GIVEN_WIDTH - 1 + shift:
        raise ValueError(FileProblem.NO_GRADE_BELOW_GRADES())
    cuts = [column + excess for excess in range(shift + 1) if _is_valid_split(names, column, excess, shift)]
    if not cuts and shift == 0 and names[column : column + 1].isupper():
        cuts = [column]
    if not cuts and shift:
        raise ValueError(FileProblem.COLUMNS_MISPLACED_WITHOUT_LONG_NAME())
    if len(cuts) != 1:
        raise ValueError(FileProblem.END_OF_LAST_NAME_UNKNOWN())
    family, given = names[rank_end : cuts[0]].strip(), names[cuts[0] :].strip()
    if not family:
        raise ValueError(FileProblem.LAST_NAME_MISSING())
    return family, given


def _is_valid_split(names: str, column: int, excess: int, shift: int) -> bool:
    """Return True if the last name can be `excess` letters longer than its column.

    The first name then causes the rest of the shift.
    """
    cut = column + excess
    blank = names[cut - 1 : cut] in ("", " ")
    if not excess and not shift:
        return blank
    filled = not excess or names[cut - 2 : cut - 1] not in ("", " ")
    given_ends = column + GIVEN_WIDTH - 1 + shift
    return blank and filled and names[cut : cut + 1] != " " and (excess == shift or len(names) == given_ends)


def _check_ranks(lines: list[tuple[int, str]], problems: Problems) -> None:
    """Add a warning if a rank is neither the number of the line nor the previous rank: a line may be missing."""
    previous = 0
    ranked = [(number, int(match["rank"])) for number, line in lines if (match := RANK.match(line))]
    for count, (number, rank) in enumerate(ranked, 1):
        if rank not in (count, previous):
            problems.warn(FileProblem.RANK_WRONG(rank=rank, count=count), number)
            return
        previous = rank
