"""Tournaments of RenjuNet's database (.rif) as crosstables."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Iterator

from ratings.characters import has_visible_character, invisible_characters
from ratings.formats.event_head import Head, HeadText, read_day, read_event_days
from ratings.formats.fide.country_codes import country_code
from ratings.formats.paired_games import PairedGame, Pairings, assign_rounds
from ratings.formats.parsed import ParsedRow, ParsedTable, Problems
from ratings.formats.people.outside_ids import RIF, read_outside_id
from ratings.formats.problems import FileProblem
from ratings.formats.xml_elements import Element

from .database import Database, describe_left_out, describe_unknown, read_database

RENJU, GOMOKU = "renju", "gomoku"
DISCIPLINES = {"1": RENJU, "2": GOMOKU}
"""Disciplines by the category of a rule."""
POINTS = {"1": 1.0, "0.5": 0.5, "0": 0.0}
DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)
SEXES = {"2": "w"}
"""Sex by the attribute `gender`, of which only 2 is documented."""
NATIVE_NAME_AT_MOST = 100
DAMAGED = "\ufffd"
"""Character that replaces bytes which are not UTF-8."""


def read_rif(data: bytes, head: Head, today: dt.date) -> tuple[ParsedTable | None, Problems]:
    """Return the only rated tournament of a database, None if it has none or several, and all problems of the file."""
    problems = Problems()
    database = read_database(data, problems)
    if database is None:
        return None, problems
    rated = database.rated
    if len(rated) != 1:
        missing = FileProblem.RIF_NO_TOURNAMENT()
        problems.error(FileProblem.RIF_TOURNAMENTS(tournaments=len(rated)) if rated else missing)
        return None, problems
    if note := describe_left_out(database):
        problems.note(note)
    return build_table(database, rated[0], head, today, problems), problems


def build_table(database: Database, tournament: Element, head: Head, today: dt.date, problems: Problems) -> ParsedTable:
    """Return the crosstable of a tournament, with White and Black of its games."""
    rows: dict[str, ParsedRow] = {}
    games, assigned = assign_rounds(list(_read_games(database, tournament, rows, problems)))
    if assigned:
        problems.note(FileProblem.RIF_ROUNDS_ASSIGNED(games=assigned))
    Pairings(games).add_to(list(rows.values()), problems)
    days = read_event_days(*_find_days(tournament, problems), head, today, problems)
    country = database.find("country", tournament.get("country"))
    city = database.find("city", tournament.get("city"))
    return ParsedTable(
        tournament.get("name") or head.name,
        *days,
        list(rows.values()),
        city.get("name") if city else "",
        country.get("name") if country else "",
        code=_convert_country(country) if country else "",
        discipline=_read_discipline(database, tournament, problems),
    )


def _read_discipline(database: Database, tournament: Element, problems: Problems) -> str:
    """Return renju or gomoku by the rule of a tournament; "" after an error."""
    rule = database.find("rule", tournament.get("rule"))
    if rule is None:
        problems.error(describe_unknown(tournament, "rule", tournament.get("rule")), tournament.line)
        return ""
    category = rule.get("category")
    if category not in DISCIPLINES:
        message = FileProblem.RIF_CATEGORY_UNKNOWN(id=tournament.get("id")[:20], text=category[:20])
        problems.error(message, rule.line)
    return DISCIPLINES.get(category, "")


def _find_days(tournament: Element, problems: Problems) -> tuple[HeadText | None, HeadText | None]:
    """Return the first and last day of a tournament as texts, None for both if not even its month is known.

    A missing day is that of the other one; without both, the days are those of the month. A day 00 is the first.
    """
    id, line = tournament.get("id")[:20], tournament.line
    start, end = (_complete_day(tournament.get(name)) for name in ("start", "end"))
    if not start and not end:
        start, end = _find_month(tournament)
        if not start:
            return None, None
    first, last = start or end, end or start
    if (first, last) != (tournament.get("start"), tournament.get("end")):
        problems.note(FileProblem.RIF_DAYS_INCOMPLETE(id=id, first=first[:20], last=last[:20]), line)
    days = read_day(first), read_day(last)
    if days[0] and days[1] and days[1] < days[0]:
        problems.warn(FileProblem.RIF_DAYS_SWAPPED(id=id, start=days[0], end=days[1]), line)
        first, last = last, first
    return HeadText(first, line), HeadText(last, line)


def _complete_day(text: str) -> str:
    """Return a day with 00 as the first of its month; "" for a day without year or month."""
    match = DAY.fullmatch(text)
    if not match:
        return text
    year, month, day = match.groups()
    return "" if year == "0000" or month == "00" else f"{year}-{month}-{'01' if day == '00' else day}"


def _find_month(tournament: Element) -> tuple[str, str]:
    """Return the first and last day of the month of a tournament; empty if it has none."""
    year, month = tournament.get("year"), tournament.get("month")
    if not re.fullmatch(r"[1-9]\d{3}", year, re.ASCII) or not re.fullmatch(r"0?[1-9]|1[0-2]", month, re.ASCII):
        return "", ""
    last = calendar.monthrange(int(year), int(month))[1]
    return f"{year}-{int(month):02}-01", f"{year}-{int(month):02}-{last:02}"


def _read_games(
    database: Database, tournament: Element, rows: dict[str, ParsedRow], problems: Problems
) -> Iterator[PairedGame]:
    """Yield the games of a tournament, and add its players to `rows`, by id."""
    undecided = unrated = 0
    for game in database.games.get(tournament.get("id"), []):
        white, black = (_find_row(database, game, side, rows, problems) for side in ("white", "black"))
        round_, text = game.get("round") or "0", game.get("bresult")
        if not _check_game(game, problems) or white is None or black is None:
            continue
        if white is black:
            problems.warn(FileProblem.RIF_SELF(id=game.get("id")[:20], name=white.name), game.line, white.number)
        elif not text:
            undecided += 1
        else:
            points, is_unrated = POINTS[text], game.get("unrated") not in ("", "0")
            unrated += is_unrated
            numbers = white.number, black.number
            yield PairedGame(
                game.line, int(round_), *numbers, 1 - points, points, forfeit=is_unrated, unrated=is_unrated
            )
    if undecided:
        problems.warn(FileProblem.RIF_NO_RESULT(games=undecided), tournament.line)
    if unrated:
        problems.warn(FileProblem.RIF_UNRATED_GAMES(games=unrated), tournament.line)


def _check_game(game: Element, problems: Problems) -> bool:
    """Return True if round and result of a game can be read; add an error for each that cannot."""
    round_, result = game.get("round"), game.get("bresult")
    errors = []
    if round_ and not re.fullmatch(r"\d{1,4}", round_, re.ASCII):
        errors.append(FileProblem.XML_ROUND_INVALID(text=round_[:20]))
    if result and result not in POINTS:
        errors.append(FileProblem.RIF_RESULT_INVALID(id=game.get("id")[:20], text=result[:20]))
    for error in errors:
        problems.error(error, game.line)
    return not errors


def _find_row(
    database: Database, game: Element, side: str, rows: dict[str, ParsedRow], problems: Problems
) -> ParsedRow | None:
    """Return the row of a player of a game, added if it is the first game of the player; None after an error."""
    id = game.get(side)
    if id in rows:
        return rows[id]
    player = database.find("player", id)
    if player is None:
        problems.error(describe_unknown(game, "player", id), game.line)
        return None
    rows[id] = row = ParsedRow(len(rows) + 1, player.line, player.get("surname"), player.get("name"))
    if not row.family:
        row.family, row.given = row.given, ""
    if not row.family:
        problems.error(FileProblem.LAST_NAME_MISSING(), row.line, row.number)
        row.family, row.broken = "?", True
    if DAMAGED in row.name:
        problems.warn(FileProblem.RIF_NAME_DAMAGED(name=row.name[:60]), row.line, row.number)
    row.native, row.sex = _read_native_name(player, row, problems), SEXES.get(player.get("gender"), "")
    country = database.find("country", player.get("country"))
    if country is not None:
        row.country = _convert_country(country)
        if not row.country:
            text = country.get("abbr") or country.get("name")
            problems.warn(FileProblem.COUNTRY_LEFT_OUT(word=text[:20]), row.line, row.number)
    number = read_outside_id(RIF, player.get("disp_id"))
    if number:
        row.outside = {RIF: number}
    else:
        problems.warn(FileProblem.RIF_PLAYER_NUMBER(text=player.get("disp_id")[:20]), row.line, row.number)
    born = re.match(r"([12]\d{3})-", player.get("birth"), re.ASCII)
    row.birth_year = int(born[1]) if born else None
    return row


def _read_native_name(player: Element, row: ParsedRow, problems: Problems) -> str:
    """Return the name in the player's own script; "" after a warning if it cannot be one."""
    name = " ".join(player.get("native_name").split())
    is_damaged = DAMAGED in name or invisible_characters(name) or (name and not has_visible_character(name))
    if len(name) <= NATIVE_NAME_AT_MOST and not is_damaged:
        return name
    problems.warn(FileProblem.RIF_NATIVE_NAME_LEFT_OUT(name=name[:60]), row.line, row.number)
    return ""


def _convert_country(country: Element) -> str:
    """Return the code of two letters of a country by its abbreviation, "" if it is unknown."""
    abbreviation = country.get("abbr").upper()
    if re.fullmatch("[A-Z]{2}", abbreviation):
        return abbreviation
    return country_code(abbreviation) or ""
