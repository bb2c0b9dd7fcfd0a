"""Writers of the roster of an event: the entered players with their ids, as CSV and as a workbook.

The titles are those of `people.columns`, so that programs and `people.rating_sheet` read the file.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ratings.formats.people.outside_ids import AGA, EGD, FESA, FIDE, RIF, US_CHESS, write_national_ids
from ratings.formats.spreadsheet.workbook import write_workbook

from .formulas import guard_formula


class RosterRow(NamedTuple):
    """An entered player.

    `number` identifies the entry. `id` is the player's public id, empty for a name that is no known player. `rating`
    is None without a rating. `outside` holds ids in other registries by the registry's key, or by the country of a
    national federation.
    """

    number: int
    id: str
    family: str
    given: str
    country: str
    club: str
    grade: str = ""
    rating: float | None = None
    games: int = 0
    category: str = ""
    prior_grade: str = ""
    outside: Mapping[str, str] = {}


OUTSIDE_TITLES = {
    EGD: "EGD PIN",
    FIDE: "FIDE id",
    AGA: "AGA id",
    US_CHESS: "US Chess id",
    RIF: "RIF id",
    FESA: "FESA id",
}
NATIONAL_TITLE = "National ids"
"""Title of the column with the ids in national federations, each behind its country."""
TITLES = (
    *("ID", "Last name", "First name", "Country", "Club", "Grade", "Rating", "Games"),
    *OUTSIDE_TITLES.values(),
    NATIONAL_TITLE,
)
WIDTHS = (10, 24, 18, 9, 24, 9, 9, 8, *[12] * len(OUTSIDE_TITLES), 18)


def _format_cells(row: RosterRow, decimals: int) -> list[Any]:
    rating = None if row.rating is None else round(row.rating, decimals) if decimals else round(row.rating)
    ids = [row.outside.get(registry, "") for registry in OUTSIDE_TITLES]
    return [
        row.id,
        row.family,
        row.given,
        row.country,
        row.club,
        row.grade,
        rating,
        row.games,
        *ids,
        write_national_ids(row.outside),
    ]


def write_roster_csv(rows: Iterable[RosterRow], decimals: int) -> str:
    """Return the roster as CSV: a line of titles, then one line per player, in the given order.

    The rating is empty for players without one. Texts that look like formulas get an apostrophe in front.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(TITLES)
    for row in rows:
        writer.writerow([guard_formula(cell) for cell in _format_cells(row, decimals)])
    return stream.getvalue()


def write_roster_workbook(rows: Iterable[RosterRow], decimals: int) -> bytes:
    """Return the roster as a workbook with one sheet."""
    cells = (["" if cell is None else cell for cell in _format_cells(row, decimals)] for row in rows)
    return write_workbook([TITLES, *cells], WIDTHS, "Roster")
