"""What every reader of an outside format gives: a parsed table and its problems, each with its place."""

from __future__ import annotations

import datetime as dt
import unicodedata
from dataclasses import dataclass, field

FATAL, WARNING = "error", "warning"
BYTES_AT_MOST = 2_000_000
LINE_AT_MOST = 1_000  # thirty rounds with handicaps need a third of it
ROWS_AT_MOST = 1_000
# control characters and no-break spaces are read as spaces
SPACES = {code: " " for code in (*range(32), *range(127, 161)) if code != ord("\n")}


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, where, and what to do. Errors keep the file out; warnings are accepted knowingly."""

    level: str
    message: str
    line: int | None = None
    row: int | None = None
    round: int | None = None

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
    def mark(self) -> str:
        """The handicap as the federations write it: (-2p) gave, (+2p) received; /b4 had Black with 4 stones."""
        if self.black is not None:
            return f"/{'b' if self.black else 'w'}{self.stones or ''}"
        return f"({'-' if self.gave else '+'}{self.handicap})" if self.handicap else ""

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
    """A results table as a file gives it; `published` tells that it carries ratings."""

    name: str
    first_day: dt.date
    last_day: dt.date
    rows: list[ParsedRow]
    place: str = ""
    country: str = ""
    time_control: str = ""
    published: bool = False

    @property
    def rounds(self) -> int:
        return max((len(row.cells) for row in self.rows), default=0)


@dataclass(slots=True)
class Problems:
    """Collects problems while a file is read."""

    all: list[Problem] = field(default_factory=list)

    def error(self, message: str, line: int | None = None, row: int | None = None, round: int | None = None) -> None:
        self.all.append(Problem(FATAL, message, line, row, round))

    def warn(self, message: str, line: int | None = None, row: int | None = None, round: int | None = None) -> None:
        self.all.append(Problem(WARNING, message, line, row, round))

    @property
    def fatal(self) -> bool:
        return any(problem.level == FATAL for problem in self.all)

    def in_order(self) -> list[Problem]:
        return sorted(self.all, key=lambda p: (p.line or 0, p.row or 0, p.round or 0))


def decode(data: bytes, problems: Problems, *, latin1: bool = False) -> list[str]:
    """The lines of a file in UTF-8 or Latin-1, without BOM, in composed form, no-break spaces as spaces.

    `latin1` warns where a file is in UTF-8 although its format is Latin-1.
    """
    if len(data) > BYTES_AT_MOST:
        problems.error(f"the file has {len(data):,} bytes or more; at most {BYTES_AT_MOST:,} are read")
        return []
    if b"\0" in data:
        problems.error("this is no text file (save it as plain text in Latin-1 or UTF-8)")
        return []
    try:
        text = data.decode("utf-8-sig")
        if latin1 and not text.isascii():
            problems.warn("the file is in UTF-8; the federation's own program reads ISO-8859-1 only")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    composed = unicodedata.normalize("NFC", text)
    if composed != text:
        problems.warn("accents are written as separate characters; they were composed")
    if "\xa0" in composed:
        problems.warn("no-break spaces were read as spaces")
    lines = composed.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line in enumerate(lines, 1):
        if len(line) > LINE_AT_MOST:
            problems.error(f"the line has {len(line):,} characters; at most {LINE_AT_MOST:,} are read", number)
            return []
    lines = [line.translate(SPACES) for line in lines]
    if not any(line.strip() for line in lines):
        problems.error("the file is empty")
        return []
    return lines


def check_games(rows: list[ParsedRow], problems: Problems) -> None:
    """The errors of a cross-table that need more than one cell: mirror, results, handicaps, points, pairs."""
    _check_rounds(rows, problems)
    by_number = {row.number: row for row in rows}
    for row in (row for row in rows if not row.broken):
        met: dict[int, int] = {}
        for round_, cell in enumerate(row.cells, 1):
            if cell.opponent == 0:
                continue
            if problem := _wrong_opponent(row, cell, round_, by_number):
                problems.error(problem, row.line, row.number, round_)
            elif row.number < cell.opponent and cell.opponent in met:
                problems.warn(f"{row.name} meets row {cell.opponent} twice", row.line, row.number, round_)
            met[cell.opponent] = round_
        if row.cells and all(cell.opponent == 0 for cell in row.cells):
            problems.warn(f"{row.name} has no game", row.line, row.number)
        _check_points(row, problems)
    for round_ in range(1, max((len(row.cells) for row in rows), default=0) + 1):
        if all(len(row.cells) < round_ or row.cells[round_ - 1].opponent == 0 for row in rows if not row.broken):
            problems.warn("nobody has a game", round=round_)


def _check_rounds(rows: list[ParsedRow], problems: Problems) -> None:
    counts = [len(row.cells) for row in rows if not (row.simultaneous or row.broken)]
    usual = max(counts, key=counts.count, default=0)
    for row in rows:
        if len(row.cells) != usual and not (row.simultaneous or row.broken):
            problems.error(f"{len(row.cells)} rounds where the other rows have {usual}", row.line, row.number)


def _wrong_opponent(row: ParsedRow, cell: Cell, round_: int, rows: dict[int, ParsedRow]) -> str | None:
    """What is wrong with the opponent of a cell."""
    if cell.opponent == row.number:
        return f"{row.name} plays himself"
    other = rows.get(cell.opponent)
    if other is None:
        return f"opponent {cell.opponent} does not exist: the table has {len(rows)} rows"
    if other.simultaneous or other.broken or len(other.cells) < round_:
        return None  # his rounds are not checked; a missing round is told elsewhere
    mirror = other.cells[round_ - 1]
    if mirror.opponent != row.number:
        told = f"names row {mirror.opponent}" if mirror.opponent else "names nobody"
        return f"names row {cell.opponent}, but row {cell.opponent} {told} in this round"
    return _wrong_result(cell, mirror) if row.number < cell.opponent else None  # told once a pair


def _wrong_result(cell: Cell, mirror: Cell) -> str | None:
    """What the two sides of a game say differently."""
    if mirror.points + cell.points != 1:
        return f"{cell.token()} against {mirror.token()} in row {cell.opponent}: the two results must add up to 1"
    if cell.handicap != mirror.handicap or (cell.handicap and cell.gave == mirror.gave):
        return (
            f"handicap {cell.mark or 'missing'} against {mirror.mark or 'missing'} in row {cell.opponent}:"
            " both rows need the same handicap, one given (-) and one received (+)"
        )
    if (cell.stones, cell.black) != (mirror.stones, None if mirror.black is None else not mirror.black):
        return (
            f"{cell.mark or 'no colour'} against {mirror.mark or 'no colour'} in row {cell.opponent}:"
            " both rows need the same number of stones, one with /b and one with /w"
        )
    return None


def _check_points(row: ParsedRow, problems: Problems) -> None:
    counted = (row.macmahon or 0) + sum(cell.points for cell in row.cells)
    if row.points is not None and row.points != counted and not row.simultaneous:
        problems.warn(f"points {points_text(row.points)}, but MacMahon and results give {points_text(counted)}",
                      row.line, row.number)  # fmt: skip


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
