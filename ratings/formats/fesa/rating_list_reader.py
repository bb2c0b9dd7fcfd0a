"""The rating list text as FESA publishes it, read. Two widths are known; the line of titles tells which one it is.

Ranks from 1000 on and long names push a line to the right. So rank, rating, games and nationality are read from the
line's ends, and how far the rating stands from its title tells how far the names were pushed.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import NamedTuple

from ratings.systems.words import Words as _

from .parsed import Problems, decode

TITLES = re.compile(r"(?P<name>\s*)Name\s+Grades\s+Elo\s+#games\s+Nationality$")
DATED = re.compile(r"Elo list for (?P<day>.*)$")
RANK = re.compile(r"\s*(?P<rank>\d{1,5})(?= |$)", re.ASCII)
TAIL = re.compile(r"(?<= )(?P<rating>\d{1,4}) +(?P<games>\d{1,4})(?: +(?P<country>[A-Za-z]{2,3}))?$", re.ASCII)
GRADE = re.compile(r"(?<= )(?P<number>\d{1,2}) (?P<unit>Dan|Kyu)(?= |$)", re.ASCII)
GIVEN_WIDTH = 16  # with the blank behind it


@dataclass(frozen=True, slots=True)
class ParsedPlayer:
    """A line of a rating list. None: the list does not tell; `id` and `birth_year` stand in CSV only.

    `grade` is the federation's own one, `prior_grade` an official one from elsewhere.
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

    @property
    def name(self) -> str:
        return f"{self.family} {self.given}".strip()


@dataclass(frozen=True, slots=True)
class ParsedList:
    """A rating list as a file gives it; the day is None where the file does not tell it."""

    day: dt.date | None
    players: tuple[ParsedPlayer, ...]


class Columns(NamedTuple):
    """Where the titles of a list stand, counted from 0."""

    name: int
    grades: int
    elo: int

    @property
    def given(self) -> int:
        return self.grades - 1 - GIVEN_WIDTH

    @property
    def between_grades(self) -> float:
        """The first grade's unit ends left of here, the second's right of it, in both widths."""
        return (self.grades + self.elo) / 2 + 2


def looks_like_rating_list(data: bytes) -> bool:
    """Whether the file begins as the rating list text does."""
    lines = data[:5000].decode("latin-1").splitlines()
    return any(DATED.match(line.lstrip("ï»¿ ")) or TITLES.match(line.rstrip()) for line in lines[:50])


def read_rating_list(data: bytes) -> tuple[ParsedList | None, Problems]:
    """The list, None where its columns are not known, and everything that is wrong with the file."""
    problems = Problems()
    lines = [(number, line.rstrip()) for number, line in enumerate(decode(data, problems), 1) if line.strip()]
    if not lines:
        return None, problems
    at, columns = next(((i, found) for i, (_, line) in enumerate(lines) if (found := _columns(line))), (0, None))
    if columns is None:
        problems.error(
            _("no line of titles (Name, Grades, Elo, #games, Nationality), which tells where the columns are")
        )
        return None, problems
    day = _day(lines[:at], problems)
    players = [player for number, line in lines[at + 1 :] if (player := _player(number, line, columns, problems))]
    if not players and not problems.fatal:
        problems.error(_("no players below the titles"))
    _check_ranks(lines[at + 1 :], problems)
    return ParsedList(day, tuple(players)), problems


def _columns(line: str) -> Columns | None:
    found = TITLES.match(line)
    return Columns(found.end("name"), line.index("Grades"), line.index("Elo")) if found else None


def _day(lines: list[tuple[int, str]], problems: Problems) -> dt.date | None:
    """The day above the titles; what else stands there is a title."""
    day = None
    for number, line in lines:
        if found := DATED.match(line.strip()):
            try:
                day = day or (dt.date.fromisoformat(found["day"].strip()) if len(found["day"].strip()) == 10 else None)
            except ValueError:
                problems.warn(_("“{day}” is no date", day=found["day"].strip()[:30]), number)
        elif RANK.match(line) and TAIL.search(line):
            problems.error(_("a player's line above the titles; move it below them"), number)
    return day


def _player(number: int, line: str, columns: Columns, problems: Problems) -> ParsedPlayer | None:
    rank, tail = RANK.match(line), TAIL.search(line)
    if rank is None and tail is None:
        problems.warn(_("not read, for it is no player's line: “{line}”", line=_shown(line)), number)
        return None
    if rank is None or tail is None or tail.start() <= rank.end():
        problems.error(
            _(
                "a player's line has rank, names, grades, rating, games, nationality; this cannot be read: “{line}”",
                line=_shown(line),
            ),
            number,
        )
        return None
    pushed = tail.end("rating") - (columns.elo + 4)
    try:
        first, second, names_end = _grades(line, rank.end(), tail.start(), columns.between_grades + pushed)
        by_rank = max(0, rank.end() - (columns.name - 1))
        names = line[:names_end].rstrip()
        family, given = _split(names, rank.end(), columns.given + by_rank, pushed - by_rank)
    except ValueError as error:
        problems.error(f"{error}: “{_shown(line)}”", number)
        return None
    country = (tail["country"] or "").upper()
    return ParsedPlayer(number, family, given, country, first, second, int(tail["rating"]), int(tail["games"]))


def _shown(line: str) -> str:
    return line.strip()[:60].rstrip()


def _grades(line: str, rank_end: int, end: int, middle: float) -> tuple[str | None, str | None, int]:
    """The federation's own grade, the one from elsewhere, and where the names end. Either may stand alone.

    They are looked for behind the rank: “2 Kyu” may also begin the line of a player called Kyu.
    """
    found = list(GRADE.finditer(line, rank_end, end))
    first, second = None, None
    for grade in found:
        name = f"{int(grade['number'])} {grade['unit']}"
        if grade.end() < middle and first is None and second is None:
            first = name
        elif grade.end() >= middle and second is None:
            second = name
        else:
            raise ValueError("the grades do not stand below their title")
    if line[found[-1].end() if found else end : end].strip():
        raise ValueError("something stands between grades and rating")
    return first, second, found[0].start() if found else end


def _split(names: str, rank_end: int, column: int, pushed: int) -> tuple[str, str]:
    """Last and first name; `column` is where first names begin, and both names together push so many letters.

    A last name of 18 letters touches the first name. A longer one pushes it, and a long first name pushes what
    follows it: the one division is taken that agrees with how far the line was pushed.
    """
    if pushed < 0:
        raise ValueError("the columns do not stand below their titles")
    if len(names) > column + GIVEN_WIDTH - 1 + pushed:
        raise ValueError("something that is no grade stands below the grades")
    cuts = [column + more for more in range(pushed + 1) if _divides(names, column, more, pushed)]
    if not cuts and pushed == 0 and names[column : column + 1].isupper():
        cuts = [column]
    if not cuts and pushed:
        raise ValueError("the columns do not stand below their titles, and no long name has pushed them")
    if len(cuts) != 1:
        raise ValueError("where the last name ends cannot be told (give this list as CSV)")
    family, given = names[rank_end : cuts[0]].strip(), names[cuts[0] :].strip()
    if not family:
        raise ValueError("the last name is missing")
    return family, given


def _divides(names: str, column: int, more: int, pushed: int) -> bool:
    """Whether a last name that is so much longer than its column, and the first name pushing the rest, can be."""
    cut = column + more
    blank = names[cut - 1 : cut] in ("", " ")
    if not more and not pushed:
        return blank
    filled = not more or names[cut - 2 : cut - 1] not in ("", " ")
    given_ends = column + GIVEN_WIDTH - 1 + pushed
    return blank and filled and names[cut : cut + 1] != " " and (more == pushed or len(names) == given_ends)


def _check_ranks(lines: list[tuple[int, str]], problems: Problems) -> None:
    """A rank counts the lines, or is shared with the one before it; else a line may have been lost."""
    before = 0
    ranked = [(number, int(found["rank"])) for number, line in lines if (found := RANK.match(line))]
    for count, (number, rank) in enumerate(ranked, 1):
        if rank not in (count, before):
            problems.warn(
                _("rank {rank} is that of the {count}. player; is a line missing above?", rank=rank, count=count),
                number,
            )
            return
        before = rank
