"""What a whole tournament would do, reckoned from its results without storing anything."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.db.models import Q

from ratings.formats.head import Head
from ratings.formats.parsed import ParsedRow, ParsedTable, Problems
from ratings.formats.recognise import read
from ratings.matching import fold
from ratings.models import Player, RatingList, Shown
from ratings.queries.names import with_names
from ratings.queries.states import latest_changes
from ratings.queries.values import load_players
from ratings.systems import values
from ratings.systems.replay import opening_state
from ratings.systems.texts import state_of
from ratings.systems.values import Explained, Row
from ratings.systems.words import Words as _

from .tables import Pairing, pairings_of

ROWS_AT_MOST = 200


@dataclass(frozen=True)
class ImaginedRow:
    """A line of the tournament with what it would give; `player` is who was known by name or public id."""

    number: int
    name: str
    player: Player | None
    row: Row
    explained: Explained


@dataclass(frozen=True)
class ImaginedTournament:
    """`rows` are empty where `problems` has an error."""

    problems: Problems
    rows: list[ImaginedRow]
    names: Mapping[str, str]
    """By the ids that the terms of the rows bear."""


def imagine_tournament(rating_list: RatingList, data: bytes, today: dt.date) -> ImaginedTournament:
    """Results in any known format, as if played today.

    Who is known on the list by name or public id comes with his present rating; who is not, with the rating that the
    file gives him, which then stands as it is, or else unrated.
    """
    found = read(data, Head("pasted", today, today), today)
    table, problems = found.table, found.problems
    if table is None or problems.fatal:
        return ImaginedTournament(problems, [], {})
    if len(table.rows) > ROWS_AT_MOST:
        problems.error(_("{rows} players; at most {most} are reckoned here", rows=len(table.rows), most=ROWS_AT_MOST))
        return ImaginedTournament(problems, [], {})
    known = _known(table.rows, problems)
    try:
        return _rated(rating_list, table, known, problems)
    except ValueError as error:
        problems.error(str(error))
        return ImaginedTournament(problems, [], {})


def _known(rows: Sequence[ParsedRow], problems: Problems) -> dict[int, Player]:
    """Players by the row's number; only who is shown by his full name is known by it."""
    folded = {row.number: fold(row.name) for row in rows}
    wanted = Q(public_id__in=[row.family.upper() for row in rows])
    for name in set(folded.values()):
        wanted |= Q(shown=Shown.FULL, search_name=name) | Q(shown=Shown.FULL, search_name__startswith=f"{name} ")
    by_name: dict[str, list[Player]] = defaultdict(list)
    for player in Player.objects.filter(wanted, merged_into=None):
        by_name[player.public_id.casefold()].append(player)
        if player.shown == Shown.FULL:
            by_name[fold(player.name)].append(player)
    known: dict[int, Player] = {}
    for row in rows:
        meant = by_name.get(folded[row.number], [])
        if len(meant) == 1 and meant[0] not in known.values():
            known[row.number] = meant[0]
        elif meant:
            told = _("{name} may be several players; write the public id in place of the name", name=row.name)
            problems.warn(told, row.line)
    return known


def _rated(
    rating_list: RatingList, table: ParsedTable, known: Mapping[int, Player], problems: Problems
) -> ImaginedTournament:
    system = rating_list.rating_system
    strangers = {row.number: _stranger(row) for row in table.rows if row.number not in known}
    ids = {number: player.public_id for number, player in known.items()}
    ids |= {number: player.id for number, player in strangers.items()}
    players = load_players(rating_list, [player.public_id for player in known.values()])
    players |= {player.id: player for player in strangers.values()}
    fixed = {player.id: player.opening["rating"] for player in strangers.values() if player.opening}
    games = tuple(_game(pairing, ids) for pairing in pairings_of(table.rows))
    seated = tuple(ids[row.number] for row in table.rows)
    imagined = values.Table("imagined", table.first_day, seated, games, table.name, fixed=fixed)
    rated = system.rate(imagined, players, _states(rating_list, players, [player.pk for player in known.values()]))
    rows = {row.player: row if rating_list.graded else row.without_grades() for row in rated.rows}
    names = {id: player.name for id, player in players.items()}
    for warning in rated.warnings:
        problems.warn(with_names(warning, names))
    lines = [
        ImaginedRow(row.number, players[id].name, known.get(row.number), rows[id], _explained(system, rows[id]))
        for row in table.rows
        if (id := ids[row.number]) in rows
    ]
    return ImaginedTournament(problems, lines, names)


def _stranger(row: ParsedRow) -> values.Player:
    opening = None if row.rating is None else {"rating": row.rating}
    return values.Player(f"row{row.number}", row.name, fixed=opening is not None, opening=opening)


def _explained(system: Any, row: Row) -> Explained:
    explained: Explained = system.explained(row) if row.terms else Explained((), ())
    return explained


def _states(rating_list: RatingList, players: Mapping[str, values.Player], keys: Sequence[int]) -> dict[str, Any]:
    system = rating_list.rating_system
    stored = dict(latest_changes(rating_list, None, keys).values_list("player__public_id", "state"))
    return {
        id: state_of(system, stored[id]) if id in stored else opening_state(system, player)
        for id, player in players.items()
    }


def _game(pairing: Pairing, ids: Mapping[int, str]) -> values.Game:
    seats = {"a": ids[pairing.a], "b": None if pairing.b is None else ids[pairing.b]}
    return values.Game(**asdict(pairing) | seats)
