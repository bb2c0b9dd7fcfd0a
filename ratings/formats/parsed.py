"""The parsed table and the problems, each with its position, that all readers of results files return."""

from __future__ import annotations

import datetime as dt
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from ratings.formats.encodings import (
    ISO_8859_15,
    UTF_8,
    WINDOWS_1252,
    convert_utf_16,
    decode_text,
    list_repaired_words,
    repair_text,
)
from ratings.formats.problems import FileProblem
from ratings.systems.values import Game, GameKind, invert_score

FATAL, WARNING, HINT = "error", "warning", "hint"
BYTES_AT_MOST = 2_000_000
LINE_AT_MOST = 1_000  # characters; thirty rounds with handicaps need a third of it
LINES_AT_MOST = 50_000  # a thousand players' games, one per line, need three fifths of it
MAX_PROBLEMS_PER_LEVEL = 5_000  # problems of each level
ROWS_AT_MOST = 1_000
ROUNDS_AT_MOST = 30
# control characters and no-break spaces are read as spaces
SPACES = {code: " " for code in (*range(32), *range(127, 161)) if code != ord("\n")}
SPACES_BUT_TABS = {code: space for code, space in SPACES.items() if code != ord("\t")}


SIGNS = {1: "+", 0: "-", 0.5: "="}
"""Signs of results, by points."""
KIND_MARKS: Mapping[str, str] = {"": "!", GameKind.UNRATED: "u", GameKind.FULL_BYE: "f"}
"""Marks after the sign of a result that is not rated, by its kind."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem in a file, with its position.

    Results with errors cannot be submitted; a person answers warnings.
    """

    level: str
    message: str
    line: int | None = None
    row: int | None = None
    round: int | None = None
    fix: str = ""  # "mirror": the opponent's cell could follow from this one

    def __str__(self) -> str:
        parts = [f"row {self.row}" if self.row else "", f"round {self.round}" if self.round else ""]
        place = ", ".join(part for part in parts if part)
        return (
            f"{f'line {self.line}: ' if self.line else ''}{self.level}: {f'{place}: ' if place else ''}{self.message}"
        )


class GameFields(Protocol):
    """Fields of a game that its cells need, stored or not; `score` is that of `a`, a side is "a" or "b"."""

    @property
    def score(self) -> float | None: ...
    @property
    def played(self) -> bool: ...
    @property
    def kind(self) -> str: ...
    @property
    def handicap(self) -> str | None: ...
    @property
    def giver(self) -> str | None: ...
    @property
    def stones(self) -> int: ...
    @property
    def black(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Cell:
    """One round of one player.

    `opponent` is a row number, 0 for no opponent; `points` are 1, 0.5 or 0. `handicap` is one of s l b r rl 2p 4p 5p
    6p, and `gave` is True if this player gave it. In go, `black` is True if this player had Black, and `stones` is the
    number of handicap stones. `text` is the cell as typed if it contains more than the fields do. A cell that is not
    `readable` is neither a game nor an absence, and its other fields have no meaning. `paired` is the row number of the
    opponent of a game without a result yet, in a file of a pairing program, and `forfeit` that of a game that is not
    rated: won or lost by default, or of the `kind` unrated; `paired_black` is the colour in such a game. A full point
    without an opponent has the kind full bye if it is not the bye of the pairing.
    """

    opponent: int
    points: float
    handicap: str | None = None
    gave: bool = False
    stones: int = 0
    black: bool | None = None
    text: str = field(default="", compare=False)
    readable: bool = field(default=True, compare=False)
    paired: int = field(default=0, compare=False)
    forfeit: int = field(default=0, compare=False)
    paired_black: bool | None = field(default=None, compare=False)
    kind: str = field(default="", compare=False)

    def token(self) -> str:
        """Return opponent and result, such as 7+, without the opponent of a game that was not played."""
        return f"{self.opponent}{SIGNS[self.points]}"

    @property
    def typed(self) -> str:
        """The cell as people type it: 7+, 7+! for a game won by default, 7+u for one that is not rated, 0+f."""
        return f"{self.named}{SIGNS[self.points]}{self.kind_mark}{self.mark}"

    @property
    def kind_mark(self) -> str:
        """The mark of a result that is not rated; empty for a rated game and for other results without an opponent."""
        return KIND_MARKS.get(self.kind, "!") if self.forfeit or self.kind else ""

    @property
    def is_played(self) -> bool:
        """True if a game was played, rated or not."""
        return bool(self.opponent) or self.kind == GameKind.UNRATED

    @property
    def has_black(self) -> bool | None:
        """True if the player has Black in a game, rated or not; None where the colour is unknown."""
        return self.paired_black if self.forfeit else self.black

    @property
    def colour(self) -> str:
        """The colour as the wall lists of go write it: /b4 means Black with 4 stones."""
        return "" if self.has_black is None else f"/{'b' if self.has_black else 'w'}{self.stones or ''}"

    @property
    def mark(self) -> str:
        """The colour, and the handicap as the federations write it: (-2p) given, (+2p) received."""
        return self.colour + (f"({'-' if self.gave else '+'}{self.handicap})" if self.handicap else "")

    @classmethod
    def from_game(cls, game: GameFields, side: str, opponent: int) -> Cell:
        """Return a game with a score as a cell of one side; `opponent` is the row number, 0 without one.

        The opponent of a game that was not played becomes that of a `forfeit`.
        """
        assert game.score is not None
        black = None if game.black is None else game.black == side
        forfeit = 0 if game.played else opponent
        return cls(
            opponent if game.played else 0,
            game.score if side == "a" else invert_score(game.score, game.kind),
            game.handicap,
            game.handicap is not None and game.giver == side,
            game.stones,
            black if game.played else None,
            forfeit=forfeit,
            paired_black=black if forfeit else None,
            kind=game.kind,
        )

    def to_game(self, round_: int, board: int) -> Game:
        """Return the cell as a game for the rating rules, with the row's player as `a`."""
        return Game(round_, "a", "b", self.points, True, self.handicap, self.giver, self.stones, self.black_side, board)

    @property
    def giver(self) -> str | None:
        """The side that gave the handicap: "a" is the row's player, "b" the opponent."""
        return None if self.handicap is None else "a" if self.gave else "b"

    @property
    def black_side(self) -> str | None:
        """The side that had Black: "a" is the row's player, "b" the opponent."""
        return None if self.has_black is None else "a" if self.has_black else "b"

    def mirrored(self, number: int) -> Cell:
        """Return the cell of this game in the opponent's row; `number` is the number of this row."""
        gave = bool(self.handicap) and not self.gave
        black, paired_black = (None if value is None else not value for value in (self.black, self.paired_black))
        mirrored = Cell(number, 1 - self.points, self.handicap, gave, self.stones, black)
        if not self.forfeit:
            return mirrored
        return replace(mirrored, opponent=0, forfeit=number, paired_black=paired_black, kind=self.kind)

    @property
    def named(self) -> int:
        """The row number of the opponent, also of a game that was not played; 0 without an opponent."""
        return self.opponent or self.forfeit


@dataclass(slots=True)
class ParsedRow:
    """A player's row in a parsed table.

    Only published tables have `grade`, `starred`, `change` and `promoted`; `rating` is the one before the table. Only
    TRF and RenjuNet's database have `sex` (m or w) and `birth_year`, only RenjuNet's has `native`, the name in the
    player's own script, and only TRF has `title`, and the player's numbers in federations by FIDE's codes (`national`)
    with the rating there (`national_rating`). `place` is the official place, where the file has it. `player` is the
    public id of the player, where the file has one; `outside` holds ids in other registries by the registry's key (egd,
    fide). `texts` holds the original texts of invalid fields, by the field's name (country, macmahon, points, place),
    and for a `broken` row the whole line as "row".
    """

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
    broken: bool = False  # could not be read, but has its number, so that the other rows can be checked
    grade: str | None = None
    rating: int | None = None
    starred: bool = False
    change: int | None = None
    promoted: str | None = None
    player: str = ""
    sex: str = ""
    native: str = ""
    title: str = ""
    birth_year: int | None = None
    place: int | None = None
    national: dict[str, str] = field(default_factory=dict)
    national_rating: int | None = None
    texts: dict[str, str] = field(default_factory=dict)
    outside: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.family} {self.given}".strip()


@dataclass(slots=True)
class ParsedTable:
    """A results table as read from a file.

    `published` tables contain ratings. `code` is the country's code of two letters, if known. `minutes` are those for
    each player and game, `increment` the seconds added with every move; `adjusted_minutes` and `time_class` (A to D, X)
    are those of go. `program_lines` are lines of TRF that only programs use, `pairing_lines` those of them that name
    players by their starting ranks, and `comments` those about corrections; only TRF has the chief `arbiter` and the
    days of the rounds, None where unknown. `discipline` is renju or gomoku in files that have both.
    """

    name: str
    first_day: dt.date
    last_day: dt.date
    rows: list[ParsedRow]
    place: str = ""
    country: str = ""
    time_control: str = ""
    published: bool = False
    code: str = ""
    minutes: float | None = None
    increment: int | None = None
    adjusted_minutes: float | None = None
    time_class: str = ""
    program_lines: tuple[str, ...] = ()
    pairing_lines: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()
    discipline: str = ""
    arbiter: str = ""
    round_days: tuple[dt.date | None, ...] = ()

    @property
    def rounds(self) -> int:
        return max((len(row.cells) for row in self.rows), default=0)

    @property
    def is_round_robin(self) -> bool:
        """True if all pairs of players met equally often."""
        met = Counter((row.number, other) for row in self.rows for cell in row.cells if (other := cell.named))
        return len(met) == len(self.rows) * (len(self.rows) - 1) and len(set(met.values())) == 1


@dataclass(slots=True)
class Problems:
    """The problems found while a file is read.

    Only the first problems of each level are stored; the rest are counted. `texts` holds the original texts of invalid
    days, by field (first_day, last_day).
    """

    all: list[Problem] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    texts: dict[str, str] = field(default_factory=dict)

    def error(
        self, message: str, line: int | None = None, row: int | None = None, round: int | None = None, *, fix: str = ""
    ) -> None:
        self.add(Problem(FATAL, message, line, row, round, fix))

    def warn(self, message: str, line: int | None = None, row: int | None = None, round: int | None = None) -> None:
        self.add(Problem(WARNING, message, line, row, round))

    def note(self, message: str, line: int | None = None, row: int | None = None, round: int | None = None) -> None:
        """Add a hint that explains how an unusual but unambiguous text was read."""
        self.add(Problem(HINT, message, line, row, round))

    def add(self, problem: Problem) -> None:
        """Add a problem, or only count it if its level has reached the limit."""
        self.counts[problem.level] += 1
        if self.counts[problem.level] <= MAX_PROBLEMS_PER_LEVEL:
            self.all.append(problem)

    @property
    def fatal(self) -> bool:
        return any(problem.level == FATAL for problem in self.all)

    def sorted_by_position(self) -> list[Problem]:
        return sorted(self.all, key=lambda p: (p.line or 0, p.row or 0, p.round or 0))


def decode(data: bytes, problems: Problems, *, latin1: bool = False, tabs: bool = False) -> list[str]:
    """Return the lines of a file in any usual encoding, with normalised characters; no lines if there is an error.

    UTF-8, UTF-16, Windows-1252, ISO-8859-15 and Latin-1 are read, and letters that another program decoded wrongly are
    repaired. The byte order mark is removed, accents are composed, and control characters and no-break spaces become
    spaces. With `latin1`, add a warning if the file is in UTF-8 although its format is Latin-1. With `tabs`, keep tabs
    instead of turning them into spaces.
    """
    if len(data) > BYTES_AT_MOST:
        problems.error(FileProblem.FILE_TOO_LARGE(data=len(data), most=BYTES_AT_MOST))
        return []
    text = _decode_bytes(data, problems, latin1=latin1)
    if text is None:
        problems.error(FileProblem.NOT_TEXT())
        return []
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not _short_enough(lines, problems):
        return []
    text = "\n".join(_repair_lines(lines, problems))
    composed = unicodedata.normalize("NFC", text)  # takes hours on a very long line
    if composed != text:
        problems.warn(FileProblem.ACCENTS_COMPOSED())
    if "\xa0" in composed:
        problems.warn(FileProblem.NO_BREAK_SPACES())
    lines = composed.split("\n")
    lines = [line.translate(SPACES_BUT_TABS if tabs else SPACES) for line in lines]
    if not any(line.strip() for line in lines):
        problems.error(FileProblem.FILE_EMPTY())
        return []
    return lines


def _decode_bytes(data: bytes, problems: Problems, *, latin1: bool) -> str | None:
    """Return the text of a file, None if it is not a text file."""
    converted = convert_utf_16(data)
    is_utf_16 = converted is not data
    if is_utf_16:
        problems.note(FileProblem.UTF_16_FILE())
    if b"\0" in converted:
        return None
    text, codec = decode_text(converted)
    if codec == WINDOWS_1252:
        problems.note(FileProblem.WINDOWS_FILE())
    elif codec == ISO_8859_15:
        problems.note(FileProblem.ISO_8859_15_FILE())
    elif latin1 and codec == UTF_8 and not text.isascii() and not is_utf_16:
        problems.warn(FileProblem.UTF8_FILE())
    return text


def _repair_lines(lines: list[str], problems: Problems) -> list[str]:
    """Return the lines with letters that another program decoded wrongly, with a note for each word."""
    for number, line in enumerate(lines, 1):
        for said, read in list_repaired_words(line):
            problems.note(FileProblem.ENCODING_REPAIRED(said=said, read=read), number)
    return [line if line.isascii() else repair_text(line) for line in lines]


def _short_enough(lines: list[str], problems: Problems) -> bool:
    if len(lines) > LINES_AT_MOST:
        problems.error(FileProblem.TOO_MANY_LINES(lines=len(lines), most=LINES_AT_MOST))
        return False
    long = next((number for number, line in enumerate(lines, 1) if len(line) > LINE_AT_MOST), None)
    if long is not None:
        message = FileProblem.LINE_TOO_LONG(lines=len(lines[long - 1]), most=LINE_AT_MOST)
        problems.error(message, long)
    return long is None


def unreadable(text: str) -> Cell:
    """Return an unreadable cell that holds a text which is not a result."""
    return Cell(0, 0, text=text, readable=False)


def add_broken_rows(rows: list[ParsedRow], lines: Iterable[tuple[int, str]]) -> None:
    """Append lines without a valid row number, as (line number, text), as broken rows with the next numbers."""
    last = max((row.number for row in rows), default=0)
    for number, (line, text) in enumerate(lines, last + 1):
        rows.append(ParsedRow(number, line, "?", "", broken=True, texts={"row": text}))


def points_text(points: float) -> str:
    """Return points as the federation prints them, with halves as in 5/2."""
    return f"{round(points)}" if points == round(points) else f"{round(points * 2)}/2"


def read_points(text: str) -> float | None:
    """Return points such as `4`, `2.5`, `5/2`, `2 1/2` or `2½` as a number; None for any other text."""
    parts = text.replace("½", " 1/2").replace(",", ".").split()
    try:
        total = 0.0
        for part in parts:
            numerator, slash, denominator = part.partition("/")
            total += float(numerator) / float(denominator) if slash else float(numerator)
    except (ValueError, ZeroDivisionError):
        return None
    return total if parts and abs(total) < 1000 else None


def read_place(text: str) -> int | None:
    """Return a place such as `3` or `3=`, from 1 to the maximum number of rows; None for any other text."""
    digits = text.strip().strip("=.").strip()
    place = int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 5 else 0
    return place if 1 <= place <= ROWS_AT_MOST else None


FIRST_YEAR, LAST_YEAR = 1800, 2199


def read_days(text: str) -> tuple[dt.date, dt.date] | None:
    """Return the first and last day of a text, None if it is not a date or range.

    Accepted are `2024-04-21`, `2024-04-20/21`, `2024-04-30/05-01` and `2024-04-20 to 2024-04-21`.
    """
    first, _, last = (part.strip() for part in text.replace(" to ", "/").partition("/"))
    start = _parse_day(first)
    end = _parse_day(first[: 10 - len(last)] + last) if last else start
    return None if start is None or end is None else (start, end)


def _parse_day(text: str) -> dt.date | None:
    try:
        day = dt.date.fromisoformat(text) if len(text) == 10 else None
    except ValueError:
        return None
    return day if day is not None and is_possible_day(day) else None


def is_possible_day(day: dt.date) -> bool:
    """Return True if the year of a day of results is not obviously a typing error."""
    return FIRST_YEAR <= day.year <= LAST_YEAR
