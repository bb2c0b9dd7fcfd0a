"""Writers of rating lists with titled columns: CSV (which `people.rating_sheet` can read), JSON and workbooks."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ratings.formats.spreadsheet.workbook import write_workbook

from .formulas import guard_formula
from .roster import NATIONAL_TITLE, OUTSIDE_TITLES

WORKBOOK_AT_MOST = 10_000  # players; more would take too long to write for a visitor


class ListRow(NamedTuple):
    """A player's public row in a rating list.

    `club` and `last_played` are empty if the list does not show them.
    """

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
    deviation: float | None = None
    """Uncertainty of the rating in rating points; None on lists without deviations."""


TITLES = (
    "Rank",
    "ID",
    "Last name",
    "First name",
    "Country",
    "Club",
    "Grade",
    "Rating",
    "Games",
    "Category",
    "Last played",
    "Deviation",
)


def _format_cells(row: ListRow, decimals: int) -> list[Any]:
    rating = round(row.rating, decimals) if decimals else round(row.rating)
    deviation = None if row.deviation is None else round(row.deviation, decimals) if decimals else round(row.deviation)
    return [row.rank, *row[1:7], rating, row.games, row.category, f"{row.last_played or ''}", deviation]


def write_list_csv(rows: Iterable[ListRow], decimals: int) -> str:
    """Return a list as CSV: a header row, then one line per player, separated by commas.

    Texts that look like formulas get an apostrophe in front.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(TITLES)
    for row in rows:
        writer.writerow([guard_formula(cell) for cell in _format_cells(row, decimals)])
    return stream.getvalue()


class LookedUpRow(NamedTuple):
    """A line that was looked up: the text as typed, the verdict in words, and the row of the player, if one was found.

    `person` has the id, names, country and club of a player who is not on the list, so that there is no `row`.
    `outside` holds the player's ids in other registries by the registry's key, and `national` those in national
    federations, each behind its country.
    """

    typed: str
    verdict: str
    row: ListRow | None = None
    person: Sequence[str] = ("",) * 5
    outside: Mapping[str, str] = {}
    national: Sequence[str] = ()


def write_lookup_csv(lines: Iterable[LookedUpRow], decimals: int) -> str:
    """Return looked-up lines as CSV: the columns of a list, the text typed, the verdict and ids; a line for each."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([*TITLES, "Typed", "Verdict", *OUTSIDE_TITLES.values(), NATIONAL_TITLE])
    for line in lines:
        cells = _format_cells(line.row, decimals) if line.row else [None, *line.person, *[None] * 6]
        ids = [*(line.outside.get(registry, "") for registry in OUTSIDE_TITLES), "; ".join(line.national)]
        writer.writerow([guard_formula(cell) for cell in (*cells, line.typed, line.verdict, *ids)])
    return stream.getvalue()


def write_list_json(head: Mapping[str, Any], rows: Iterable[ListRow], decimals: int) -> str:
    """Return a list as a JSON object: the values of `head`, and `players` with the column titles as keys."""
    keys = [title.lower().replace(" ", "_") for title in TITLES]
    players = [dict(zip(keys, _format_cells(row, decimals), strict=True)) for row in rows]
    return json.dumps({**head, "players": players}, ensure_ascii=False)


def write_list_workbook(rows: Iterable[ListRow], decimals: int) -> bytes:
    """Return a list as a workbook with one sheet; raise ValueError if it has more than `WORKBOOK_AT_MOST` players."""

    def lines() -> Iterator[list[Any]]:
        for count, row in enumerate(rows):
            if count == WORKBOOK_AT_MOST:
                raise ValueError(f"more than {WORKBOOK_AT_MOST:,} players")
            yield ["" if cell is None else cell for cell in _format_cells(row, decimals)]

    return write_workbook([TITLES, *lines()], (6, 10, 24, 18, 9, 24, 9, 9, 8, 13, 12, 10), "List")
