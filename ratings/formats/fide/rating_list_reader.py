"""Reader of FIDE's rating lists as text: of one chapter, combined, and the legacy form without FOA.

The line of titles shows where the columns are. Three lines of FIDE's own file are one character longer, because their
other titles (OTit) run into the next column; numbers are followed by blanks, so they are read there too.
"""

from __future__ import annotations

import datetime as dt
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import BinaryIO

from ratings.formats.encodings import decode_text
from ratings.formats.fesa.rating_list_reader import ParsedList
from ratings.formats.parsed import LINE_AT_MOST, Problems, decode
from ratings.formats.problems import FileProblem

from .list_players import ListedField, Selection, finish_list, read_listed_player
from .rating_list import CHAPTERS, MONTHS

TITLE_LINE = re.compile(r"\s*ID Number\s+Name\s+Fed\b", re.IGNORECASE)
TITLE = re.compile(r"ID Number|\S+")
MONTH = re.compile(rf"({'|'.join(MONTHS)})(\d\d)")
FIELDS = {"id": "ID NUMBER", "name": "NAME", "country": "FED", "sex": "SEX", "birth_year": "B-DAY"}
REQUIRED = ("ID NUMBER", "NAME", "FED")
CHAPTER_LETTERS = dict(zip(CHAPTERS, "SRB", strict=True))


def looks_like_fide_list(data: bytes) -> bool:
    """Return True if the first line with text has FIDE's titles."""
    lines = data[:5000].decode("latin-1").removeprefix("ï»¿").splitlines()
    return bool(TITLE_LINE.match(next((line for line in lines if line.strip()), "")))


def read_fide_list(data: bytes, chapter: str = CHAPTERS[0]) -> tuple[ParsedList | None, Problems]:
    """Return the list, None if its columns are unknown, and all problems of the file.

    `chapter` names the ratings that are read from a combined list. The day is the first one of the month that the
    title of the rating of a single list names; a combined list has none.
    """
    problems = Problems()
    return _read_lines(enumerate(decode(data, problems), 1), chapter, Selection(), problems), problems


def read_fide_stream(stream: BinaryIO, chapter: str, selection: Selection) -> tuple[ParsedList | None, Problems]:
    """Return the selected players of an open file of any size, which is read line by line, as `read_fide_list` does."""
    problems = Problems()
    parsed = _read_lines(_iterate_lines(stream, problems), chapter, selection, problems)
    if parsed is None and not problems.fatal:
        problems.error(FileProblem.FILE_EMPTY())
    return parsed, problems


def _iterate_lines(stream: BinaryIO, problems: Problems) -> Iterator[tuple[int, str]]:
    """Yield the lines with their numbers, up to one that is too long, which is an error."""
    number = 0
    while line := stream.readline(LINE_AT_MOST + len(b"\r\n") + 1):
        number += 1
        text = _decode_line(line.removeprefix(BOM_UTF8) if number == 1 else line)
        if len(text) > LINE_AT_MOST:
            problems.error(FileProblem.LINE_TOO_LONG(lines=len(text), most=LINE_AT_MOST), number)
            return
        yield number, text


def _decode_line(line: bytes) -> str:
    """Return a line, which is ASCII in FIDE's own file, without its end."""
    text, _codec = decode_text(line.rstrip(b"\r\n"))
    return text


def _read_lines(
    lines: Iterable[tuple[int, str]], chapter: str, selection: Selection, problems: Problems
) -> ParsedList | None:
    """Return the list of some lines with their numbers; None without lines, or after an error in the titles."""
    filled = ((number, line) for number, line in lines if line.strip())
    title_number, title_line = next(filled, (0, ""))
    if not title_line:
        return None
    columns = _find_columns(title_line)
    titles = _find_titles(columns, chapter)
    missing = [title.title() for title in REQUIRED if title not in columns]
    if missing:
        problems.error(FileProblem.LIST_TITLES_MISSING(titles=", ".join(missing)), title_number)
    elif "rating" not in titles:
        problems.error(FileProblem.CHAPTER_MISSING(chapter=chapter), title_number)
    if problems.fatal:
        return None
    first, end = columns[titles["country"]]
    players = []
    for number, line in filled:
        if selection.add(line[first:end]):
            fields = {field: _cut_field(line, title_line, columns[title]) for field, title in titles.items()}
            player = read_listed_player(number, fields, problems)
            players += [player] if player else []
    parsed = ParsedList(_read_month(titles["rating"]), tuple(players))
    return finish_list(parsed, selection.selected, problems)


def _find_columns(title_line: str) -> dict[str, tuple[int, int]]:
    """Return the first column of each title, in capitals, and the one after its last."""
    found = [*TITLE.finditer(title_line)]
    starts = [match.start() for match in found] + [len(title_line) + 4]  # the flag's column is as wide as its title
    return {match[0].upper(): place for match, place in zip(found, pairwise(starts), strict=True)}


def _find_titles(columns: Mapping[str, tuple[int, int]], chapter: str) -> dict[str, str]:
    """Return the title of each field that the file has, with the rating and K of a chapter."""
    titles = {field: title for field, title in FIELDS.items() if title in columns}
    letter = CHAPTER_LETTERS[chapter]
    month = next((title for title in columns if MONTH.fullmatch(title)), "")
    candidates = {"rating": (f"{letter}RTNG", month), "k": (f"{letter}K", "K")}
    return titles | {
        field: next(title for title in known if title in columns)
        for field, known in candidates.items()
        if not columns.keys().isdisjoint(known)
    }


def _cut_field(line: str, title_line: str, place: tuple[int, int]) -> ListedField:
    first, end = place
    title = title_line[first:end].strip()
    return ListedField(line[first:end].strip(), FileProblem.COLUMNS(first=first + 1, last=end, title=title))


def _read_month(title: str) -> dt.date | None:
    match = MONTH.fullmatch(title)
    return dt.date(2000 + int(match[2]), MONTHS.index(match[1]) + 1, 1) if match else None
