"""Writer of the XML that pairing programs send to chess-results.com: tournament, players and pairings in attributes.

Source: a description of the interface of January 2026. The attributes of rounds, intermediate rankings and the
signature are not known, so these parts are not written.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Mapping

from ratings.formats.fide.country_codes import federation_code
from ratings.formats.parsed import Cell, ParsedRow, ParsedTable
from ratings.formats.people.outside_ids import FIDE
from ratings.formats.xml_elements import FORBIDDEN, write_element
from ratings.systems.values import GameKind

SWISS, ROUND_ROBIN = "0", "1"
BYE, NOT_PAIRED = -1, -2
"""Numbers in place of Black's: the pairing-allocated bye, and any other round without an opponent."""
FORFEIT, BOTH_LOSE, UNRATED = "K", "D", "U"
NAME_WIDTH, FAMILY_WIDTH, GIVEN_WIDTH = 160, 32, 30
FORFEITS: Mapping[tuple[float, float], str] = {(1, 0): FORFEIT, (0, 1): FORFEIT, (0, 0): BOTH_LOSE}
"""Kinds of games not played, by the points of White and Black."""


def write_chess_results(table: ParsedTable) -> str:
    """Return the results of a table as XML, with a line end after every line."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<chessresults>"]
    lines += ["<tournamentdata>", _write_tournament(table), "</tournamentdata>"]
    lines += ["<players>", *map(_write_player, table.rows), "</players>"]
    lines += ["<pairings>", *_write_pairings(table), "</pairings>", "</chessresults>"]
    return "\n".join(lines) + "\n"


def _write_tournament(table: ParsedTable) -> str:
    return write_element("tournament", {
        "currentround": table.rounds,
        "federation": federation_code(table.code),
        "from": _format_day(table.first_day),
        "name": table.name,
        "rankinground": table.rounds,
        "rounds": table.rounds,
        "to": _format_day(table.last_day),
        "type": ROUND_ROBIN if table.is_round_robin else SWISS,
    })  # fmt: skip


def _format_day(day: dt.date) -> str:
    return f"{day.day:02}.{day.month:02}.{day.year:04}"


def _write_player(row: ParsedRow) -> str:
    """Return a player's element; attributes without a value are left out, except the names."""
    known = {
        "fed": federation_code(row.country),
        "fideid": row.outside.get(FIDE, ""),
        "pts": _format_points(sum(cell.points for cell in row.cells)),
        "rank": row.place,
        "rtg": row.rating,
        "rtgnat": row.national_rating,
        "sex": row.sex,
        "title": row.title,
    }
    filled = {key: value for key, value in known.items() if value not in (None, "")}
    return write_element("player", {"no": row.number, "lastname": row.family, "firstname": row.given, **filled})


def _format_points(points: float) -> str:
    return f"{points:g}".replace(".", ",")


def _write_pairings(table: ParsedTable) -> Iterator[str]:
    """Yield the games of each round, then its players without an opponent, numbered from 1."""
    by_number = {row.number: row for row in table.rows}
    for round_ in range(1, table.rounds + 1):
        cells = {number: row.cells[round_ - 1] for number, row in by_number.items()}
        with_white = [number for number, cell in cells.items() if _has_white(cell)]
        free = [number for number, cell in cells.items() if not cell.named]
        full = Counter(cells[number].points for number in free)[1]
        for pairing, number in enumerate([*with_white, *free], 1):
            cell = cells[number]
            black = cell.named or (BYE if cell.points == 1 and full == 1 else NOT_PAIRED)
            points = (cell.points, cells[black].points if black > 0 else 0)
            yield write_element("pairing", {
                "round": round_,
                "pairing": pairing,
                "whiteno": number,
                "blackno": black,
                "reswhite": _format_points(points[0]),
                "resblack": _format_points(points[1]),
                **({"forfeit": UNRATED if cell.kind == GameKind.UNRATED else FORFEITS[points]} if cell.forfeit else {}),
            })  # fmt: skip


def _has_white(cell: Cell) -> bool:
    return cell.has_black is False


def holds_results(table: ParsedTable) -> bool:
    """Return True if the format can hold a table: names fit, countries have a code of FIDE, and colours are known."""
    by_number, rounds = {row.number: row for row in table.rows}, table.rounds
    return (
        bool(table.rows and rounds)
        and len(by_number) == len(table.rows)
        and 0 < len(table.name) <= NAME_WIDTH
        and not FORBIDDEN.search(table.name)
        and all(len(row.cells) == rounds and _holds_player(row) for row in table.rows)
        and all(
            _holds_cell(row, cell, by_number.get(cell.named), round_)
            for row in table.rows
            for round_, cell in enumerate(row.cells)
        )
    )


def _holds_player(row: ParsedRow) -> bool:
    return (
        0 < len(row.family) <= FAMILY_WIDTH
        and len(row.given) <= GIVEN_WIDTH
        and not FORBIDDEN.search(row.family + row.given)
        and (not row.country or bool(federation_code(row.country)))
    )


def _holds_cell(row: ParsedRow, cell: Cell, opponent: ParsedRow | None, round_: int) -> bool:
    """Return True if a cell has no opponent, or one who has the other colour and, by default, a possible result."""
    if not cell.named:
        return True
    other = opponent.cells[round_] if opponent and opponent is not row and len(opponent.cells) > round_ else None
    if other is None or other.named != row.number or bool(other.forfeit) != bool(cell.forfeit):
        return False
    possible = not cell.forfeit or cell.kind == GameKind.UNRATED or (cell.points, other.points) in FORFEITS
    return possible and not cell.stones and _has_white(cell) != _has_white(other)
