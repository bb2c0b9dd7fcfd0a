"""Writer of OpenGotha's tournament files: players, games, byes and the parameters that follow from the table."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ratings.formats.ffg.rating_list import find_licence
from ratings.formats.go_players import FIRST_DAN, NO_CLUB, OF_GRADE, OWN_COUNTRIES
from ratings.formats.h9.handicaps import EVEN_GAMES_POLICY, find_policy
from ratings.formats.parsed import Cell, ParsedRow, ParsedTable
from ratings.formats.people.outside_ids import AGA, EGD
from ratings.formats.xml_elements import FORBIDDEN, write_element
from ratings.systems.handicaps import MAX_STONES

from .table import BY_DEFAULT, RESULTS, make_key

ROUNDS_AT_MOST = 20
"""Rounds for which a player's attribute `participating` has a sign."""
GRADE = re.compile(r"(\d{1,2}) (Dan|Kyu)")
UNKNOWN_RANK, UNKNOWN_RATING = "30K", -900
"""Rank and rating of players without a grade: OpenGotha needs both."""
SMALL_NAME_LENGTH = 20
_MINUTES, _SECONDS = r"min(?:utes?|\.)?", r"s(?:ec(?:onds?|\.)?)?"
TIME_CONTROL = re.compile(
    rf"""(?P<basic>\d{{1,4}}) \s? {_MINUTES} (?:
    | \s* \+ \s* (?P<fischer>\d{{1,4}}) \s? {_SECONDS}
    | (?: ,? \s* byo-?yomi \s+ (?P<byo_yomi>\d{{1,4}}) \s? {_SECONDS} )
    | (?: \s* [+,] \s* (?P<byo_yomi_before>\d{{1,4}}) \s? {_SECONDS} \s+ byo-?yomi )
    | , \s* (?P<moves>\d{{1,4}}) \s+ moves \s+ in \s+ (?P<canadian>\d{{1,4}}) \s? {_SECONDS}
    | \s* \+ \s* (?P<stones>\d{{1,4}}) / (?P<canadian_minutes>\d{{1,2}}) \s? {_MINUTES}
    )""",
    re.VERBOSE | re.ASCII | re.IGNORECASE,
)
"""Texts such as `60 min + 30 sec`, `60min, byo-yomi 30sec`, `60min, 15 moves in 300sec` and `60min + 15/5min`."""
RESULT_BY_POINTS = {points: text for text, points in RESULTS.items()}
BYE_HALF_POINTS = 2


def write_opengotha(table: ParsedTable) -> str:
    """Return the tournament of a table as XML, with a line end after every line, without an IP address.

    Ratings are those in the middle of the grades, as OpenGotha's own default; players without a grade are 30K.
    """
    keys = {row.number: make_key(row.family, row.given) for row in table.rows}
    lines = ['<?xml version="1.0" encoding="UTF-8" standalone="no"?>']
    day = f"{table.last_day:%Y%m%d}000000"
    root = {"dataVersion": 201, "fullVersionNumber": "3.51", "runningMode": "SAL", "saveDT": day}
    lines.append(write_element("Tournament", root, closed=False))
    lines += ["<Players>", *map(_write_player, table.rows), "</Players>"]
    lines += ["<Games>", *_write_games(table, keys), "</Games>"]
    lines += ["<ByePlayers>", *_write_byes(table, keys), "</ByePlayers>"]
    lines += ["<TournamentParameterSet>", *_write_parameters(table), "</TournamentParameterSet>", "</Tournament>"]
    return "\n".join(lines) + "\n"


def _write_player(row: ParsedRow) -> str:
    match = GRADE.fullmatch(row.grade or "")
    rank, rating = UNKNOWN_RANK, UNKNOWN_RATING
    if match:
        number, is_dan = int(match[1]), match[2] == "Dan"
        rank = f"{number}{'D' if is_dan else 'K'}"
        rating = FIRST_DAN + OF_GRADE // 2 + OF_GRADE * (number - 1 if is_dan else -number)
    present = "".join("0" if _is_absent(cell) else "1" for cell in row.cells)
    return write_element("Player", {
        "agaExpirationDate": "",
        "agaId": row.outside.get(AGA, ""),
        "club": NO_CLUB,
        "country": OWN_COUNTRIES.get(row.country, row.country),
        "egfPin": row.outside.get(EGD, ""),
        "ffgLicence": find_licence(row.national),
        "ffgLicenceStatus": "",
        "firstName": row.given,
        "grade": rank,
        "name": row.family,
        "participating": f"{present:1<{ROUNDS_AT_MOST}}",
        "rank": rank,
        "rating": rating,
        "ratingOrigin": "INI",
        "registeringStatus": "FIN",
        "smmsCorrection": 0,
    })  # fmt: skip


def _is_absent(cell: Cell) -> bool:
    return not (cell.named or cell.points)


def _write_games(table: ParsedTable, keys: dict[int, str]) -> Iterator[str]:
    """Yield the games of each round; the player with the lower number has White where colours are unknown."""
    for round_ in range(1, table.rounds + 1):
        number = 0
        for row in table.rows:
            cell = row.cells[round_ - 1]
            other = cell.named
            if not other or other < row.number:
                continue
            number += 1
            black = cell.has_black
            points = (cell.points, _other_points(table, other, round_))
            white, second = (keys[other], keys[row.number]) if black else (keys[row.number], keys[other])
            result = RESULT_BY_POINTS[points[::-1] if black else points]
            yield write_element("Game", {
                "blackPlayer": second,
                "handicap": cell.stones,
                "knownColor": "false" if black is None else "true",
                "result": result + (BY_DEFAULT if cell.forfeit else ""),
                "roundNumber": round_,
                "tableNumber": number,
                "whitePlayer": white,
            })  # fmt: skip


def _other_points(table: ParsedTable, number: int, round_: int) -> float:
    row = next(row for row in table.rows if row.number == number)
    return row.cells[round_ - 1].points


def _write_byes(table: ParsedTable, keys: dict[int, str]) -> Iterator[str]:
    for round_ in range(1, table.rounds + 1):
        for row in table.rows:
            cell = row.cells[round_ - 1]
            if not cell.opponent and not cell.forfeit and cell.points == 1:
                yield write_element("ByePlayer", {"player": keys[row.number], "roundNumber": round_})


def _write_parameters(table: ParsedTable) -> Iterator[str]:
    general = {
        **_read_time_control(table.time_control),
        "beginDate": table.first_day,
        "director": "",
        "endDate": table.last_day,
        "genNBW2ValueAbsent": 0,
        "genNBW2ValueBye": BYE_HALF_POINTS,
        "komi": 7.5,
        "location": table.place,
        "name": table.name,
        "numberOfRounds": table.rounds,
        "shortName": re.sub(r"\W+", "", table.name)[:SMALL_NAME_LENGTH],
        "size": 19,
    }
    yield write_element("GeneralParameterSet", dict(sorted(general.items())))
    policy = find_policy(table.rows)
    correction = 0 if policy in ("", EVEN_GAMES_POLICY) else int(policy[1:])
    yield write_element("HandicapParameterSet", {
        "hdBasedOnMMS": "false",
        "hdCeiling": MAX_STONES if policy != EVEN_GAMES_POLICY else 0,
        "hdCorrection": correction,
        "hdNoHdRankThreshold": "9D",
    })  # fmt: skip


def _read_time_control(text: str) -> dict[str, str | int]:
    """Return the attributes of a time control; none if the text is not understood or gives no thinking time."""
    match = TIME_CONTROL.fullmatch(text.strip())
    if match is None or not int(match["basic"]):
        return {}
    times = {name: int(digits or 0) for name, digits in match.groupdict().items()}
    attributes: dict[str, str | int] = {"basicTime": times["basic"], "complementaryTimeSystem": "SUDDENDEATH"}
    byo_yomi = times["byo_yomi"] or times["byo_yomi_before"]
    moves, canadian = times["moves"] or times["stones"], times["canadian"] or 60 * times["canadian_minutes"]
    if times["fischer"]:
        return attributes | {"complementaryTimeSystem": "FISCHER", "fischerTime": times["fischer"]}
    if byo_yomi:
        return attributes | {"complementaryTimeSystem": "STDBYOYOMI", "stdByoYomiTime": byo_yomi}
    if moves and canadian:
        return attributes | {
            "complementaryTimeSystem": "CANBYOYOMI",
            "canByoYomiTime": canadian,
            "nbMovesCanTime": moves,
        }
    return attributes


def holds_table(table: ParsedTable) -> bool:
    """Return True if the format can hold a table: names make different keys, and byes are as OpenGotha has them."""
    keys, rounds = [make_key(row.family, row.given) for row in table.rows], table.rounds
    texts = [table.name, table.place, *(text for row in table.rows for text in (row.family, row.given))]
    return (
        len(set(keys)) == len(keys)
        and all(row.family and len(row.cells) == rounds for row in table.rows)
        and not any(FORBIDDEN.search(text) for text in texts)
        and rounds <= ROUNDS_AT_MOST
        and all(_holds_round(table, round_) for round_ in range(rounds))
        and (not rounds or any(not _is_absent(row.cells[-1]) for row in table.rows))
    )


def _holds_round(table: ParsedTable, round_: int) -> bool:
    """Return True if a round has at most one bye, no half points without a game, and results of both sides."""
    cells = {row.number: row.cells[round_] for row in table.rows}
    free = [cell.points for cell in cells.values() if not cell.opponent and not cell.forfeit]
    sides = [(cell, cells.get(cell.named)) for cell in cells.values() if cell.named]
    return (
        free.count(1) <= 1
        and 0.5 not in free
        and all(other is not None and (cell.points, other.points) in RESULT_BY_POINTS for cell, other in sides)
        and all(cell.stones <= MAX_STONES and not (cell.stones and cell.black is None) for cell in cells.values())
    )
