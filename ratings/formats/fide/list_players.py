"""Reader of the fields of a player in FIDE's rating lists, which its text and its XML share."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from ratings.formats.fesa.rating_list_reader import ParsedList, ParsedPlayer
from ratings.formats.listed_players import report_players
from ratings.formats.parsed import Problems
from ratings.formats.people.outside_ids import FIDE, read_outside_id
from ratings.formats.problems import FileProblem

from .country_codes import country_code
from .rating_list import OWN_NUMBERS

GENDERS = {"": "", "M": "male", "F": "female", "W": "female"}
FIRST_YEAR, LAST_YEAR = 1850, 2100
T = TypeVar("T")


class ListedField(NamedTuple):
    """The text of a field, and its place in the line or the file, for messages."""

    text: str
    place: str


@dataclass
class Selection:
    """Players of a list that are read: those of some federations, by countries' codes of two letters, or all of them.

    `seen` counts all players of the file, `selected` those that are read.
    """

    countries: frozenset[str] = frozenset()
    seen: int = 0
    selected: int = 0

    def add(self, federation: str) -> bool:
        """Count a player by FIDE's code of the federation; return True for one who is read."""
        self.seen += 1
        is_selected = not self.countries or country_code(federation) in self.countries
        self.selected += is_selected
        return is_selected


def read_listed_player(line: int, fields: Mapping[str, ListedField], problems: Problems) -> ParsedPlayer | None:
    """Return a player from the fields id, name, country, sex, rating, k and birth_year.

    Return None for a player without a rating, and after adding all errors of the player.
    """
    errors = []

    def read(name: str, reader: Callable[[str], T | None], what: str) -> T | None:
        field = fields.get(name, ListedField("", ""))
        value = reader(field.text)
        if value is None:
            errors.append(FileProblem.LISTED_FIELD_INVALID(place=field.place, text=field.text[:30], what=what))
        return value

    rating = read("rating", lambda text: _read_number(text, 9999), FileProblem.EXPECTED_LISTED_RATING())
    k = read("k", lambda text: _read_number(text, 99), FileProblem.EXPECTED_K())
    year = read("birth_year", _read_year, FileProblem.EXPECTED_LISTED_YEAR())
    number = read("id", _read_id, FileProblem.EXPECTED_FIDE_ID())
    gender = read("sex", lambda text: GENDERS.get(text.upper()), FileProblem.EXPECTED_SEX())
    family, comma, given = (part.strip() for part in fields["name"].text.partition(","))
    if not family:
        place, text = fields["name"].place, fields["name"].text
        errors.append(FileProblem.LISTED_FIELD_INVALID(place=place, text=text, what=FileProblem.EXPECTED_NAME()))
    elif not comma:
        problems.warn(FileProblem.NO_COMMA_IN_NAME(family=family), line)
    country = country_code(fields["country"].text)
    if country is None:
        problems.warn(FileProblem.FEDERATION_UNKNOWN(code=fields["country"].text[:30]), line)
    for error in errors:
        problems.error(error, line)
    if errors or not rating:
        return None
    outside = {FIDE: number} if number else {}
    return ParsedPlayer(
        line, family, given, country or "", None, None, rating, None, year or None,
        gender=gender or "", outside=outside, k=k or None,
    )  # fmt: skip


def _read_number(text: str, most: int) -> int | None:
    """Return a whole number up to `most`, 0 for an empty text, None for another text."""
    if not text:
        return 0
    return int(text) if re.fullmatch(r"\d{1,4}", text, re.ASCII) and int(text) <= most else None


def _read_year(text: str) -> int | None:
    year = _read_number(text, LAST_YEAR)
    return year if year in (0, None) or year >= FIRST_YEAR else None


def _read_id(text: str) -> str | None:
    """Return a FIDE id, "" for none and for a number that this site gave, None for another text."""
    if not text.strip("0"):
        return ""
    number = read_outside_id(FIDE, text)
    return "" if number is not None and int(number) >= OWN_NUMBERS else number


def finish_list(parsed: ParsedList, seen: int, problems: Problems) -> ParsedList:
    """Return the list; report one without any player, and the number of players that have no rating.

    `seen` is the number of players in the file, or of those that are selected.
    """
    report_players(seen, problems, unrated=max(0, seen - len(parsed.players)))
    return parsed
