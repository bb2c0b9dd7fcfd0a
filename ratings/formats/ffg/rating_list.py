"""Writer and reader of the French Go Federation's rating list, `ech_ffg_V3.txt`, for OpenGotha and pairgoth.

The first line has day and time; then a line for each player, in ISO-8859-1 with CR and LF between the lines. Columns
from 0: `LASTNAME Firstname` 0-37, rating 38-42, state of the licence 44, licence 46-52, club 54-57, country 59-60.
Ratings are those of the European Go Database minus 2050.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping

from anyascii import anyascii

from ratings.formats.fesa.rating_list_reader import ParsedList, ParsedPlayer
from ratings.formats.go_players import COUNTRY_ALIASES, FIRST_DAN, NO_CLUB, NO_COUNTRY, OWN_COUNTRIES
from ratings.formats.list_rows import ListRow
from ratings.formats.listed_columns import ListedColumn, check_columns
from ratings.formats.listed_players import report_players
from ratings.formats.parsed import Problems, decode, is_possible_day
from ratings.formats.problems import FileProblem

HEAD = re.compile(r"#Echelle au (?P<day>\d{1,2})/(?P<month>\d{1,2})/(?P<year>\d{4})\b", re.ASCII)
NAME_WIDTH = 38
HOME, FRANCE = "FR", "FRA"
"""Code of France, and FIDE's."""
NO_LICENCE = "-------"
LICENCE = re.compile(r"[0-9A-Za-z]{7}")
STATES = "LCXe-"
"""States of a licence: licensed, credited, expired, none, and foreigner."""
UNRATED = -9999


def write_ffg_list(day: dt.date, rows: Iterable[ListRow], licences: Mapping[str, str], zero: int) -> bytes:
    """Return the list of a day in the given order, without a line end after the last line.

    `licences` are French licence numbers by public id. `zero` is the database's rating of a rating of 0 on the list.
    """
    lines = [f"#Echelle au {day:%d/%m/%Y} 00:00:00"]
    lines += [_format_line(row, licences.get(row.id, ""), zero) for row in rows]
    return "\r\n".join(lines).encode("latin-1")


def _format_line(row: ListRow, licence: str, zero: int) -> str:
    family = _write_word(row.family).replace(" ", "_").upper() or "_"
    name = f"{_write_word(family)} {_write_word(row.given)}".strip()
    is_foreigner = row.country not in ("", HOME)
    club = NO_CLUB if is_foreigner else re.sub(r"[^A-Za-z0-9]", "", anyascii(row.club)) or NO_CLUB
    country = OWN_COUNTRIES.get(row.country, row.country) or NO_COUNTRY
    known = licence if LICENCE.fullmatch(licence) else NO_LICENCE
    return (
        f"{name:{NAME_WIDTH}.{NAME_WIDTH}}{round(row.rating) + zero - FIRST_DAN:>5} {'e' if is_foreigner else '-'} "
        f"{known} {club:4.4} {country:2.2}"
    )


def _write_word(text: str) -> str:
    """Return a text in printable ISO-8859-1, with other letters in Latin ones without accents."""
    fitting = "".join(sign if sign <= "\xff" else anyascii(sign) for sign in text)
    return " ".join(re.sub(r"[^ -~¡-ÿ]", " ", fitting).split())


def looks_like_ffg_list(data: bytes) -> bool:
    """Return True if the file begins with the line of the day."""
    return bool(HEAD.match(data[:200].decode("latin-1").removeprefix("ï»¿").lstrip()))


def read_ffg_list(data: bytes, gor_of_zero: int = 0) -> tuple[ParsedList | None, Problems]:
    """Return the list, None if the file has no text, and all problems of the file.

    `gor_of_zero` is the database's rating of a rating of 0 on the list that takes the ratings.
    """
    problems = Problems()
    lines = [(number, line) for number, line in enumerate(decode(data, problems), 1) if line.strip()]
    if not lines:
        return None, problems
    day = _read_day(*lines[0], problems)
    players, unrated = [], 0
    for number, line in lines[1:]:
        player = _read_line(number, line, FIRST_DAN - gor_of_zero, problems)
        if player is not None and player.rating == UNRATED + FIRST_DAN - gor_of_zero:
            unrated += 1
        elif player is not None:
            players.append(player)
    report_players(len(players), problems, unrated=unrated)
    return ParsedList(day, tuple(players)), problems


def _read_day(number: int, line: str, problems: Problems) -> dt.date | None:
    match = HEAD.match(line)
    try:
        day = dt.date(int(match["year"]), int(match["month"]), int(match["day"])) if match else None
    except ValueError:
        day = None
    if day is None or not is_possible_day(day):
        problems.warn(FileProblem.NO_DATE(day=line.strip()[:30]), number)
        return None
    return day


def _read_line(number: int, line: str, shift: int, problems: Problems) -> ParsedPlayer | None:
    """Return the player of a line, None after adding its errors; `shift` is added to the rating."""
    family, _blank, given = line[:NAME_WIDTH].strip().partition(" ")
    rating, state, country = line[38:43].strip(), line[44:45], line[59:61].strip().upper()
    columns = (
        ListedColumn("Nom", 1, NAME_WIDTH, family, r"[\s\S]+", FileProblem.EXPECTED_NAME()),
        ListedColumn("Niveau", 39, 43, rating, r"-?\d{1,4}", FileProblem.EXPECTED_FFG_RATING()),
        ListedColumn("Licence", 45, 45, state, rf"[{STATES}]", FileProblem.EXPECTED_LICENCE_STATE()),
        ListedColumn("Pays", 60, 61, country, r"[A-Z]{2}", FileProblem.EXPECTED_COUNTRY()),
    )
    if not check_columns(columns, number, problems):
        return None
    country = "" if country == NO_COUNTRY else COUNTRY_ALIASES.get(country, country)
    names = capitalize_name(family), given.strip()
    outside = read_licence(line[46:53])
    return ParsedPlayer(number, *names, country, None, None, int(rating) + shift, None, outside=outside)


def read_licence(text: str) -> dict[str, str]:
    """Return a French licence as an id by country; nothing for a text in another form or without a digit."""
    return {HOME: text.upper()} if LICENCE.fullmatch(text) and any(map(str.isdecimal, text)) else {}


def find_licence(national: Mapping[str, str]) -> str:
    """Return the French licence among a player's numbers by FIDE's code of the federation; empty if there is none."""
    licence = national.get(FRANCE, "")
    return licence if LICENCE.fullmatch(licence) else ""


def capitalize_name(family: str) -> str:
    """Return a last name in capitals as `Van Beispiel`; a name that has small letters stays."""
    text = family.replace("_", " ").strip()
    return text.title() if text.isupper() else text
