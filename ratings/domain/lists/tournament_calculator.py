"""Tournament calculator: what a whole tournament would do to ratings, without storing anything."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.db.models import Q

from ratings.domain.events.tables import NumberedGame, build_games
from ratings.formats.event_head import Head
from ratings.formats.parsed import ParsedRow, ParsedTable, Problems
from ratings.formats.problems import FileProblem
from ratings.formats.recognise import read_results_file
from ratings.matching import fold
from ratings.models import NameVisibility, Player, RatingList
from ratings.queries.players.candidate_questions import MOST_NAMED, CandidateFacts
from ratings.queries.players.names import replace_ids_with_names
from ratings.queries.players.player_details import players_with_details
from ratings.queries.runs.states import latest_changes
from ratings.queries.runs.values import load_players
from ratings.systems import values
from ratings.systems.replay import opening_state
from ratings.systems.state_json import state_from_json
from ratings.systems.values import Row, RowExplanation

ROWS_AT_MOST = 200


@dataclass(frozen=True)
class SimulatedRow:
    """A player's result of a calculated tournament; `player` is set if they were found by name or public id."""

    number: int
    name: str
    player: Player | None
    row: Row
    explained: RowExplanation


@dataclass(frozen=True)
class SimulatedTournament:
    """Result of calculating a tournament; `rows` is empty if `problems` has an error."""

    problems: Problems
    rows: list[SimulatedRow]
    names: Mapping[str, str]
    """Players' names by the ids in the terms of the rows."""
    counts_on: dt.date | None = None
    """Closing day on which the points are added; None if the tournament changes ratings at once."""


def simulate_tournament(rating_list: RatingList, data: bytes, today: dt.date) -> SimulatedTournament:
    """Return the effect of results in any known format, as if they were played today.

    Days in the file don't count: with a day of the visitor's choice, the K of age would reveal birth years.
    Players found by name or public id have their present rating on the list. Other players have the rating in the
    file, which is fixed, or are unrated.
    """
    parsed = read_results_file(data, Head("pasted", today, today), today)
    table, problems = parsed.table, parsed.problems
    if table is None or problems.fatal:
        return SimulatedTournament(problems, [], {})
    if len(table.rows) > ROWS_AT_MOST:
        problems.error(FileProblem.TOO_MANY_CALCULATED_ROWS(rows=len(table.rows), most=ROWS_AT_MOST))
        return SimulatedTournament(problems, [], {})
    known = _find_players(rating_list, table.rows, problems)
    try:
        return _calculate(rating_list, table, known, problems, today)
    except ValueError as error:
        problems.error(str(error))
        return SimulatedTournament(problems, [], {})


def _find_players(rating_list: RatingList, rows: Sequence[ParsedRow], problems: Problems) -> dict[int, Player]:
    """Return the known players by row number; a name finds only players who are displayed by their full name."""
    folded = {row.number: fold(row.name) for row in rows}
    wanted = Q(public_id__in=[row.family.upper() for row in rows])
    for name in set(folded.values()):
        wanted |= Q(shown=NameVisibility.FULL, search_name=name) | Q(
            shown=NameVisibility.FULL, search_name__startswith=f"{name} "
        )
    by_name: dict[str, list[Player]] = defaultdict(list)
    for player in Player.objects.filter(wanted, merged_into=None):
        by_name[player.public_id.casefold()].append(player)
        if player.shown == NameVisibility.FULL:
            by_name[fold(player.name)].append(player)
    known: dict[int, Player] = {}
    for row in rows:
        candidates = by_name.get(folded[row.number], [])
        if len(candidates) == 1 and candidates[0] not in known.values():
            known[row.number] = candidates[0]
        elif candidates:
            players = _describe_publicly(rating_list, candidates[:MOST_NAMED])
            problems.warn(FileProblem.NAME_AMBIGUOUS_CHOOSE_ID(name=row.name, players=players), row.line)
    return known


def _describe_publicly(rating_list: RatingList, players: Sequence[Player]) -> list[str]:
    """Return players with their ids and what the public may know of them: of hidden players only the id, as typed."""
    details = players_with_details([player.public_id for player in players])
    facts = CandidateFacts.read(players, [rating_list])
    return [
        facts.describe(details[player.public_id], with_id=True, is_public=True)
        if player.shown == NameVisibility.FULL
        else player.public_id
        for player in players
    ]


def _calculate(
    rating_list: RatingList, table: ParsedTable, known: Mapping[int, Player], problems: Problems, today: dt.date
) -> SimulatedTournament:
    system = rating_list.rating_system
    unknown = {row.number: _unknown_player(row) for row in table.rows if row.number not in known}
    ids = {number: player.public_id for number, player in known.items()}
    ids |= {number: player.id for number, player in unknown.items()}
    players = load_players(rating_list, [player.public_id for player in known.values()])
    players |= {player.id: player for player in unknown.values()}
    fixed = {player.id: player.opening["rating"] for player in unknown.values() if player.opening}
    games = tuple(_build_game(game, ids) for game in build_games(table.rows))
    seated = tuple(ids[row.number] for row in table.rows)
    imagined = values.Table("imagined", today, seated, games, table.name, fixed=fixed)
    rated = system.rating.rate(
        imagined, players, _load_states(rating_list, players, [player.pk for player in known.values()])
    )
    rows = {row.player: row if rating_list.has_grades else row.without_grades() for row in rated.rows}
    names = {id: player.name for id, player in players.items()}
    for warning in rated.warnings:
        problems.warn(replace_ids_with_names(warning, names))
    lines = [
        SimulatedRow(
            row.number,
            players[id].name,
            known.get(row.number),
            rows[id],
            _explain(system, rows[id], known=row.number in known),
        )
        for row in table.rows
        if (id := ids[row.number]) in rows
    ]
    carried = any(line.row.change and line.row.before == line.row.after for line in lines)
    return SimulatedTournament(problems, lines, names, system.rating.counting_day(today) if carried else None)


def _unknown_player(row: ParsedRow) -> values.Player:
    opening = None if row.rating is None else {"rating": row.rating}
    return values.Player(f"row{row.number}", row.name, fixed=opening is not None, opening=opening)


def _explain(system: Any, row: Row, *, known: bool) -> RowExplanation:
    """Return the explanation of a row; for a known player without the notes on what is assumed of unknown players."""
    explained: RowExplanation = system.presentation.explained(row) if row.terms else RowExplanation((), ())
    return explained.without_notes(system.presentation.assumptions.values()) if known else explained


def _load_states(rating_list: RatingList, players: Mapping[str, values.Player], keys: Sequence[int]) -> dict[str, Any]:
    system = rating_list.rating_system
    stored = dict(latest_changes(rating_list, None, keys).values_list("player__public_id", "state"))
    return {
        id: state_from_json(system, stored[id]) if id in stored else opening_state(system, player)
        for id, player in players.items()
    }


def _build_game(game: NumberedGame, ids: Mapping[int, str]) -> values.Game:
    sides = {"a": ids[game.a], "b": None if game.b is None else ids[game.b]}
    return values.Game(**asdict(game) | sides)
