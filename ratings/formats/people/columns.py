"""The one vocabulary of columns in files about people: rating lists, new players, and imports in the admin.

Titles are compared in lower case, without accents, and with blanks for `_` and `-`. The first title of a column is the
one that messages name.
"""

from __future__ import annotations

from collections.abc import Iterable

from ratings.formats.spreadsheet.headers import normalize_title

from .outside_ids import AGA, EGD, FESA, FIDE, NATIONAL, RIF, US_CHESS

TITLES: dict[str, tuple[str, ...]] = {
    "id": ("id", "public id"),
    "family": ("last name", "family name", "surname", "name", "nachname", "familienname", "nom", "nom de famille"),
    "given": ("first name", "given name", "forename", "vorname", "prenom"),
    "native_name": ("native name",),
    "country": ("country", "nationality", "nat", "federation", "land", "nation", "pays", "nationalite"),
    "rating": ("rating", "elo", "gor", "wertung", "wertungszahl", "classement"),
    "games": ("games", "#games", "partien", "spiele", "parties"),
    "grade": ("grade", "grad", "rang"),
    "prior_grade": ("prior grade", "earlier grade", "fruherer grad", "grade anterieur"),
    "birth_year": ("birth year", "year of birth", "geburtsjahr", "annee de naissance"),
    "birth_date": ("birth date", "date of birth", "geburtsdatum", "date de naissance"),
    "gender": ("gender", "sex", "geschlecht", "sexe"),
    EGD: ("egd pin", "egd", "pin"),
    FIDE: ("fide id", "fide number", "fide"),
    AGA: ("aga id", "aga"),
    US_CHESS: ("us chess id", "uscf id"),
    RIF: ("rif id", "rif"),
    FESA: ("fesa id", "fesa"),
    NATIONAL: ("national ids", "national id", "national", "identifiants nationaux", "nationale nummern"),
    "member_until": ("member until", "membership until", "mitglied bis", "membre jusqu'au", "会員期限"),
}
"""Titles of each column, by the column's name in the code."""
OUTSIDE_IDS = (EGD, FIDE, AGA, US_CHESS, RIF, FESA)
"""Columns with an id in another registry. Those of national federations share a column, each behind its country."""
_COLUMNS = {title: column for column, titles in TITLES.items() for title in titles}


def find_column(title: str) -> str | None:
    """Return the column that a title names, None for an unknown one."""
    return _COLUMNS.get(normalize_title(title.strip().strip('"')))


def find_columns(titles: Iterable[str], known: Iterable[str]) -> list[str | None]:
    """Return the column of each title, None where it names none of the columns that the file may have."""
    accepted = set(known)
    return [column if (column := find_column(title)) in accepted else None for title in titles]
