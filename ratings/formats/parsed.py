"""What every reader of an outside format gives: a parsed table and its problems, each with its place."""

from __future__ import annotations

import datetime as dt
import unicodedata
from collections import Counter
from dataclasses import dataclass, field

from ratings.systems.values import Game
from ratings.systems.words import Words as _

FATAL, WARNING = "error", "warning"
BYTES_AT_MOST = 2_000_000
LINE_AT_MOST = 1_000  # thirty rounds with handicaps need a third of it
LINES_AT_MOST = 50_000  # a thousand players' games, one a line, need three fifths of it
KEPT_AT_MOST = 5_000  # problems of each level, more than anybody reads
ROWS_AT_MOST = 1_000
ROUNDS_AT_MOST = 30
# control characters and no-break spaces are read as spaces
SPACES = {code: " " for code in (*range(32), *range(127, 161)) if code != ord("\n")}
SPACES_BUT_TABS = {code: space for code, space in SPACES.items() if code != ord("\t")}


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, where, and what to do. Errors keep the file out; warnings are accepted knowingly."""

    level: str
    message: str
    line: int | None = None
    row: int | None = None
    round: int | None = None
    cure: str = ""  # "mirror": the opponent's cell could follow from this one

    def __str__(self) -> str:
        place = [f"row {self.row}" if self.row else "", f"round {self.round}" if self.round else ""]
        told = ", ".join(part for part in place if part)
        return f"{f'line {self.line}: ' if self.line else ''}{self.level}: {f'{told}: ' if told else ''}{self.message}"


@dataclass(frozen=True, slots=True)
class Cell:
    """One round of one player. `opponent` is a row number, 0 for nobody; `points` are 1, 0.5 or 0.

    `handicap` is one of s l b r rl 2p 4p 5p 6p, and `gave` tells whether this player gave it; in go `black` tells
    who had Black, with so many `stones`.
    """

    opponent: int
    points: float
    handicap: str | None = None
    gave: bool = False
    stones: int = 0
    black: bool | None = None

    def token(self) -> str:
        sign = {1: "+", 0: "-", 0.5: "="}[self.points]
        return f"{self.opponent}{sign}"

    @property
    def colour(self) -> str:
        """As the wall lists of go write it: /b4 had Black with 4 stones."""
        return "" if self.black is None else f"/{'b' if self.black else 'w'}{self.stones or ''}"

    @property
    def mark(self) -> str:
        """Colour, and handicap as the federations write it: (-2p) gave, (+2p) received."""
        return self.colour + (f"({'-' if self.gave else '+'}{self.handicap})" if self.handicap else "")

    def game(self, round_: int, board: int) -> Game:
        """With the row's player as `a`, for the rules."""
        giver = None if self.handicap is None else "a" if self.gave else "b"
        black = None if self.black is None else "a" if self.black else "b"
        return Game(round_, "a", "b", self.points, True, self.handicap, giver, self.stones, black, board)

    def seen_from(self, number: int) -> Cell:
        """The same game in the opponent's row; `number` is this row's."""
        gave = bool(self.handicap) and not self.gave
        return Cell(
            number, 1 - self.points, self.handicap, gave, self.stones, None if self.black is None else not self.black
        )


@dataclass(slots=True)
class ParsedRow:
    """A player's line. `grade`, `rating`, `starred`, `change` and `promoted` stand in published tables only."""

    number: int
    line: int
    family: str
    given: str
    country: str = ""
    new: bool = False
    cells: list[Cell] = field(default_factory=list)
    macmahon: float | None = None
    points: float | None = None
    simultaneous: bool = False
    broken: bool = False  # could not be read: keeps its number, so that the other rows stay checkable
    grade: str | None = None
    rating: int | None = None
    starred: bool = False
    change: int | None = None
    promoted: str | None = None

    @property
    def name(self) -> str:
        return f"{self.family} {self.given}".strip()


@dataclass(slots=True)
class ParsedTable:
    """A results table as a file gives it; `published`: with ratings; `code`: its country in two letters, if known."""

    name: str
    first_day: dt.date
    last_day: dt.date
    rows: list[ParsedRow]
    place: str = ""
    country: str = ""
    time_control: str = ""
    published: bool = False
    code: str = ""

    @property
    def rounds(self) -> int:
        return max((len(row.cells) for row in self.rows), default=0)


@dataclass(slots=True)
class Problems:
    """Collects problems while a file is read. Of a level with very many the first ones are kept, the rest counted."""

    all: list[Problem] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def error(
        self,
        message: str,
        line: int | None = None,
        row: int | None = None,
        round: int | None = None,
        *,
        cure: str = "",
    ) -> None:
        self._add(Problem(FATAL, message, line, row, round, cure))

    def warn(self, message: str, line: int | None = None, row: int | None = None, round: int | None = None) -> None:
        self._add(Problem(WARNING, message, line, row, round))

    def _add(self, problem: Problem) -> None:
        self.counts[problem.level] += 1
        if self.counts[problem.level] <= KEPT_AT_MOST:
            self.all.append(problem)

    @property
    def fatal(self) -> bool:
        return any(problem.level == FATAL for problem in self.all)

    def in_order(self) -> list[Problem]:
        return sorted(self.all, key=lambda p: (p.line or 0, p.row or 0, p.round or 0))


def decode(data: bytes, problems: Problems, *, latin1: bool = False, tabs: bool = False) -> list[str]:
    """The lines of a file in UTF-8 or Latin-1, without BOM, in composed form, no-break spaces as spaces.

    `latin1` warns where a file is in UTF-8 although its format is Latin-1; `tabs` keeps tabs, which are spaces else.
    """
    if len(data) > BYTES_AT_MOST:
        problems.error(
            _(
                "the file has {data:,} bytes or more; at most {most:,} are read",
                data=len(data),
                most=BYTES_AT_MOST,
            )
        )
        return []
    if b"\0" in data:
        problems.error(_("this is no text file (save it as plain text in Latin-1 or UTF-8)"))
        return []
    try:
        text = data.decode("utf-8-sig")
        if latin1 and not text.isascii():
            problems.warn(_("the file is in UTF-8; the federation's own program reads ISO-8859-1 only"))
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not _short_enough(lines, problems):
        return []
    text = "\n".join(lines)
    composed = unicodedata.normalize("NFC", text)  # of a line without end it would take hours
    if composed != text:
        problems.warn(_("accents are written as separate characters; they were composed"))
    if "\xa0" in composed:
        problems.warn(_("no-break spaces were read as spaces"))
    lines = composed.split("\n")
    lines = [line.translate(SPACES_BUT_TABS if tabs else SPACES) for line in lines]
    if not any(line.strip() for line in lines):
        problems.error(_("the file is empty"))
        return []
    return lines


def _short_enough(lines: list[str], problems: Problems) -> bool:
    if len(lines) > LINES_AT_MOST:
        problems.error(
            _(
                "the file has {lines:,} lines; at most {most:,} are read",
                lines=len(lines),
                most=LINES_AT_MOST,
            )
        )
        return False
    long = next((number for number, line in enumerate(lines, 1) if len(line) > LINE_AT_MOST), None)
    if long is not None:
        told = _(
            "the line has {lines:,} characters; at most {most:,} are read",
            lines=len(lines[long - 1]),
            most=LINE_AT_MOST,
        )
        problems.error(told, long)
    return long is None


def points_text(points: float) -> str:
    """Halves as the federation prints them: 5/2."""
    return f"{round(points)}" if points == round(points) else f"{round(points * 2)}/2"


def read_points(text: str) -> float | None:
    """`4`, `2.5`, `5/2`, `2 1/2`, `2½` as a number; None for anything else."""
    words = text.replace("½", " 1/2").replace(",", ".").split()
    try:
        total = 0.0
        for word in words:
            above, slash, below = word.partition("/")
            total += float(above) / float(below) if slash else float(above)
    except (ValueError, ZeroDivisionError):
        return None
    return total if words and abs(total) < 1000 else None


def read_days(text: str) -> tuple[dt.date, dt.date] | None:
    """`2024-04-21`, `2024-04-20/21`, `2024-04-30/05-01`, `2024-04-20 to 2024-04-21` as first and last day."""
    first, _, last = (part.strip() for part in text.replace(" to ", "/").partition("/"))
    start = _day(first)
    end = _day(first[: 10 - len(last)] + last) if last else start
    return None if start is None or end is None else (start, end)


def _day(text: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text) if len(text) == 10 else None
    except ValueError:
        return None
