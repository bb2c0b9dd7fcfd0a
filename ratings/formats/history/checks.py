"""Semantic checks of a history file: existing ids, possible games, and values that its rating system accepts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence

from ratings.formats.people.outside_ids import NATIONAL, read_outside_id
from ratings.systems import get_dated_system, get_system
from ratings.systems.replay import opening_state
from ratings.systems.values import GameKind, OptionChange

from .schema import AdjustmentForm, DecisionForm, GameForm, HistoryForm, TableForm

SMALLEST_BOARD = 2
SCORES: Mapping[str, int] = {GameKind.BOTH_LOST: 0, GameKind.BOTH_WON: 1, GameKind.FULL_BYE: 1}
"""Score of the first player that a kind of game has."""


def find_problems(parsed: HistoryForm) -> list[str]:
    """Return all semantic problems of a history that matches the schema, each with its position."""
    return [
        *_check_ids(parsed),
        *_check_outside_ids(parsed),
        *_check_games(parsed),
        *_check_adjustments(parsed),
        *_check_with_system(parsed),
    ]


def _check_ids(parsed: HistoryForm) -> Iterable[str]:
    ids = {player.id for player in parsed.players}
    yield from _check_unique_ids("players", [player.id for player in parsed.players])
    yield from _check_unique_ids("tables", [table.id for table in parsed.tables])
    tables = {table.id for table in parsed.tables}
    entries_by_kind: dict[str, Sequence[AdjustmentForm | DecisionForm]] = {
        "adjustments": parsed.adjustments,
        "decisions": parsed.decisions,
    }
    for kind, entries in entries_by_kind.items():
        for i, entry in enumerate(entries):
            if entry.player is not None and entry.player not in ids:
                yield f"{kind}[{i}].player: no player has the id {entry.player}"
            if entry.before is not None and entry.before not in tables:
                yield f"{kind}[{i}].before: no table has the id {entry.before}"
    for i, table in enumerate(parsed.tables):
        yield from (
            f"tables[{i}].players: no player has the id {id}" for id in dict.fromkeys(table.players) if id not in ids
        )
        if len(set(table.players)) < len(table.players):
            yield f"tables[{i}].players: a player stands twice"
        if table.end_date and table.end_date < table.date:
            yield f"tables[{i}].end_date: {table.end_date} is before {table.date}"


def _check_outside_ids(parsed: HistoryForm) -> Iterable[str]:
    """Yield the ids in other registries that are not in the form of the registry, or that two players have."""
    owners: dict[tuple[str, str, str], str] = {}
    for i, player in enumerate(parsed.players):
        for j, outside in enumerate(player.outside_ids):
            place = f"players[{i}].outside_ids[{j}]"
            if read_outside_id(outside.registry, outside.value) != outside.value:
                yield f"{place}.value: {json.dumps(outside.value)} is not an id of {outside.registry}"
            if (outside.registry == NATIONAL) != (re.fullmatch("[A-Z]{2}", outside.country) is not None):
                yield f"{place}.country: a code of two letters goes with {NATIONAL}, and with no other registry"
            key = (outside.registry, outside.country, outside.value)
            if key in owners:
                yield f"{place}: {owners[key]} has this id too"
            owners[key] = player.id


def _check_unique_ids(kind: str, ids: Sequence[str]) -> Iterable[str]:
    seen: set[str] = set()
    for i, id in enumerate(ids):
        if id in seen:
            yield f"{kind}[{i}].id: {id} stands twice"
        seen.add(id)


def _check_games(parsed: HistoryForm) -> list[str]:
    problems = []
    for i, table in enumerate(parsed.tables):
        pairs: set[tuple[int | None, frozenset[str | None]]] = set()
        player_ids = set(table.players)
        problems += [f"tables[{i}].{p}" for p in _check_times(table)]
        for j, game in enumerate(table.games):
            place = f"tables[{i}].games[{j}]"
            problems += [f"{place}.{p}" for p in (*_check_game(game, player_ids), *_check_conditions(game))]
            pair = (game.round, frozenset((game.a, game.b)))
            if game.b is not None and pair in pairs:
                problems.append(f"{place}: {game.a} and {game.b} have two games in round {game.round}")
            pairs.add(pair)
    return problems


def _check_game(game: GameForm, player_ids: set[str]) -> Iterable[str]:
    for side in ("a", "b"):
        id = getattr(game, side)
        if id is not None and id not in player_ids:
            yield f"{side}: {id} does not stand in the table's players"
    if game.a == game.b:
        yield f"b: a game of {game.a} against himself"
    if game.played:
        if game.b is None:
            yield "b: a played game needs an opponent"
        if game.round is None:
            yield "round: is missing"
        if game.score is None:
            yield "score: is missing"
    if (game.handicap is None) != (game.giver is None):
        yield "giver: handicap and giver go together"
    yield from _check_kind(game)


def _check_kind(game: GameForm) -> Iterable[str]:
    if not game.kind:
        return
    if game.played:
        yield f"kind: {game.kind} does not fit a game that was played"
    elif (game.b is None) != (game.kind == GameKind.FULL_BYE):
        yield f"kind: {game.kind} does not fit a game of {'one player' if game.b is None else 'two players'}"
    elif game.score != SCORES.get(game.kind, game.score):
        yield f"score: {game.kind} needs a score of {SCORES[game.kind]}"


def _check_conditions(game: GameForm) -> Iterable[str]:
    if game.stones and game.black is None:
        yield "black: stones need to know who has Black"
    if game.board < SMALLEST_BOARD:
        yield f"board: {game.board} is no board size"


def _check_times(table: TableForm) -> Iterable[str]:
    overtime = table.overtime or {}
    if table.minutes is not None and table.minutes < 0:
        yield "minutes: less than 0"
    if overtime and set(overtime) not in ({"moves", "seconds"}, {"increment"}):
        yield "overtime: either moves and seconds, or an increment"
    if any(value <= 0 for value in overtime.values()):
        yield "overtime: a value of 0 or less"


def _check_adjustments(parsed: HistoryForm) -> list[str]:
    problems = []
    for i, adjustment in enumerate(parsed.adjustments):
        if (adjustment.set is None) == (adjustment.shift is None):
            problems.append(f"adjustments[{i}]: either set or shift")
        if (adjustment.set is None) != (adjustment.player is None):
            problems.append(f"adjustments[{i}]: set is for one player, shift for the whole list")
    return problems


def _check_with_system(parsed: HistoryForm) -> Iterable[str]:
    """Yield the values that the rating system rejects: options, their changes, openings and unknown grades."""
    try:
        system = get_system(parsed.system, parsed.options)
    except ValueError as error:
        yield f"options: {error}"
        return
    changes = [OptionChange(**dict(change)) for change in parsed.option_changes]
    try:
        get_dated_system(parsed.system, parsed.options, changes)
    except ValueError as error:
        yield f"option_changes: {error}"
    for i, player in enumerate(parsed.players):
        if player.prior_grade is not None and player.prior_grade not in system.grading.ranks:
            yield f"players[{i}].prior_grade: {json.dumps(player.prior_grade)} is not a rank of {system.key}"
        try:
            opening_state(system, player)
        except ValueError as error:
            yield f"players[{i}].opening: {error}"
    for i, decision in enumerate(parsed.decisions):
        if decision.grade not in system.grading.grades:
            yield f"decisions[{i}].grade: {json.dumps(decision.grade)} is not a grade of {system.key}"
