"""Reader of OpenGotha's tournament files (XML).

Source: pairgoth's schema `opengotha.xsd` and OpenGotha's import and export. Players are named by a key: last and first
name without blanks, in capitals; in old files also without accents. Results are of White and Black; an element
`ByePlayer` is a bye.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter

from ratings.formats.event_head import Head, HeadText, read_event_days
from ratings.formats.ffg.rating_list import read_licence
from ratings.formats.go_players import HIGHEST_AGA_ID, read_country, read_grade
from ratings.formats.paired_games import PairedGame, Pairings
from ratings.formats.parsed import ParsedRow, ParsedTable, Problems
from ratings.formats.people.outside_ids import AGA, EGD, read_outside_id
from ratings.formats.problems import FileProblem
from ratings.formats.xml_elements import Element, read_elements
from ratings.matching import fold

ROOT = re.compile(rb"<Tournament[\s>][^>]*\bdataVersion\s*=")
RESULTS: dict[str, tuple[float | None, float | None]] = {
    "RESULT_UNKNOWN": (None, None),
    "RESULT_WHITEWINS": (1, 0),
    "RESULT_BLACKWINS": (0, 1),
    "RESULT_EQUAL": (0.5, 0.5),
    "RESULT_BOTHLOSE": (0, 0),
    "RESULT_BOTHWIN": (1, 1),
}
"""Points of White and Black by the text of a result."""
BY_DEFAULT = "_BYDEF"
IP_ADDRESS = re.compile(rb"""(\sexternalIPAddress\s*=\s*)("[^"]*"|'[^']*')""")


def looks_like_opengotha(data: bytes) -> bool:
    """Return True if the root element is that of OpenGotha's tournaments."""
    return bool(ROOT.search(data[:5000]))


def remove_ip_address(data: bytes) -> bytes:
    """Return a file without the IP address of the organiser's computer, which OpenGotha writes into it."""
    return IP_ADDRESS.sub(rb'\1""', data) if looks_like_opengotha(data) else data


def read_opengotha(data: bytes, head: Head, today: dt.date) -> tuple[ParsedTable | None, Problems]:
    """Return the table, None if the file is no valid XML, and all problems of the file.

    A file without name or days gets the event's (`head`). Ratings, MacMahon points and the order of pairing are not
    read. Players who were only registered in advance and have no game are left out.
    """
    problems = Problems()
    root = read_elements(data, problems)
    if root is None:
        return None, problems
    rows = _read_players(root, problems)
    if not rows and not problems.fatal:
        problems.error(FileProblem.NO_XML_PLAYERS(element="Player"))
    general = next(root.iterate("GeneralParameterSet"), None) or Element("GeneralParameterSet", root.line)
    pairings = Pairings(
        _read_games(root, _add_plain_keys(rows), general, problems), _read_half_points(general, "Absent", 0) / 2
    )
    if any(root.iterate("Team")):
        problems.note(FileProblem.TEAM_LINES_LEFT_OUT(codes="Teams"))
    registered = {
        rows[key].number
        for player in root.iterate("Player")
        if player.get("registeringStatus") == "PRE"
        and (key := make_key(player.get("name"), player.get("firstName"))) in rows
    }
    kept = pairings.leave_out_unplayed(list(rows.values()), registered, problems)
    pairings.add_to(kept, problems)
    return _build_table(general, kept, head, today, problems), problems


def make_key(family: str, given: str) -> str:
    """Return the key by which games name a player."""
    return "".join(f"{family}{given}".split()).upper()


def _add_plain_keys(rows: dict[str, ParsedRow]) -> dict[str, ParsedRow]:
    """Return the players by their keys, and by the key without accents, in lower case, where one player only has it."""
    plain = {key: fold(key) for key in rows}
    counts = Counter(plain.values())
    return {plain[key]: row for key, row in rows.items() if counts[plain[key]] == 1} | rows


def _read_players(root: Element, problems: Problems) -> dict[str, ParsedRow]:
    """Return the players by their keys, numbered in the order of the file."""
    rows: dict[str, ParsedRow] = {}
    for number, player in enumerate(root.iterate("Player"), 1):
        row = ParsedRow(number, player.line, player.get("name"), player.get("firstName"))
        if not row.family:
            problems.error(FileProblem.LAST_NAME_MISSING(), player.line, number)
            row.family, row.broken = "?", True
        key = make_key(row.family, row.given)
        if key in rows:
            message = FileProblem.KEY_OF_SEVERAL(name=row.name, line=rows[key].line)
            problems.error(message, player.line, number)
            continue
        row.grade = _read_rank(player, row, problems)
        row.country = read_country(player.get("country"), row, problems)
        row.outside = _read_ids(player)
        rows[key] = row
    for number, row in enumerate(rows.values(), 1):
        row.number = number
    return rows


def _read_rank(player: Element, row: ParsedRow, problems: Problems) -> str | None:
    text = player.get("rank") or player.get("grade")
    return read_grade(text, row, problems) if text else None


def _read_ids(player: Element) -> dict[str, str]:
    pin, aga = read_outside_id(EGD, player.get("egfPin")), read_outside_id(AGA, player.get("agaId"))
    known = {EGD: pin, AGA: aga if aga and int(aga) <= HIGHEST_AGA_ID else None}
    return {registry: value for registry, value in known.items() if value} | read_licence(player.get("ffgLicence"))


def _read_games(root: Element, rows: dict[str, ParsedRow], general: Element, problems: Problems) -> list[PairedGame]:
    games = []
    for element in root.iterate("Game"):
        round_, white = _read_round(element, problems), _find(element, "whitePlayer", rows, problems)
        black = _find(element, "blackPlayer", rows, problems)
        result = _read_result(element, problems)
        stones = element.get("handicap") or "0"
        if not re.fullmatch(r"\d{1,2}", stones, re.ASCII):
            problems.error(FileProblem.NOT_A_HANDICAP_OR_STONES(handicap=stones[:20], handicaps="0–9"), element.line)
            continue
        if round_ is None or white is None or black is None or result is None:
            continue
        forfeit, points = result
        colours_known = element.get("knownColor") != "false" or stones != "0"
        games.append(PairedGame(element.line, round_, white, black, *points, int(stones), forfeit, colours_known))
    bye = _read_half_points(general, "Bye", 2) / 2
    for element in root.iterate("ByePlayer"):
        round_, player = _read_round(element, problems), _find(element, "player", rows, problems)
        if round_ is not None and player is not None:
            games.append(PairedGame(element.line, round_, player, 0, bye, None))
    return games


def _read_round(element: Element, problems: Problems) -> int | None:
    text = element.get("roundNumber")
    if not re.fullmatch(r"\d{1,4}", text, re.ASCII):
        problems.error(FileProblem.XML_ROUND_INVALID(text=text[:20]), element.line)
        return None
    return int(text)


def _find(element: Element, attribute: str, rows: dict[str, ParsedRow], problems: Problems) -> int | None:
    text = element.get(attribute)
    key = make_key(text, "")
    row = rows.get(key) or rows.get(fold(key))
    if row is None:
        problems.error(FileProblem.KEY_UNKNOWN(key=text[:60], attribute=attribute), element.line)
    return row.number if row else None


def _read_result(element: Element, problems: Problems) -> tuple[bool, tuple[float | None, float | None]] | None:
    """Return whether a game was decided by default, and the points of White and Black."""
    text = element.get("result") or "RESULT_UNKNOWN"
    points = RESULTS.get(text.removesuffix(BY_DEFAULT))
    if points is None:
        problems.error(FileProblem.NOT_AN_OPENGOTHA_RESULT(text=text[:40]), element.line)
        return None
    return text.endswith(BY_DEFAULT), points


def _read_half_points(general: Element, what: str, usual: int) -> int:
    """Return the half points of an absence or a bye: 0, 1 or 2."""
    text = general.get(f"genNBW2Value{what}")
    return int(text) if text in ("0", "1", "2") else usual


def _build_table(
    general: Element, rows: list[ParsedRow], head: Head, today: dt.date, problems: Problems
) -> ParsedTable:
    texts = [general.get(name) for name in ("beginDate", "endDate")]
    first, last = (HeadText(text, general.line) if text else None for text in texts)
    days = read_event_days(first, last, head, today, problems)
    control = read_time_control(general)
    name = general.get("name") or general.get("shortName") or head.name
    return ParsedTable(name, *days, rows, general.get("location"), "", control)


def read_time_control(general: Element) -> str:
    """Return the time control of a tournament as a text, such as `60min + 30sec`; "" if it is unknown."""
    numbers = {name: general.get(name) for name in ("basicTime", "fischerTime", "stdByoYomiTime", "canByoYomiTime")}
    known = {name: int(text) for name, text in numbers.items() if re.fullmatch(r"\d{1,4}", text, re.ASCII)}
    if not known.get("basicTime"):
        return ""
    minutes, system = f"{known['basicTime']}min", general.get("complementaryTimeSystem")
    if system == "FISCHER" and known.get("fischerTime"):
        return f"{minutes} + {known['fischerTime']}sec"
    if system == "STDBYOYOMI" and known.get("stdByoYomiTime"):
        return f"{minutes}, byo-yomi {known['stdByoYomiTime']}sec"
    moves = general.get("nbMovesCanTime")
    if system == "CANBYOYOMI" and known.get("canByoYomiTime") and moves.isdecimal():
        return f"{minutes}, {int(moves[:4])} moves in {known['canByoYomiTime']}sec"
    return minutes
