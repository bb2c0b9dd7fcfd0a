"""Writer of rating lists in the columns of FIDE's standard rating list (TXT), for chess pairing programs.

Columns from 1: ID 1-15, `Last, First` 16-76, federation 77-79, sex 81, titles 85-108, rating 114-117, games 120-122, K
124-125, year of birth 127-130, flag 133. Columns that the portal has no data for stay empty; names are in Latin letters
without accents.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from anyascii import anyascii

from ratings.formats.list_rows import ListRow

from .country_codes import federation_code

MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
HEAD = f"{'ID Number':15}{'Name':61}{'Fed':4}{'Sex':4}{'Tit':5}{'WTit':5}{'OTit':15}{'FOA':4}"


def write_fide_list(day: dt.date, rows: Iterable[ListRow]) -> str:
    """Return the header row with the month of `day`, and one line per player, in the given order."""
    title = f"{HEAD}{MONTHS[day.month - 1]}{day.year % 100:02} Gms K  B-day Flag"
    return "".join(f"{line.rstrip()}\n" for line in [title, *map(_format_line, rows)])


def _format_line(row: ListRow) -> str:
    name = anyascii(", ".join(filter(None, (row.family, row.given))))
    federation = federation_code(row.country)
    return f"{row.id:15}{name:60.60} {federation:4}{'':33}{round(row.rating):<6}{row.games:<4}"
