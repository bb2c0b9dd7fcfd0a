"""Reader of the tournament files of the program MacMahon 3.9 (XML).

Source: pairgoth's import of these files. Everything is in elements: `GoPlayer` has the data of a player and stands
beside the `Id` by which a `Pairing` names them; the element around the pairings of a round has its `RoundNumber`.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator

from ratings.formats.event_head import Head, read_event_days
from ratings.formats.go_players import read_country, read_grade
from ratings.formats.paired_games import PairedGame, Pairings
from ratings.formats.parsed import ParsedRow, ParsedTable, Problems
from ratings.formats.people.outside_ids import EGD, read_outside_id
from ratings.formats.problems import FileProblem
from ratings.formats.xml_elements import Element, read_elements

ROOT = re.compile(rb"<Tournament[\s>][^>]*\btypeversion\s*=")
RESULT = re.compile(r"(1|0|½|0\.5|1/2|\?)\s*-\s*(1|0|½|0\.5|1/2|\?)")
POINTS: dict[str, float | None] = {"1": 1, "0": 0, "½": 0.5, "0.5": 0.5, "1/2": 0.5, "?": None}


def looks_like_macmahon(data: bytes) -> bool:
    """Return True if the root element is that of MacMahon's tournaments."""
    return bool(ROOT.search(data[:5000]))


def read_macmahon(data: bytes, head: Head, today: dt.date) -> tuple[ParsedTable | None, Problems]:
    """Return the table, None if the file is no valid XML, and all problems of the file.

    The days are the event's (`head`). Ratings, MacMahon points and rules of pairing are not read. Players who were only
    registered in advance and have no game are left out.
    """
    problems = Problems()
    root = read_elements(data, problems)
    if root is None:
        return None, problems
    rows: dict[str, ParsedRow] = {}
    registered = set()
    for entry in _iterate_parents(root, "GoPlayer"):
        row = _read_player(entry, len(rows) + 1, rows, problems)
        if row is not None and entry.child_text("PreliminaryRegistration") == "true":
            registered.add(row.number)
    if not rows and not problems.fatal:
        problems.error(FileProblem.NO_XML_PLAYERS(element="GoPlayer"))
    pairings = Pairings()
    for round_ in _iterate_parents(root, "RoundNumber"):
        pairings.games += _read_round(round_, rows, problems)
    kept = pairings.leave_out_unplayed(list(rows.values()), registered, problems)
    pairings.add_to(kept, problems)
    days = read_event_days(None, None, head, today, problems)
    return ParsedTable(root.child_text("Name") or head.name, *days, kept), problems


def _iterate_parents(root: Element, tag: str) -> Iterator[Element]:
    """Yield the elements with a child of this tag, in the order of the file."""
    waiting = [root]
    while waiting:
        element = waiting.pop()
        if element.find(tag) is not None:
            yield element
        waiting += reversed(element.children)


def _read_player(entry: Element, number: int, rows: dict[str, ParsedRow], problems: Problems) -> ParsedRow | None:
    """Add the row of a player to `rows` by the id; return None after an error if pairings cannot name the player."""
    player = entry.find("GoPlayer") or entry
    row = ParsedRow(number, player.line, player.child_text("Surname"), player.child_text("FirstName"))
    id = entry.child_text("Id")
    if not id:
        problems.error(FileProblem.NO_PLAYER_ID(), player.line, number)
        return None
    if id in rows:
        problems.error(FileProblem.NUMBER_TWICE(number=id[:20]), player.line, number)
        return None
    if not row.family:
        problems.error(FileProblem.LAST_NAME_MISSING(), player.line, number)
        row.family, row.broken = "?", True
    grade = player.child_text("GoLevel")
    row.grade = read_grade(grade, row, problems) if grade else None
    row.country = read_country(player.child_text("Country"), row, problems)
    pin = read_outside_id(EGD, player.child_text("EgdPin"))
    row.outside = {EGD: pin} if pin else {}
    rows[id] = row
    return row


def _read_round(element: Element, rows: dict[str, ParsedRow], problems: Problems) -> Iterator[PairedGame]:
    number = element.child_text("RoundNumber")
    if not re.fullmatch(r"\d{1,4}", number, re.ASCII):
        problems.error(FileProblem.XML_ROUND_INVALID(text=number[:20]), element.line)
        return
    for pairing in element.iterate("Pairing"):
        game = _read_pairing(pairing, int(number), rows, problems)
        if game is not None:
            yield game


def _read_pairing(pairing: Element, round_: int, rows: dict[str, ParsedRow], problems: Problems) -> PairedGame | None:
    """Return a game or a bye; None after an error."""
    if pairing.child_text("PairingWithBye") == "true":
        player = _find(pairing, "White" if pairing.child_text("White") in rows else "Black", rows, problems)
        return None if player is None else PairedGame(pairing.line, round_, player, 0, None, None)
    white, black = (_find(pairing, tag, rows, problems) for tag in ("White", "Black"))
    text = pairing.child_text("Result") or "?-?"
    result = RESULT.fullmatch(text)
    if result is None:
        problems.error(FileProblem.NOT_A_MACMAHON_RESULT(text=text[:20]), pairing.line)
    stones = pairing.child_text("Handicap") or "0"
    if not re.fullmatch(r"\d{1,2}", stones, re.ASCII):
        problems.error(FileProblem.NOT_A_HANDICAP_OR_STONES(handicap=stones[:20], handicaps="0–9"), pairing.line)
        return None
    if white is None or black is None or result is None:
        return None
    points = POINTS[result[1]], POINTS[result[2]]
    is_decided = pairing.child_text("ResultByReferee") == "true" and None not in points
    return PairedGame(pairing.line, round_, white, black, *points, int(stones), is_decided)


def _find(pairing: Element, tag: str, rows: dict[str, ParsedRow], problems: Problems) -> int | None:
    text = pairing.child_text(tag)
    if text not in rows:
        problems.error(FileProblem.PLAYER_ID_UNKNOWN(element=tag, text=text[:20]), pairing.line)
        return None
    return rows[text].number
