"""A rating list as files of titled columns: CSV (which `rating_csv` reads again), JSON, and the cells of a workbook."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from .sheets import guarded
from .workbook import write_workbook

WORKBOOK_AT_MOST = 10_000  # lines; more take longer to write than a visitor waits


class ListRow(NamedTuple):
    """A line of a list as the public may see it. `club` and `last_played` are empty where a list does not tell."""

    rank: int | None
    id: str
    family: str
    given: str
    country: str
    club: str
    grade: str
    rating: float
    games: int
    category: str
    last_played: dt.date | None = None


TITLES = (
    "Rank", "ID", "Last name", "First name", "Country", "Club", "Grade", "Rating", "Games", "Category", "Last played",
)  # fmt: skip


def _cells(row: ListRow, decimals: int) -> list[Any]:
    rating = round(row.rating, decimals) if decimals else round(row.rating)
    return [row.rank, *row[1:7], rating, row.games, row.category, f"{row.last_played or ''}"]


def write_list_csv(rows: Iterable[ListRow], decimals: int) -> str:
    """Parted by commas, a line of titles first. An apostrophe stands before texts that look like formulas."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(TITLES)
    for row in rows:
        writer.writerow([guarded(cell) if isinstance(cell, str) else cell for cell in _cells(row, decimals)])
    return stream.getvalue()


def write_list_json(head: Mapping[str, Any], rows: Iterable[ListRow], decimals: int) -> str:
    """The values of `head`, and the players by the titles in small letters."""
    keys = [title.lower().replace(" ", "_") for title in TITLES]
    players = [dict(zip(keys, _cells(row, decimals), strict=True)) for row in rows]
    return json.dumps({**head, "players": players}, ensure_ascii=False)


def write_list_workbook(rows: Iterable[ListRow], decimals: int) -> bytes:
    """A workbook of one sheet. ValueError: more lines than are written."""

    def lines() -> Iterator[list[Any]]:
        for count, row in enumerate(rows):
            if count == WORKBOOK_AT_MOST:
                raise ValueError(f"more than {WORKBOOK_AT_MOST:,} players")
            yield ["" if cell is None else cell for cell in _cells(row, decimals)]

    return write_workbook([TITLES, *lines()], (6, 10, 24, 18, 9, 24, 9, 9, 8, 13, 12), "List")
