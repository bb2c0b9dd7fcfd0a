"""Reader of result files of the American Go Association.

Source: the association's qualifications page and OpenGotha's export. `TOURNEY` with name and details, `PLAYERS` with
id, name and rank, `GAMES` (or `GAMES 2` for round 2) with the ids of White and Black, the winner (W or B, ? without a
result), handicap stones and komi; perhaps `END`. Fields are separated by blanks or tabs.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field

from ratings.formats.event_head import Head, HeadText, read_event_days
from ratings.formats.go_players import HIGHEST_AGA_ID, read_grade
from ratings.formats.paired_games import PairedGame, Pairings, assign_rounds
from ratings.formats.parsed import ParsedRow, ParsedTable, Problems, decode
from ratings.formats.people.outside_ids import AGA, read_outside_id
from ratings.formats.problems import FileProblem

SECTION = re.compile(r"(?P<name>TOURNEY|PLAYERS|GAMES|END)\b(?P<rest>.*)", re.IGNORECASE)
DETAIL = re.compile(r"(?P<key>\w+)\s*=\s*(?P<text>.*)")
PLAYER = re.compile(r"(?P<id>\d{1,7})\s+(?P<name>\S.*?)(?:\s+(?P<rank>\d{1,2}\s?[dk]))?", re.ASCII | re.IGNORECASE)
GAME = re.compile(
    r"(?P<white>\d{1,7})\s+(?P<black>\d{1,7})\s+(?P<winner>[WB?])\s+(?P<stones>\d{1,2})\s+(?P<komi>-?\d{1,3})(?:\.\d+)?",
    re.ASCII | re.IGNORECASE,
)
DAY = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})", re.ASCII)
POINTS: dict[str, tuple[float | None, float | None]] = {"W": (1, 0), "B": (0, 1), "?": (None, None)}


@dataclass
class _Lines:
    """Details of a file by key, its players by id, and its games; the round is 0 where none is named."""

    details: dict[str, HeadText] = field(default_factory=dict)
    players: dict[str, ParsedRow] = field(default_factory=dict)
    games: list[PairedGame] = field(default_factory=list)


def looks_like_aga(data: bytes) -> bool:
    """Return True if the first line begins with TOURNEY, and a line is PLAYERS."""
    lines = [line.strip().upper() for line in data[:20000].decode("latin-1").removeprefix("ï»¿").splitlines()]
    first = next((line for line in lines if line), "")
    return bool(re.match(r"TOURNEY\b", first)) and "PLAYERS" in lines


def read_aga(data: bytes, head: Head, today: dt.date) -> tuple[ParsedTable | None, Problems]:
    """Return the table, None if the file has no text, and all problems of the file.

    A file without name or days gets the event's (`head`). Games without a round are put into the first round in which
    both players are free. Komi is not stored, except that a game with no stones and a komi of 0 has a handicap of 1.
    """
    problems = Problems()
    lines = decode(data, problems)
    if not lines:
        return None, problems
    read, section, round_ = _Lines(), "", 0
    for number, line in enumerate(lines, 1):
        text = line.strip()
        heading = SECTION.fullmatch(text)
        if heading and (section != "PLAYERS" or heading["name"].upper() != "TOURNEY"):
            section, rest = heading["name"].upper(), heading["rest"].strip()
            if section == "TOURNEY":
                read.details["name"] = HeadText(rest, number)
            elif section == "GAMES":
                round_ = int(rest) if re.fullmatch(r"\d{1,4}", rest, re.ASCII) else 0
        elif text:
            _read_line(section, text, number, round_, read, problems)
    if not read.players and not problems.fatal:
        problems.error(FileProblem.NO_AGA_PLAYERS())
    games, assigned = assign_rounds(read.games)
    if assigned:
        problems.note(FileProblem.ROUNDS_ASSIGNED(games=assigned))
    pairings = Pairings(games)
    rows = list(read.players.values())
    pairings.add_to(rows, problems)
    return _build_table(read.details, rows, head, today, problems), problems


def _read_line(section: str, text: str, number: int, round_: int, read: _Lines, problems: Problems) -> None:
    if section == "TOURNEY" and (detail := DETAIL.fullmatch(text)):
        read.details.setdefault(detail["key"].lower(), HeadText(detail["text"].strip().strip("'\""), number))
    elif section == "PLAYERS":
        _read_player(text, number, read, problems)
    elif section == "GAMES":
        _read_game(text, number, round_, read, problems)
    else:
        problems.note(FileProblem.LINE_NOT_READ(line=text[:40]), number)


def _read_player(text: str, number: int, read: _Lines, problems: Problems) -> None:
    match = PLAYER.fullmatch(text)
    if match is None:
        problems.error(FileProblem.NOT_AN_AGA_PLAYER(text=text[:40]), number)
        return
    if match["id"] in read.players:
        problems.error(FileProblem.NUMBER_TWICE(number=match["id"]), number, len(read.players) + 1)
        return
    family, comma, given = (part.strip() for part in match["name"].partition(","))
    row = ParsedRow(len(read.players) + 1, number, family, given)
    if not comma:
        problems.warn(FileProblem.NO_COMMA_IN_NAME(family=family), number, row.number)
    if not family:
        problems.error(FileProblem.LAST_NAME_MISSING(), number, row.number)
        row.family, row.broken = "?", True
    if match["rank"]:
        row.grade = read_grade(match["rank"], row, problems)
    id = read_outside_id(AGA, match["id"])
    if id and int(id) <= HIGHEST_AGA_ID:
        row.outside = {AGA: id}
    read.players[match["id"]] = row


def _read_game(text: str, number: int, round_: int, read: _Lines, problems: Problems) -> None:
    match = GAME.fullmatch(text)
    if match is None:
        problems.error(FileProblem.NOT_AN_AGA_GAME(text=text[:40]), number)
        return
    white, black = (_find(match[side], number, read, problems) for side in ("white", "black"))
    if white is None or black is None:
        return
    stones, komi = int(match["stones"]), int(match["komi"])
    if komi < 0:
        problems.note(FileProblem.KOMI_NOT_READ(komi=komi), number)
    if not stones and not komi:
        stones = 1
    read.games.append(PairedGame(number, round_, white, black, *POINTS[match["winner"].upper()], stones))


def _find(id: str, number: int, read: _Lines, problems: Problems) -> int | None:
    row = read.players.get(id)
    if row is None:
        problems.error(FileProblem.AGA_ID_UNKNOWN(id=id), number)
    return row.number if row else None


def _build_table(
    details: dict[str, HeadText], rows: list[ParsedRow], head: Head, today: dt.date, problems: Problems
) -> ParsedTable:
    start, finish = (_convert_day(details.get(key)) for key in ("start", "finish"))
    days = read_event_days(start, finish, head, today, problems)
    texts = {key: detail.text for key, detail in details.items()}
    return ParsedTable(texts.get("name") or head.name, *days, rows, texts.get("location", ""))


def _convert_day(detail: HeadText | None) -> HeadText | None:
    """Return a day such as 6/15/2026 as 2026-06-15; any other text as it is."""
    if detail is None or not detail.text:
        return None
    match = DAY.fullmatch(detail.text)
    return HeadText(f"{match[3]}-{match[1]:0>2}-{match[2]:0>2}", detail.line) if match else detail
