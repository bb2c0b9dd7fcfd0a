"""Writer of rating lists in the European Go Database's format, for OpenGotha, pairgoth and MacMahon.

Columns from 0: PIN 1-8, last and first name 11-47, country 49-50, club 53-56, grade 60-62, proposed grade 65-67, rating
71-74, tournaments 77-80, code of the last tournament from 83. OpenGotha reads by these columns, pairgoth by the ten
words of a line: each must be there. Names are in Latin letters without accents, as the two programs read the file in
different encodings.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from anyascii import anyascii

from ratings.formats.go_players import NO_CLUB, NO_COUNTRY, OWN_COUNTRIES, format_grade, grade_of_rating
from ratings.formats.list_rows import ListRow

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
NOT_IN_NAMES = re.compile(r"[^A-Za-z\-._`'()]")
NOT_IN_GIVEN_NAMES = re.compile(r"[^A-Za-z0-9\-._`'()]")
"""Characters that pairgoth's pattern of a line does not allow in last and first names."""
NO_PROPOSAL, NO_TOURNAMENT = "--", "T000000"
OWN_NUMBERS = 90_000_000
"""Added to a player's number on the site where no PIN is known; the database's own PINs are lower."""


class EgfDetails(NamedTuple):
    """Data of a player that the format has beside the row: PIN or own number, number of events, and the last day."""

    number: int
    pin: str = ""
    events: int = 0
    last_day: dt.date | None = None


def write_egf_list(day: dt.date, rows: Iterable[ListRow], details: Mapping[str, EgfDetails], zero: int) -> str:
    """Return the line with the day, and one line per player, in the given order, with ratings on the scale GoR.

    `details` are by the players' public ids. `zero` is the GoR of a rating of 0 on the list. Players without a grade
    get that of their rating.
    """
    date = f"({day.day:02} {MONTHS[day.month - 1]} {day.year})\n"
    return date + "".join(_format_line(row, details[row.id], zero) for row in rows)


def _format_line(row: ListRow, details: EgfDetails, zero: int) -> str:
    family = NOT_IN_NAMES.sub("", anyascii(row.family).replace(" ", "_")) or "_"
    given = NOT_IN_GIVEN_NAMES.sub("", anyascii(row.given).replace(" ", "_"))
    club = re.sub(r"[^A-Za-z0-9]", "", anyascii(row.club)) or NO_CLUB
    rating = round(row.rating) + zero
    grade = format_grade(row.grade) or grade_of_rating(rating)
    country = OWN_COUNTRIES.get(row.country, row.country) or NO_COUNTRY
    name, last = f"{family} {given}".strip(), _format_code(details.last_day)
    return (
        f" {details.pin or OWN_NUMBERS + details.number:0>8}  {name:37.37} {country:2.2}  {club:4.4}   {grade:>3}"
        f"  {NO_PROPOSAL:>3}   {rating:>4}  {details.events:>4}  {last}\n"
    )


def _format_code(last_day: dt.date | None) -> str:
    """Return a code in the form of the database's tournament codes, from the last day of the last event."""
    return NO_TOURNAMENT if last_day is None else f"T{last_day:%y%m%d}"
