"""Writer of rating lists in the European Go Database's format, for OpenGotha and MacMahon programs.

Columns from 0: pin 1-8, last and first name 11-47, country 49-50, club 53-56, grade 60-62, rating 71-74. The portal
does not know that database's pins, so they are zero; names are in Latin letters without accents.
"""

from __future__ import annotations

from collections.abc import Iterable

from anyascii import anyascii

from ratings.formats.list_rows import ListRow

NO_PIN = "00000000"


def write_egf_list(rows: Iterable[ListRow], zero: int) -> str:
    """Return one line per player, in the given order, with ratings on the database's scale (GoR).

    `zero` is the GoR of a rating of 0 on the list. The format has no negative ratings; they are written as 0.
    """
    return "".join(_format_line(row, zero) for row in rows)


def _format_line(row: ListRow, zero: int) -> str:
    name = anyascii(f"{row.family.replace(' ', '_')} {row.given}".strip())
    club = anyascii(row.club)
    rating = max(0, round(row.rating) + zero)
    return f" {NO_PIN}  {name:37.37} {row.country:2.2}  {club:4.4}   {_format_grade(row.grade):>3}        {rating:>4}\n"


def _format_grade(grade: str) -> str:
    """Return a grade such as `3 Dan` as `3d`."""
    number, _, unit = grade.partition(" ")
    return f"{number}{unit[:1].lower()}"
