"""Division of RenjuNet's database (.rif) into files of one tournament each."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from ratings.formats.event_head import Head
from ratings.formats.parsed import BYTES_AT_MOST, ParsedTable, Problems
from ratings.formats.xml_elements import Element

from .database import Database, describe_left_out, looks_like_rif, read_database, write_tournament
from .table import build_table


@dataclass(frozen=True)
class SplitDatabase:
    """Files of the rated tournaments of a database in date order, with the tables read from the whole file.

    `problems` are those of the database as a whole; with an error in them there are no files. `left_out` says which
    tournaments are not among the files.
    """

    files: Sequence[tuple[str, bytes, ParsedTable, Problems]]
    problems: Problems
    left_out: str = ""


def split_database(data: bytes, today: dt.date, *, most: int = BYTES_AT_MOST) -> SplitDatabase:
    """Return the rated tournaments of a database of at most `most` bytes as files of one tournament each."""
    problems = Problems()
    database = read_database(data, problems, most=most)
    if database is None or problems.fatal:
        return SplitDatabase((), problems)
    files = [(tournament, *_build(database, tournament, today)) for tournament in database.rated]
    files.sort(key=lambda file: (file[1].last_day, file[1].first_day))
    named = [
        (f"{table.name} {table.last_day}.rif", write_tournament(database, tournament), table, found)
        for tournament, table, found in files
    ]
    return SplitDatabase(named, problems, describe_left_out(database))


def _build(database: Database, tournament: Element, today: dt.date) -> tuple[ParsedTable, Problems]:
    problems = Problems()
    return build_table(database, tournament, Head("", None, None), today, problems), problems


def split_rif(data: bytes) -> tuple[list[tuple[str, bytes]], str]:
    """Return the rated tournaments of a database as files, and which tournaments were left out, "" for none.

    There are no files if the data is no database, has an error outside the tournaments, or has fewer than two rated
    tournaments; such a file is read without being split.
    """
    if not looks_like_rif(data):
        return [], ""
    split = split_database(data, dt.date.max)
    return ([(name, part) for name, part, *_read in split.files], split.left_out) if len(split.files) > 1 else ([], "")
